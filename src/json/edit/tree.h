/* SPDX-License-Identifier: MIT
** tree.h -- an ordered sequence of nodes, each with a number of items: splay trees (Sleator, Tarjan 1985).
** Must hold: each operation takes amortized O(log n), whatever its arguments: no input can make the tree slow, and
** there are no random numbers. No recursion, no memory. */
#pragma once

#include "../../base/def.h"

struct json_edit_node {
  struct json_edit_node *up, *left, *right;
  int64_t count;  /* items of this node; in an object without meaning */
  int64_t weight; /* items of this node and those below it */
};

/* Makes n the root. */
FL_PRIVATE void json_edit_splay(struct json_edit_node **root, struct json_edit_node *n);

/* Adds n directly before or after `at`; to an empty tree if that is NULL. */
FL_PRIVATE void json_edit_add_before(struct json_edit_node **root, struct json_edit_node *at, struct json_edit_node *n);
FL_PRIVATE void json_edit_add_after(struct json_edit_node **root, struct json_edit_node *at, struct json_edit_node *n);

/* Adds n at the end, in constant time: for a tree that is built from left to right. */
FL_PRIVATE void json_edit_add_top(struct json_edit_node **root, struct json_edit_node *n);

FL_PRIVATE void json_edit_take_out(struct json_edit_node **root, struct json_edit_node *n);

/* Takes out the first node; NULL: there is none. */
FL_PRIVATE struct json_edit_node *json_edit_take_first(struct json_edit_node **root);

/* Changes the number of items of n. */
FL_PRIVATE void json_edit_recount(struct json_edit_node **root, struct json_edit_node *n, int64_t count);

/* The first node, the last, the one before n and the one after n; NULL: there is none. */
FL_PRIVATE struct json_edit_node *json_edit_first(struct json_edit_node **root);
FL_PRIVATE struct json_edit_node *json_edit_last(struct json_edit_node **root);
FL_PRIVATE struct json_edit_node *json_edit_before(struct json_edit_node **root, struct json_edit_node *n);
FL_PRIVATE struct json_edit_node *json_edit_after(struct json_edit_node **root, struct json_edit_node *n);

/* The node that has item number *index, which exists; *index becomes its number in the node. */
FL_PRIVATE struct json_edit_node *json_edit_at(struct json_edit_node **root, int64_t *index);

/* To visit all nodes in order, without changes in between: linear in total. */
FL_PRIVATE struct json_edit_node *json_edit_leftmost(struct json_edit_node *root);
FL_PRIVATE struct json_edit_node *json_edit_next(struct json_edit_node *n);
