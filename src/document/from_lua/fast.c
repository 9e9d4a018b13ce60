/* SPDX-License-Identifier: MIT */
#include "fast.h"

/* Returns the size of a shape in memory. */
static size_t pack_shape_size(const struct pack_shape *shape) {
  return shape ? offsetof(struct pack_shape, text) + shape->size : 0;
}

FL_PRIVATE struct pack_shape *pack_store_shape(struct pack_shapes *s, size_t slot, struct pack_shape *shape,
                                               size_t bytes, const struct buffer *memory) {
  struct pack_shape *to = s->slots[slot].shape;
  FL_ASSERT(bytes <= PACK_SHAPE_TEXT);
  shape->size = (uint16_t)(bytes + PACK_SHORT); /* room for copying in pieces */
  shape->slot = (uint16_t)slot;
  shape->document = s->document;
  if (!to || to->size < shape->size) {
    to = (struct pack_shape *)memory->alloc(memory->alloc_ud, to, pack_shape_size(to), pack_shape_size(shape));
    if (!to) return NULL;
    s->slots[slot].shape = to;
  } else {
    shape->size = to->size;
  }
  memcpy(to, shape, offsetof(struct pack_shape, text) + bytes);
  return to;
}

FL_PRIVATE void pack_free_shapes(struct pack_shapes *s, fl_alloc alloc, void *alloc_ud) {
  for (size_t i = 0; i < PACK_SHAPES; i++)
    if (s->slots[i].shape) alloc(alloc_ud, s->slots[i].shape, pack_shape_size(s->slots[i].shape), 0);
  alloc(alloc_ud, s, sizeof *s, 0);
}

FL_PRIVATE int pack_sort_names(struct pack_shape *shape) {
  size_t i, j;
  for (i = 0; i < shape->pairs; i++) {
    const struct pack_name x = shape->names[i];
    size_t n, other;
    const char *s = bin_bytes((bin_value)shape->text + x.at, &n);
    for (j = i; j > 0; j--) {
      const char *t = bin_bytes((bin_value)shape->text + shape->names[j - 1].at, &other);
      const int order = bin_compare_bytes(t, other, s, n);
      if (order == 0) return 0;
      if (order < 0) break;
      shape->names[j] = shape->names[j - 1];
    }
    shape->names[j] = x;
  }
  for (i = 0; i < shape->pairs; i++) {
    struct pack_name *x = &shape->names[i];
    const bin_value v = (bin_value)shape->text + x->at;
    x->mask = (v[0] & 15) < BIN_POOLED_LEAST ? 0 : 0xffff;
    x->slot = (uint16_t)(x->mask ? 0x8000u - x->at / 2u : bin_big16(v));
  }
  return 1;
}

/* Copies n bytes. Returns whether one of them is above 127. */
static int pack_copy_long(char *w, const char *s, size_t n) {
#if !defined(FLEECE_SIMD_SWAR)
  if (n > PACK_SHORT) {
    const size_t last = n - PACK_SHORT;
    uint64_t high = 0;
    size_t i;
    for (i = 0; i < last; i += PACK_SHORT) {
      const text_v a = text_vload(s + i), b = text_vload(s + i + 16);
      text_vstore(w + i, a);
      text_vstore(w + i + 16, b);
      high |= text_vhigh32(a, b);
    }
    return (high != 0) | pack_copy_short(w + last, s + last, PACK_SHORT);
  }
#endif
  memcpy(w, s, n);
  return !pack_is_ascii(s, n);
}

FL_PRIVATE_NOINLINE char *pack_fast_text_(struct lua_to_binary *b, char *w, struct bin_item *item, const char *s,
                                          size_t n) {
  struct bin_encoder *e = b->e;
  unsigned tag = BIN_TAG_STRING;
  if (FL_UNLIKELY(n < BIN_POOLED_LEAST)) {
    if (FL_UNLIKELY(n && (*s & 0x80))) {
      if (!b->data) return NULL;
      tag = BIN_TAG_DATA;
    }
    item->word = tag << 28 | (uint32_t)n << 24 | (n ? (uint32_t)(uint8_t)*s << 16 : 0);
    return w;
  }
  if (FL_UNLIKELY(n > BIN_WIDE_REACH)) return bin_fail(e, BIN_ERROR_REACH), NULL;
  if (n > PACK_PIECE && !(w = buf_reserve(&e->out, w, n + PACK_SHORT))) return bin_fail(e, BIN_ERROR_MEMORY), NULL;
  item->word = pack_position(e, w) | BIN_ITEM_POINTER;
  char *header = w++;
  if (n >= BIN_LONG_LENGTH) w = (char *)bin_put_varint((uint8_t *)w, (uint32_t)n);
  if (pack_copy_long(w, s, n) && b->walk->out.utf8(s, n) != n) {
    if (!b->data) return NULL;
    tag = BIN_TAG_DATA;
  }
  *header = (char)(tag << 4 | (n < BIN_LONG_LENGTH ? (unsigned)n : BIN_LONG_LENGTH));
  w += n;
  *w = 0;
  return w + ((w - header) & 1);
}

FL_PRIVATE_NOINLINE char *pack_wide_record_(struct bin_encoder *e, char *w, struct bin_item *first,
                                            const struct pack_shape *shape, uint32_t *out) {
  const size_t n = shape->pairs;
  for (size_t i = n; i-- > 0;) { /* there is room for the pairs after the items */
    const struct pack_name *x = &shape->names[i];
    first[2 * i + 1] = first[i];
    first[2 * i].word = x->mask ? (shape->position + x->at / 2u) | BIN_ITEM_POINTER : (uint32_t)x->slot << 16;
    first[2 * i].hash = 0;
  }
  e->w = w;
  return bin_write_any_items_(e, first, 2 * n, 1, 0, out) ? e->w : NULL;
}

FL_PRIVATE_NOINLINE char *pack_any_array_(struct bin_encoder *e, char *w, const struct bin_item *first, size_t n,
                                          uint32_t *position) {
  e->w = w;
  return bin_write_any_items_(e, first, n, 0, 0, position) ? e->w : NULL;
}
