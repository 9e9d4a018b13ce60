/* SPDX-License-Identifier: MIT
** table_hooks.h -- what a program gives LuaJSON's encode: functions that see each value, words of its own.
** Must hold: only walks with an luajson_special_of(a) come here, and none of them is a raw one; as
** encode/api/hooks.h. */
#pragma once

#include "../shared/tables.h"

/* What encode was given by a program. Stack indices; 0: none. */
struct luajson_special {
  int pre_process, is_array, processor;
  int null, undefined;     /* what is compared as by ==, for it may have an __eq */
  int own_arrays;          /* is_array, or nothing, is asked in place of IsArray */
  const char *booleans[2]; /* the words for false and true; NULL: such a value is an error */
  const char *types[2];    /* of null and undefined */
  int is_key;              /* the root is a name */
  /* Where a program writes the tables: its function `composite` makes of each what stands for it, and calls `encode`
  ** for what is in it; `state` is theirs. */
  int composite, encode, state;
  int *nothing; /* set if nothing stands for the root: what was to be written is elsewhere */
};

/* NULL: nothing. */
FL_INLINE const struct luajson_special *luajson_special_of(const struct api_walk *a) {
  return (const struct luajson_special *)a->special;
}

/* Is the value on top equal to the one at the index, 0: none, which may have an __eq? */
FL_PRIVATE int luajson_equals(struct api_walk *a, int index);

/* "undefined", or an error if it must not be. */
FL_PRIVATE const char *luajson_undefined(struct api_walk *a);

/* The value on top, or what stands for it, takes its place; false: an error. */
FL_PRIVATE int luajson_pre_process(struct api_walk *a, int is_key);

/* What array.isArray says of the table: 1, 0; -1: it leaves open, -2: an error. */
FL_PRIVATE int luajson_ask_is_array(struct api_walk *a, int table);

/* Writes the string on top, which stays. The processor also gets the number of escapes, as from string.gsub. */
FL_PRIVATE char *luajson_write_string(struct api_walk *a, char *w);

/* clang-format on */

/* Writes what a program's composite makes of the table at `table`. Before w, from `start` on, lies a call's name. */
FL_PRIVATE_NOINLINE char *luajson_compose(struct api_walk *a, char *w, size_t start, int table, int is_array);
