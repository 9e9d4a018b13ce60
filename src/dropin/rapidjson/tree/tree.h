/* SPDX-License-Identifier: MIT
** tree.h -- a JSON value as a tree in one block of memory: members keep their order, and a name may occur twice.
** Must hold: a value holds the distance from itself to its items or bytes, so a block can be copied as a whole;
** tree_move copies a single value. The block belongs to the caller and grows only in tree_need.
** In this room v is a value, k the state of a reader or writer, t a tree or the tokens of a JSON pointer. */
#pragma once

#include "../../../json/grammar/scan.h"
#include "../../../json/pointer.h"
#include "../../../json/write/write.h"

enum tree_type {
  TREE_NULL,
  TREE_FALSE,
  TREE_TRUE,
  TREE_INTEGER,
  TREE_UNSIGNED, /* beyond int64 */
  TREE_DOUBLE,
  TREE_STRING,
  TREE_ARRAY,
  TREE_OBJECT /* two items for each member: name, value */
};

struct tree_value {
  uint64_t head; /* the type in the low bits, above it the length in bytes, items or members */
  union {
    int64_t i;
    uint64_t u;
    double d;
    int64_t away; /* distance from this value to its bytes or items, in bytes */
  } as;
};

enum { TREE_TYPE_BITS = 4, TREE_VALUE = sizeof(struct tree_value), TREE_FIRST_ROOM = 256 };

/* The first value of the block is the root. */
struct tree {
  char *begin;
  size_t used, room;
};

/* Returns a block of `room` bytes that begins with the first `used` bytes of `block`, which it releases. Returns NULL
** or raises an error if out of memory. `which`: number of the block among those of one owner. */
typedef void *(*tree_grow)(void *owner, int which, const void *block, size_t used, size_t room);

FL_INLINE enum tree_type tree_type(const struct tree_value *v) {
  return (enum tree_type)(v->head & ((1u << TREE_TYPE_BITS) - 1));
}

FL_INLINE size_t tree_length(const struct tree_value *v) { return (size_t)(v->head >> TREE_TYPE_BITS); }

FL_INLINE void tree_set_head(struct tree_value *v, enum tree_type type, size_t length) {
  v->head = (uint64_t)length << TREE_TYPE_BITS | (unsigned)type;
}

/* Returns whether the value has bytes or items outside itself. */
FL_INLINE int tree_points(const struct tree_value *v) { return tree_type(v) >= TREE_STRING; }

FL_INLINE char *tree_bytes(const struct tree_value *v) {
  FL_ASSERT(tree_points(v));
  return (char *)(uintptr_t)v + v->as.away;
}

FL_INLINE struct tree_value *tree_items(const struct tree_value *v) {
  FL_ASSERT(tree_type(v) >= TREE_ARRAY);
  return (struct tree_value *)(void *)tree_bytes(v);
}

FL_INLINE void tree_point(struct tree_value *v, const void *at) { v->as.away = (const char *)at - (char *)v; }

/* Returns how many items a container has: two for each member of an object. */
FL_INLINE size_t tree_count(const struct tree_value *v) {
  FL_ASSERT(tree_type(v) >= TREE_ARRAY);
  return tree_length(v) << (tree_type(v) == TREE_OBJECT);
}

/* Copies a value. Its bytes or items stay where they are. */
FL_INLINE void tree_move(struct tree_value *to, const struct tree_value *from) {
  to->head = from->head;
  if (tree_points(from)) tree_point(to, tree_bytes(from));
  else to->as = from->as;
}

FL_INLINE size_t tree_rounded(size_t n) { return (n + 7) & ~(size_t)7; }

/* Makes room for n more bytes. Returns 0 if out of memory. */
FL_PRIVATE int tree_need(struct tree *t, size_t n, tree_grow grow, void *owner, int which);

/* Takes the next n bytes, for which there must be room. */
FL_INLINE char *tree_take(struct tree *t, size_t n) {
  char *at = t->begin + t->used;
  FL_ASSERT(tree_rounded(n) <= t->room - t->used);
  t->used += tree_rounded(n);
  return at;
}

/* Makes *v the string s[0..n), and copies its bytes to the block. */
FL_INLINE void tree_put_string(struct tree *t, struct tree_value *v, const char *s, size_t n) {
  char *to = tree_take(t, n);
  if (n) memcpy(to, s, n);
  tree_set_head(v, TREE_STRING, n);
  tree_point(v, to);
}

FL_INLINE int tree_is_string(const struct tree_value *v, const char *s, size_t n) {
  return tree_type(v) == TREE_STRING && tree_length(v) == n && (n == 0 || memcmp(tree_bytes(v), s, n) == 0);
}

/* Returns the value of the first member with that name, or NULL. */
FL_PRIVATE struct tree_value *tree_member(const struct tree_value *object, const char *s, size_t n);

/* ------------------------------------------------------------------------------------- JSON Pointers */

/* Returns the value that the tokens lead to, or NULL. */
FL_PRIVATE struct tree_value *tree_find(struct tree_value *v, const struct json_token *t, size_t count);

/* Returns the most bytes that tree_create may need, or SIZE_MAX if it would create too many values. */
FL_PRIVATE size_t tree_create_room(struct tree_value *v, const struct json_token *t, size_t count);

/* Returns the value that the tokens lead to from the root. Creates what is missing: null, in containers that suit the
** tokens; an item beyond the end of an array also creates the items before it. */
FL_PRIVATE struct tree_value *tree_create(struct tree *tree, const struct json_token *t, size_t count);

/* ------------------------------------------------------------------------------------- texts */

enum { TREE_BLOCK, TREE_WAITING, TREE_SCRATCH }; /* the blocks that a reader's `grow` allocates */

struct tree_reader {
  struct json_scan scan;
  struct tree tree;
  struct tree waiting; /* values; those of a container follow a note with its type and the outer note's offset */
  size_t open;         /* offset of the innermost note */
  tree_grow grow;
};

/* Call it before a scan, which then needs its own fields set; makes room for the root. Returns 0 if out of memory. */
FL_PRIVATE int tree_begin(struct tree_reader *k, tree_grow grow);

/* Reads the value at p. Returns the byte after it, or NULL with the error in scan.error. An instance of
** json/grammar/scan_template.h, which calls the functions tree_on_... of read.c. */
FL_PRIVATE_NOINLINE const char *tree_scan(struct tree_reader *k, struct json_scan *j, const char *p);

/* Call it after a scan that reached the end of the value: puts the root into the tree. Returns 0 after an error. */
FL_PRIVATE int tree_finish(struct tree_reader *k);

/* Writes the value as JSON text at w. Returns the end, or NULL with the reason in out->error. */
FL_PRIVATE char *tree_write(struct json_out *out, char *w, const struct tree_value *v);
