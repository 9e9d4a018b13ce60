/* SPDX-License-Identifier: MIT
** values.h -- checks that pointers and scalars of an untrusted document stay inside it.
** Must hold: reads nothing outside the document and its base. The fast functions accept only what is valid. The slow
** ones check everything else again and find the error. */
#pragma once

#include "../../text/utf8.h"
#include "state.h"

/* Follows the pointer of `width` bytes at p once, and sets *doc to the document of its target. NULL if it leads out of
** the document. */
FL_PRIVATE_NOINLINE bin_value bin_check_follow_extern_(struct bin_check *c, bin_value p, unsigned width,
                                                       const struct bin_doc **doc);

FL_INLINE bin_value bin_check_follow_once(struct bin_check *c, bin_value p, unsigned width,
                                          const struct bin_doc **doc) {
  if (FL_UNLIKELY(p[0] & BIN_EXTERN)) return bin_check_follow_extern_(c, p, width, doc);
  const size_t offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p);
  if (FL_UNLIKELY(offset == 0 || offset > (size_t)(p - (*doc)->begin)))
    return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
  return p - offset;
}

/* Follows the pointer at p to a value, which must end before *limit. */
FL_INLINE bin_value bin_check_pointer(struct bin_check *c, bin_value p, unsigned width, const struct bin_doc **doc,
                                      bin_value *limit) {
  for (;;) {
    const struct bin_doc *from = *doc;
    bin_value target = bin_check_follow_once(c, p, width, doc);
    if (FL_UNLIKELY(!target)) return NULL;
    *limit = FL_LIKELY(*doc == from) ? p : (*doc)->end;
    if (FL_UNLIKELY(*limit - target < 2)) return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
    FL_ASSERT(target >= (*doc)->begin && *limit <= (*doc)->end);
    if (FL_LIKELY(!bin_is_pointer(target))) return target;
    if (FL_UNLIKELY(*limit - target < 4)) return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
    if (FL_UNLIKELY(!bin_check_spend(c, 0, p))) return NULL;
    p = target, width = 4;
  }
}

/* The size of a value by its first byte, or BIN_SIZE_UNKNOWN, which is more than any offset, if that does not tell. For
** long strings and data it is 2, plus the second byte, masked: their length if it takes one byte. */
struct bin_size {
  uint32_t bytes, mask;
};
#define BIN_SIZE_UNKNOWN UINT32_MAX
#define BIN_ONE(x) \
  { x, 0 }
#define BIN_FOUR(x) BIN_ONE(x), BIN_ONE(x), BIN_ONE(x), BIN_ONE(x)
#define BIN_EIGHT(x)                                                                                          \
  BIN_ONE(x), BIN_ONE(x + 1), BIN_ONE(x + 2), BIN_ONE(x + 3), BIN_ONE(x + 4), BIN_ONE(x + 5), BIN_ONE(x + 6), \
      BIN_ONE(x + 7)
#define BIN_SIXTEEN(x) BIN_FOUR(x), BIN_FOUR(x), BIN_FOUR(x), BIN_FOUR(x)
/* clang-format off */
#define BIN_STRINGS \
  BIN_EIGHT(1), BIN_ONE(9), BIN_ONE(10), BIN_ONE(11), BIN_ONE(12), BIN_ONE(13), BIN_ONE(14), BIN_ONE(15), \
  {2, UINT32_MAX}

static const struct bin_size bin_sizes[256] = {
    BIN_SIXTEEN(2), BIN_EIGHT(2), BIN_EIGHT(2), BIN_FOUR(6), BIN_FOUR(6), BIN_FOUR(10), BIN_FOUR(10), BIN_SIXTEEN(2),
    BIN_STRINGS, BIN_STRINGS,
    BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN),
    BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN),
    BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN), BIN_SIXTEEN(BIN_SIZE_UNKNOWN),
    BIN_SIXTEEN(BIN_SIZE_UNKNOWN)};
/* clang-format on */

/* Returns the size of the value at v, or more than any offset. Without a branch, because long strings cannot be
** predicted (+25 % on people). The second byte of a long one, sign-extended, is its length, or too large. */
FL_INLINE uint64_t bin_size(bin_value v) {
  const struct bin_size *size = &bin_sizes[v[0]];
  const uint32_t second = (uint32_t)(int8_t)v[1];
  return (uint64_t)size->bytes + (second & size->mask);
}

/* Checks that a scalar ends before the limit, which is at least two bytes after v. */
FL_PRIVATE int bin_check_scalar(struct bin_check *c, bin_value v, bin_value limit);

/* Returns how far back pointers of the collection at v may lead in the fast functions: within the document, and without
** the flag of extern pointers. With 0 they accept only small numbers and the like, because strings must be checked. */
FL_INLINE size_t bin_check_reach(const struct bin_check *c, const struct bin_doc *doc, bin_value v, unsigned width) {
  const size_t before = (size_t)(v + 2 - doc->begin), most = width == 2 ? BIN_NARROW_REACH : BIN_WIDE_REACH;
  return FL_UNLIKELY(c->utf8) ? 0 : before < most ? before : most;
}

/* Returns whether the item p is a pointer. Sets *offset to the bytes it goes back, a too large number for an extern
** pointer. */
FL_INLINE int bin_check_is_pointer(bin_value p, unsigned width, size_t *offset) {
  const uint32_t word = width == 2 ? bin_big16(p) : bin_big32(p);
  *offset = width == 2 ? (uint16_t)(2 * word) : 2 * word;
  return (word >> (8 * width - 1)) != 0;
}

/* Returns whether the item p is a scalar or points to one. Sets *v to its target if that is within reach, else to p. */
FL_INLINE int bin_check_scalar_item(bin_value p, unsigned width, size_t reach, bin_value *v) {
  enum { TWO_BYTES = 1 << BIN_TAG_SMALL | 1 << BIN_TAG_SPECIAL };
  size_t offset;
  *v = p;
  if (bin_check_is_pointer(p, width, &offset)) {
    if (FL_UNLIKELY(offset > reach)) return 0;
    *v = p - offset;
    return bin_size(*v) <= offset;
  }
  return TWO_BYTES >> bin_tag(p) & 1 || (bin_size(p) <= width && reach > 0);
}

/* Skips items of an array, or values of a dict (stride: the bytes of a pair), as long as they are such scalars. */
FL_INLINE bin_value bin_check_scalar_run(bin_value p, bin_value end, unsigned width, unsigned stride, size_t reach) {
  bin_value v;
  while (p < end && FL_LIKELY(bin_check_scalar_item(p + (stride - width), width, reach, &v))) p += stride;
  return p;
}
