/* SPDX-License-Identifier: MIT
** copy.h -- copies a value of any document into an encoder.
** May call: base.
** Must hold: the value's document is checked, and its bytes are not the encoder's output. In the compatible mode the
** copy equals the output of the reference's writeValue (docs/format.md): scalars keep their bytes, and those of 3 and 4
** bytes go into the slot, which makes the collection wide. In the compact mode each number takes its shortest form.
** Codes become names, and then the codes of the encoder's keys. Parents are merged. A dict without a parent keeps all
** its pairs, also those that look-up does not find. A value in the encoder's base is pointed to instead. */
#ifndef FLEECE_BINARY_ENCODE_COPY_H
#define FLEECE_BINARY_ENCODE_COPY_H

#include "encode.h"
#include "members.h"

struct bin_copy_frame {
  const struct bin_doc *doc;
  struct bin_list list;    /* what is left of the collection, or */
  size_t first, next, end; /* of a dict with parents, its part of `members` */
  uint8_t is_dict, is_merged;
};

struct bin_copier {
  struct bin_work *work;
  struct bin_encoder *e;
  struct bin_members members;
  struct bin_copy_frame *frames;
  size_t depth, room;
};

FL_INLINE void bin_copier_init(struct bin_copier *c, struct bin_work *w, struct bin_encoder *e) {
  memset(c, 0, sizeof *c);
  c->work = w;
  c->e = e;
}

FL_INLINE void bin_copier_free(struct bin_copier *c) {
  bin_members_free(c->work, &c->members);
  bin_work_free(c->work, c->frames, c->room, sizeof *c->frames);
  c->frames = NULL;
  c->depth = c->room = 0;
}

/* ------------------------------------------------------------------------------------- scalars */

/* Copies an integer's bytes: up to four go into the slot, more are written out of line. The root has no slot. */
FL_FUNC int bin_copy_integer(struct bin_encoder *e, bin_value v) {
  const unsigned size = 2 + (v[0] & 7u);
  uint8_t bytes[10] = {0};
  if (size > 4 || e->depth == 0) {
    memcpy(bytes, v, size);
    return bin_put_number_bytes(e, bytes, (size + 1) & ~1u);
  }
  memcpy(bytes, v, size);
  if (size > 2) e->open[e->depth - 1].wide = 1;
  return bin_push_inline(e, bin_big32(bytes));
}

FL_FUNC int bin_copy_number(struct bin_encoder *e, bin_value v) {
  uint8_t bytes[10] = {0};
  unsigned size = v[0] & BIN_EIGHT_BYTES ? 10 : 6;
  int is_big;
  if (bin_tag(v) == BIN_TAG_SMALL) return bin_push_inline(e, bin_big16(v) << 16);
  if (bin_tag(v) == BIN_TAG_INTEGER) {
    uint64_t x;
    if (!e->compact) return bin_copy_integer(e, v);
    x = bin_integer(v, &is_big);
    return is_big ? bin_put_unsigned(e, x) : bin_put_integer(e, (int64_t)x);
  }
  if (e->compact && bin_is_double(v) && bin_double(v) == bin_double(v)) return bin_put_double(e, bin_double(v));
  memcpy(bytes, v, size);
  bytes[0] &= (uint8_t)(size == 10 ? 0x28 : 0x24); /* clears bits without meaning */
  bytes[1] = 0;
  return bin_put_number_bytes(e, bytes, size);
}

FL_INLINE int bin_copy_scalar(struct bin_encoder *e, bin_value v) {
  size_t n;
  const char *s;
  switch (bin_tag(v)) {
  case BIN_TAG_SPECIAL: return bin_put_special(e, bin_special(v));
  case BIN_TAG_STRING: return s = bin_bytes(v, &n), bin_put_string(e, s, n);
  case BIN_TAG_DATA: return s = bin_bytes(v, &n), bin_put_data(e, s, n);
  default: return bin_copy_number(e, v);
  }
}

/* ------------------------------------------------------------------------------------- values in the base */

/* Does a value fit into a narrow slot? */
FL_FUNC int bin_is_slot_value(bin_value v) {
  switch (bin_tag(v)) {
  case BIN_TAG_SMALL:
  case BIN_TAG_SPECIAL: return 1;
  case BIN_TAG_STRING:
  case BIN_TAG_DATA: return (v[0] & 15) <= 1;
  case BIN_TAG_ARRAY:
  case BIN_TAG_DICT: return (bin_big16(v) & 0x7ff) == 0;
  default: return bin_tag(v) == BIN_TAG_INTEGER && (v[0] & 7) == 0;
  }
}

/* Should the value be written as a pointer into the encoder's base? */
FL_INLINE int bin_lies_in_base(const struct bin_encoder *e, bin_value v) {
  return FL_UNLIKELY(e->base != NULL) && (uintptr_t)v >= (uintptr_t)e->base &&
         (uintptr_t)v < (uintptr_t)e->base + e->base_n && !bin_is_slot_value(v);
}

FL_INLINE int bin_put_base_pointer(struct bin_encoder *e, bin_value v) {
  FL_ASSERT(v >= e->base && v < e->base + e->base_n);
  return bin_push_pointer(e, (uint32_t)((size_t)(v - e->base) / 2), 0);
}

/* ------------------------------------------------------------------------------------- collections */

/* Begins a copied collection. */
FL_INLINE int bin_copy_begin(struct bin_encoder *e, int is_dict) {
  if (FL_UNLIKELY(e->depth >= e->max_depth)) return bin_fail(e, BIN_ERROR_DEPTH);
  return bin_begin(e, is_dict);
}

FL_FUNC int bin_copy_open(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
  struct bin_copy_frame *f;
  f = (struct bin_copy_frame *)bin_work_reserve(c->work, c->frames, &c->room, c->depth + 1, sizeof *f);
  if (!f) return 0;
  c->frames = f;
  f += c->depth++;
  f->doc = d;
  f->list = bin_list_of(v);
  f->is_dict = bin_tag(v) == BIN_TAG_DICT;
  f->is_merged = f->is_dict && bin_has_parent(&f->list);
  f->first = f->next = f->end = c->members.count;
  if (f->is_merged) {
    if (!bin_members_add(c->work, &c->members, d, v)) return 0;
    f->end = c->members.count;
  }
  return bin_copy_begin(c->e, f->is_dict);
}

/* Copies a scalar, or opens a collection. */
FL_INLINE int bin_copy_visit(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
  if (FL_UNLIKELY(!bin_work_spend(c->work, bin_value_bytes(v)))) return 0;
  if (bin_lies_in_base(c->e, v)) return bin_put_base_pointer(c->e, v);
  return bin_is_collection(v) ? bin_copy_open(c, d, v) : bin_copy_scalar(c->e, v);
}

/* A code without a name (then `n` is the code) can only be copied as this code. */
FL_FUNC int bin_copy_key(struct bin_copier *c, const char *name, size_t n) {
  if (FL_LIKELY(name != NULL)) return bin_work_spend(c->work, n) && bin_put_key(c->e, name, n);
  if (c->e->keys) return bin_work_fail(c->work, BIN_ERROR_KEYS);
  return bin_push_inline(c->e, (uint32_t)n << 16);
}

/* Copies the next item or pair of the innermost collection. */
FL_INLINE int bin_copy_next(struct bin_copier *c) {
  struct bin_copy_frame *f = &c->frames[c->depth - 1];
  bin_value item = f->list.first;
  FL_ASSERT(f->is_merged ? f->next < f->end && f->end <= c->members.count : f->list.count > 0);
  if (f->is_merged) {
    const struct bin_member *m = &c->members.at[f->next++];
    return bin_copy_key(c, m->name, m->n) && bin_copy_visit(c, f->doc, m->value);
  }
  f->list.count--;
  f->list.first += (size_t)f->list.width << f->is_dict;
  if (f->is_dict) {
    bin_value key = bin_item_value(f->doc, item, f->list.width);
    size_t n;
    const char *name = bin_key_text(f->doc, key, &n);
    if (!bin_copy_key(c, name, name ? n : (size_t)bin_small(key))) return 0;
    item += f->list.width;
  }
  return bin_copy_visit(c, f->doc, bin_item_value(f->doc, item, f->list.width));
}

/* Copies the value `v` of document `d`; false: the error is in the encoder, or in c->work. */
FL_FUNC int bin_copy(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
  const size_t outer = c->depth;
  if (!bin_copy_visit(c, d, v)) return 0;
  while (c->depth > outer) {
    const struct bin_copy_frame *f = &c->frames[c->depth - 1];
    if (f->is_merged ? f->next < f->end : f->list.count > 0) {
      if (FL_UNLIKELY(!bin_copy_next(c))) return 0;
      continue;
    }
    c->members.count = f->first;
    c->depth--;
    if (FL_UNLIKELY(!bin_end(c->e))) return 0;
  }
  return 1;
}

#endif
