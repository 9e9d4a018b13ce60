/* SPDX-License-Identifier: MIT
** tree.c -- an ordered sequence of nodes, each with a number of items: splay trees (Sleator, Tarjan 1985).
** Must hold: as tree.h. */
#include "tree.h"

static void json_edit_weigh(struct json_edit_node *n) {
  n->weight = n->count + (n->left ? n->left->weight : 0) + (n->right ? n->right->weight : 0);
}

/* n takes the place of the node above it. */
static void json_edit_rotate(struct json_edit_node *n) {
  struct json_edit_node *up = n->up, *top = up->up;
  if (up->left == n) {
    up->left = n->right;
    if (n->right) n->right->up = up;
    n->right = up;
  } else {
    up->right = n->left;
    if (n->left) n->left->up = up;
    n->left = up;
  }
  up->up = n;
  n->up = top;
  if (top && top->left == up) top->left = n;
  else if (top) top->right = n;
  json_edit_weigh(up);
  json_edit_weigh(n);
}

FL_PRIVATE void json_edit_splay(struct json_edit_node **root, struct json_edit_node *n) {
  while (n->up) {
    struct json_edit_node *up = n->up, *top = up->up;
    if (top) json_edit_rotate((top->left == up) == (up->left == n) ? up : n);
    json_edit_rotate(n);
  }
  *root = n;
}

static void json_edit_alone(struct json_edit_node *n) {
  n->up = n->left = n->right = NULL;
  n->weight = n->count;
}

FL_PRIVATE void json_edit_add_before(struct json_edit_node **root, struct json_edit_node *at,
                                     struct json_edit_node *n) {
  json_edit_alone(n);
  FL_ASSERT((at == NULL) == (*root == NULL));
  *root = n;
  if (!at) return;
  json_edit_splay(root, at);
  n->left = at->left;
  if (n->left) n->left->up = n;
  n->right = at;
  at->left = NULL;
  at->up = n;
  json_edit_weigh(at);
  json_edit_weigh(n);
  *root = n;
}

FL_PRIVATE void json_edit_add_after(struct json_edit_node **root, struct json_edit_node *at, struct json_edit_node *n) {
  json_edit_alone(n);
  FL_ASSERT((at == NULL) == (*root == NULL));
  *root = n;
  if (!at) return;
  json_edit_splay(root, at);
  n->right = at->right;
  if (n->right) n->right->up = n;
  n->left = at;
  at->right = NULL;
  at->up = n;
  json_edit_weigh(at);
  json_edit_weigh(n);
  *root = n;
}

FL_PRIVATE void json_edit_add_top(struct json_edit_node **root, struct json_edit_node *n) {
  json_edit_alone(n);
  n->left = *root;
  if (n->left) n->left->up = n;
  json_edit_weigh(n);
  *root = n;
}

FL_PRIVATE void json_edit_take_out(struct json_edit_node **root, struct json_edit_node *n) {
  struct json_edit_node *left, *right;
  json_edit_splay(root, n);
  left = n->left;
  right = n->right;
  if (left) left->up = NULL;
  if (right) right->up = NULL;
  *root = left ? left : right;
  if (!left || !right) return;
  (void)json_edit_last(root);
  (*root)->right = right;
  right->up = *root;
  json_edit_weigh(*root);
}

FL_PRIVATE void json_edit_recount(struct json_edit_node **root, struct json_edit_node *n, int64_t count) {
  json_edit_splay(root, n);
  n->count = count;
  json_edit_weigh(n);
}

FL_PRIVATE struct json_edit_node *json_edit_leftmost(struct json_edit_node *root) {
  while (root && root->left) root = root->left;
  return root;
}

FL_PRIVATE struct json_edit_node *json_edit_next(struct json_edit_node *n) {
  if (n->right) return json_edit_leftmost(n->right);
  while (n->up && n->up->right == n) n = n->up;
  return n->up;
}

FL_PRIVATE struct json_edit_node *json_edit_first(struct json_edit_node **root) {
  struct json_edit_node *n = json_edit_leftmost(*root);
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_take_first(struct json_edit_node **root) {
  struct json_edit_node *n = json_edit_first(root);
  if (!n) return NULL;
  *root = n->right;
  if (n->right) n->right->up = NULL;
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_last(struct json_edit_node **root) {
  struct json_edit_node *n = *root;
  while (n && n->right) n = n->right;
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_before(struct json_edit_node **root, struct json_edit_node *n) {
  json_edit_splay(root, n);
  n = n->left;
  while (n && n->right) n = n->right;
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_after(struct json_edit_node **root, struct json_edit_node *n) {
  json_edit_splay(root, n);
  n = json_edit_leftmost(n->right);
  if (n) json_edit_splay(root, n);
  return n;
}

FL_PRIVATE struct json_edit_node *json_edit_at(struct json_edit_node **root, int64_t *index) {
  struct json_edit_node *n = *root;
  FL_ASSERT(n && *index >= 0 && *index < n->weight);
  for (;;) {
    const int64_t before = n->left ? n->left->weight : 0;
    if (*index < before) {
      n = n->left;
    } else if (*index < before + n->count) {
      *index -= before;
      json_edit_splay(root, n);
      return n;
    } else {
      *index -= before + n->count;
      n = n->right;
    }
  }
}
