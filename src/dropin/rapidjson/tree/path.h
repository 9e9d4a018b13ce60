/* SPDX-License-Identifier: MIT
** path.h -- JSON Pointers into a tree: finding a value, and creating one with all containers on the way.
** Must hold: the tree has room for tree_create_room bytes before tree_create, which does not move the block. */
#pragma once

#include "../../../json/pointer.h"
#include "tree.h"

/* Returns the value that the tokens lead to, or NULL. */
FL_PRIVATE struct tree_value *tree_find(struct tree_value *v, const struct json_token *t, size_t count);

/* Returns the most bytes that tree_create may need, or SIZE_MAX if it would create too many values. */
FL_PRIVATE size_t tree_create_room(struct tree_value *v, const struct json_token *t, size_t count);

/* Returns the value that the tokens lead to from the root. Creates what is missing: null, in containers that suit the
** tokens; an item beyond the end of an array also creates the items before it. */
FL_PRIVATE struct tree_value *tree_create(struct tree *tree, const struct json_token *t, size_t count);
