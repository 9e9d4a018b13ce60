/* SPDX-License-Identifier: MIT */
#include "keys.h"

/* Checks a key that is not a string: it must be a code, or, as the first key, the mark of a parent, which must be a
** dict. */
FL_NOINLINE int bin_check_code_(struct bin_check *c, const struct bin_check_frame *f, bin_value item, bin_value key) {
  const struct bin_doc *doc = f->doc;
  bin_value parent = item + f->width, limit = parent + f->width;
  if (key != item || bin_tag(key) != BIN_TAG_SMALL) return bin_check_fail(c, BIN_ERROR_KEY, item);
  if (bin_small(key) >= 0) {
    if (!c->doc->keys) {
      if (!c->code) c->code = item;
      return 1;
    }
    return bin_small(key) < (int)c->doc->keys->count || bin_check_fail(c, BIN_ERROR_CODE, item);
  }
  if (f->key || !bin_is_parent_key(key)) return bin_check_fail(c, BIN_ERROR_KEY, item);
  if (bin_is_pointer(parent) && !(parent = bin_check_pointer(c, parent, f->width, &doc, &limit))) return 0;
  return bin_tag(parent) == BIN_TAG_DICT || bin_check_fail(c, BIN_ERROR_PARENT, item);
}

static uint64_t bin_check_prefix(bin_value key) {
  size_t n;
  const char *s = bin_bytes(key, &n);
  return bin_prefix(s, n);
}

/* Returns whether a key is in order after the key before it, or equal. */
static int bin_check_order(struct bin_check *c, bin_value before, bin_value key, bin_value item) {
  size_t n = 0;
  if (bin_tag(key) == BIN_TAG_STRING) (void)bin_bytes(key, &n);
  if (!bin_check_spend(c, n, item)) return 0;
  return bin_compare_keys(before, key) <= 0 || bin_check_fail(c, BIN_ERROR_KEY_ORDER, item);
}

/* Long names count at each pointer to them, so a dict with such keys is not remembered by its shape. */
FL_NOINLINE int bin_check_long_key_(struct bin_check *c, struct bin_check_frame *f, bin_value key) {
  f->long_keys = 1;
  return bin_check_text_(c, f, key);
}

FL_PRIVATE_NOINLINE int bin_check_key_(struct bin_check *c, struct bin_check_frame *f, bin_value item) {
  const struct bin_doc *doc = f->doc;
  bin_value key = item, limit = item + f->width;
  if (bin_is_pointer(key) && FL_UNLIKELY(!(key = bin_check_pointer(c, item, f->width, &doc, &limit)))) return 0;
  struct bin_neighbours *n = &c->neighbours[((uintptr_t)key >> 1) % BIN_CHECK_NEIGHBOURS];
  if (n->key == key && n->before == f->key && n->end <= limit) {
    f->key = key;
    f->prefix = n->prefix;
    return FL_LIKELY(n->end - key < BIN_LONG_TEXT) || bin_check_long_key_(c, f, key);
  }
  if (bin_tag(key) != BIN_TAG_STRING ? !bin_check_code_(c, f, item, key) : !bin_check_scalar(c, key, limit)) return 0;
  if (f->key && !bin_check_order(c, f->key, key, item)) return 0;
  if (bin_tag(key) == BIN_TAG_STRING) {
    size_t length;
    n->before = f->key;
    n->key = key;
    n->end = (bin_value)bin_bytes(key, &length);
    n->end += length;
    n->prefix = bin_check_prefix(key);
  }
  f->key = key;
  f->prefix = bin_tag(key) == BIN_TAG_STRING ? n->prefix : 0;
  return bin_tag(key) != BIN_TAG_STRING || n->end - key < BIN_LONG_TEXT || bin_check_long_key_(c, f, key);
}

FL_STATIC_ASSERT(BIN_CHECK_SHAPES == 1 << (32 - 25), a_shape_has_as_many_bits);

/* Returns whether n bytes of pairs at y have the same keys as those at x, which is before y. Eight bytes hold one or
** two keys. An inline key has the same bits in both. A pointer to the same target is greater at y by half the distance.
** If that addition carries into the flags, `flags` differs; if further, `other` does. */
FL_INLINE int bin_check_same_keys(bin_value x, bin_value y, size_t n, unsigned width) {
  const uint64_t keys = width == 2 ? UINT64_C(0xffff0000ffff0000) : UINT64_C(0xffffffff00000000);
  const uint64_t pointers = width == 2 ? UINT64_C(0x8000000080000000) : UINT64_C(0x8000000000000000);
  const uint64_t distance = (uint64_t)(y - x) / 2;
  uint64_t other = 0, flags = 0;
  size_t i;
  FL_ASSERT(x < y);
  if (distance >= (width == 2 ? UINT64_C(1) << 14 : UINT64_C(1) << 30)) return 0;
  for (i = 0; i + 8 <= n; i += 8) {
    const uint64_t a = bin_big64(x + i) & keys, b = bin_big64(y + i) & keys;
    other |= (a + ((a & pointers) >> (8 * width - 1)) * distance) ^ b;
    flags |= a ^ b;
  }
  if (i < n) { /* one narrow pair */
    const uint64_t a = (uint64_t)bin_big16(x + i) << 48, b = (uint64_t)bin_big16(y + i) << 48;
    other |= (a + ((a & pointers) >> 15) * distance) ^ b;
    flags |= a ^ b;
  }
  return (other | (flags & (pointers | pointers >> 1))) == 0;
}

FL_PRIVATE_NOINLINE int bin_check_has_known_keys(struct bin_check *c, const struct bin_doc *doc, bin_value v,
                                                 bin_value first, size_t n) {
  bin_value *shape = bin_check_shape_slot(c, v), x = *shape;
  if (!(x >= doc->begin && x < v) || bin_big16(x) != bin_big16(v)) return 0;
  if (first != v + 2 || bin_is_parent_key(first)) return 0;
  if (v[0] & BIN_WIDE ? !bin_check_same_keys(x + 2, first, n, 4) : !bin_check_same_keys(x + 2, first, n, 2)) return 0;
  *shape = v;
  return 1;
}
