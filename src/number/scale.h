/* SPDX-License-Identifier: MIT
** scale.h -- unrounded scaling: x * 2^e * 10^p, exact enough for every rounding, from one or two products.
** Must hold: integers only; exact for the inputs that tests/proof/scaling.py lists.
**
** After R. Cox, "Floating-Point Printing and Parsing Can Be Simple And Fast" (2026). The unrounded form of a real
** number x >= 0 is 4*floor(x) + 2*(next bit) + sticky. The sticky bit is set if any bit after that one was set. */
#pragma once

#include "../base/def.h"
#include "powers.h"

#if !defined(__SIZEOF_INT128__) && defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

FL_STATIC_ASSERT((-1 >> 1) == -1 && (-5 >> 1) == -3, right_shift_is_arithmetic);

/* A product of 128 bits: hi * 2^64 + lo. */
struct num_product {
  uint64_t hi, lo;
};

FL_INLINE struct num_product num_mul(uint64_t a, uint64_t b) {
  struct num_product r;
#if defined(__SIZEOF_INT128__) && !defined(FLEECE_NO_INT128)
  __extension__ typedef unsigned __int128 wide;
  wide x = (wide)a * b;
  r.hi = (uint64_t)(x >> 64);
  r.lo = (uint64_t)x;
#elif defined(_MSC_VER) && defined(_M_X64)
  r.lo = _umul128(a, b, &r.hi);
#else
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
  uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl; /* below 3 * 2^32 */
  r.hi = ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32);
  r.lo = (mid << 32) | (uint32_t)ll;
#endif
  return r;
}

/* clang-format off */
FL_ONE_OBJECT const uint64_t num_ten_to[20] = {
  1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u,
  100000000000u, 1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u,
  100000000000000000u, 1000000000000000000u, 10000000000000000000u
};
/* clang-format on */

/* Floors of logarithms: exact, as tests/proof/tables.py checks over the ranges given. */
FL_INLINE int num_log10_pow2(int x) { return (x * 78913) >> 18; }             /* |x| < 1200 */
FL_INLINE int num_log2_pow10(int p) { return (p * 108853) >> 15; }            /* |p| < 400 */
FL_INLINE int num_log10_34pow2(int x) { return (x * 631305 - 261663) >> 21; } /* 3/4 * 2^x, |x| < 1100 */

/* Round an unrounded number. */
FL_INLINE uint64_t num_floor(uint64_t u) { return u >> 2; }
FL_INLINE uint64_t num_ceil(uint64_t u) { return (u + 3) >> 2; }
FL_INLINE uint64_t num_half_even(uint64_t u) { return (u + 1 + ((u >> 2) & 1)) >> 2; }

/* Returns a tenth of an unrounded number, unrounded. */
FL_INLINE uint64_t num_tenth(uint64_t u) {
  uint64_t q = u / 10;
  return q | (u & 1) | (q * 10 != u);
}

/* A multiplication by 2^e * 10^p: the table's entry plus one, as high * 2^64 - low, and a shift. */
struct num_scaler {
  uint64_t high, low;
  unsigned shift;
};

FL_INLINE struct num_scaler num_scaler_of(int p, int shift) {
  struct num_scaler s;
  const uint64_t *t = num_powers[p - NUM_POWER_MIN];
  FL_ASSERT(p >= NUM_POWER_MIN && p <= NUM_POWER_MAX && shift >= 0 && shift < 64);
  s.high = t[0] + 1;
  s.low = ~t[1];
  s.shift = (unsigned)shift & 63;
  return s;
}

FL_INLINE struct num_scaler num_scaler_for(int e, int p) { return num_scaler_of(p, -(e + num_log2_pow10(p) + 3)); }

/* Returns x * 2^e * 10^p, unrounded. The product x * high exceeds the true one by less than 2^64 * 2^64, so subtracting
** x * low lowers the top word by at most one: if one of the bits to be cut is set, neither the quotient nor the sticky
** bit can change. Otherwise the second product decides; its ceiling cannot wrap because low < 2^64 and x < 2^64. */
FL_INLINE uint64_t num_scale(uint64_t x, const struct num_scaler *s) {
  struct num_product top = num_mul(x, s->high), low;
  if (FL_LIKELY(top.hi & (((uint64_t)1 << s->shift) - 1))) return (top.hi >> s->shift) | 1;
  low = num_mul(x, s->low);
  const uint64_t c = low.hi + (low.lo != 0);
  return ((top.hi - (top.lo < c)) >> s->shift) | (top.lo != c);
}

/* A finite double other than zero as m * 2^e, with bit 63 of m set. Its unit in the last place is 2^ulp in m. */
struct num_parts {
  uint64_t m;
  int e;
  unsigned ulp;
};

FL_INLINE uint64_t num_bits(double v) {
  uint64_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}

FL_INLINE struct num_parts num_parts_of(uint64_t bits) {
  struct num_parts r;
  uint64_t frac = bits & (((uint64_t)1 << 52) - 1);
  int be = (int)(bits >> 52) & 0x7ff;
  FL_ASSERT(be != 0x7ff && (be || frac));
  if (FL_LIKELY(be != 0)) {
    r.m = (frac | (uint64_t)1 << 52) << 11;
    r.e = be - 1086;
    r.ulp = 11;
  } else {
    r.ulp = fl_leading_zeros(frac);
    r.m = frac << r.ulp;
    r.e = -1074 - (int)r.ulp;
  }
  return r;
}
