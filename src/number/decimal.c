/* SPDX-License-Identifier: MIT */
#include "decimal.h"

enum { NUM_INFINITE_EXPONENT = 2047 };

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

/* 770 digits and one for the rest are below 2^2562. What they are compared with, brought to the same scale, is at most
** m * 5^1112, below 2^2647. Shifts only bring the smaller of the two to the size of the larger. */
enum { NUM_LIMBS = 140, NUM_DIGITS = 770 };

struct num_big {
  uint32_t limb[NUM_LIMBS];
  unsigned n; /* limbs in use; the highest is not zero */
};

/* b = b * factor + add; factor > 0. */
static void num_big_muladd(struct num_big *b, uint32_t factor, uint32_t add) {
  uint64_t carry = add;
  for (unsigned i = 0; i < b->n; i++) {
    carry += (uint64_t)b->limb[i] * factor;
    b->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  FL_ASSERT(factor > 0 && b->n < NUM_LIMBS);
  if (carry) b->limb[b->n++] = (uint32_t)carry;
}

/* b = b * 5^power */
static void num_big_times_5_to(struct num_big *b, unsigned power) {
  uint32_t rest = 1;
  for (; power >= 13; power -= 13) num_big_muladd(b, 1220703125u, 0);
  for (; power > 0; power--) rest *= 5;
  num_big_muladd(b, rest, 0);
}

/* b = b * 2^bits */
static void num_big_shift(struct num_big *b, unsigned bits) {
  unsigned limbs = bits / 32;
  num_big_muladd(b, (uint32_t)1 << bits % 32, 0);
  FL_ASSERT(b->n + limbs <= NUM_LIMBS);
  memmove(b->limb + limbs, b->limb, b->n * sizeof *b->limb);
  memset(b->limb, 0, limbs * sizeof *b->limb);
  b->n += limbs;
}

/* Returns below 0, 0 or above 0: a < b, a == b, a > b. */
static int num_big_compare(const struct num_big *a, const struct num_big *b) {
  FL_ASSERT(a->n && a->limb[a->n - 1] && b->n && b->limb[b->n - 1]);
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (unsigned i = a->n; i-- > 0;)
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  return 0;
}

FL_PRIVATE int num_compare_digits(const struct num_digits *g, uint64_t m, int e) {
  struct num_big a, b;
  int64_t p = g->exponent, shift;
  int cut = 0;
  uint32_t part = 0, weight = 1;
  unsigned n = 0;
  FL_ASSERT(g->p < g->end && *g->p != '0' && m > 0);
  a.n = 0;
  for (const char *s = g->p; s < g->end; s++) {
    if (*s == '.') continue;
    if (n == NUM_DIGITS) {
      cut |= *s != '0';
      p++;
      continue;
    }
    part = part * 10 + (uint32_t)(*s - '0');
    weight *= 10;
    n++;
    if (weight == 1000000000) {
      num_big_muladd(&a, weight, part);
      part = 0;
      weight = 1;
    }
  }
  num_big_muladd(&a, weight, part);
  if (cut) num_big_muladd(&a, 10, 1), p--;
  b.limb[0] = (uint32_t)m;
  b.limb[1] = (uint32_t)(m >> 32);
  b.n = b.limb[1] ? 2 : 1;
  if (p >= 0) num_big_times_5_to(&a, (unsigned)p);
  else num_big_times_5_to(&b, (unsigned)-p);
  shift = p - e; /* D * 10^p = D * 5^p * 2^p, so compare D * 5^p * 2^p with m * 2^e */
  if (shift >= 0) num_big_shift(&a, (unsigned)shift);
  else num_big_shift(&b, (unsigned)-shift);
  return num_big_compare(&a, &b);
}

/* Compares the digits with the middle between the double `bits` and the next one. */
static int num_compare_middle(const struct num_digits *g, uint64_t bits) {
  const int e = (int)(bits >> 52);
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1), m = e ? fraction | (uint64_t)1 << 52 : fraction;
  FL_ASSERT(e < NUM_INFINITE_EXPONENT);
  return num_compare_digits(g, 2 * m + 1, (e ? e : 1) - 1076);
}

FL_PRIVATE_NOINLINE double num_from_digits(const char *p, const char *end, int64_t x) {
  struct num_digits g;
  const char *point = (const char *)memchr(p, '.', (size_t)(end - p));
  uint64_t w = 0, low, high;
  unsigned n = 0;
  g.end = end;
  g.exponent = point ? x - (end - point - 1) : x;
  while (p < end && (*p == '0' || *p == '.')) p++;
  g.p = p;
  for (; p < end && n < 19; p++) {
    if (p == point) continue;
    w = w * 10 + (unsigned)(*p - '0');
    n++;
  }
  x = g.exponent + (end - p) - (point && point >= p); /* of the last digit in w */
  x = x < -400 ? -400 : x > 400 ? 400 : x;
  low = num_decimal_bits_(w, (int)x);
  while (p < end && (*p == '0' || *p == '.')) p++;
  if (p == end) return num_double(low);
  high = num_decimal_bits_(w + 1, (int)x);
  if (low == high) return num_double(low);
  FL_ASSERT(high == low + 1); /* the digits that were cut change w by less than 1 in 10^18 */
  const int middle = num_compare_middle(&g, low);
  return num_double(low + (middle > 0 || (middle == 0 && (low & 1))));
}
