/* SPDX-License-Identifier: MIT
** lists.h -- the items of a container that changes go through: finding, splitting off, adding and removing them.
** Must hold: between two pieces of a list there is a comma, also in the text. The first search reads a list once; later
** ones divide its runs into short ones, and after some more an object's members are ordered by name. */
#pragma once

#include "items.h"

/* Returns the list of the items of `entry`, made on first use. NULL after an error, also if `entry` is not a
** container. */
FL_PRIVATE struct json_edit_list *json_edit_open(struct json_edit *e, struct json_edit_list *above,
                                                 struct json_edit_piece *entry);

/* Finds the member with this name; *found is NULL if there is none. Returns 0 after an error, also if several members
** have the name. */
FL_PRIVATE int json_edit_find_member(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                     struct json_edit_piece **found);

/* Finds the item with this index, which counts from the end if negative. *found is NULL for the index after the last
** item, and if there is none; then *found_none is true. Returns 0 after an error. */
FL_PRIVATE int json_edit_find_item(struct json_edit *e, struct json_edit_list *l, int64_t index,
                                   struct json_edit_piece **found, int *found_none);

/* Returns the first or the last item. NULL if the list is empty, or after an error with e->error set. */
FL_PRIVATE struct json_edit_piece *json_edit_first_item(struct json_edit *e, struct json_edit_list *l);
FL_PRIVATE struct json_edit_piece *json_edit_last_item(struct json_edit *e, struct json_edit_list *l);

/* Returns the item before or after this one. NULL if there is none, or after an error with e->error set. */
FL_PRIVATE struct json_edit_piece *json_edit_item_beside(struct json_edit *e, struct json_edit_list *l,
                                                         struct json_edit_piece *piece, enum json_edit_side side);

/* Makes an item of a run a piece. `index`: its number in an array that no change has touched. NULL if out of memory. */
FL_PRIVATE struct json_edit_piece *json_edit_single_out(struct json_edit *e, struct json_edit_list *l,
                                                        const struct json_edit_item *item, int64_t index);

/* Adds a piece before `at`, or at the end if that is NULL. Returns 0 after an error. */
FL_PRIVATE int json_edit_add(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             struct json_edit_piece *piece);

/* Removes a piece. Returns 0 after an error. */
FL_PRIVATE int json_edit_drop(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);
