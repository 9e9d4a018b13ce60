/* SPDX-License-Identifier: MIT */
#include "compare.h"
#include "integer.h"
#include "shortest.h"

/* A number without its sign: 0.d1 d2 d3 ... * 10^(exponent + shift), where d1 is not 0 and begins at `first`. */
struct num_spelling {
  const char *first, *last;   /* its digits, maybe with a point among them; equal if the number is 0 */
  const char *exponent, *end; /* digits of the exponent, without leading zeros */
  int64_t shift;
  int exponent_sign, sign; /* exponent_sign: -1 or 1; sign: 0 if the number is 0 */
};

static struct num_spelling num_spelling_of(const char *s, size_t n) {
  const char *end = s + n, *point = NULL, *p;
  int64_t zeros = 0; /* leading zeros */
  struct num_spelling d = {0};
  d.sign = d.exponent_sign = 1;
  if (s < end && *s == '-') d.sign = -1, s++;
  for (p = s; p < end && (*p | 0x20) != 'e'; p++)
    if (*p == '.') point = p;
  d.last = p;
  d.shift = (int64_t)((point ? point : p) - s);
  d.exponent = d.end = p;
  if (p < end) {
    p++;
    if (p < end && (*p == '-' || *p == '+')) d.exponent_sign = *p++ == '-' ? -1 : 1;
    while (p < end && *p == '0') p++;
    d.exponent = p;
    d.end = end;
  }
  for (p = s; p < d.last && (*p == '0' || *p == '.'); p++) zeros += *p == '0';
  d.first = p;
  d.shift -= zeros;
  if (d.first == d.last) d.sign = 0;
  return d;
}

/* The difference of two exponents, cut at NUM_FAR, which no lengths of texts can make up for. */
#define NUM_FAR ((int64_t)1 << 60)

static int64_t num_exponent_difference(const struct num_spelling *a, const struct num_spelling *b) {
  const ptrdiff_t an = a->end - a->exponent, bn = b->end - b->exponent, n = an > bn ? an : bn;
  int64_t difference = 0;
  for (ptrdiff_t i = n; i > 0; i--) {
    const int x = i <= an ? a->end[-i] - '0' : 0, y = i <= bn ? b->end[-i] - '0' : 0;
    /* From 2 on it only grows, since a digit of the difference is at most 18. */
    if (difference > NUM_FAR / 16 || difference < -NUM_FAR / 16) return difference < 0 ? -NUM_FAR : NUM_FAR;
    difference = 10 * difference + (a->exponent_sign * x - b->exponent_sign * y);
  }
  return difference;
}

/* Returns the next digit of a number at *p, 0 after its end. */
static int num_next_digit(const char **p, const char *last) {
  if (*p < last && **p == '.') ++*p;
  return *p < last ? *(*p)++ - '0' : 0;
}

static int num_compare_magnitudes(const struct num_spelling *a, const struct num_spelling *b) {
  const int64_t higher = num_exponent_difference(a, b) + (a->shift - b->shift);
  const char *p = a->first, *q = b->first;
  if (higher != 0) return higher < 0 ? -1 : 1;
  while (p < a->last || q < b->last) {
    const int difference = num_next_digit(&p, a->last) - num_next_digit(&q, b->last);
    if (difference != 0) return difference;
  }
  return 0;
}

FL_PRIVATE int num_compare_texts(const char *a, size_t an, const char *b, size_t bn) {
  const struct num_spelling x = num_spelling_of(a, an), y = num_spelling_of(b, bn);
  if (x.sign != y.sign) return x.sign < y.sign ? -1 : 1;
  return x.sign == 0 ? 0 : x.sign * num_compare_magnitudes(&x, &y);
}

/* The exponent of a spelling, cut at 10^17. */
static int64_t num_short_exponent(const struct num_spelling *x) {
  const int64_t most = 100000000000000000;
  int64_t e = 0;
  for (const char *p = x->exponent; p < x->end && e < most; p++) e = 10 * e + (*p - '0');
  return x->exponent_sign * (e < most ? e : most) + x->shift;
}

FL_PRIVATE unsigned char *num_write_sort_key(unsigned char *w, const char *s, size_t n) {
  const struct num_spelling x = num_spelling_of(s, n);
  const int64_t e = num_short_exponent(&x);
  unsigned char *begin = w;
  *w++ = (unsigned char)(1 + x.sign);
  if (x.sign == 0) return w;
  if (e > -64 && e < 64) {
    *w++ = (unsigned char)(128 + e);
  } else {
    *w++ = e < 0 ? 0 : 255;
    for (int shift = 56; shift >= 0; shift -= 8) *w++ = (unsigned char)((uint64_t)e >> shift ^ (shift == 56 ? 128 : 0));
  }
  for (const char *p = x.first; p < x.last;) { /* two digits a byte */
    const int digit = num_next_digit(&p, x.last);
    *w++ = (unsigned char)(1 + 10 * digit + num_next_digit(&p, x.last));
  }
  while (w[-1] == 1) w--; /* zeros at the end */
  *w++ = 0;
  if (x.sign < 0)
    for (unsigned char *p = begin + 1; p < w; p++) *p = (unsigned char)~*p;
  return w;
}

FL_PRIVATE int num_compare_double(const char *s, size_t n, double d) {
  static const struct num_spelling none; /* its exponent is 0 */
  const struct num_spelling x = num_spelling_of(s, n);
  const int sign = (d > 0) - (d < 0);
  struct num_digits digits;
  FL_ASSERT(d == d);
  if (x.sign != sign) return x.sign < sign ? -1 : 1;
  if (sign == 0) return 0;
  if (d > DBL_MAX || d < -DBL_MAX) return -sign;
  struct num_parts v = num_parts_of(num_bits(d));
  const int least = num_log10_pow2(v.e + 63); /* |d| is at least 10^least, and below 10^(least + 2) */
  const int64_t high = num_exponent_difference(&x, &none) + x.shift;
  if (high <= least) return -sign; /* the number is below 10^high, and not below 10^(high - 1) */
  if (high > least + 2) return sign;
  digits.p = x.first, digits.end = x.last;
  digits.exponent = high - (x.last - x.first - (memchr(x.first, '.', (size_t)(x.last - x.first)) != NULL));
  return sign * num_compare_digits(&digits, v.m, v.e);
}

FL_PRIVATE struct num_any num_any_of(const char *s, size_t n, const struct num_value *v) {
  struct num_any x = {NUM_IS_TEXT, {0}, s, n};
  if (v->kind == NUM_INTEGER) {
    x.form = NUM_IS_INTEGER;
    x.is.i = v->i;
    return x;
  }
  x.is.d = v->d;
  if (v->kind == NUM_BIG && v->d > 0 && num_compare_texts(s, n, "18446744073709551615", 20) <= 0) {
    x.form = NUM_IS_UNSIGNED;
    for (x.is.u = 0; n > 0; n--) x.is.u = 10 * x.is.u + (uint64_t)(*s++ - '0');
  }
  return x;
}

/* Compares an integer and a double, not NaN. All doubles between the bounds are compared as integers, which is
** exact. */
static int num_compare_mixed(const struct num_any *a, double d) {
  if (a->form == NUM_IS_UNSIGNED) {
    if (d >= 0x1p64) return -1;
    if (d < 0x1p63) return 1;
    return (a->is.u > (uint64_t)d) - (a->is.u < (uint64_t)d); /* such doubles have no fraction */
  }
  if (d >= 0x1p63) return -1;
  if (d < -0x1p63) return 1;
  if (a->is.i != (int64_t)d) return a->is.i < (int64_t)d ? -1 : 1;
  d -= (double)(int64_t)d; /* exact: a fraction is only below 2^53 */
  return (d < 0) - (d > 0);
}

static int num_compare_text(const struct num_any *a, const struct num_any *b) {
  char digits[NUM_ROOM];
  int order;
  switch (b->form) {
  case NUM_IS_TEXT: order = num_compare_texts(a->text, a->n, b->text, b->n); break;
  case NUM_IS_DOUBLE:
    if (b->is.d != b->is.d) return NUM_UNORDERED;
    if (b->is.d > DBL_MAX || b->is.d < -DBL_MAX) return b->is.d > 0 ? -1 : 1;
    return (a->is.d > b->is.d) - (a->is.d < b->is.d);
  case NUM_IS_INTEGER:
    /* Rounding keeps the order, so only a text that reads as the integer itself can be on the other side of it. */
    order = -num_compare_mixed(b, a->is.d);
    if (order != 0 && num_is_exact(b->is.i)) return order;
    order = num_compare_texts(a->text, a->n, digits, (size_t)(num_write_i64(digits, b->is.i) - digits));
    break;
  default: order = num_compare_texts(a->text, a->n, digits, (size_t)(num_write_u64(digits, b->is.u) - digits));
  }
  return (order > 0) - (order < 0);
}

FL_PRIVATE int num_compare(const struct num_any *a, const struct num_any *b) {
  if (a->form == NUM_IS_DOUBLE && b->form == NUM_IS_DOUBLE) {
    if (a->is.d != a->is.d || b->is.d != b->is.d) return NUM_UNORDERED;
    return (a->is.d > b->is.d) - (a->is.d < b->is.d);
  }
  if (a->form == NUM_IS_TEXT) return num_compare_text(a, b);
  if (b->form == NUM_IS_TEXT || a->form == NUM_IS_DOUBLE) {
    const int order = num_compare(b, a);
    return order == NUM_UNORDERED ? order : -order;
  }
  if (b->form == NUM_IS_DOUBLE) return b->is.d != b->is.d ? NUM_UNORDERED : num_compare_mixed(a, b->is.d);
  if (a->form != b->form) return a->form == NUM_IS_UNSIGNED ? 1 : -1;
  if (a->form == NUM_IS_UNSIGNED) return (a->is.u > b->is.u) - (a->is.u < b->is.u);
  return (a->is.i > b->is.i) - (a->is.i < b->is.i);
}

/* Returns the number's text, written to `room` if it has none. */
static const char *num_spell(const struct num_any *a, char *room, size_t *n) {
  if (a->form == NUM_IS_TEXT) return *n = a->n, a->text;
  *n = (size_t)((a->form == NUM_IS_DOUBLE    ? num_write_double(room, a->is.d, 0)
                 : a->form == NUM_IS_INTEGER ? num_write_i64(room, a->is.i)
                                             : num_write_u64(room, a->is.u)) -
                room);
  return room;
}

/* Drops trailing zeros; returns how many digits are left. As an integer they are to be multiplied by 10^(exponent +
** shift - digits). */
static int64_t num_trim(struct num_spelling *d) {
  int64_t digits = 0;
  while (d->last > d->first && (d->last[-1] == '0' || d->last[-1] == '.')) d->last--;
  for (const char *p = d->first; p < d->last; p++) digits += *p != '.';
  return digits;
}

enum { NUM_MOST_DIVISOR = 19 }; /* digits, which fit in 64 bits */

/* (10 * r + digit) % m, for r < m. */
static uint64_t num_next_remainder(uint64_t r, unsigned digit, uint64_t m) {
  uint64_t sum = digit % m;
  if (m < UINT64_MAX / 16) return (10 * r + digit) % m;
  for (int i = 0; i < 10; i++) sum = sum >= m - r ? sum - (m - r) : sum + r;
  return sum;
}

FL_PRIVATE int num_is_divisor(const struct num_any *of) {
  char room[NUM_ROOM];
  size_t n;
  if (of->form == NUM_IS_DOUBLE && !(of->is.d > 0 && of->is.d <= DBL_MAX)) return 0;
  const char *s = num_spell(of, room, &n);
  struct num_spelling d = num_spelling_of(s, n);
  return d.sign > 0 && num_trim(&d) <= NUM_MOST_DIVISOR;
}

/* Without the zeros at their ends, A * 10^e must be a multiple of B. If e < 0 it is not, as A does not end with 0. Else
** 10^e supplies e factors 2 and 5 of those in B, and A must have the rest. */
FL_PRIVATE int num_is_multiple(const struct num_any *a, const struct num_any *of) {
  char a_room[NUM_ROOM], b_room[NUM_ROOM];
  size_t an, bn;
  const char *s, *p;
  uint64_t m = 0, r = 0;
  if (a->form == NUM_IS_DOUBLE && !(a->is.d >= -DBL_MAX && a->is.d <= DBL_MAX)) return 0;
  s = num_spell(a, a_room, &an);
  struct num_spelling x = num_spelling_of(s, an);
  if (x.sign == 0) return 1;
  s = num_spell(of, b_room, &bn);
  struct num_spelling y = num_spelling_of(s, bn);
  const int64_t e = (x.shift - num_trim(&x)) - (y.shift - num_trim(&y)) + num_exponent_difference(&x, &y);
  if (e < 0) return 0;
  for (p = y.first; p < y.last;) m = 10 * m + (uint64_t)num_next_digit(&p, y.last);
  for (int64_t i = 0; i < e && m % 2 == 0; i++) m /= 2;
  for (int64_t i = 0; i < e && m % 5 == 0; i++) m /= 5;
  FL_ASSERT(m > 0);
  for (p = x.first; p < x.last;) r = num_next_remainder(r, (unsigned)num_next_digit(&p, x.last), m);
  return r == 0;
}

FL_PRIVATE int num_is_whole(const struct num_any *a) {
  static const struct num_spelling no_exponent;
  if (a->form == NUM_IS_DOUBLE) {
    if (!(a->is.d >= -DBL_MAX && a->is.d <= DBL_MAX)) return 0;
    return a->is.d >= 0x1p53 || a->is.d <= -0x1p53 || (double)(int64_t)a->is.d == a->is.d;
  }
  if (a->form != NUM_IS_TEXT) return 1;
  struct num_spelling d = num_spelling_of(a->text, a->n);
  return d.sign == 0 || d.shift - num_trim(&d) + num_exponent_difference(&d, &no_exponent) >= 0;
}
