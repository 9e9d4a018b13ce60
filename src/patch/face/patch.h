/* SPDX-License-Identifier: MIT
** patch.h -- JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396): json_patch, json_diff, merge_patch, merge_diff.
** Must hold: as places/edit.h. An argument that is a string is a JSON text. No argument is changed, and an operation
** that fails has no effect. */
#pragma once

#include "../../places/edit.h"
#include "../../values/tables/api.h"
#include "../texts.h"

/* One call: two arguments, a value and a patch, or two values. */
struct mod_patch {
  struct mod_edit f;
  struct mod_pick_flags is;
  lua_State *L;
  const char *names[2]; /* of the arguments, for messages */
  const char *hint;     /* added to a message about an operation, or NULL */
  int exact;            /* stack index of the metatable of exact numbers */
  struct value_tables tables;
  int was_text[2]; /* arguments that were texts */
};

/* json_patch(value, operations) -> the value after them */
FL_PRIVATE int mod_json_patch(lua_State *L);

/* json_diff(a, b [, { test = true }]) -> operations */
FL_PRIVATE int mod_json_diff(lua_State *L);

/* merge_patch(value, patch) -> the value with the patch merged into it */
FL_PRIVATE int mod_merge_patch(lua_State *L);

/* merge_diff(a, b) -> patch */
FL_PRIVATE int mod_merge_diff(lua_State *L);

/* Begins a call with arguments 1 and 2, whose names are for messages. Raises an error if argument 3 is a table, unless
** `options`. */
FL_PRIVATE void mod_patch_begin(struct mod_patch *p, lua_State *L, const char *first, const char *second, int options);

/* Ends a call that fails, with the message on top. Returns the number of results. */
FL_INLINE int mod_patch_fail(const struct mod_patch *p, enum fl_kind kind) {
  return mod_raise_kind(p->L, p->f.d.o.safe, kind);
}

/* Like mod_patch_fail, and also returns the position of the edit's error, if it is in the text. */
FL_PRIVATE int mod_patch_fail_at(const struct mod_patch *p);

/* Replaces the argument by its text, as from encode. Returns 0 with the call's results in *results. */
FL_PRIVATE int mod_patch_to_text(struct mod_patch *p, int arg, int *results);

/* Replaces a text argument by its Lua value. Returns 0 with the call's results in *results. */
FL_PRIVATE int mod_patch_to_value(struct mod_patch *p, int arg, int *results);

/* Reads the argument, a text. other: as for patch_read_text. NULL with the call's results in *results. */
FL_PRIVATE struct patch_value *mod_patch_read(struct mod_patch *p, int arg, struct patch_value *other, int *results);

/* Returns whether the value must be converted to a table first: a view, a document, raw text. */
FL_INLINE int mod_patch_is_foreign(lua_State *L, int index) { return lua_type(L, index) == LUA_TUSERDATA; }

/* From now on decoding keeps the digits of numbers that this Lua cannot hold, or would write differently. */
FL_INLINE void mod_patch_keep_digits(struct mod_patch *p) {
  p->f.d.o.exact = p->exact;
  p->f.d.o.force_api = 1;
}

/* Ends a call after the edit or text has run out of memory. */
FL_PRIVATE int mod_patch_core_failed(struct mod_patch *p, int arg);

/* Ends a call with an operation that failed: for this reason, pointer and step. */
FL_PRIVATE int mod_patch_operation_failed(struct mod_patch *p, int number, const struct patch_operation *o, int has_op,
                                          enum patch_error error, const struct patch_pointer *at);

enum mod_patch_kind { MOD_PATCH_ARRAY, MOD_PATCH_OBJECT };

/* Returns what encode would write for the table. A table that encode refuses for its holes counts as an array, and
** cannot be copied. */
FL_PRIVATE enum mod_patch_kind mod_patch_kind_of(struct mod_patch *p, int table);

/* Gives the table on top the metatable and the remembered order of members of the one at the absolute index. */
FL_PRIVATE void mod_patch_copy_marks(const struct mod_patch *p, int table);

/* Pushes a copy of the table at the absolute index, with its metatable and the order of its members. *numbers: it is an
** object with keys that are numbers. Returns 0, and pushes nothing, if it is neither array nor object. */
FL_PRIVATE int mod_patch_push_copy(struct mod_patch *p, int table, enum mod_patch_kind kind, int *numbers);

/* Marks the table on top as of its kind if it is empty, or encode would take it for the other kind; unless it has a
** metatable. */
FL_PRIVATE void mod_patch_mark(struct mod_patch *p, enum mod_patch_kind kind);

/* Returns roughly how many bytes the value on top has as a text, counting little beyond `most`. */
FL_PRIVATE size_t mod_patch_measure(const struct mod_patch *p, size_t most);

/* mod_json_patch and mod_merge_patch if both arguments are Lua values. */
FL_PRIVATE int mod_patch_tables(struct mod_patch *p);
FL_PRIVATE int mod_patch_merge_tables(struct mod_patch *p);

enum { MOD_PATCH_STEPS_OF_TEST = 1 << 24 }; /* limit for values that are compared without their texts */

/* Returns whether the values at the two indices are equal, 0 also after so many steps; -1 if that cannot be decided
** below the API. */
FL_PRIVATE int mod_patch_equal_raw(const struct mod_patch *p, int a, int b, uint64_t steps);

enum { MOD_PATCH_MANY = 16 }; /* members of an object that are compared in one walk below the API */

/* Pushes a value_same of the object at b and that at a, whose values are equal as mod_patch_equal_raw says after so
** many steps for an array or an object. Returns whether a has only names that b has, too. -1, and pushes false, if b
** has few members, or that cannot be decided below the API. */
FL_PRIVATE int mod_patch_push_same(const struct mod_patch *p, int a, int b, uint64_t array, uint64_t object);

/* Replaces two arguments that are tables by what differs of them. Returns whether anything was left out. parts: 0, or
** the index of a table, which gets what is left of each object of the second one -> that object. */
FL_PRIVATE int mod_patch_prune(struct mod_patch *p, int parts);

/* Sets `size` and `is_part` of the values that were read of what is left, the table at `part`. Returns 0 if their texts
** would be too long. */
FL_PRIVATE int mod_patch_measure_parts(struct mod_patch *p, struct patch_value *root, int part, int parts);

/* The order of an array's items that are added and removed one by one, kept beside the table. Each change takes
** amortized O(log n). The table's items stay in their slots, and new ones get slots after them, until the array is
** sorted once. */

/* Items in consecutive slots. */
struct mod_patch_run {
  struct json_edit_node node; /* first: the runs are nodes of a tree */
  int slot;                   /* slot of the first item */
};

struct mod_patch_items {
  struct json_edit_node *runs;
  int used; /* last slot in use */
};

FL_INLINE int64_t mod_patch_length(const struct mod_patch_items *items) {
  return items->runs ? items->runs->weight : 0;
}

/* Returns the order of `length` items, or NULL if out of memory. */
FL_PRIVATE struct mod_patch_items *mod_patch_make_items(struct json_edit *e, int length);

/* Returns the slot of the item with this index, from 0, which must exist. */
FL_PRIVATE int mod_patch_slot(struct mod_patch_items *items, int64_t index);

/* Makes room for an item before the one with this index, or at the end. Returns its slot, or 0 if out of memory. */
FL_PRIVATE int mod_patch_insert_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index);

/* Removes an item. Returns 0 if out of memory. */
FL_PRIVATE int mod_patch_remove_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index);
