/* SPDX-License-Identifier: MIT
** tree.h -- a JSON value as a tree in one block of memory: members keep their order, and names may come twice.
** May call: base.
** Must hold: a value says how far from itself its items or bytes lie, so that a block can be copied as it is; a value
** that is moved alone goes through tree_move. The block is the owner's; it grows only in tree_take and tree_need. */
#ifndef FLEECE_TREE_TREE_H
#define FLEECE_TREE_TREE_H

#include "../base/def.h"

enum tree_type {
  TREE_NULL,
  TREE_FALSE,
  TREE_TRUE,
  TREE_INTEGER,
  TREE_UNSIGNED, /* beyond int64 */
  TREE_DOUBLE,
  TREE_STRING,
  TREE_ARRAY,
  TREE_OBJECT /* twice as many items: name, value */
};

struct tree_value {
  uint64_t head; /* the type, and above it the length in bytes, items or members */
  union {
    int64_t i;
    uint64_t u;
    double d;
    int64_t away; /* of bytes or items, from this value */
  } as;
};

enum { TREE_TYPE_BITS = 4, TREE_VALUE = sizeof(struct tree_value), TREE_FIRST_ROOM = 256 };

/* The root is its first value. */
struct tree {
  char *begin;
  size_t used, room;
};

/* Answers a block of `room` bytes whose first `used` are those of `block`, which is given up; NULL, or it may end
** everything: there is none. `which` tells blocks of one owner apart. */
typedef void *(*tree_grow)(void *owner, int which, const void *block, size_t used, size_t room);

FL_INLINE enum tree_type tree_type(const struct tree_value *v) {
  return (enum tree_type)(v->head & ((1u << TREE_TYPE_BITS) - 1));
}

FL_INLINE size_t tree_length(const struct tree_value *v) { return (size_t)(v->head >> TREE_TYPE_BITS); }

FL_INLINE void tree_set_head(struct tree_value *v, enum tree_type type, size_t length) {
  v->head = (uint64_t)length << TREE_TYPE_BITS | type;
}

FL_INLINE int tree_points(const struct tree_value *v) { return tree_type(v) >= TREE_STRING; }

FL_INLINE char *tree_bytes(const struct tree_value *v) { return (char *)(uintptr_t)v + v->as.away; }

FL_INLINE struct tree_value *tree_items(const struct tree_value *v) {
  return (struct tree_value *)(void *)tree_bytes(v);
}

FL_INLINE void tree_point(struct tree_value *v, const void *at) { v->as.away = (const char *)at - (char *)v; }

FL_INLINE size_t tree_count(const struct tree_value *v) { return tree_length(v) << (tree_type(v) == TREE_OBJECT); }

/* Copies a value, but not what it leads to, which stays where it is. */
FL_INLINE void tree_move(struct tree_value *to, const struct tree_value *from) {
  to->head = from->head;
  if (tree_points(from)) tree_point(to, tree_bytes(from));
  else to->as = from->as;
}

FL_INLINE size_t tree_rounded(size_t n) { return (n + 7) & ~(size_t)7; }

/* Makes sure of n more bytes; false: there are none. */
FL_PRIVATE int tree_need(struct tree *t, size_t n, tree_grow grow, void *owner, int which);

/* The next n bytes, which are there. */
FL_INLINE char *tree_take(struct tree *t, size_t n) {
  char *at = t->begin + t->used;
  FL_ASSERT(tree_rounded(n) <= t->room - t->used);
  t->used += tree_rounded(n);
  return at;
}

/* Makes *v the string s[0..n), whose bytes go to the block. */
FL_INLINE void tree_put_string(struct tree *t, struct tree_value *v, const char *s, size_t n) {
  char *to = tree_take(t, n);
  if (n) memcpy(to, s, n);
  tree_set_head(v, TREE_STRING, n);
  tree_point(v, to);
}

/* Are these the bytes of a string? */
FL_INLINE int tree_is_string(const struct tree_value *v, const char *s, size_t n) {
  return tree_type(v) == TREE_STRING && tree_length(v) == n && (n == 0 || memcmp(tree_bytes(v), s, n) == 0);
}

/* The value of the first member of that name; NULL: there is none. */
FL_PRIVATE struct tree_value *tree_member(const struct tree_value *object, const char *s, size_t n);

#endif
