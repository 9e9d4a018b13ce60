/* SPDX-License-Identifier: MIT
** tree.h -- an ordered sequence of nodes, each with a number of items: splay trees (Sleator, Tarjan 1985).
** Must hold: each operation takes amortized O(log n), whatever its arguments, so no input makes the tree slow; no
** random numbers are needed. No recursion, no memory. */
#pragma once

#include "../../base/def.h"

enum json_edit_side { JSON_EDIT_BEFORE, JSON_EDIT_AFTER };

struct json_edit_node {
  struct json_edit_node *up, *child[2]; /* child: by enum json_edit_side */
  int64_t count;                        /* items of this node; unused in objects */
  int64_t weight;                       /* items of this node and of those below it */
};

/* Makes n the root. */
FL_PRIVATE void json_edit_splay(struct json_edit_node **root, struct json_edit_node *n);

/* Adds n directly before or after `at`. If `at` is NULL, adds it at the end in constant time. */
FL_PRIVATE void json_edit_add_node(struct json_edit_node **root, struct json_edit_node *at, struct json_edit_node *n,
                                   enum json_edit_side side);

FL_PRIVATE void json_edit_take_out(struct json_edit_node **root, struct json_edit_node *n);

/* Sets the number of items of n. */
FL_PRIVATE void json_edit_recount(struct json_edit_node **root, struct json_edit_node *n, int64_t count);

/* Returns the first node or the last one, or NULL of an empty tree. */
FL_PRIVATE struct json_edit_node *json_edit_outermost(struct json_edit_node **root, enum json_edit_side side);

/* Returns the node before n or the one after it, or NULL at the end. */
FL_PRIVATE struct json_edit_node *json_edit_neighbour(struct json_edit_node **root, struct json_edit_node *n,
                                                      enum json_edit_side side);

/* Returns the node of item *index, which must exist, and sets *index to the item's number in the node. */
FL_PRIVATE struct json_edit_node *json_edit_at(struct json_edit_node **root, int64_t *index);

/* Returns the first node, to visit all in order without changes between; linear in total. */
FL_PRIVATE struct json_edit_node *json_edit_leftmost(struct json_edit_node *root);
FL_PRIVATE struct json_edit_node *json_edit_next(struct json_edit_node *n);
