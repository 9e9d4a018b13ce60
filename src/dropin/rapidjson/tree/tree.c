/* SPDX-License-Identifier: MIT */
#include "tree.h"

FL_PRIVATE int tree_need(struct tree *t, size_t n, tree_grow grow, void *owner, int which) {
  size_t room = t->room > TREE_FIRST_ROOM ? t->room : TREE_FIRST_ROOM;
  void *block;
  FL_ASSERT(t->used <= t->room);
  if (n <= t->room - t->used) return 1;
  if (n > SIZE_MAX / 8 || t->used > SIZE_MAX / 8) return 0;
  while (room < t->used + n) room *= 2;
  block = grow(owner, which, t->begin, t->used, room);
  if (!block) return 0;
  t->begin = (char *)block;
  t->room = room;
  return 1;
}

FL_PRIVATE struct tree_value *tree_member(const struct tree_value *object, const char *s, size_t n) {
  struct tree_value *item = tree_items(object), *end = item + tree_count(object);
  FL_ASSERT(tree_type(object) == TREE_OBJECT);
  for (; item < end; item += 2)
    if (tree_is_string(item, s, n)) return item + 1;
  return NULL;
}
