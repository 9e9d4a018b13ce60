/* SPDX-License-Identifier: MIT
** page_read.h -- reading a little past the end of a string, where that is safe; and bits of lane masks.
** May call: nothing.  Must hold: with FLEECE_STRICT_READS nothing is ever near. */
#ifndef FLEECE_TEXT_PAGE_READ_H
#define FLEECE_TEXT_PAGE_READ_H

#include "../base/def.h"
#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* The smallest page of any CPU with vectors: protection cannot change within it. */
#define TEXT_PAGE 4096u

/* Whether `reach` bytes from s can be read without a fault, given that s[0] can. */
FL_INLINE int text_near(const char *s, unsigned reach) {
  return !FLEECE_STRICT_READS && ((uintptr_t)s & (TEXT_PAGE - 1)) <= TEXT_PAGE - reach;
}

/* Number of the lowest set bit; x is not zero. */
FL_INLINE unsigned text_ctz(uint64_t x) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(x);
#else
  unsigned long i;
  _BitScanForward64(&i, x);
  return (unsigned)i;
#endif
}

/* How many bits are set. */
FL_INLINE unsigned text_bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* The first n bits, n < 64. */
FL_INLINE uint64_t text_low_bits(size_t n) { return ((uint64_t)1 << n) - 1; }

#endif
