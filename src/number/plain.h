/* SPDX-License-Identifier: MIT
** plain.h -- the doubles that people write: integers, and up to six decimals as in prices and coordinates.
** Must hold: exact in every rounding mode and with registers of any width. */
#pragma once

#include "../base/def.h"
#include "integer.h"
#include "scale.h"

#if defined(FLEECE_SIMD_SSE2)
#include <emmintrin.h>
#endif

/* Returns whether v is an integer with |v| < 2^63 (or a zero), and sets *magnitude to |v|. One branch in all: on x86-64
** the conversion of a large value gives INT64_MIN. In C it is undefined, so elsewhere 0.5 replaces such a value. */
FL_INLINE int num_integral(double v, uint64_t *magnitude) {
  int64_t i;
#if defined(__GNUC__)
  double a = __builtin_fabs(v);
#else
  double a = v < 0 ? -v : v;
#endif
#if defined(FLEECE_SIMD_SSE2)
  i = _mm_cvttsd_si64(_mm_set_sd(a));
  *magnitude = (uint64_t)i;
  return num_bits((double)i) == num_bits(a);
#else
  i = (int64_t)(a < 0x1p63 ? a : 0.5);
  *magnitude = (uint64_t)i;
  return num_bits((double)i) == num_bits(a);
#endif
}

/* Returns the magnitude of an integer of 64 bits that num_integral refuses: 2^63 and more, or -2^63. 0 if v is not such
** an integer. */
FL_INLINE uint64_t num_wide_integer(uint64_t bits) {
  const int fits = (int64_t)bits >= 0 || (bits << 12) == 0;
  return FL_UNLIKELY((bits >> 52 & 0x7ff) == 1086) && fits ? bits << 11 | (uint64_t)1 << 63 : 0;
}

/* Writes an integral v of magnitude n. The sign comes from the bits, so that -0.0 gives "-0". */
FL_INLINE char *num_write_integral(char *w, double v, uint64_t n, int float_integers) {
  *w = '-';
  w = num_write_u64(w + (num_bits(v) >> 63), n);
  if (float_integers) {
    w[0] = '.';
    w[1] = '0';
    w += 2;
  }
  return w;
}

/* Returns the number i > 0 of millionths such that i/10^6 reads back as |v|, or 0. With |v| = c / 2^s and c < 2^53, i
** is 10^6 * c / 2^s. t is 10^6 * c / 2^9 rounded down; in its units half a unit in the last place of v is 976.6. So if
** t is closer than 976 to a multiple i * 2^(s-9), i/10^6 is inside the rounding interval of v. The range 2^-13 <= |v| <
** 2^29 keeps the shift within 15..56 and i below 10^15. Different decimals of at most 15 digits never read as the same
** double. So i/10^6 without its trailing zeros is the shortest text, and it is |v| rounded to any number of digits from
** its own up to 15. That the interval of a power of two is narrower on one side does not matter: of those in range only
** 1..1/64 and integers have at most six decimals, and these are exact; no other is close to a millionth
** (tests/proof/tables.py). */
FL_INLINE uint64_t num_millionths(uint64_t bits) {
  unsigned be = (unsigned)(bits >> 52) & 0x7ff, shift = (1066 - be) & 63;
  uint64_t t = num_mul(bits << 11 | (uint64_t)1 << 63, (uint64_t)1000000 << 44).hi + 976;
  if ((t & ~(~(uint64_t)0 << shift)) >= 1952 || be - 1010 > 41) return 0;
  return t >> shift;
}

/* Writes i/10^6, with i % 10^6 != 0, without trailing zeros. */
FL_INLINE char *num_write_millionths(char *w, uint64_t i) {
  uint64_t whole = i / 1000000, t;
  uint32_t rest = (uint32_t)(i - whole * 1000000), q = num_thousands(rest);
  FL_ASSERT(rest != 0);
  t = (num_triple[q] & 0xffffff) | (uint64_t)num_triple[rest - q * 1000] << 24;
  w = num_write_u64(w, whole);
  *w = '.';
  num_put8(w + 1, t);
  return w + 2 + (63 - fl_leading_zeros(t & 0x0f0f0f0f0f0fu)) / 8;
}
