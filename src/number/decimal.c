/* SPDX-License-Identifier: MIT */
#include "parse.h"

enum { NUM_INFINITE_EXPONENT = 2047 };

/* Skips zeros and the point. */
static const char *num_skip_zeros(const char *p, const char *end) {
  for (;; p++) {
    while (end - p >= 8 && memcmp(p, "00000000", 8) == 0) p += 8;
    if (p == end || (*p != '0' && *p != '.')) return p;
  }
}

FL_PRIVATE_NOINLINE uint64_t num_decimal_bits_(uint64_t w, int p) {
  if (w == 0 || p < -342) return 0;
  if (p > 308) return (uint64_t)NUM_INFINITE_EXPONENT << 52;
  const unsigned zeros = fl_leading_zeros(w);
  int e = num_decimal_exponent(zeros, p);
  if (e > 1074) e = 1074; /* 2^-1074 is the smallest subnormal */
  const int shift = -(e - (int)zeros + num_log2_pow10(p) + 3);
  if (shift > 63) return 0; /* the value is below 2^-1076 */
  const uint64_t m = num_round_decimal(w, zeros, p, shift, &e);
  if (m < (uint64_t)1 << 52) return m; /* subnormal */
  if (1075 - e >= NUM_INFINITE_EXPONENT) return (uint64_t)NUM_INFINITE_EXPONENT << 52;
  return num_normal_bits(m, e);
}

/* What is compared has at most 770 digits, so it is below 2^2559; m * 5^1076 is below 2^2553. Shifts only bring the
** smaller of the two to the size of the larger. */
enum { NUM_LIMBS = 42, NUM_DIGITS = 770, NUM_PART = 17 };

struct num_big {
  uint64_t limb[NUM_LIMBS];
  unsigned n; /* limbs in use; the highest is not zero */
};

/* b = b * factor + add; factor > 0. */
static void num_big_muladd(struct num_big *b, uint64_t factor, uint64_t add) {
  uint64_t carry = add;
  for (unsigned i = 0; i < b->n; i++) {
    const struct num_product x = num_mul(b->limb[i], factor);
    b->limb[i] = x.lo + carry;
    carry = x.hi + (b->limb[i] < carry);
  }
  FL_ASSERT(factor > 0 && b->n < NUM_LIMBS);
  if (carry) b->limb[b->n++] = carry;
}

/* b = b * 5^power */
static void num_big_times_5_to(struct num_big *b, unsigned power) {
  uint64_t rest = 1;
  for (; power >= 27; power -= 27) num_big_muladd(b, 7450580596923828125u, 0);
  for (; power > 0; power--) rest *= 5;
  num_big_muladd(b, rest, 0);
}

/* b = b * 2^bits */
static void num_big_shift(struct num_big *b, unsigned bits) {
  const unsigned limbs = bits / 64;
  num_big_muladd(b, (uint64_t)1 << bits % 64, 0);
  FL_ASSERT(b->n + limbs <= NUM_LIMBS);
  memmove(b->limb + limbs, b->limb, b->n * sizeof *b->limb);
  memset(b->limb, 0, limbs * sizeof *b->limb);
  b->n += limbs;
}

/* Returns -1, 0 or 1: a < b, a == b, a > b. */
static int num_big_compare(const struct num_big *a, const struct num_big *b) {
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (unsigned i = a->n; i-- > 0;)
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  return 0;
}

/* Makes a number of `count` digits from s; returns the place after them. */
static const char *num_big_read(struct num_big *b, const char *s, int64_t count) {
  uint64_t part = 0;
  unsigned n = 0;
  FL_ASSERT(count <= NUM_DIGITS);
  b->n = 0;
  for (; count > 0; s++) {
    if (*s == '.') continue;
    part = part * 10 + (unsigned)(*s - '0');
    count--;
    if (++n < NUM_PART && count > 0) continue;
    num_big_muladd(b, num_ten_to[n], part);
    part = n = 0;
  }
  return s;
}

FL_PRIVATE int num_compare_digits(const struct num_digits *g, uint64_t m, int e) {
  FL_ASSERT(g->p < g->end && *g->p != '0' && m > 0);
  e += (int)fl_trailing_zeros(m), m >>= fl_trailing_zeros(m);
  const int least = e < 0 ? e : 0; /* m * 2^e is a multiple of 10^least: digits below that are only zeros or not */
  const int64_t count = (g->end - g->p) - (memchr(g->p, '.', (size_t)(g->end - g->p)) != NULL);
  const int64_t below = g->exponent < least ? least - g->exponent : 0;
  const int64_t p = g->exponent + below, shift = p - e;
  struct num_big a, b;
  const char *rest = num_big_read(&a, g->p, count - below);
  b.limb[0] = m;
  b.n = 1;
  if (p >= 0) num_big_times_5_to(&a, (unsigned)p);
  else num_big_times_5_to(&b, (unsigned)-p);
  /* D * 10^p = D * 5^p * 2^p, so compare D * 5^p * 2^p with m * 2^e */
  if (shift >= 0) num_big_shift(&a, (unsigned)shift);
  else num_big_shift(&b, (unsigned)-shift);
  const int difference = num_big_compare(&a, &b);
  return difference == 0 ? num_skip_zeros(rest, g->end) < g->end : difference;
}

/* Compares the digits with the middle between the double `bits` and the next one. */
static int num_compare_middle(const struct num_digits *g, uint64_t bits) {
  const int e = (int)(bits >> 52);
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1), m = e ? fraction | (uint64_t)1 << 52 : fraction;
  FL_ASSERT(e < NUM_INFINITE_EXPONENT);
  return num_compare_digits(g, 2 * m + 1, (e ? e : 1) - 1076);
}

/* Returns the number that the first 19 of the n digits at p make, or all of them and zeros after them. There may be a
** point after `whole` digits. */
static uint64_t num_first_digits(const char *p, size_t n, size_t whole) {
  char head[24];
  memset(head, '0', sizeof head);
  if (n > 19) n = 19;
  if (whole > n) whole = n;
  memcpy(head, p, whole);
  if (n > whole) memcpy(head + whole, p + whole + 1, n - whole);
  return (num_block_value(num_block_at(head).t, 8) * 100000000 + num_block_value(num_block_at(head + 8).t, 8)) * 1000 +
         num_block_value(num_block_at(head + 16).t, 3);
}

FL_PRIVATE_NOINLINE double num_from_digits(const char *p, const char *end, int64_t x) {
  struct num_digits g;
  const char *point = (const char *)memchr(p, '.', (size_t)(end - p));
  g.end = end;
  g.exponent = point ? x - (end - point - 1) : x;
  g.p = p = num_skip_zeros(p, end);
  if (point && point < p) point = NULL;
  const size_t n = (size_t)(end - p) - (point != NULL);
  const uint64_t w = num_first_digits(p, n, point ? (size_t)(point - p) : n);
  x = g.exponent + (int64_t)n - 19; /* of the last digit in w */
  x = x < -400 ? -400 : x > 400 ? 400 : x;
  const uint64_t low = num_decimal_bits_(w, (int)x);
  if (n <= 19) return num_double(low);
  const uint64_t high = num_decimal_bits_(w + 1, (int)x);
  if (low == high) return num_double(low);
  p += 19;
  if (point && point < p) p++;
  if (num_skip_zeros(p, end) == end) return num_double(low);
  FL_ASSERT(high == low + 1); /* the digits that were cut change w by less than 1 in 10^18 */
  const int middle = num_compare_middle(&g, low);
  return num_double(low + (middle > 0 || (middle == 0 && (low & 1))));
}
