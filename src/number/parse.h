/* SPDX-License-Identifier: MIT
** parse.h -- JSON text to the nearest double, or to an integer: exact for every text.
** May call: scale.h, decimal.h.  Must hold: no read beyond *end, which is 0; no locale; any rounding is half-even.
**
** Runs of digits are read eight at a time without a loop: digit-at-a-time loops mispredict once a number when the
** lengths vary. Up to 19 digits are exact in 64 bits; then w * 10^x is one exact operation (Clinger 1990) or
** one unrounded scaling (Cox 2026). More digits than that: decimal.h. */
#ifndef FLEECE_NUMBER_PARSE_H
#define FLEECE_NUMBER_PARSE_H

#include <float.h>

#include "base/def.h"
#include "number/decimal.h"
#include "number/scale.h"

enum num_kind {
  NUM_BAD,     /* not a number by RFC 8259, section 6 */
  NUM_INTEGER, /* no fraction, no exponent, within int64: in i */
  NUM_DOUBLE,  /* in d */
  NUM_BIG,     /* no fraction, no exponent, not within int64: the nearest double is in d */
  NUM_HUGE     /* rounds to an infinity, in d */
};

struct num_value {
  int64_t i;
  double d;
  enum num_kind kind;
};

/* ------------------------------------------------------------------------------------- digits */

/* Eight bytes, the first lowest. */
FL_INLINE uint64_t num_load8(const char *p)
{
  uint64_t x = fl_load64(p);
#if FLEECE_BIG_ENDIAN
  x = __builtin_bswap64(x);
#endif
  return x;
}

FL_INLINE unsigned num_trailing_zeros(uint64_t x)
{
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(x);
#else
  unsigned n = 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
#endif
}

/* How many of the eight bytes at p are digits before the first that is none, and their value. A byte that is no
** digit keeps a bit 7 in `mark`; the carry out of it can only mark what comes behind. */
FL_INLINE unsigned num_run8(const char *p, uint64_t *value)
{
  uint64_t t = num_load8(p) ^ UINT64_C(0x3030303030303030);
  uint64_t mark = ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
  unsigned n = 8;
  if (mark) {
    unsigned half;
    n = num_trailing_zeros(mark) >> 3;
    half = 4 * (8 - n);
    t = t << half << half; /* two shifts, for n may be 0 */
  }
  t = t * 10 + (t >> 8);
  *value = ((t & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            (t >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >> 32;
  return n;
}

/* Reads digits behind those that make w, modulo 2^64. Returns the first byte that is none. */
FL_INLINE const char *num_run(const char *p, const char *end, uint64_t *w)
{
  while (FL_LIKELY(end - p >= 8)) {
    uint64_t v;
    unsigned n = num_run8(p, &v);
    *w = *w * num_ten_to[n] + v;
    p += n;
    if (n < 8) return p;
  }
  for (; (unsigned char)(*p - '0') <= 9; p++) *w = *w * 10 + (unsigned char)(*p - '0');
  return p;
}

/* ------------------------------------------------------------------------------------- rare texts */

/* Behind 'e': the exponent goes to *x, which stops growing where no text in memory could make up for it; NULL:
** there are no digits. */
FL_NOINLINE const char *num_exponent_(const char *p, int64_t *x)
{
  int negative = *p == '-';
  int64_t value = 0;
  const char *first;
  p += *p == '-' || *p == '+';
  for (first = p; (unsigned char)(*p - '0') <= 9; p++)
    if (value < (int64_t)1 << 56) value = value * 10 + (*p - '0');
  *x = negative ? -value : value;
  return p == first ? NULL : p;
}

/* Sorts a double: what is beyond the largest is an infinity here. */
FL_INLINE enum num_kind num_kind_of(double d, enum num_kind finite)
{
  return FL_UNLIKELY(d > DBL_MAX || d < -DBL_MAX) ? NUM_HUGE : finite;
}

/* An integer of 19 digits or more from `digits` to `end`. */
FL_NOINLINE struct num_value num_parse_integer_(const char *digits, const char *end, int negative, uint64_t w)
{
  struct num_value v = {0, 0, NUM_INTEGER};
  if (end - digits == 19 && w <= (uint64_t)INT64_MAX + (unsigned)negative) {
    v.i = (int64_t)(negative ? 0 - w : w);
    return v;
  }
  v.d = end - digits == 19 ? num_from_decimal(w, 0) : num_from_digits(digits, end, 0);
  v.kind = num_kind_of(v.d, NUM_BIG);
  if (negative) v.d = -v.d;
  return v;
}

/* ------------------------------------------------------------------------------------- numbers */

/* At '-' or a digit of [p, end), *end readable and 0. Returns the byte behind the number; for NUM_BAD the byte
** where it goes wrong. */
FL_INLINE const char *num_parse(const char *p, const char *end, struct num_value *v)
{
  uint64_t w = 0;
  const int negative = *p == '-';
  const char *digits = p + negative, *first = digits, *q;
  int64_t x = 0, ten = 0; /* the exponent as written; of the last digit */
  double d;
  q = num_run(digits, end, &w);
  if (FL_UNLIKELY(q == digits) || (FL_UNLIKELY(*digits == '0') && q - digits > 1)) {
    v->kind = NUM_BAD;
    return q == digits ? q : digits + 1;
  }
  if (*q != '.' && (*q | 0x20) != 'e') {
    if (FL_LIKELY(q - digits <= 18) && FL_LIKELY(w | !negative)) {
      v->i = negative ? -(int64_t)w : (int64_t)w;
      v->kind = NUM_INTEGER;
    } else if (w == 0 && q - digits == 1) {
      v->d = -0.0;
      v->kind = NUM_DOUBLE;
    } else {
      *v = num_parse_integer_(digits, q, negative, w);
    }
    return q;
  }
  if (*q == '.') {
    p = num_run(++q, end, &w);
    if (FL_UNLIKELY(p == q)) {
      v->kind = NUM_BAD;
      return q;
    }
    ten = q - p;
    first++; /* the point is no digit */
    q = p;
  }
  p = q;
  if ((*q | 0x20) == 'e') {
    const char *behind = num_exponent_(q + 1, &x);
    if (FL_UNLIKELY(!behind)) {
      v->kind = NUM_BAD;
      q++;
      return q + (*q == '-' || *q == '+');
    }
    q = behind;
    ten += x;
  }
  if (FL_LIKELY(p - first <= 19)) {
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
    if (FL_LIKELY(w <= (uint64_t)1 << 53) && FL_LIKELY(ten >= -22 && ten <= 22))
      d = ten < 0 ? (double)(int64_t)w / num_exact_tens[-ten] : (double)(int64_t)w * num_exact_tens[ten];
    else
#endif
      d = num_from_decimal(w, ten < -400 ? -400 : ten > 400 ? 400 : (int)ten);
  } else {
    d = num_from_digits(digits, p, x);
  }
  v->kind = num_kind_of(d, NUM_DOUBLE);
  v->d = negative ? -d : d;
  return q;
}

#endif
