/* SPDX-License-Identifier: MIT
** How the Lua side uses it: the tree is in a userdata, whose __gc calls bin_tree_free. A mutable view is a userdata
** with a layer's address, which keeps the tree and its documents alive.
**   view:mutable()         bin_tree_root
**   m.name, m[i]           bin_layer_get(_at); where that is a collection: bin_layer_nested(_at)
**   m.name = v, m[i] = v   encode v (with the keys given to bin_tree_init), bin_tree_value, bin_layer_set(_at)
**   m.name = nil           bin_layer_remove
**   m.name = another m     write that with bin_write_layer (amend.h) as a document, then as above
**   doc:amend(fn)          amend.h */
#include "mutable.h"

FL_PRIVATE void bin_tree_free(struct bin_tree *t) {
  while (t->blocks) {
    struct bin_tree_block *b = t->blocks;
    t->blocks = b->next;
    t->alloc(t->alloc_ud, b, b->size, 0);
  }
  t->free = t->end = NULL;
}

/* Allocates n bytes that live as long as the tree. NULL with t->error set. */
static void *bin_tree_take(struct bin_tree *t, size_t n) {
  const size_t header = (sizeof(struct bin_tree_block) + BIN_TREE_ALIGN - 1) & ~(size_t)(BIN_TREE_ALIGN - 1);
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
  char *p = t->free;
  t->free += n;
  FL_ASSERT((uintptr_t)p % sizeof(void *) == 0 && t->free <= t->end);
  return p;
}

/* Counts bytes that were put in, up to a quarter of the maximum, so that the sum cannot overflow. */
FL_INLINE void bin_tree_count(struct bin_tree *t, size_t n) {
  t->put = n < SIZE_MAX / 4 - t->put ? t->put + n : SIZE_MAX / 4;
}

FL_PRIVATE bin_value bin_tree_value(struct bin_tree *t, const char *bytes, size_t n) {
  struct bin_doc d = t->fresh;
  char *copy = (char *)bin_tree_take(t, n);
  FL_ASSERT(n >= 2 && n % 2 == 0);
  if (!copy) return NULL;
  memcpy(copy, bytes, n);
  bin_tree_count(t, n);
  d.begin = (const uint8_t *)copy, d.end = d.begin + n;
  return bin_root(&d);
}

FL_PRIVATE struct bin_layer *bin_layer_new(struct bin_tree *t, struct bin_layer *parent, const struct bin_doc *d,
                                           bin_value v) {
  struct bin_layer *l = (struct bin_layer *)bin_tree_take(t, sizeof *l);
  if (!l) return NULL;
  FL_ASSERT(bin_is_collection(v));
  memset(l, 0, sizeof *l);
  l->parent = parent;
  l->doc = d;
  l->source = v;
  l->is_dict = bin_tag(v) == BIN_TAG_DICT;
  if (!l->is_dict) l->count = bin_list_of(v).count;
  return l;
}

FL_INLINE struct bin_slot bin_slot_of(const struct bin_doc *d, bin_value v) {
  struct bin_slot s = {NULL, NULL};
  if (v) s.doc = d, s.at = v;
  return s;
}

FL_INLINE int bin_layer_mark_changed(struct bin_layer *l) {
  for (; l && !l->is_changed; l = l->parent) l->is_changed = 1;
  return 1;
}

static struct bin_slot bin_slot_put(struct bin_tree *t, const struct bin_doc *d, bin_value v) {
  bin_tree_count(t, bin_doc_bytes(d));
  FL_ASSERT(d != NULL && v != NULL);
  if (t->shared < UINT64_MAX / 2) /* beyond that it exceeds every limit anyway */
    t->shared += bin_is_collection(v) ? bin_doc_values(d) : bin_text_values(bin_value_bytes(v));
  return bin_slot_of(d, v);
}

/* Returns the layer for the collection in a slot. NULL if there is none, or with t->error set. */
static struct bin_layer *bin_slot_nested(struct bin_tree *t, struct bin_layer *parent, struct bin_slot s) {
  if (bin_slot_layer(s)) return bin_slot_layer(s);
  return s.doc && bin_is_collection(bin_slot_value(s)) ? bin_layer_new(t, parent, s.doc, bin_slot_value(s)) : NULL;
}

FL_INLINE uint32_t bin_layer_hash(const struct bin_tree *t, const char *s, size_t n) { return bin_hash(s, n, t->seed); }

/* Returns the change of a name, or NULL. */
static struct bin_change *bin_layer_find(const struct bin_layer *l, const char *s, size_t n, uint32_t hash) {
  FL_ASSERT(l->is_dict && (l->room & (l->room - 1)) == 0 && l->count <= l->room);
  if (!l->index) return NULL;
  for (size_t at = hash & (2 * l->room - 1); l->index[at]; at = (at + 1) & (2 * l->room - 1)) {
    struct bin_change *c = &l->changes[l->index[at] - 1];
    if (c->hash == hash && c->n == n && memcmp(c->name, s, n) == 0) return c;
  }
  return NULL;
}

static int bin_layer_grow(struct bin_tree *t, struct bin_layer *l) {
  const size_t room = l->room ? 2 * l->room : BIN_LAYER_FIRST;
  size_t i, at;
  FL_ASSERT(l->is_dict && l->count == l->room);
  if (room > INT32_MAX) return t->error = BIN_ERROR_MEMORY, 0;
  struct bin_change *changes = (struct bin_change *)bin_tree_take(t, room * sizeof *changes);
  uint32_t *index = changes ? (uint32_t *)bin_tree_take(t, 2 * room * sizeof *index) : NULL;
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

/* Stores a slot under a name. The caller marks the layer as changed. */
static int bin_layer_put(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, struct bin_slot slot) {
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

FL_PRIVATE struct bin_slot bin_layer_get(const struct bin_tree *t, const struct bin_layer *l, const char *s, size_t n) {
  const struct bin_change *c = l->index ? bin_layer_find(l, s, n, bin_layer_hash(t, s, n)) : NULL;
  return c ? c->slot : bin_slot_of(l->doc, bin_dict_get(l->doc, l->source, s, n));
}

FL_PRIVATE int bin_layer_set(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n, const struct bin_doc *d,
                             bin_value v) {
  return v && bin_layer_put(t, l, s, n, bin_slot_put(t, d, v)) && bin_layer_mark_changed(l);
}

FL_PRIVATE int bin_layer_remove(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n) {
  const struct bin_slot nothing = {NULL, NULL};
  if (bin_slot_is_empty(bin_layer_get(t, l, s, n))) return 1;
  return bin_layer_put(t, l, s, n, nothing) && bin_layer_mark_changed(l);
}

FL_PRIVATE struct bin_layer *bin_layer_nested(struct bin_tree *t, struct bin_layer *l, const char *s, size_t n) {
  const struct bin_slot old = bin_layer_get(t, l, s, n);
  struct bin_slot slot = {NULL, NULL};
  slot.at = bin_slot_nested(t, l, old);
  return !slot.at || (!bin_slot_layer(old) && !bin_layer_put(t, l, s, n, slot)) ? NULL : bin_slot_layer(slot);
}

/* Returns the slot of the ring that is n slots after slot `at`; both must be at most its room. */
FL_INLINE size_t bin_layer_slot(const struct bin_layer *l, size_t at, size_t n) {
  return at + n < l->room ? at + n : at + n - l->room;
}

/* Returns how many items of the ring are between the gap and item i. */
FL_INLINE size_t bin_layer_from_gap(const struct bin_layer *l, size_t i) {
  return i >= l->gap ? i - l->gap : i + l->count - l->gap;
}

/* Returns item i of an array that owns its items. */
FL_INLINE struct bin_slot *bin_layer_item(const struct bin_layer *l, size_t i) {
  const size_t after_gap = bin_layer_slot(l, l->gap_at, l->room - l->count);
  return &l->items[bin_layer_slot(l, after_gap, bin_layer_from_gap(l, i))];
}

/* Moves the gap before item i, by the shorter way around the ring. */
static void bin_layer_move_gap(struct bin_layer *l, size_t i) {
  const size_t size = l->room - l->count;
  size_t ahead = bin_layer_from_gap(l, i), back = l->count - ahead;
  if (ahead <= back) {
    for (; ahead; ahead--) {
      l->items[l->gap_at] = l->items[bin_layer_slot(l, l->gap_at, size)];
      l->gap_at = bin_layer_slot(l, l->gap_at, 1);
    }
  } else {
    for (; back; back--) {
      l->gap_at = bin_layer_slot(l, l->gap_at, l->room - 1);
      l->items[bin_layer_slot(l, l->gap_at, size)] = l->items[l->gap_at];
    }
  }
  l->gap = i;
}

FL_PRIVATE struct bin_slot bin_layer_get_at(const struct bin_layer *l, size_t i) {
  FL_ASSERT(!l->is_dict);
  if (l->items && i < l->count) return *bin_layer_item(l, i);
  return bin_slot_of(l->doc, l->items ? NULL : bin_array_get(l->doc, l->source, i));
}

/* Copies all items of an array into its layer, with room for one more. */
static int bin_layer_own_items(struct bin_tree *t, struct bin_layer *l) {
  size_t room = l->room, i;
  FL_ASSERT(!l->is_dict && (!l->items || l->count <= l->room));
  if (l->items && l->count < l->room) return 1;
  while (room <= l->count) room = room ? 2 * room : BIN_LAYER_FIRST;
  struct bin_slot *items = (struct bin_slot *)bin_tree_take(t, room * sizeof *items);
  if (!items) return 0;
  for (i = 0; i < l->count; i++) items[i] = bin_layer_get_at(l, i);
  l->items = items, l->room = room, l->gap = l->gap_at = l->count;
  return 1;
}

FL_PRIVATE int bin_layer_set_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                bin_value v) {
  if (i == l->count) return bin_layer_insert_at(t, l, i, d, v);
  FL_ASSERT(i < l->count);
  if (!v || !bin_layer_own_items(t, l)) return 0;
  *bin_layer_item(l, i) = bin_slot_put(t, d, v);
  return bin_layer_mark_changed(l);
}

FL_PRIVATE int bin_layer_insert_at(struct bin_tree *t, struct bin_layer *l, size_t i, const struct bin_doc *d,
                                   bin_value v) {
  FL_ASSERT(i <= l->count);
  if (!v || !bin_layer_own_items(t, l)) return 0;
  bin_layer_move_gap(l, i);
  l->items[l->gap_at] = bin_slot_put(t, d, v);
  l->gap_at = bin_layer_slot(l, l->gap_at, 1);
  l->gap++;
  l->count++;
  return bin_layer_mark_changed(l);
}

FL_PRIVATE int bin_layer_remove_at(struct bin_tree *t, struct bin_layer *l, size_t i) {
  FL_ASSERT(i < l->count);
  if (!bin_layer_own_items(t, l)) return 0;
  if (i + 1 == l->gap) l->gap--, l->gap_at = bin_layer_slot(l, l->gap_at, l->room - 1);
  else bin_layer_move_gap(l, i);
  l->count--; /* removing the item before or after the gap makes it one slot wider */
  return bin_layer_mark_changed(l);
}

FL_PRIVATE struct bin_layer *bin_layer_nested_at(struct bin_tree *t, struct bin_layer *l, size_t i) {
  const struct bin_slot old = bin_layer_get_at(l, i);
  struct bin_slot slot = {NULL, NULL};
  if (bin_slot_layer(old)) return bin_slot_layer(old);
  slot.at = bin_slot_nested(t, l, old);
  if (!slot.at || !bin_layer_own_items(t, l)) return NULL;
  *bin_layer_item(l, i) = slot;
  return bin_slot_layer(slot);
}
