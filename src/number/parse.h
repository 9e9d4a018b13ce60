/* SPDX-License-Identifier: MIT
** parse.h -- JSON text to the nearest double, or to an integer: exact for every text.
** Must hold: nothing is read after *end, which continues no number; no locale; ties round to even.
** Digits are read eight at a time without a loop: a loop over digits costs one misprediction per number where
** lengths vary. Up to 19 digits are exact in 64 bits: w. The value w * 10^x then takes one exact operation (Clinger
** 1990) or one unrounded scaling (Cox 2026). For more digits see decimal.h. */
#pragma once

#include <float.h>
#include "../base/def.h"
#include "decimal.h"
#include "scale.h"

enum num_kind {
  NUM_BAD,     /* not a number by RFC 8259, section 6 */
  NUM_INTEGER, /* no fraction, no exponent, within int64: in i */
  NUM_DOUBLE,  /* in d; i has the digits without the point, up to 19, or 0 if there is an exponent or there are more */
  NUM_BIG,     /* no fraction, no exponent, not within int64: the nearest double is in d */
  NUM_HUGE     /* rounds to an infinity, in d */
};

struct num_value {
  int64_t i;
  double d;
  enum num_kind kind;
};

/* Clinger's shortcut: an integer below 2^53 times or divided by a power of ten up to 10^22 is one correctly rounded
** operation, unless doubles are computed in wider registers. It is taken for up to 15 digits, not up to 2^53: numbers
** of 16 and 17 digits come mixed, and a branch between them would be mispredicted. The same holds after long
** fractions, where it is not tried (num_long_decimal). */
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
#define NUM_EXACT_OPERATIONS 1
#else
#define NUM_EXACT_OPERATIONS 0
#endif

/* Eight bytes, the first one in the lowest bits. */
FL_INLINE uint64_t num_load8(const char *p) {
  uint64_t x = fl_load64(p);
#if FLEECE_BIG_ENDIAN
  x = __builtin_bswap64(x);
#endif
  return x;
}

/* Eight bytes as digits: the value of each in `t`, and bit 7 of it set in `mark` if it is not a digit. A carry from a
** byte that is not ASCII may mark the digit after it, too, so a mark is right only if all bytes before it are ASCII. */
struct num_block {
  uint64_t t, mark;
};

FL_INLINE struct num_block num_block_at(const char *p) {
  struct num_block b;
  b.t = num_load8(p) ^ UINT64_C(0x3030303030303030);
  b.mark = ((b.t + UINT64_C(0x7676767676767676)) | b.t) & UINT64_C(0x8080808080808080);
  return b;
}

FL_INLINE unsigned num_first_mark(uint64_t mark) { return fl_trailing_zeros(mark) >> 3; }

/* Returns the value of the lowest n bytes of t, n <= 8. */
FL_INLINE uint64_t num_block_value(uint64_t t, unsigned n) {
  unsigned half = 4 * (8 - n);
  FL_ASSERT(n <= 8);
  t = t << half << half; /* in two shifts, because n may be 0 */
  t = t * 10 + (t >> 8);
  return ((t & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
          (t >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
         32;
}

/* Returns the byte after the digits at p. */
FL_PRIVATE_NOINLINE const char *num_skip_digits_(const char *p, const char *end);

/* Reads the digits at p, which follow those of w, and appends them to w. Returns the byte after them. If they are so
** many that w cannot hold them, it is undefined: num_from_digits reads them. */
FL_INLINE const char *num_run(const char *p, const char *end, uint64_t *w) {
  const char *first = p;
  while (FL_LIKELY(end - p >= 8)) {
    struct num_block b = num_block_at(p);
    if (b.mark) {
      unsigned n = num_first_mark(b.mark);
      *w = *w * num_ten_to[n] + num_block_value(b.t, n);
      return p + n;
    }
    *w = *w * 100000000 + num_block_value(b.t, 8);
    p += 8;
    if (FL_UNLIKELY(p - first == 24)) return num_skip_digits_(p, end);
  }
  for (; (unsigned char)(*p - '0') <= 9; p++) *w = *w * 10 + (unsigned char)(*p - '0');
  return p;
}

/* Returns whether a point after the first `whole` digits at p follows them as RFC 8259, section 6, has it. */
FL_INLINE int num_whole_fits(const char *p, unsigned whole) { return whole == 1 || (whole > 1 && *p != '0'); }

/* Reads a decimal without an exponent in less than eight bytes, such as a price, whose point comes after `whole`
** digits: b shows where it ends, too. Returns NULL for anything else. */
FL_INLINE const char *num_short_decimal(const char *p, struct num_block b, unsigned whole, uint64_t *digits,
                                        double *d) {
  const uint64_t head = ((uint64_t)1 << 8 * whole) - 1;
  const unsigned n = num_first_mark(b.mark & (b.mark - 1)) - 1;
  if (FL_UNLIKELY(!num_whole_fits(p, whole) || n == whole || (p[n + 1] | 0x20) == 'e')) return NULL;
  b.t = (b.t & head) | (b.t >> 8 & ~head);
  *digits = num_block_value(b.t, n);
  *d = (double)(int64_t)*digits / num_exact_tens[n - whole];
  return p + n + 1;
}

/* Reads a decimal without an exponent whose point comes after `whole` digits, where nothing else in b, the block at p,
** is no digit. A second load, one byte further, takes the point out, so that 16 digits are two blocks, and no place
** of the point is a branch. The 17th digit, which every second double has, is no branch either. Scaling needs no tests
** for subnormal and infinite results here. Returns NULL for anything else. */
FL_INLINE const char *num_long_decimal(const char *p, struct num_block b, unsigned whole, const char *end,
                                       uint64_t *digits, double *d) {
  const uint64_t head = ((uint64_t)1 << 8 * whole) - 1;
  const char *last = p + 17;
  if (FL_UNLIKELY(end - p < 19 || !num_whole_fits(p, whole))) return NULL;
  struct num_block c = num_block_at(p + 1);
  if (FL_UNLIKELY(c.mark & ~head)) return NULL;
  uint64_t w = num_block_value((b.t & head) | (c.t & ~head), 8);
  c = num_block_at(p + 9);
  if (c.mark) {
    const unsigned n = num_first_mark(c.mark);
    if (FL_UNLIKELY((p[9 + n] | 0x20) == 'e')) return NULL;
    *digits = w = w * num_ten_to[n] + num_block_value(c.t, n);
    *d = (double)(int64_t)w / num_exact_tens[8 + n - whole];
    return p + 9 + n;
  }
  w = w * 100000000 + num_block_value(c.t, 8);
  const unsigned digit = (unsigned char)(*last - '0');
  w += (w * 9 + digit) & (0 - (uint64_t)(digit <= 9));
  last += digit <= 9;
  for (; (unsigned char)(*last - '0') <= 9; last++) {
    if (last - p > 19) return NULL;
    w = w * 10 + (unsigned char)(*last - '0');
  }
  if (FL_UNLIKELY((*last | 0x20) == 'e' || w == 0)) return NULL;
  *digits = w;
  *d = num_from_fraction(w, (int)(p + whole + 1 - last));
  return last;
}

/* The exponent after the 'e' at p - 1, read digit by digit, because it has one to three. It stops growing where no text
** that fits in memory could compensate for it. `end` is NULL if there are no digits. */
struct num_exponent {
  const char *end;
  int64_t x;
};

FL_PRIVATE_NOINLINE struct num_exponent num_exponent_(const char *p);

/* Returns the kind of a double: NUM_HUGE for an infinity, else `finite`. */
FL_INLINE enum num_kind num_kind_of(double d, enum num_kind finite) {
  return FL_UNLIKELY(d > DBL_MAX || d < -DBL_MAX) ? NUM_HUGE : finite;
}

/* Reads an integer of 19 digits or more from `digits` to `end`, or -0. */
FL_PRIVATE_NOINLINE struct num_value num_parse_integer_(const char *digits, const char *end, int negative, uint64_t w);

FL_INLINE const char *num_parse_bad(const char *where, struct num_value *v) {
  v->kind = NUM_BAD;
  return where;
}

FL_INLINE void num_parse_double(double d, uint64_t sign, uint64_t digits, enum num_kind kind, struct num_value *v) {
  v->i = (int64_t)digits;
  v->kind = kind;
  v->d = num_double(num_bits(d) | sign << 63);
}

/* Continues at q, the point or the 'e' after the integer part, which begins at p and makes w. */
FL_INLINE const char *num_parse_fraction(const char *p, const char *q, const char *end, uint64_t w, uint64_t sign,
                                         struct num_value *v) {
  const char *last = q;   /* after the last digit */
  int64_t x = 0, ten = 0; /* the exponent as written; of the last digit */
  ptrdiff_t digits = q - p;
  double d;
  if (*q == '.') {
    last = num_run(++q, end, &w);
    if (FL_UNLIKELY(last == q)) return num_parse_bad(q, v);
    ten = q - last;
    digits -= (ptrdiff_t)ten;
    q = last;
  }
  if ((*q | 0x20) == 'e') {
    const struct num_exponent e = num_exponent_(q + 1);
    if (FL_UNLIKELY(!e.end)) return num_parse_bad(q + 1 + (q[1] == '-' || q[1] == '+'), v);
    q = e.end;
    x = e.x;
    ten += x;
  }
  if (NUM_EXACT_OPERATIONS && FL_LIKELY(digits <= 15) && FL_LIKELY(ten >= -22 && ten <= 22)) {
    d = ten < 0 ? (double)(int64_t)w / num_exact_tens[-ten] : (double)(int64_t)w * num_exact_tens[ten];
    num_parse_double(d, sign, q == last ? w : 0, NUM_DOUBLE, v);
    return q;
  }
  if (FL_LIKELY(digits <= 19)) d = num_from_decimal(w, ten < -400 ? -400 : ten > 400 ? 400 : (int)ten);
  else d = num_from_digits(p, last, x);
  num_parse_double(d, sign, q == last && digits <= 19 ? w : 0, num_kind_of(d, NUM_DOUBLE), v);
  return q;
}

/* Reads the number at p, a '-' or a digit, in a text that ends at `end`, which is readable and 0, or what follows the
** number. Returns the byte after the number; for NUM_BAD the invalid byte. */
FL_INLINE const char *num_parse(const char *p, const char *end, struct num_value *v) {
  uint64_t w = 0, sign = 0;
  const char *q;
  double d;
  FL_ASSERT(p <= end && (*end == 0 || !strchr("0123456789+-.eE", *end)));
  if (*p == '-') {
    sign = 1;
    p++;
#if defined(__GNUC__)
    __asm__("" : "+r"(p)); /* keeps the branch, so that loads from p do not wait for the load of the sign */
#endif
  }
  if (FL_LIKELY(end - p >= 8)) {
    const struct num_block b = num_block_at(p);
    const unsigned n = b.mark ? num_first_mark(b.mark) : 8;
    if (NUM_EXACT_OPERATIONS && b.mark && p[n] == '.') {
      q = b.mark & (b.mark - 1) ? num_short_decimal(p, b, n, &w, &d) : num_long_decimal(p, b, n, end, &w, &d);
      if (FL_LIKELY(q)) {
        num_parse_double(d, sign, w, NUM_DOUBLE, v);
        return q;
      }
    }
    w = num_block_value(b.t, n);
    q = p + n;
    if (!b.mark) q = num_run(q, end, &w);
  } else {
    q = num_run(p, end, &w);
  }
  if (FL_UNLIKELY(q == p)) return num_parse_bad(q, v);
  if (FL_UNLIKELY(*p == '0' && q - p > 1)) return num_parse_bad(p + 1, v);
  if (*q == '.' || (*q | 0x20) == 'e') return num_parse_fraction(p, q, end, w, sign, v);
  if (FL_LIKELY(q - p <= 18) && FL_LIKELY(w | (sign ^ 1))) {
    v->i = (int64_t)((w ^ (0 - sign)) + sign);
    v->kind = NUM_INTEGER;
  } else {
    *v = num_parse_integer_(p, q, (int)sign, w);
  }
  return q;
}

/* num_parse as a call, which saves a kilobyte where few numbers are read. */
FL_PRIVATE_NOINLINE const char *num_read(const char *p, const char *end, struct num_value *v);
