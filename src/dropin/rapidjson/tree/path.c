/* SPDX-License-Identifier: MIT
** path.c -- JSON Pointers into a tree: finding a value, and creating one with all containers on the way.
** Must hold: the tree has room for tree_create_room bytes before tree_create, which does not move the block. */
#include "tree.h"

enum { TREE_FILL_MOST = 1 << 24 }; /* limit for values that one tree_create creates */

/* Returns the value that one token leads to, or NULL. */
static struct tree_value *tree_step(const struct tree_value *v, const struct json_token *t) {
  if (tree_type(v) == TREE_OBJECT) return tree_member(v, t->name, t->n);
  return tree_type(v) == TREE_ARRAY && t->index < tree_length(v) ? tree_items(v) + t->index : NULL;
}

FL_PRIVATE struct tree_value *tree_find(struct tree_value *v, const struct json_token *t, size_t count) {
  for (; v && count > 0; t++, count--) v = tree_step(v, t);
  return v;
}

/* How to create a value if a token leads to none. */
enum tree_making { TREE_APPEND_ITEM, TREE_APPEND_MEMBER, TREE_FILL_ARRAY, TREE_NEW_OBJECT, TREE_NEW_ARRAY };

/* v is the value that the token is applied to, or NULL if it does not exist yet. */
static enum tree_making tree_making(const struct tree_value *v, const struct json_token *t) {
  if (v && tree_type(v) == TREE_ARRAY && t->n == 1 && *t->name == '-') return TREE_APPEND_ITEM;
  if (v && tree_type(v) == TREE_OBJECT) return TREE_APPEND_MEMBER;
  if (t->index == JSON_NO_INDEX) return TREE_NEW_OBJECT;
  return v && tree_type(v) == TREE_ARRAY ? TREE_FILL_ARRAY : TREE_NEW_ARRAY;
}

/* Returns how many items a container has room for: the word before its items. */
static size_t tree_capacity(const struct tree_value *v) {
  return (size_t)((const uint64_t *)(const void *)tree_items(v))[-1];
}

/* Returns the new capacity of a container that will have `count` items. */
static size_t tree_wider(size_t capacity, size_t count) {
  if (count <= capacity) return capacity;
  return count > 2 * capacity ? (count > 4 ? count : 4) : 2 * capacity;
}

/* Returns how many items a container of `old` will have. */
static size_t tree_wanted(enum tree_making making, const struct json_token *t, size_t old) {
  switch (making) {
  case TREE_APPEND_ITEM: return old + 1;
  case TREE_APPEND_MEMBER: return old + 2;
  case TREE_NEW_OBJECT: return 2;
  default: return (size_t)t->index + 1;
  }
}

FL_PRIVATE size_t tree_create_room(struct tree_value *v, const struct json_token *t, size_t count) {
  size_t need = 0, made = 0;
  for (; count > 0; t++, count--) {
    struct tree_value *next = v ? tree_step(v, t) : NULL;
    if (!next) {
      const enum tree_making making = tree_making(v, t);
      const int is_new = making >= TREE_NEW_OBJECT;
      const size_t old = is_new ? 0 : tree_count(v), wanted = tree_wanted(making, t, old);
      const size_t capacity = tree_wider(is_new ? 0 : tree_capacity(v), wanted);
      made += wanted - old;
      if (made > TREE_FILL_MOST || capacity > SIZE_MAX / 64 || need > SIZE_MAX / 4) return SIZE_MAX;
      need += sizeof(uint64_t) + capacity * TREE_VALUE + tree_rounded(t->n);
    }
    v = next;
  }
  return need;
}

/* Gives a container of `old` items room for `count`. */
static void tree_widen(struct tree *tree, struct tree_value *v, int is_new, size_t old, size_t count) {
  const size_t now = is_new ? 0 : tree_capacity(v), capacity = tree_wider(now, count);
  struct tree_value *from, *to;
  size_t i;
  FL_ASSERT(old <= now && capacity >= count);
  if (!is_new && capacity == now) return;
  from = is_new ? NULL : tree_items(v);
  *(uint64_t *)(void *)tree_take(tree, sizeof(uint64_t)) = capacity;
  to = (struct tree_value *)(void *)tree_take(tree, capacity * TREE_VALUE);
  for (i = 0; i < old; i++) tree_move(&to[i], &from[i]);
  tree_point(v, to);
}

/* Creates the value that the token leads to, as null. If v is not a container that can hold it, it becomes one. */
static struct tree_value *tree_make(struct tree *tree, struct tree_value *v, const struct json_token *t) {
  const enum tree_making making = tree_making(v, t);
  const int is_new = making >= TREE_NEW_OBJECT;
  const int is_object = making == TREE_NEW_OBJECT || making == TREE_APPEND_MEMBER;
  size_t old = is_new ? 0 : tree_count(v), count = tree_wanted(making, t, old);
  struct tree_value *items;
  FL_ASSERT(old < count);
  tree_widen(tree, v, is_new, old, count);
  tree_set_head(v, is_object ? TREE_OBJECT : TREE_ARRAY, is_object ? count / 2 : count);
  items = tree_items(v);
  for (; old < count; old++) tree_set_head(&items[old], TREE_NULL, 0);
  if (is_object) tree_put_string(tree, &items[count - 2], t->name, t->n);
  return &items[count - 1];
}

FL_PRIVATE struct tree_value *tree_create(struct tree *tree, const struct json_token *t, size_t count) {
  struct tree_value *v = (struct tree_value *)(void *)tree->begin;
  for (; count > 0; t++, count--) {
    struct tree_value *next = tree_step(v, t);
    v = next ? next : tree_make(tree, v, t);
  }
  return v;
}
