/* SPDX-License-Identifier: MIT
** items.h -- the items of an array that are added and removed one by one: their order, beside the table that has them.
** Must hold: each change takes amortized O(log n). The table's items stay in their slots, and new ones get slots after
** them, until the array is put in order once. */
#pragma once

#include "../../json/edit/state.h"

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
