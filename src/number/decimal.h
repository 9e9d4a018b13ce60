/* SPDX-License-Identifier: MIT
** decimal.h -- decimals to the nearest double: up to 19 digits by scaling, more by comparing big integers.
** Must hold: exact for every text. tests/proof/scaling.py proves the scaling; the comparison is exact arithmetic. */
#pragma once

#include "../base/def.h"
#include "scale.h"

/* The powers of ten that are exact as doubles. */
FL_ONE_OBJECT const double num_exact_tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

FL_INLINE double num_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* Returns w * 2^e * 10^p, rounded to at most 53 bits, or to 2^53; w has `zeros` leading zeros, and `shift` is what
** that e asks for. Adjusts *e: the result stands for w * 10^p * 2^*e. */
FL_INLINE uint64_t num_round_decimal(uint64_t w, unsigned zeros, int p, int shift, int *e) {
  const struct num_scaler s = num_scaler_of(p, shift);
  uint64_t u = num_scale(w << zeros, &s);
  const unsigned over = (unsigned)(u >> 55); /* 1 if it has 54 bits. That is unpredictable, so there is no branch */
  *e -= (int)over;
  return num_half_even((u >> over) | (u & over));
}

/* Returns the e for which w * 2^e * 10^p has 53 or 54 bits. The shift it asks for is the same for every w. */
enum { NUM_DECIMAL_SHIFT = 8 };
FL_INLINE int num_decimal_exponent(unsigned zeros, int p) { return 53 - (64 - (int)zeros) - num_log2_pow10(p); }

/* Returns the bits of m * 2^-e, a normal double; m may be 2^53: the sum carries into the exponent. */
FL_INLINE uint64_t num_normal_bits(uint64_t m, int e) {
  FL_ASSERT(m >> 52 == 1 || m == (uint64_t)1 << 53);
  return ((uint64_t)(1075 - e) << 52) + (m - ((uint64_t)1 << 52));
}

/* Returns the bits of the double nearest to w * 10^p, for any p. */
FL_PRIVATE_NOINLINE uint64_t num_decimal_bits_(uint64_t w, int p);

/* Returns the double nearest to w * 10^p for w > 0 and -19 <= p <= 0, where it is always a normal number. */
FL_INLINE double num_from_fraction(uint64_t w, int p) {
  const unsigned zeros = fl_leading_zeros(w);
  int e = num_decimal_exponent(zeros, p);
  FL_ASSERT(p >= -19 && p <= 0);
  const uint64_t m = num_round_decimal(w, zeros, p, NUM_DECIMAL_SHIFT, &e);
  return num_double(num_normal_bits(m, e));
}

FL_INLINE double num_from_decimal(uint64_t w, int p) { return num_double(num_decimal_bits_(w, p)); }

/* Digits, maybe with a point among them; the first is not 0. */
struct num_digits {
  const char *p, *end;
  int64_t exponent; /* of the last digit */
};

/* Compares D * 10^exponent, for the digits D, with m * 2^e, m > 0, a double or the middle between two, of about the
** same size. Returns -1 if it is below, 0 if equal, 1 if above. */
FL_PRIVATE int num_compare_digits(const struct num_digits *g, uint64_t m, int e);

/* Returns the double nearest to the digits of [p, end), maybe with a point among them, times 10^x. */
FL_PRIVATE_NOINLINE double num_from_digits(const char *p, const char *end, int64_t x);
