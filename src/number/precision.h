/* SPDX-License-Identifier: MIT
** precision.h -- writes a double with a fixed number of significant digits, as printf's %.Ng does.
** Must hold: v is finite, 1 <= digits <= 17; w has NUM_ROOM bytes.
**
** The exact value is rounded correctly, ties to even, as C libraries with an exact printf do. */
#pragma once

#include "../base/def.h"
#include "digits.h"
#include "plain.h"
#include "scale.h"

/* v rounded to `digits` digits. The estimate of the exponent may be one too low, or the value may round up to
** 10^digits. In both cases a tenth of it has exactly that many digits, because the scaled value is below
** 2 * 10^digits. */
FL_INLINE struct num_decimal num_rounded(uint64_t bits, int digits) {
  struct num_decimal r;
  struct num_parts v = num_parts_of(bits);
  int p = digits - 1 - num_log10_pow2(v.e + 63);
  struct num_scaler s = num_scaler_for(v.e, p);
  uint64_t u = num_scale(v.m, &s), d = num_half_even(u);
  if (d >= num_ten_to[digits]) {
    d = num_half_even(num_tenth(u));
    p--;
  }
  FL_ASSERT(d < num_ten_to[digits] && d >= num_ten_to[digits - 1]);
  r.x = digits - 1 - p;
  r.extra = 0;
  if (digits == 17) {
    r.extra = (unsigned)(d % 10);
    r.sig = d / 10;
  } else {
    r.sig = d * num_ten_to[16 - digits];
  }
  return r;
}

/* Writes a v that is not an integer of at most that many digits. */
FL_INLINE char *num_write_rounded(char *w, double v, int digits, int ending) {
  uint64_t micro, bits = num_bits(v);
  FL_ASSERT(digits >= 1 && digits <= 17);
  *w = '-';
  w += bits >> 63;
  if (digits <= 15 && (micro = num_millionths(bits)) != 0 && micro < num_ten_to[digits])
    return num_write_millionths(w, micro);
  return num_layout(w, num_rounded(bits, digits), -4, digits, ending, 0);
}

/* num_write_rounded, not inlined. */
FL_PRIVATE_NOINLINE char *num_write_precision_(char *w, double v, int digits, int ending);

/* Writes any finite v. An integer of a magnitude below `whole` is its own text; float_integers: with ".0". As printf
** does: whole = num_ten_to[digits]. */
FL_INLINE char *num_write_precision(char *w, double v, int digits, uint64_t whole, int float_integers) {
  uint64_t n;
  if (!num_integral(v, &n) || FL_UNLIKELY(n >= whole))
    return num_write_precision_(w, v, digits, float_integers ? NUM_END_POINT_ZERO : NUM_END_BARE);
  return num_write_integral(w, v, n, float_integers);
}
