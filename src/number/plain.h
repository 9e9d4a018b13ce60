/* SPDX-License-Identifier: MIT
** plain.h -- the doubles that people write: integers, and up to three decimals as in prices.
** May call: integer.h, scale.h.  Must hold: exact whatever the rounding mode and the width of registers. */
#ifndef FLEECE_NUMBER_PLAIN_H
#define FLEECE_NUMBER_PLAIN_H

#include "base/def.h"
#include "number/integer.h"
#include "number/scale.h"

#if defined(FLEECE_SIMD_SSE2)
#include <emmintrin.h>
#endif

/* Whether v is integral and |v| <= 2^53, zeros included. One branch in all: the conversion of a large value
** gives INT64_MIN on x86-64, and is undefined in C, hence the substitute 0.5 elsewhere. */
FL_INLINE int num_integral(double v, uint64_t *magnitude)
{
  const double limit = 9007199254740992.0;
  int64_t i;
#if defined(__GNUC__)
  double a = __builtin_fabs(v);
#else
  double a = v < 0 ? -v : v;
#endif
#if defined(FLEECE_SIMD_SSE2)
  i = _mm_cvttsd_si64(_mm_set_sd(a));
  *magnitude = (uint64_t)i;
  return (double)i == a && FL_LIKELY(i <= (int64_t)limit);
#else
  i = (int64_t)(a <= limit ? a : 0.5);
  *magnitude = (uint64_t)i;
  return (double)i == a;
#endif
}

/* An integral v of magnitude n. The sign comes from the bits, so that -0.0 gives "-0". */
FL_INLINE char *num_write_integral(char *w, double v, uint64_t n, int float_integers)
{
  *w = '-';
  w = num_write_u64(w + (num_bits(v) >> 63), n);
  if (float_integers) {
    w[0] = '.';
    w[1] = '0';
    w += 2;
  }
  return w;
}

/* Thousandths: i > 0 such that i/1000 reads back as |v|, or 0. With |v| = m / 2^s, the thousandths are
** 1000*m / 2^s, and the nearest integer i must be off by less than half a unit in the last place of v:
** |1000*m - i*2^s| < 500, all below 2^64 as m < 2^53. The range 2^-10 <= |v| < 2^39 gives 14 <= s <= 62.
** Since i < 10^15, and different decimals of at most 15 digits never read as the same double, i/1000 without
** its zeros at the end is the shortest text, and it is |v| rounded to any number of digits from its own up
** to 15. The narrower side of a power of two does not matter: of those in range and not integral only 1/2,
** 1/4 and 1/8 have three decimals, and they are exact; no other comes near. */
FL_INLINE uint64_t num_thousandths(uint64_t bits)
{
  unsigned be = (unsigned)(bits >> 52) & 0x7ff, s = (1075 - be) & 63;
  uint64_t c = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52, t = c * 1000 + 499;
  if ((t & ~(~(uint64_t)0 << s)) > 998 || be - 1013 > 48)
    return 0;
  return t >> s;
}

/* i/1000 with i % 1000 != 0, without the zeros at the end. */
FL_INLINE char *num_write_thousandths(char *w, uint64_t i)
{
  uint64_t whole = i / 1000;
  uint32_t t = num_triple[i - whole * 1000];
  w = num_write_u64(w, whole);
  *w = '.';
  num_put4(w + 1, t);
  return w + 2 + (63 - num_leading_zeros(t & 0x0f0f0f)) / 8;
}

#endif
