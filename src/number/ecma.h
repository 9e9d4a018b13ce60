/* SPDX-License-Identifier: MIT
** ecma.h -- writes a double almost as ECMAScript does: integral values as integers, the others with the fewest digits.
** Must hold: v is finite; w has NUM_ROOM writable bytes.
**
** The layout is that of ECMAScript's Number::toString, with two exceptions: an exponent has no plus, and a value
** without a fraction that is too large for an integer ends in ".0". The digits are always the fewest that read back,
** where writers that use Grisu2 have one too many for some values. */
#pragma once

#include "shortest.h"

/* Writes d in fixed notation for -6 <= x < 21, else with an exponent. */
FL_FUNC char *num_layout_ecma(char *w, struct num_decimal d) {
  struct num_text t;
  if (d.x >= -6 && d.x < 17) return num_layout(w, d, -6, 17, NUM_END_POINT_ZERO, 1);
  t = num_text_of(d.sig, d.extra);
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

/* The rest of num_write_ecma: v is no integer, or of magnitude 2^63 and more. */
FL_NOINLINE char *num_write_ecma_(char *w, double v) {
  uint64_t micro, bits = num_bits(v);
  if (v == -0x1p63) return num_write_i64(w, INT64_MIN);
  *w = '-';
  w += bits >> 63;
  if ((micro = num_millionths(bits)) != 0) return num_write_millionths(w, micro);
  return num_layout_ecma(w, num_shortest_any_(bits));
}

/* The same, but every value without a fraction ends in ".0". */
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
