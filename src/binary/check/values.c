/* SPDX-License-Identifier: MIT */
#include "values.h"

FL_PRIVATE_NOINLINE bin_value bin_check_follow_extern_(struct bin_check *c, bin_value p, unsigned width,
                                                       const struct bin_doc **doc) {
  const struct bin_doc *d = *doc;
  size_t offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p), here = (size_t)(p - d->begin);
  if (!d->base) {
    offset = 2 * (size_t)(bin_big16(p) & 0x7fff);
    return width == 4 || offset == 0 || offset > here ? (bin_check_fail(c, BIN_ERROR_POINTER, p), NULL) : p - offset;
  }
  if (offset <= here || offset - here > (size_t)(d->base->end - d->base->begin))
    return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
  *doc = d->base;
  return d->base->end - (offset - here);
}

/* Checks a string or data of 15 bytes or more. */
FL_NOINLINE int bin_check_long_string_(struct bin_check *c, bin_value v, bin_value limit) {
  bin_value p = v + 1;
  uint32_t n;
  if (!bin_varint(&p, limit, &n)) return bin_check_fail(c, BIN_ERROR_LENGTH, v);
  if (n > (size_t)(limit - p)) return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  return 1;
}

FL_NOINLINE int bin_check_utf8_(struct bin_check *c, bin_value v) {
  size_t n;
  const char *s = bin_bytes(v, &n);
  if (!bin_check_spend(c, n, v)) return 0;
  return text_utf8_valid(s, n) == n || bin_check_fail(c, BIN_ERROR_UTF8, v);
}

FL_PRIVATE int bin_check_scalar(struct bin_check *c, bin_value v, bin_value limit) {
  FL_ASSERT(limit - v >= 2 && !bin_is_collection(v) && !bin_is_pointer(v));
  if (bin_sizes[v[0]].mask) {
    if (!bin_check_long_string_(c, v, limit)) return 0;
  } else if (bin_sizes[v[0]].bytes > (size_t)(limit - v)) {
    return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  }
  return !c->utf8 || bin_tag(v) != BIN_TAG_STRING || bin_check_utf8_(c, v);
}
