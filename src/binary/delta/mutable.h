/* SPDX-License-Identifier: MIT
** mutable.h -- mutable collections: thin layers over those of documents, which do not change.
** Must hold: a layer stores only what differs from its source: members of a dict that were set or removed; all items
** of an array once it has changed. The documents of layers and values live as long as the tree. Memory is freed only
** with the whole tree, so a replaced layer can still be used; it is just no longer part of the tree. Values that are
** put in are immutable, and a layer is created only at the place of its source, so there are no cycles. */
#pragma once

#include "../read/errors.h"
#include "../read/members.h"
#include "../encode/pool.h"
#include "../read/read.h"

/* The content of a name or index. With `doc`: the value at `at`. Without: the layer at `at`, or nothing if `at` is
** NULL. */
struct bin_slot {
  const struct bin_doc *doc;
  const void *at;
};

/* A member of a dict that was set or removed. */
struct bin_change {
  const char *name;
  size_t n;
  uint32_t hash;
  struct bin_slot slot;
};

struct bin_layer {
  struct bin_layer *parent; /* in which it was created; NULL for a root */
  const struct bin_doc *doc;
  bin_value source;
  uint8_t is_dict, is_changed; /* is_changed: the layer, or one in it */
  size_t count, room;
  struct bin_change *changes; /* of a dict */
  uint32_t *index;            /* hash table of changes, index + 1 or 0; 2 * room slots */
  struct bin_slot *items;     /* of an array: a ring of `room` slots with a gap; NULL: the source's items */
  size_t gap, gap_at;         /* the gap of room - count slots is before item `gap`, and begins at slot `gap_at` */
};

/* Memory is taken from blocks, whose size doubles up to BIN_TREE_MOST. */
struct bin_tree_block {
  struct bin_tree_block *next;
  size_t size;
};

enum { BIN_TREE_FIRST = 1024, BIN_TREE_MOST = 64 * 1024, BIN_TREE_ALIGN = 16, BIN_LAYER_FIRST = 4 };

struct bin_tree {
  fl_alloc alloc;
  void *alloc_ud;
  struct bin_tree_block *blocks;
  char *free, *end; /* free part of the last block */
  size_t next_size;
  uint64_t seed;
  struct bin_doc fresh; /* of values from bin_tree_value */
  size_t put;           /* bytes of all values put in; bounds the work of writing them: see binary/read/work.h */
  uint64_t shared;      /* upper bound of the number of values put in: see bin_amend_finish */
  int error;            /* BIN_ERROR_x */
};

/* `keys`: shared keys of the values passed to bin_tree_value, or NULL. */
FL_INLINE void bin_tree_init(struct bin_tree *t, fl_alloc alloc, void *alloc_ud, const struct bin_keys *keys) {
  memset(t, 0, sizeof *t);
  t->alloc = alloc;
  t->alloc_ud = alloc_ud;
  t->next_size = BIN_TREE_FIRST;
  t->seed = (uint64_t)(uintptr_t)t * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)alloc_ud;
  t->fresh.keys = keys;
}

FL_PRIVATE void bin_tree_free(struct bin_tree *t);

/* Copies a document that one of our encoders wrote without a base. Returns its root, or NULL if out of memory. */
FL_PRIVATE bin_value bin_tree_value(struct bin_tree *t, const char *bytes, size_t n);

FL_PRIVATE struct bin_layer *bin_layer_new(struct bin_tree *t, struct bin_layer *parent, const struct bin_doc *d,
                                           bin_value v);

/* Returns a layer over the collection `v` of a document. NULL if out of memory. */
FL_INLINE struct bin_layer *bin_tree_root(struct bin_tree *t, const struct bin_doc *d, bin_value v) {
  return bin_layer_new(t, NULL, d, v);
}

FL_INLINE int bin_slot_is_empty(struct bin_slot s) { return !s.at; }

FL_INLINE struct bin_layer *bin_slot_layer(struct bin_slot s) { /* or NULL */
  return s.doc ? NULL : (struct bin_layer *)(uintptr_t)s.at;
}

FL_INLINE bin_value bin_slot_value(struct bin_slot s) { return s.doc ? (bin_value)s.at : NULL; }

/* Returns the slot of a name of a dict. */
FL_PRIVATE struct bin_slot bin_layer_get(const struct bin_tree *t, const struct bin_layer *l, const char *s, size_t n);

/* Sets a member to a value of a document, or, with &t->fresh, to a result of bin_tree_value, which may be NULL (out of
** memory). Returns 0 if out of memory. */
FL_PRIVATE int bin_layer_set(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, const struct bin_doc *d,
                             bin_value v);
FL_PRIVATE int bin_layer_remove(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n);

/* Returns the layer for the collection under a name. NULL if there is none, or with t->error set. */
FL_PRIVATE struct bin_layer *bin_layer_nested(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n);

FL_PRIVATE struct bin_slot bin_layer_get_at(const struct bin_layer *l, size_t i);

/* Sets item i; i == count appends. */
FL_PRIVATE int bin_layer_set_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                bin_value v);

/* Inserts before item i; i == count appends. Inserting and removing move either the items between i and the last
** insertion or removal, or, across the ends, all others; so queues take linear time. */
FL_PRIVATE int bin_layer_insert_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                   bin_value v);

FL_PRIVATE int bin_layer_remove_at(struct bin_tree *t, struct bin_layer *l, size_t i);
FL_PRIVATE struct bin_layer *bin_layer_nested_at(struct bin_tree *t, struct bin_layer *l, size_t i);
