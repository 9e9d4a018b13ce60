/* SPDX-License-Identifier: MIT
** mutable.h -- mutable collections: thin layers over those of documents, which do not change.
** Must hold: a layer stores only what differs from its source: the members of a dict that were set or removed; all
** items of an array once it has changed. The documents of layers and values live as long as the tree. Memory is freed
** only with the whole tree, so a layer that was replaced can still be used; it is just not part of the tree any more.
** Values that are put in are immutable, and a layer is created only where its source is: so there are no cycles. */
#pragma once

#include "../read/errors.h"
#include "../read/members.h"
#include "../encode/pool.h"
#include "../read/read.h"

/* The content of a name or index. With `doc`: the value at `at`. Without: the layer at `at`, or nothing if that is
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
  struct bin_layer *parent; /* that it was created in; NULL: a root */
  const struct bin_doc *doc;
  bin_value source;
  uint8_t is_dict, is_changed; /* the layer, or one in it */
  size_t count, room;
  struct bin_change *changes; /* of a dict */
  uint32_t *index;            /* of changes, plus 1, by hash; 2 * room slots; 0: free */
  struct bin_slot *items;     /* of an array, a ring of `room` slots with a gap; NULL: those of the source */
  size_t gap, gap_at;         /* the gap of room - count slots is before this item, and begins at this slot */
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
  char *free, *end; /* the free part of the last block */
  size_t next_size;
  uint64_t seed;
  struct bin_doc fresh; /* of values from bin_tree_value */
  size_t put;           /* bytes of all that was put in; bounds the work of writing it: see binary/read/work.h */
  uint64_t shared;      /* at least the number of values of what was put in: see bin_amend_finish */
  int error;            /* BIN_ERROR_x */
};

/* ------------------------------------------------------------------------------------- memory */

/* `keys`: the shared keys of values that bin_tree_value takes, or NULL. */
FL_INLINE void bin_tree_init(struct bin_tree *t, fl_alloc alloc, void *alloc_ud, const struct bin_keys *keys) {
  memset(t, 0, sizeof *t);
  t->alloc = alloc;
  t->alloc_ud = alloc_ud;
  t->next_size = BIN_TREE_FIRST;
  t->seed = (uint64_t)(uintptr_t)t * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)alloc_ud;
  t->fresh.keys = keys;
}

FL_PRIVATE void bin_tree_free(struct bin_tree *t);

/* Copies a document that one of our encoders has written, without a base. Returns its root; NULL: no memory. */
FL_PRIVATE bin_value bin_tree_value(struct bin_tree *t, const char *bytes, size_t n);

/* ------------------------------------------------------------------------------------- layers */

FL_PRIVATE struct bin_layer *bin_layer_new(struct bin_tree *t, struct bin_layer *parent, const struct bin_doc *d,
                                           bin_value v);

/* A layer over the collection `v` of a document. NULL: no memory. */
FL_INLINE struct bin_layer *bin_tree_root(struct bin_tree *t, const struct bin_doc *d, bin_value v) {
  return bin_layer_new(t, NULL, d, v);
}

FL_INLINE int bin_slot_is_empty(struct bin_slot s) { return !s.at; }

FL_INLINE struct bin_layer *bin_slot_layer(struct bin_slot s) { /* or NULL */
  return s.doc ? NULL : (struct bin_layer *)(uintptr_t)s.at;
}

FL_INLINE bin_value bin_slot_value(struct bin_slot s) { return s.doc ? (bin_value)s.at : NULL; }

/* The slot of a name of a dict. */
FL_PRIVATE struct bin_slot bin_layer_get(const struct bin_tree *t, const struct bin_layer *l, const char *s, size_t n);

/* Sets a member to a value of a document, or with &t->fresh one of bin_tree_value (NULL: that had no memory). False: no
** memory. */
FL_PRIVATE int bin_layer_set(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, const struct bin_doc *d,
                             bin_value v);
FL_PRIVATE int bin_layer_remove(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n);

/* The layer for the collection under a name; NULL: there is none, or t->error. */
FL_PRIVATE struct bin_layer *bin_layer_nested(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n);

/* ------------------------------------------------------------------------------------- arrays: indices from 0 */

FL_PRIVATE struct bin_slot bin_layer_get_at(const struct bin_layer *l, size_t i);

/* Sets item i; i == count appends. */
FL_PRIVATE int bin_layer_set_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                bin_value v);

/* Inserts before item i; i == count appends. This and removing move the items between i and the last
** insertion or removal, or those from one to the end and from the beginning to the other: so queues are linear. */
FL_PRIVATE int bin_layer_insert_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                   bin_value v);

/* Removes item i. */
FL_PRIVATE int bin_layer_remove_at(struct bin_tree *t, struct bin_layer *l, size_t i);
FL_PRIVATE struct bin_layer *bin_layer_nested_at(struct bin_tree *t, struct bin_layer *l, size_t i);
