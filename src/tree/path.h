/* SPDX-License-Identifier: MIT
** path.h -- JSON Pointers into a tree; finding a value, and making one with all that leads to it.
** May call: tree/tree.h, json/pointer.h.
** Must hold: what tree_create_room says is there before tree_create, which moves no block. */
#ifndef FLEECE_TREE_PATH_H
#define FLEECE_TREE_PATH_H

#include "../json/pointer.h"
#include "tree.h"

/* The value that the tokens lead to, or NULL. */
FL_PRIVATE struct tree_value *tree_find(struct tree_value *v, const struct json_token *t, size_t count);

/* The bytes that tree_create takes at most; SIZE_MAX: that would be too many values. */
FL_PRIVATE size_t tree_create_room(struct tree_value *v, const struct json_token *t, size_t count);
FL_PRIVATE struct tree_value *tree_create(struct tree *tree, const struct json_token *t, size_t count);

#endif
