/* SPDX-License-Identifier: MIT
** mutable.h -- collections that can be changed: thin layers over those of documents, which stay as they are.
** May call: base, binary/encode/members.h, binary/encode/pool.h, binary/read/read.h.
** Must hold: a layer has only what differs from its source: a dict the members that were set or removed; an array,
** once changed, all its items. Documents that a layer or a value comes from live as long as the tree. Nothing is
** freed before the whole tree, so that a layer can be used although it was replaced since: it belongs to nothing
** then. Values that are put in are immutable, layers only come to be where their source is: so the tree is one,
** without cycles, by construction.
**
** How the Lua side uses it: the tree lies in a userdata, whose __gc calls bin_tree_free; a mutable view is a userdata
** with a layer's address that keeps the tree and its documents alive.
**   view:mutable()         bin_tree_root
**   m.name, m[i]           bin_layer_get(_at); where that is a collection: bin_layer_nested(_at)
**   m.name = v, m[i] = v   encode v (with the keys given to bin_tree_init), bin_tree_value, bin_layer_set(_at)
**   m.name = nil           bin_layer_remove
**   m.name = another m     write that with bin_write_layer (amend.h) as a document of its own, then as above
**   doc:amend(fn)          amend.h */
#ifndef FLEECE_BINARY_DELTA_MUTABLE_H
#define FLEECE_BINARY_DELTA_MUTABLE_H

#include "../check/errors.h"
#include "../encode/members.h"
#include "../encode/pool.h"
#include "../read/read.h"

/* What stands under a name or index. With `doc`: the value at `at`. Without: the layer at `at`, or if that is NULL,
** nothing. */
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
  struct bin_layer *parent; /* that it lay in at first; NULL: a root */
  const struct bin_doc *doc;
  bin_value source;
  uint8_t is_dict, is_changed; /* it, or a layer in it */
  size_t count, room;
  struct bin_change *changes; /* of a dict */
  uint32_t *index;            /* of changes, plus 1, by hash; 2 * room slots; 0: free */
  struct bin_slot *items;     /* of an array; NULL: those of the source */
};

/* Memory is taken from blocks, which double up to a size. */
struct bin_tree_block {
  struct bin_tree_block *next;
  size_t size;
};
enum { BIN_TREE_FIRST = 1024, BIN_TREE_MOST = 64 * 1024, BIN_TREE_ALIGN = 16, BIN_LAYER_FIRST = 4 };

struct bin_tree {
  fl_alloc alloc;
  void *alloc_ud;
  struct bin_tree_block *blocks;
  char *free, *end; /* what is left of the last one */
  size_t next_size;
  uint64_t seed;
  struct bin_doc fresh; /* of values that were put in */
  size_t put; /* bytes of all that was put in, for whoever bounds the work of writing it: see binary/read/work.h; */
  uint64_t shared; /* and the values, or more, of what may lie in a base there: see bin_amend_finish */
  int error;       /* BIN_ERROR_x */
};

/* ------------------------------------------------------------------------------------- memory */

/* `keys`: of values that bin_tree_value takes, or NULL. */
FL_INLINE void bin_tree_init(struct bin_tree *t, fl_alloc alloc, void *alloc_ud, const struct bin_keys *keys) {
  memset(t, 0, sizeof *t);
  t->alloc = alloc;
  t->alloc_ud = alloc_ud;
  t->next_size = BIN_TREE_FIRST;
  t->seed = (uint64_t)(uintptr_t)t * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)alloc_ud;
  t->fresh.keys = keys;
}

FL_FUNC void bin_tree_free(struct bin_tree *t) {
  while (t->blocks) {
    struct bin_tree_block *b = t->blocks;
    t->blocks = b->next;
    t->alloc(t->alloc_ud, b, b->size, 0);
  }
  t->free = t->end = NULL;
}

FL_FUNC void *bin_tree_take(struct bin_tree *t, size_t n) {
  const size_t header = (sizeof(struct bin_tree_block) + BIN_TREE_ALIGN - 1) & ~(size_t)(BIN_TREE_ALIGN - 1);
  char *p;
  if (n > SIZE_MAX / 4) return t->error = BIN_ERROR_MEMORY, NULL;
  n = (n + BIN_TREE_ALIGN - 1) & ~(size_t)(BIN_TREE_ALIGN - 1);
  if ((size_t)(t->end - t->free) < n) {
    const size_t size = header + n > t->next_size ? header + n : t->next_size;
    struct bin_tree_block *b = (struct bin_tree_block *)t->alloc(t->alloc_ud, NULL, 0, size);
    if (!b) return t->error = BIN_ERROR_MEMORY, NULL;
    b->next = t->blocks;
    b->size = size;
    t->blocks = b;
    t->free = (char *)b + header;
    t->end = (char *)b + size;
    if (t->next_size < BIN_TREE_MOST) t->next_size *= 2;
  }
  p = t->free;
  t->free += n;
  return p;
}

/* Counts bytes that were put in. More than a quarter of all there can be bounds nothing, and could overflow. */
FL_INLINE void bin_tree_count(struct bin_tree *t, size_t n) {
  t->put = n < SIZE_MAX / 4 - t->put ? t->put + n : SIZE_MAX / 4;
}

/* Takes a copy of a document that one of our encoders has written, without base. Its root; NULL: no memory. */
FL_FUNC bin_value bin_tree_value(struct bin_tree *t, const char *bytes, size_t n) {
  struct bin_doc d = t->fresh;
  char *copy = (char *)bin_tree_take(t, n);
  if (!copy) return NULL;
  memcpy(copy, bytes, n);
  bin_tree_count(t, n);
  d.begin = (const uint8_t *)copy, d.end = d.begin + n;
  return bin_root(&d);
}

/* ------------------------------------------------------------------------------------- layers */

FL_FUNC struct bin_layer *bin_layer_new(struct bin_tree *t, struct bin_layer *parent, const struct bin_doc *d,
                                        bin_value v) {
  struct bin_layer *l = (struct bin_layer *)bin_tree_take(t, sizeof *l);
  if (!l) return NULL;
  memset(l, 0, sizeof *l);
  l->parent = parent;
  l->doc = d;
  l->source = v;
  l->is_dict = bin_tag(v) == BIN_TAG_DICT;
  if (!l->is_dict) l->count = bin_list_of(v).count;
  return l;
}

/* A layer over the collection `v` of a document. NULL: no memory. */
FL_INLINE struct bin_layer *bin_tree_root(struct bin_tree *t, const struct bin_doc *d, bin_value v) {
  return bin_layer_new(t, NULL, d, v);
}

FL_INLINE struct bin_slot bin_slot_of(const struct bin_doc *d, bin_value v) {
  struct bin_slot s = {NULL, NULL};
  if (v) s.doc = d, s.at = v;
  return s;
}
FL_INLINE int bin_slot_is_empty(struct bin_slot s) { return !s.at; }
FL_INLINE struct bin_layer *bin_slot_layer(struct bin_slot s) { /* NULL: it is none */
  return s.doc ? NULL : (struct bin_layer *)(uintptr_t)s.at;
}
FL_INLINE bin_value bin_slot_value(struct bin_slot s) { return s.doc ? (bin_value)s.at : NULL; }

/* A layer, and all that it lies in, is not its source any more. */
FL_INLINE int bin_layer_mark_changed(struct bin_layer *l) {
  for (; l && !l->is_changed; l = l->parent) l->is_changed = 1;
  return 1;
}

/* The slot of a value that is put in. */
FL_FUNC struct bin_slot bin_slot_put(struct bin_tree *t, const struct bin_doc *d, bin_value v) {
  bin_tree_count(t, bin_doc_bytes(d));
  if (t->shared < UINT64_MAX / 2) /* more is too much anyway */
    t->shared += bin_is_collection(v) ? bin_doc_values(d) : bin_text_values(bin_value_bytes(v));
  return bin_slot_of(d, v);
}

/* The layer for the collection in a slot; NULL: none is there, or no memory (t->error). */
FL_FUNC struct bin_layer *bin_slot_nested(struct bin_tree *t, struct bin_layer *parent, struct bin_slot s) {
  if (bin_slot_layer(s)) return bin_slot_layer(s);
  return s.doc && bin_is_collection(bin_slot_value(s)) ? bin_layer_new(t, parent, s.doc, bin_slot_value(s)) : NULL;
}

/* ------------------------------------------------------------------------------------- dicts */

FL_INLINE uint32_t bin_layer_hash(const struct bin_tree *t, const char *s, size_t n) { return bin_hash(s, n, t->seed); }

/* The change of a name, or NULL. */
FL_FUNC struct bin_change *bin_layer_find(const struct bin_layer *l, const char *s, size_t n, uint32_t hash) {
  size_t at;
  if (!l->index) return NULL;
  for (at = hash & (2 * l->room - 1); l->index[at]; at = (at + 1) & (2 * l->room - 1)) {
    struct bin_change *c = &l->changes[l->index[at] - 1];
    if (c->hash == hash && c->n == n && memcmp(c->name, s, n) == 0) return c;
  }
  return NULL;
}

FL_FUNC int bin_layer_grow(struct bin_tree *t, struct bin_layer *l) {
  const size_t room = l->room ? 2 * l->room : BIN_LAYER_FIRST;
  struct bin_change *changes;
  uint32_t *index;
  size_t i, at;
  if (room > INT32_MAX) return t->error = BIN_ERROR_MEMORY, 0;
  changes = (struct bin_change *)bin_tree_take(t, room * sizeof *changes);
  index = changes ? (uint32_t *)bin_tree_take(t, 2 * room * sizeof *index) : NULL;
  if (!index) return 0;
  if (l->count) memcpy(changes, l->changes, l->count * sizeof *changes);
  memset(index, 0, 2 * room * sizeof *index);
  for (i = 0; i < l->count; i++) {
    for (at = changes[i].hash & (2 * room - 1); index[at]; at = (at + 1) & (2 * room - 1)) continue;
    index[at] = (uint32_t)i + 1;
  }
  l->changes = changes, l->index = index, l->room = room;
  return 1;
}

/* Puts a slot under a name; it does not count as a change yet. */
FL_FUNC int bin_layer_put(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, struct bin_slot slot) {
  const uint32_t hash = bin_layer_hash(t, s, n);
  struct bin_change *c = bin_layer_find(l, s, n, hash);
  size_t at;
  if (!c) {
    char *name = (char *)bin_tree_take(t, n);
    if (!name || (l->count == l->room && !bin_layer_grow(t, l))) return 0;
    memcpy(name, s, n);
    for (at = hash & (2 * l->room - 1); l->index[at]; at = (at + 1) & (2 * l->room - 1)) continue;
    c = &l->changes[l->count++];
    l->index[at] = (uint32_t)l->count;
    c->name = name, c->n = n, c->hash = hash;
  }
  c->slot = slot;
  return 1;
}

/* What stands under a name of a dict. */
FL_FUNC struct bin_slot bin_layer_get(const struct bin_tree *t, const struct bin_layer *l, const char *s, size_t n) {
  const struct bin_change *c = l->index ? bin_layer_find(l, s, n, bin_layer_hash(t, s, n)) : NULL;
  return c ? c->slot : bin_slot_of(l->doc, bin_dict_get(l->doc, l->source, s, n));
}

/* Sets a member to a value: of a document, or with &t->fresh one of bin_tree_value. False: no memory, there or
** here. */
FL_FUNC int bin_layer_set(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, const struct bin_doc *d,
                          bin_value v) {
  return v && bin_layer_put(t, l, s, n, bin_slot_put(t, d, v)) && bin_layer_mark_changed(l);
}

FL_FUNC int bin_layer_remove(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n) {
  const struct bin_slot nothing = {NULL, NULL};
  if (bin_slot_is_empty(bin_layer_get(t, l, s, n))) return 1;
  return bin_layer_put(t, l, s, n, nothing) && bin_layer_mark_changed(l);
}

/* The layer for the collection under a name; NULL: none is there, or t->error. */
FL_FUNC struct bin_layer *bin_layer_nested(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n) {
  const struct bin_slot old = bin_layer_get(t, l, s, n);
  struct bin_slot slot = {NULL, NULL};
  slot.at = bin_slot_nested(t, l, old);
  return !slot.at || (!bin_slot_layer(old) && !bin_layer_put(t, l, s, n, slot)) ? NULL : bin_slot_layer(slot);
}

/* ------------------------------------------------------------------------------------- arrays: indices from 0 */

FL_FUNC struct bin_slot bin_layer_get_at(const struct bin_layer *l, size_t i) {
  if (l->items && i < l->count) return l->items[i];
  return bin_slot_of(l->doc, l->items ? NULL : bin_array_get(l->doc, l->source, i));
}

/* All items of an array become its own, with room for one more. */
FL_FUNC int bin_layer_own_items(struct bin_tree *t, struct bin_layer *l) {
  size_t room = l->room, i;
  struct bin_slot *items;
  if (l->items && l->count < l->room) return 1;
  while (room <= l->count) room = room ? 2 * room : BIN_LAYER_FIRST;
  items = (struct bin_slot *)bin_tree_take(t, room * sizeof *items);
  if (!items) return 0;
  for (i = 0; i < l->count; i++) items[i] = bin_layer_get_at(l, i);
  l->items = items, l->room = room;
  return 1;
}

/* Sets item i, i <= count: the one behind the last is new. */
FL_FUNC int bin_layer_set_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d, bin_value v) {
  if (!v || !bin_layer_own_items(t, l)) return 0;
  l->items[i] = bin_slot_put(t, d, v);
  l->count += i == l->count;
  return bin_layer_mark_changed(l);
}

/* The same; item i and those behind it move on. */
FL_FUNC int bin_layer_insert_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                bin_value v) {
  if (!v || !bin_layer_own_items(t, l)) return 0;
  memmove(l->items + i + 1, l->items + i, (l->count - i) * sizeof *l->items);
  l->items[i] = bin_slot_put(t, d, v);
  l->count++;
  return bin_layer_mark_changed(l);
}

/* Removes item i, i < count. */
FL_FUNC int bin_layer_remove_at(struct bin_tree *t, struct bin_layer *l, size_t i) {
  if (!bin_layer_own_items(t, l)) return 0;
  l->count--;
  memmove(l->items + i, l->items + i + 1, (l->count - i) * sizeof *l->items);
  return bin_layer_mark_changed(l);
}

FL_FUNC struct bin_layer *bin_layer_nested_at(struct bin_tree *t, struct bin_layer *l, size_t i) {
  const struct bin_slot old = bin_layer_get_at(l, i);
  struct bin_slot slot = {NULL, NULL};
  if (bin_slot_layer(old)) return bin_slot_layer(old);
  slot.at = bin_slot_nested(t, l, old);
  if (!slot.at || !bin_layer_own_items(t, l)) return NULL;
  l->items[i] = slot;
  return bin_slot_layer(slot);
}

#endif
