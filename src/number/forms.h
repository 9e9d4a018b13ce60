/* SPDX-License-Identifier: MIT
** forms.h -- writes a double in forms other than the shortest: with a number of digits, like printf's %.Ng; with a
** number of decimals; as a float of 32 bits; almost as in ECMAScript (num_write_ecma); as in canonical JSON
** (num_write_canonical).
** Must hold: v is finite; w has NUM_ROOM writable bytes. */
#pragma once

#include "../base/def.h"
#include "digits.h"
#include "plain.h"
#include "scale.h"
#include "shortest.h"

/* Returns v rounded to `digits` digits, 1 to 17, exactly, ties to even. The estimate of the exponent may be one too
** low, or the value may round up to 10^digits. In both cases a tenth of it has exactly that many digits, because the
** scaled value is below 2 * 10^digits. */
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

/* Writes any finite v. An integer below `whole` in magnitude is written as it is, with ".0" if float_integers. For
** printf's form: whole = num_ten_to[digits]. */
FL_INLINE char *num_write_precision(char *w, double v, int digits, uint64_t whole, int float_integers) {
  uint64_t n;
  if (!num_integral(v, &n) || FL_UNLIKELY(n >= whole))
    return num_write_precision_(w, v, digits, float_integers ? NUM_END_POINT_ZERO : NUM_END_BARE);
  return num_write_integral(w, v, n, float_integers);
}

/* Writes v with `decimals` digits after the point, 0 to 17, as printf's %.Nf: the exact value, rounded, ties to even.
** What rounds to zero has no sign. |v| < 2^63. */
FL_PRIVATE_NOINLINE char *num_write_decimals(char *w, double v, int decimals);

/* Writes the float of 32 bits that is nearest to v with the fewest digits that read back as this float; beyond the
** floats the double v. */
FL_PRIVATE_NOINLINE char *num_write_float32(char *w, double v, int float_integers);

/* Integral values are written as integers, the others with the fewest digits that read back, where writers that use
** Grisu2 have one too many for some values. The layout is that of ECMAScript's Number::toString, with two exceptions:
** an exponent has no plus, and a value without a fraction that is too large for an integer ends in ".0". Fixed notation
** is for -6 <= x < 21. */
FL_FUNC char *num_layout_ecma(char *w, struct num_decimal d) {
  if (d.x >= -6 && d.x < 17) return num_layout(w, d, -6, 17, NUM_END_POINT_ZERO, 1);
  struct num_text t = num_text_of(d.sig, d.extra);
  if (d.x >= 17 && d.x < 21) {
    num_text_put(w, t);
    memcpy(w + 16, "00000.0", 7);
    w[16] = (char)('0' + d.extra);
    memcpy(w + d.x + 1, ".0", 2);
    return w + d.x + 3;
  }
  num_text_put(w + 1, t);
  w[0] = num_text_first(t);
  w[1] = '.';
  w[17] = (char)('0' + d.extra);
  w += t.len + (t.len > 1);
  *w++ = 'e';
  return num_write_i64(w, d.x);
}

/* num_write_ecma for a v that is not an integer, or is at least 2^63 in magnitude. */
FL_NOINLINE char *num_write_ecma_(char *w, double v) {
  uint64_t micro, bits = num_bits(v);
  if (v == -0x1p63) return num_write_i64(w, INT64_MIN);
  *w = '-';
  w += bits >> 63;
  if ((micro = num_millionths(bits)) != 0) return num_write_millionths(w, micro);
  return num_layout_ecma(w, num_shortest_any_(bits));
}

/* num_write_ecma, but every value without a fraction ends in ".0". */
FL_FUNC char *num_write_ecma_float(char *w, double v) {
  uint64_t n, bits = num_bits(v);
  if (num_integral(v, &n) && n <= (uint64_t)NUM_CONSECUTIVE) return num_write_integral(w, v, n, 1);
  *w = '-';
  w += bits >> 63;
  if ((n = num_millionths(bits)) != 0) return num_write_millionths(w, n);
  return num_layout_ecma(w, num_shortest_any_(bits));
}

/* -0.0 is an integer, so its text is 0. */
FL_INLINE char *num_write_ecma(char *w, double v) {
  uint64_t n;
  if (!num_integral(v, &n)) return num_write_ecma_(w, v);
  *w = '-';
  return num_write_u64(w + (v < 0), n);
}

/* Writes v like Number::toString (ECMA-262, section 6.1.6.1.20), as canonical JSON requires (RFC 8785, section
** 3.2.2.3): 0 for -0, without a point up to 10^21, 1e+21, 1e-7. */
FL_PRIVATE_NOINLINE char *num_write_canonical(char *w, double v);
