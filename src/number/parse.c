/* SPDX-License-Identifier: MIT */
#include "parse.h"

FL_PRIVATE_NOINLINE const char *num_skip_digits_(const char *p, const char *end) {
  for (; end - p >= 8; p += 8) {
    const uint64_t mark = num_block_at(p).mark;
    if (mark) return p + num_first_mark(mark);
  }
  while ((unsigned char)(*p - '0') <= 9) p++;
  return p;
}

FL_PRIVATE_NOINLINE struct num_exponent num_exponent_(const char *p) {
  struct num_exponent e = {NULL, 0};
  const int negative = *p == '-';
  const char *first = p += negative || *p == '+';
  for (; (unsigned char)(*p - '0') <= 9; p++)
    if (e.x < (int64_t)1 << 56) e.x = e.x * 10 + (*p - '0');
  if (p != first) e.end = p;
  if (negative) e.x = -e.x;
  return e;
}

FL_PRIVATE_NOINLINE struct num_value num_parse_integer_(const char *digits, const char *end, int negative, uint64_t w) {
  struct num_value v = {0, 0, NUM_INTEGER};
  FL_ASSERT(digits < end && (end - digits >= 19 || w == 0));
  if (end - digits == 19 && w <= (uint64_t)INT64_MAX + (unsigned)negative) {
    v.i = (int64_t)(negative ? 0 - w : w);
    return v;
  }
  v.d = end - digits <= 19 ? num_from_decimal(w, 0) : num_from_digits(digits, end, 0);
  v.kind = end - digits == 1 ? NUM_DOUBLE : num_kind_of(v.d, NUM_BIG);
  if (negative) v.d = -v.d;
  return v;
}

FL_PRIVATE_NOINLINE const char *num_read(const char *p, const char *end, struct num_value *v) {
  return num_parse(p, end, v);
}
