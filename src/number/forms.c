/* SPDX-License-Identifier: MIT */
#include "forms.h"

FL_PRIVATE_NOINLINE char *num_write_precision_(char *w, double v, int digits, int ending) {
  return num_write_rounded(w, v, digits, ending);
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
