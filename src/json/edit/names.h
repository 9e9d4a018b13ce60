/* SPDX-License-Identifier: MIT
** names.h -- names of steps; the members of an object ordered by name, for objects that many changes go through.
** Must hold: the order is a tree of json/edit/tree.h, so that no choice of names makes it slow. */
#pragma once

#include "../../text/general.h"
#include "items.h"

/* Replaces names of steps that are not UTF-8 by what readers of a text of this style get, so that they find members
** instead of adding them again; with TEXT_INVALID_ERROR they are errors. The names stay as long as the edit. Returns 0
** after an error. */
FL_PRIVATE int json_edit_mend_names(struct json_edit *e, struct json_step *steps, size_t count,
                                    const struct text_style *style);

/* Adds a member; if its name exists already, only marks it as duplicate. Returns 0 after an error. */
FL_PRIVATE int json_edit_add_name(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);

/* Finds the member with this name; *found is NULL if there is none. Returns 0 if there are several. */
FL_PRIVATE int json_edit_find_name(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                   struct json_edit_piece **found);

/* Removes a member, which must be the only one with its name. */
FL_PRIVATE int json_edit_drop_name(struct json_edit *e, struct json_edit_list *l, const struct json_edit_piece *piece);
