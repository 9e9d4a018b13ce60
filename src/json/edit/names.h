/* SPDX-License-Identifier: MIT
** names.h -- names of steps; the members of an object in the order of their names, if many changes go through it.
** Must hold: the order is that of a tree of json/edit/tree.h, so that no choice of names makes it slow. */
#pragma once

#include "../../text/general.h"
#include "items.h"

/* Names of the steps that are not UTF-8 become those that readers of a text of this style get, so that they are found
** and not added again; with TEXT_INVALID_ERROR they are an error. They stay as long as the edit. False: an error. */
FL_PRIVATE int json_edit_mend_names(struct json_edit *e, struct json_step *steps, size_t count,
                                    const struct text_style *style);

/* Adds a member; one whose name is there already only marks that. False: an error. */
FL_PRIVATE int json_edit_add_name(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);

/* The member of this name; *found is NULL if there is none. False: there are several. */
FL_PRIVATE int json_edit_find_name(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                   struct json_edit_piece **found);

/* Takes out a member, the only one of its name. */
FL_PRIVATE int json_edit_drop_name(struct json_edit *e, struct json_edit_list *l, const struct json_edit_piece *piece);
