/* SPDX-License-Identifier: MIT
** tables.h -- what the rules of several libraries for tables share: fields of metatables, __pairs and __len, opening a
** table by what they say.
** Must hold: as encode/api/walk.h. */
#pragma once

#include "../../encode/api/walk.h"

/* Pushes metatable[name], through the __index of the metatable's own metatable; false: that raised. */
FL_PRIVATE int dropin_meta_field(struct api_walk *a, int meta, const char *name);

/* Has the metatable the mark? */
FL_PRIVATE int dropin_is_marked(const struct api_walk *a, int meta, enum table_class mark);

/* Pushes the message of an error that a library does not have, or words no other way. */
FL_PRIVATE void dropin_push_error(lua_State *L, enum fl_error error);

/* Writes the light userdata on top, if it stands for a value; anything else is an error. */
FL_PRIVATE char *dropin_write_other(struct api_walk *a, char *w);

/* What is known of a table before its keys are looked at. */
struct dropin_table {
  int meta;    /* stack index of its metatable, 0: none */
  int indexed; /* which has an __index */
  int pairs;   /* stack index of the list that its __pairs made, 0: none; */
  int n;       /* of n pairs */
};

FL_PRIVATE void dropin_begin_table(struct api_walk *a, int table, struct dropin_table *t);

/* Runs __pairs, if there is one. */
FL_PRIVATE int dropin_list_pairs(struct api_walk *a, int table, struct dropin_table *t);

/* #table; -1: an error. */
FL_PRIVATE int dropin_table_length(struct api_walk *a, int table, const struct dropin_table *t);

/* Leaves the table at `table` with its aux after it, opened as an array of n items or as an object. */
FL_PRIVATE int dropin_end_table(struct api_walk *a, int table, const struct dropin_table *t, double n,
                                struct api_opened *f);
