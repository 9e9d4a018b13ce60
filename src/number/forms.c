/* SPDX-License-Identifier: MIT */
#include "forms.h"

#include "decimal.h"

FL_PRIVATE_NOINLINE char *num_write_precision_(char *w, double v, int digits, int ending) {
  return num_write_rounded(w, v, digits, ending);
}

/* |v| = m / 2^s with m < 2^53. Of the fraction f / 2^s the product f * 10^decimals has at most 53 + 57 bits, so it is
** exact in two words, and below half a unit if s is above 110. */
FL_PRIVATE_NOINLINE char *num_write_decimals(char *w, double v, int decimals) {
  const uint64_t bits = num_bits(v), ten = num_ten_to[decimals];
  const int exponent = (int)(bits >> 52 & 0x7ff), s = 1075 - exponent;
  const uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(exponent != 0) << 52;
  uint64_t whole = s > 52 ? 0 : s >= 0 ? m >> s : m << -s, part = 0;
  FL_ASSERT(decimals >= 0 && decimals <= 17 && s > -11);
  if (s > 0 && s <= 110) {
    const struct num_product x = num_mul(s > 52 ? m : m & (((uint64_t)1 << s) - 1), ten);
    /* x / 2^s, and what is cut off, with its first bit at the top. */
    uint64_t cut, rest;
    if (s < 64) part = x.hi << (64 - s) | x.lo >> s, cut = x.lo << (64 - s), rest = 0;
    else if (s == 64) part = x.hi, cut = x.lo, rest = 0;
    else part = x.hi >> (s - 64), cut = x.hi << (128 - s) | x.lo >> (s - 64), rest = x.lo << (128 - s);
    const uint64_t half = (uint64_t)1 << 63;
    part += cut > half || (cut == half && (rest || ((decimals ? part : whole) & 1)));
    if (part == ten) whole++, part = 0;
  }
  *w = '-';
  w = num_write_u64(w + (bits >> 63 && (whole | part)), whole);
  if (!decimals) return w;
  *w = '.';
  for (int i = decimals; i > 0; i--, part /= 10) w[i] = (char)('0' + part % 10);
  return w + 1 + decimals;
}

/* The bits of the float nearest to the double with these bits, ties to even, in every rounding mode. */
static uint64_t num_nearest_float(uint64_t bits) {
  enum { LEAST = 1023 - 126, FEWER = 29 }; /* of the least float that is not subnormal; bits of its fraction */
  const uint64_t sign = bits & (uint64_t)1 << 63;
  const int exponent = (int)(bits >> 52 & 0x7ff), drop = FEWER + (exponent < LEAST ? LEAST - exponent : 0);
  if (drop > 53 || (drop == 53 && bits << 12 == 0)) return sign;
  if (drop == 53) return sign | (uint64_t)(1023 - 149) << 52;
  const uint64_t half = (uint64_t)1 << (drop - 1), odd = drop == 52 ? 1 : bits >> drop & 1;
  return (bits + half - 1 + odd) & ~(2 * half - 1);
}

FL_PRIVATE_NOINLINE char *num_write_float32(char *w, double v, int float_integers) {
  const uint64_t bits = num_nearest_float(num_bits(v));
  const double d = num_double(bits);
  uint64_t n;
  if (d > 0x1.fffffep127 || d < -0x1.fffffep127) return num_write_double(w, v, float_integers);
  if (num_integral(d, &n)) return num_write_integral(w, d, n, float_integers);
  *w = '-';
  return num_layout(w + (bits >> 63), num_shortest_float(bits), -5, 17, NUM_END_POINT_ZERO, 1);
}

/* Writes the digits of a decimal whose first digit counts 10^x in the notation of ECMA-262. */
static char *num_layout_canonical(char *w, struct num_decimal d) {
  const struct num_text t = num_text_of(d.sig, d.extra);
  const int digits = (int)t.len, point = d.x + 1;
  char text[32];
  num_text_put(text, t);
  text[16] = (char)('0' + d.extra);
  if (point > 0 && point <= 21) {
    const int before = digits < point ? digits : point;
    memcpy(w, text, (size_t)before);
    memset(w + before, '0', (size_t)(point - before));
    w += point;
    if (digits <= point) return w;
    *w++ = '.';
    memcpy(w, text + point, (size_t)(digits - point));
    return w + (digits - point);
  }
  if (point > -6 && point <= 0) {
    memcpy(w, "0.00000", 7);
    w += 2 - point;
    memcpy(w, text, (size_t)digits);
    return w + digits;
  }
  *w++ = text[0];
  if (digits > 1) {
    *w++ = '.';
    memcpy(w, text + 1, (size_t)(digits - 1));
    w += digits - 1;
  }
  *w++ = 'e';
  if (d.x > 0) *w++ = '+';
  return num_write_i64(w, d.x);
}

FL_PRIVATE_NOINLINE char *num_write_canonical(char *w, double v) {
  const uint64_t bits = num_bits(v);
  uint64_t n;
  *w = '-';
  if (num_integral(v, &n) && n <= (uint64_t)NUM_CONSECUTIVE) return num_write_u64(w + (v < 0), n);
  w += bits >> 63;
  if ((n = num_millionths(bits)) != 0) return num_write_millionths(w, n);
  return num_layout_canonical(w, num_shortest_any_(bits));
}
