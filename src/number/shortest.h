/* SPDX-License-Identifier: MIT
** shortest.h -- writes a double with the fewest digits that read back as the same double.
** Must hold: v is finite; w has NUM_ROOM writable bytes.
**
** Integral values that fit 64 bits are written as integers, because the shortest digits of such a value are those of
** another integer; plain.h writes values of up to six decimals. The rest takes the one-product kernel, after Guo's fast
** path in yyjson, Xiang JunBo's xjb (scale by one power more and take the last digit from the fraction) and
** V. Zverovich's zmij (the rounding constant and its verification, which tests/proof/kernel.py repeats). Powers of two
** and subnormals, whose rounding interval is uneven or short, take the plain kernel of R. Cox. */
#pragma once

#include "../base/def.h"
#include "digits.h"
#include "integer.h"
#include "plain.h"
#include "scale.h"

/* Plain kernel: right for every finite double except zero. It scales both ends of the rounding interval. An end belongs
** to the interval if the significand is even; otherwise it is moved inward by one unit of the unrounded form. */
FL_PRIVATE_NOINLINE struct num_decimal num_shortest_plain_(uint64_t bits);

/* The same for a double that is a float of 32 bits, not zero: the fewest digits that read back as the same float. */
FL_PRIVATE_NOINLINE struct num_decimal num_shortest_float(uint64_t bits);

/* One-product kernel: for doubles that are neither powers of two nor subnormal. Scaled by 10^-(k+1) one ulp lies in
** [0.1, 1), so the rounding interval holds at most one integer. If it holds one, that is the shortest text. Otherwise
** one more digit is enough: the tenth nearest to the value. */
FL_INLINE struct num_decimal num_shortest(uint64_t bits) {
  struct num_decimal r;
  uint64_t c = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  int q = (int)(bits >> 52 & 0x7ff) - 1075, k = num_log10_pow2(q), p = -k - 1;
  int sh = q + num_log2_pow10(p) + 10;
  const uint64_t *t = num_powers[p - NUM_POWER_MIN];
  uint64_t whole, f, half, d, low, end, fifteen;
  FL_ASSERT((bits << 12) != 0 && q > -1075 && q < 972 && sh >= 6 && sh <= 9);
  c <<= sh;
  struct num_product y = num_mul(c, t[0]);
  low = y.lo + num_mul(c, t[1]).hi;
  y.hi += low < y.lo;
  whole = y.hi >> 9;
  f = y.hi << 55 | low >> 9;
  half = (t[0] >> (10 - sh)) + (~bits & 1); /* below 2^63; the +1 includes the ends of the interval if c is even */
  /* The 6 makes up for what the table entry and the product cut off. It would only round the exact tie 2.5 wrongly. */
  y = num_mul(f, 10);
  d = y.hi + (y.lo + ((uint64_t)1 << 63) + 6 < y.lo);
  if (FL_UNLIKELY(f == (uint64_t)1 << 62)) d = 2;
  /* f + half wraps if the interval contains the next integer, and is below 2 * half if it contains either one. */
  end = f + half;
  whole += end < half;
  d &= (uint64_t)(end < half + half) - 1;
  /* If `whole` has 15 digits, d becomes its last one. With masks, because gcc turns a conditional into branches. */
  fifteen = (uint64_t)((int64_t)(whole - 1000000000000000) >> 63);
  r.sig = whole + (fifteen & (whole * 9 + d));
  r.extra = (unsigned)(d & ~fifteen);
  r.x = k + 16 + (int)fifteen;
  return r;
}

/* Returns the fewest digits by the kernel that suits the double. */
FL_PRIVATE_NOINLINE struct num_decimal num_shortest_any_(uint64_t bits);

/* Writes a v that is not integral, or is at least 2^63 in magnitude. */
FL_INLINE char *num_write_fraction(char *w, double v, int float_integers) {
  struct num_decimal d;
  uint64_t micro, wide, bits = num_bits(v);
  *w = '-';
  w += bits >> 63;
  if ((micro = num_millionths(bits)) != 0) return num_write_millionths(w, micro);
  /* Cases for the other kernel, and everything from 2^63 on; the exponent 0 wraps. */
  if (FL_UNLIKELY((bits << 12) == 0 || ((unsigned)(bits >> 52) & 0x7ff) - 1 >= 1085)) {
    if ((wide = num_wide_integer(bits)) != 0) return num_write_integral(w, 0, wide, float_integers);
    d = num_shortest_any_(bits);
  } else {
    d = num_shortest(bits);
  }
  /* Below 10^17 there is a fraction, because v is not an integer of 64 bits. */
  return num_layout(w, d, -5, 17, NUM_END_POINT_ZERO, 1);
}

/* num_write_fraction, not inlined. */
FL_PRIVATE_NOINLINE char *num_write_double_(char *w, double v, int float_integers);

/* Writes any finite v; float_integers: with ".0" if it is integral. */
FL_INLINE char *num_write_double(char *w, double v, int float_integers) {
  uint64_t n;
  if (!num_integral(v, &n)) return num_write_double_(w, v, float_integers);
  return num_write_integral(w, v, n, float_integers);
}
