/* SPDX-License-Identifier: MIT
** lua.h -- what stand-ins share: where the text of a decode is invalid; fields of metatables, __pairs and __len,
** opening a table by these; the indices of their metatables among those that encoding knows.
** Must hold: as fault.h and encode/api/walk.h. */
#pragma once

#include "../../decode/face/decode.h"
#include "../../encode/face/marks.h"
#include "fault.h"

/* Each index belongs to one stand-in, which registers its metatable with mod_make_mark or mod_set_mark. */
enum dropin_mark {
  CJSON_MARK_ARRAY = MOD_MARK_DROPIN, /* array_mt, */
  CJSON_MARK_EMPTY,                   /* and empty_array_mt */
  DKJSON_MARK_NULL,                   /* the metatable of null */
  DROPIN_MARKS
};
FL_STATIC_ASSERT((int)DROPIN_MARKS <= (int)KNOWN_METATABLES, each_mark_has_a_place);

/* Finds the fault of d's text; leaves the memory for that on the stack. Returns 0 if there is no fault. */
FL_PRIVATE int dropin_find_fault(const struct mod_decode *d, const struct dropin_fault_rules *rules,
                                 struct dropin_fault *f);

/* Pushes the line and column of a byte of the text, or of its end, by `format`, which has a %s for each. Only line
** feeds end lines; columns count bytes; both begin with 1. */
FL_PRIVATE void dropin_push_place(const struct mod_decode *d, const char *at, const char *format);

/* Pushes metatable[name], through the __index of the metatable's own metatable. Returns 0 if that raised an error. */
FL_PRIVATE int dropin_meta_field(struct api_walk *a, int meta, const char *name);

/* Returns whether the metatable has the mark. */
FL_PRIVATE int dropin_is_marked(const struct api_walk *a, int meta, enum table_class mark);

/* Pushes our message for an error that a library does not have, or does not word differently. */
FL_PRIVATE void dropin_push_error(lua_State *L, enum fl_error error);

/* Writes the light userdata on top, if it stands for a value; anything else is an error. */
FL_PRIVATE char *dropin_write_other(struct api_walk *a, char *w);

/* What is known about a table before its keys are looked at. */
struct dropin_table {
  int meta;    /* stack index of its metatable, or 0 */
  int indexed; /* the metatable has an __index */
  int pairs;   /* stack index of the list that its __pairs made, or 0; */
  int n;       /* with n pairs */
};

/* Calls __pairs, if there is one. */
FL_PRIVATE int dropin_list_pairs(struct api_walk *a, int table, struct dropin_table *t);

/* Leaves the table at `table` with its aux after it, opened as an array of n items or as an object. */
FL_PRIVATE int dropin_end_table(struct api_walk *a, int table, const struct dropin_table *t, double n,
                                struct api_opened *f);
