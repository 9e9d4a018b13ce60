/* SPDX-License-Identifier: MIT */
#include "shortest.h"

/* Returns d * 10^k, with 0 < d < 10^17, as a decimal. */
FL_INLINE struct num_decimal num_decimal_of(uint64_t d, int k) {
  struct num_decimal r;
  FL_ASSERT(d > 0 && d < UINT64_C(100000000000000000));
  r.x = k + 15;
  r.extra = 0;
  for (; d < 1000000000000000u; r.x--) d *= 10;
  if (d >= 10000000000000000u) {
    r.extra = (unsigned)(d % 10);
    d /= 10;
    r.x++;
  }
  r.sig = d;
  return r;
}

/* The fewest digits for v. uneven: a power of two, so that the next lower number is half as far away. */
static struct num_decimal num_shortest_parts(struct num_parts v, int uneven) {
  uint64_t odd = v.m >> v.ulp & 1, half = (uint64_t)1 << (v.ulp - 1), below = half, lo, hi, t;
  int p = -num_log10_pow2(v.e + (int)v.ulp);
  FL_ASSERT(v.ulp >= 11); /* so that a quarter of a unit is an integer */
  if (uneven) {
    p = -num_log10_34pow2(v.e + (int)v.ulp);
    below = half >> 1;
  }
  struct num_scaler s = num_scaler_for(v.e, p);
  lo = num_ceil(num_scale(v.m - below, &s) + odd);
  hi = num_floor(num_scale(v.m + half, &s) - odd);
  t = hi / 10;
  if (t * 10 >= lo) return num_decimal_of(t, 1 - p);
  return num_decimal_of(lo == hi ? lo : num_half_even(num_scale(v.m, &s)), -p);
}

FL_PRIVATE_NOINLINE struct num_decimal num_shortest_plain_(uint64_t bits) {
  return num_shortest_parts(num_parts_of(bits), (bits << 12) == 0 && (bits >> 52 & 0x7ff) > 1);
}

FL_PRIVATE_NOINLINE struct num_decimal num_shortest_float(uint64_t bits) {
  enum { LEAST = 1023 - 126 }; /* the exponent of the least float that is not subnormal */
  const int exponent = (int)(bits >> 52 & 0x7ff), below = exponent < LEAST ? LEAST - exponent : 0;
  struct num_parts v = num_parts_of(bits);
  v.ulp = 40 + (unsigned)below;
  FL_ASSERT(below < 24 && v.m << (64 - v.ulp) == 0);
  return num_shortest_parts(v, (bits << 12) == 0 && exponent > LEAST);
}

FL_PRIVATE_NOINLINE struct num_decimal num_shortest_any_(uint64_t bits) {
  return (bits << 12) == 0 || (bits >> 52 & 0x7ff) == 0 ? num_shortest_plain_(bits) : num_shortest(bits);
}

FL_PRIVATE_NOINLINE char *num_write_double_(char *w, double v, int float_integers) {
  return num_write_fraction(w, v, float_integers);
}
