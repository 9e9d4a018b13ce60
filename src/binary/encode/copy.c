/* SPDX-License-Identifier: MIT */
#include "copy.h"
#include "end.h"

/* Copies an integer's bytes: up to four go into the slot, more are written out of line. The root has no slot. */
static int bin_copy_integer(struct bin_encoder *e, bin_value v) {
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

static int bin_copy_number(struct bin_encoder *e, bin_value v) {
  uint8_t bytes[10] = {0};
  unsigned size = v[0] & BIN_EIGHT_BYTES ? 10 : 6;
  int is_big;
  if (bin_tag(v) == BIN_TAG_SMALL) return bin_push_inline(e, bin_big16(v) << 16);
  if (bin_tag(v) == BIN_TAG_INTEGER) {
    if (!e->compact) return bin_copy_integer(e, v);
    const uint64_t x = bin_integer(v, &is_big);
    return is_big ? bin_put_unsigned(e, x) : bin_put_integer(e, (int64_t)x);
  }
  if (e->compact && bin_is_double(v) && bin_double(v) == bin_double(v)) return bin_put_double(e, bin_double(v));
  memcpy(bytes, v, size);
  bytes[0] &= (uint8_t)(size == 10 ? 0x28 : 0x24); /* clear unused bits */
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

FL_PRIVATE int bin_is_slot_value(bin_value v) {
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

static int bin_copy_open(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
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

FL_INLINE int bin_copy_visit(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
  if (FL_UNLIKELY(!bin_work_spend(c->work, bin_value_bytes(v)))) return 0;
  if (bin_lies_in_base(c->e, v)) return bin_put_base_pointer(c->e, v);
  return bin_is_collection(v) ? bin_copy_open(c, d, v) : bin_copy_scalar(c->e, v);
}

FL_PRIVATE int bin_copy_key(struct bin_copier *c, const char *name, size_t n) {
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

FL_PRIVATE int bin_copy(struct bin_copier *c, const struct bin_doc *d, bin_value v) {
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
