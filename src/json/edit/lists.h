/* SPDX-License-Identifier: MIT
** lists.h -- the items of a container that changes go through: finding, splitting off, adding and removing them.
** Must hold: between two pieces of a list stands a comma, in the text too. A list that is looked into once is read
** once; after that runs are divided into short ones, and after some more looks an object's members are ordered by
** name. */
#pragma once

#include "items.h"

/* The list that the value of `entry` is, made if there is none yet; NULL: an error, also if it is no container. */
FL_PRIVATE struct json_edit_list *json_edit_open(struct json_edit *e, struct json_edit_list *above,
                                                 struct json_edit_piece *entry);

/* The member of this name; *found is NULL if there is none. False: an error, also if there are several. */
FL_PRIVATE int json_edit_find_member(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                     struct json_edit_piece **found);

/* The item of this index, which counts from the end if it is negative; *found is NULL if it is that after the last, and
** also if there is none: then *found_none is true. False: an error. */
FL_PRIVATE int json_edit_find_item(struct json_edit *e, struct json_edit_list *l, int64_t index,
                                   struct json_edit_piece **found, int *found_none);

/* The last item, or NULL: the list is empty, or with e->error an error. */
FL_PRIVATE struct json_edit_piece *json_edit_last_item(struct json_edit *e, struct json_edit_list *l);

/* The item before this one, or the one after it; as above. */
FL_PRIVATE struct json_edit_piece *json_edit_item_beside(struct json_edit *e, struct json_edit_list *l,
                                                         struct json_edit_piece *piece, enum json_edit_side side);

/* Makes an item of the text, which is in a run, a piece. `index`: its number in an array that no change has touched.
** NULL: no memory. */
FL_PRIVATE struct json_edit_piece *json_edit_single_out(struct json_edit *e, struct json_edit_list *l,
                                                        const struct json_edit_item *item, int64_t index);

/* Adds a piece before `at`, or at the end if that is NULL. False: an error. */
FL_PRIVATE int json_edit_add(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             struct json_edit_piece *piece);

/* Takes a piece out. False: an error. */
FL_PRIVATE int json_edit_drop(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);
