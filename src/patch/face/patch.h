/* SPDX-License-Identifier: MIT
** patch.h -- JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396): json_patch, json_diff, merge_patch, merge_diff.
** Must hold: as places/edit.h. An argument that is a string is a JSON text. No argument is changed: an operation
** that fails leaves nothing. */
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
  const char *hint;     /* after a message about an operation; NULL: none */
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

/* Starts a call with arguments 1 and 2, whose names are for messages. Raises an error if argument 3 is a table and not
** `options`. */
FL_PRIVATE void mod_patch_begin(struct mod_patch *p, lua_State *L, const char *first, const char *second, int options);

/* Ends a call that fails, with the message on top. Returns the number of results. */
FL_INLINE int mod_patch_fail(const struct mod_patch *p) { return mod_raise(p->L, p->f.d.o.safe); }

/* The same; the place of the edit's error is a result, if it is in the text. */
FL_PRIVATE int mod_patch_fail_at(const struct mod_patch *p);

/* Makes the argument a text, as encode writes it. False: the results of the call are in *results. */
FL_PRIVATE int mod_patch_to_text(struct mod_patch *p, int arg, int *results);

/* Makes the argument a Lua value, if it is a text. */
FL_PRIVATE int mod_patch_to_value(struct mod_patch *p, int arg, int *results);

/* Reads the argument, a text. NULL: the results of the call are in *results. */
FL_PRIVATE struct patch_value *mod_patch_read(struct mod_patch *p, int arg, int *results);

/* Returns whether it is a value that is made a table first: a view, a document, raw text. */
FL_INLINE int mod_patch_is_foreign(lua_State *L, int index) { return lua_type(L, index) == LUA_TUSERDATA; }

/* What is decoded from now on keeps the digits of numbers that this Lua does not hold, or does not write so. */
FL_INLINE void mod_patch_keep_digits(struct mod_patch *p) {
  p->f.d.o.exact = p->exact;
  p->f.d.o.force_api = 1;
}

/* Ends a call whose memory of the edit or text has failed. */
FL_PRIVATE int mod_patch_core_failed(struct mod_patch *p, int arg);

/* Ends a call with an operation that failed: the reason, and the pointer and the step that it is about. */
FL_PRIVATE int mod_patch_operation_failed(struct mod_patch *p, int number, const struct patch_operation *o, int has_op,
                                          enum patch_error error, const struct patch_pointer *at);

enum mod_patch_kind { MOD_PATCH_ARRAY, MOD_PATCH_OBJECT };

/* What encode would make of the table. One that it refuses for its holes is an array: it cannot be copied. */
FL_PRIVATE enum mod_patch_kind mod_patch_kind_of(struct mod_patch *p, int table);

/* Gives the table on top the metatable and the remembered order of members of the one at the absolute index. */
FL_PRIVATE void mod_patch_copy_marks(const struct mod_patch *p, int table);

/* Pushes a copy of the table at the absolute index, with its metatable and the order of its members. *numbers: it is
** an object with keys that are numbers. False: it is neither array nor object, and nothing is pushed. */
FL_PRIVATE int mod_patch_push_copy(struct mod_patch *p, int table, enum mod_patch_kind kind, int *numbers);

/* The table on top gets the mark of its kind if encode would make another one of it, or if it is empty; unless it has
** a metatable. */
FL_PRIVATE void mod_patch_mark(struct mod_patch *p, enum mod_patch_kind kind);

/* About how many bytes the value on top has as a text, counted up to a bit more than `most`. */
FL_PRIVATE size_t mod_patch_measure(const struct mod_patch *p, size_t most);

/* The same as mod_json_patch and mod_merge_patch, when both arguments are Lua values. */
FL_PRIVATE int mod_patch_tables(struct mod_patch *p);
FL_PRIVATE int mod_patch_merge_tables(struct mod_patch *p);

/* The items of an array that are added and removed one by one: their order, beside the table that has them. Each
** change takes amortized O(log n). The table's items stay in their slots, and new ones get slots after them, until the
** array is put in order once. */

/* Items in slots one after the other. */
struct mod_patch_run {
  struct json_edit_node node; /* must come first */
  int slot;                   /* of the first one */
};

struct mod_patch_items {
  struct json_edit_node *runs;
  int used; /* the last slot */
};

FL_INLINE int64_t mod_patch_length(const struct mod_patch_items *items) {
  return items->runs ? items->runs->weight : 0;
}

/* The order of `length` items; NULL: no memory. */
FL_PRIVATE struct mod_patch_items *mod_patch_make_items(struct json_edit *e, int length);

/* The slot of the item with this index, from 0, which exists. */
FL_PRIVATE int mod_patch_slot(struct mod_patch_items *items, int64_t index);

/* Makes room for an item before the one with this index, or at the end: its slot; 0: no memory. */
FL_PRIVATE int mod_patch_insert_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index);

/* Takes an item out. False: no memory. */
FL_PRIVATE int mod_patch_remove_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index);
