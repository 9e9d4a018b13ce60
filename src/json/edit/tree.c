/* SPDX-License-Identifier: MIT
** tree.c -- an ordered sequence of nodes, each with a number of items: splay trees (Sleator, Tarjan 1985).
** Must hold: as tree.h. */
#include "tree.h"

static void json_edit_weigh(struct json_edit_node *n) {
  const struct json_edit_node *left = n->child[JSON_EDIT_BEFORE], *right = n->child[JSON_EDIT_AFTER];
  n->weight = n->count + (left ? left->weight : 0) + (right ? right->weight : 0);
}

static void json_edit_set_child(struct json_edit_node *n, unsigned side, struct json_edit_node *child) {
  n->child[side] = child;
  if (child) child->up = n;
}

static void json_edit_rotate(struct json_edit_node *n) {
  struct json_edit_node *up = n->up, *top = up->up;
  const unsigned side = up->child[JSON_EDIT_AFTER] == n;
  json_edit_set_child(up, side, n->child[!side]);
  json_edit_set_child(n, !side, up);
  n->up = top;
  if (top) top->child[top->child[JSON_EDIT_AFTER] == up] = n;
  json_edit_weigh(up);
  json_edit_weigh(n);
}

FL_PRIVATE void json_edit_splay(struct json_edit_node **root, struct json_edit_node *n) {
  while (n->up) {
    struct json_edit_node *up = n->up, *top = up->up;
    if (top) json_edit_rotate((top->child[0] == up) == (up->child[0] == n) ? up : n);
    json_edit_rotate(n);
  }
  *root = n;
}

FL_PRIVATE void json_edit_add_node(struct json_edit_node **root, struct json_edit_node *at, struct json_edit_node *n,
                                   enum json_edit_side side) {
  n->up = n->child[JSON_EDIT_BEFORE] = n->child[JSON_EDIT_AFTER] = NULL;
  if (at) {
    json_edit_splay(root, at);
    json_edit_set_child(n, side, at->child[side]);
    json_edit_set_child(n, !side, at);
    at->child[side] = NULL;
    json_edit_weigh(at);
  } else {
    json_edit_set_child(n, JSON_EDIT_BEFORE, *root);
  }
  json_edit_weigh(n);
  *root = n;
}

FL_PRIVATE void json_edit_take_out(struct json_edit_node **root, struct json_edit_node *n) {
  json_edit_splay(root, n);
  struct json_edit_node *left = n->child[JSON_EDIT_BEFORE];
  struct json_edit_node *right = n->child[JSON_EDIT_AFTER];
  if (left) left->up = NULL;
  if (right) right->up = NULL;
  *root = left ? left : right;
  if (!left || !right) return;
  (void)json_edit_outermost(root, JSON_EDIT_AFTER);
  json_edit_set_child(*root, JSON_EDIT_AFTER, right);
  json_edit_weigh(*root);
}

FL_PRIVATE void json_edit_recount(struct json_edit_node **root, struct json_edit_node *n, int64_t count) {
  json_edit_splay(root, n);
  n->count = count;
  json_edit_weigh(n);
}

/* Returns the farthest node of a subtree on one side. */
static struct json_edit_node *json_edit_farthest(struct json_edit_node *n, unsigned side) {
  while (n && n->child[side]) n = n->child[side];
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_outermost(struct json_edit_node **root, enum json_edit_side side) {
  struct json_edit_node *n = json_edit_farthest(*root, side);
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_neighbour(struct json_edit_node **root, struct json_edit_node *n,
                                                      enum json_edit_side side) {
  json_edit_splay(root, n);
  n = json_edit_farthest(n->child[side], !side);
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_leftmost(struct json_edit_node *root) {
  return json_edit_farthest(root, JSON_EDIT_BEFORE);
}

FL_PRIVATE struct json_edit_node *json_edit_next(struct json_edit_node *n) {
  if (n->child[JSON_EDIT_AFTER]) return json_edit_leftmost(n->child[JSON_EDIT_AFTER]);
  while (n->up && n->up->child[JSON_EDIT_AFTER] == n) n = n->up;
  return n->up;
}

FL_PRIVATE struct json_edit_node *json_edit_at(struct json_edit_node **root, int64_t *index) {
  struct json_edit_node *n = *root;
  FL_ASSERT(n && *index >= 0 && *index < n->weight);
  for (;;) {
    const struct json_edit_node *left = n->child[JSON_EDIT_BEFORE];
    const int64_t before = left ? left->weight : 0;
    if (*index < before) {
      n = n->child[JSON_EDIT_BEFORE];
    } else if (*index < before + n->count) {
      *index -= before;
      json_edit_splay(root, n);
      return n;
    } else {
      *index -= before + n->count;
      n = n->child[JSON_EDIT_AFTER];
    }
  }
}
