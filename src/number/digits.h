/* SPDX-License-Identifier: MIT
** digits.h -- sixteen digits to text, and where the point and the exponent go.
** Must hold: w has NUM_ROOM writable bytes; the point is '.' in every locale.
** SSE2 on x86-64 (i386 lacks the 64-bit moves), 64-bit words elsewhere. All lanes are divided at once, after P.
** Khuong, "How to print integers really fast", and W. Mula. */
#pragma once

#include "../base/def.h"
#include "integer.h"
#include "scale.h"
#if defined(FLEECE_SIMD_SSE2)
#include <emmintrin.h>
#endif

struct num_decimal {
  uint64_t sig;   /* 16 digits, the first not 0 */
  unsigned extra; /* the 17th digit */
  int x;          /* exponent of the first digit */
};

/* struct num_text: the 16 digits as text, and `len`, how many of the 17 digits remain without trailing zeros. */
#if defined(FLEECE_SIMD_SSE2)

struct num_text {
  __m128i v;
  unsigned len;
};

struct num_lanes {
  uint64_t by10000[2], times10000[2];
  uint16_t by100[8], times100[8], by10[8], times2559[8];
  char zero[16];
};

/* clang-format off */
static const struct num_lanes num_lanes __attribute__((aligned(16))) = {
  {0xd1b71759, 0xd1b71759}, {10000, 10000},
  {0x147b, 0x147b, 0x147b, 0x147b, 0x147b, 0x147b, 0x147b, 0x147b}, {100, 0, 100, 0, 100, 0, 100, 0},
  {0x199a, 0x199a, 0x199a, 0x199a, 0x199a, 0x199a, 0x199a, 0x199a},
  {2559, 2559, 2559, 2559, 2559, 2559, 2559, 2559},
  {'0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'}
};

/* clang-format on */

#define NUM_LANE(c, field) _mm_load_si128((const __m128i *)(const void *)(c)->field)

FL_INLINE struct num_text num_text_of(uint64_t sig, unsigned extra) {
  struct num_text r;
  unsigned used = (0u - extra) >> 15 & 0x10000; /* one bit per digit that is not zero */
  const struct num_lanes *c = &num_lanes;
  uint64_t top = sig / 100000000, low = sig - top * 100000000;
  __m128i v, q;
  FL_ASSERT(sig >= UINT64_C(1000000000000000) && sig < UINT64_C(10000000000000000) && extra <= 9);
#if defined(__GNUC__)
  __asm__("" : "+r"(c)); /* hides the constants: gcc 12 would turn multiplications into shifts and adds */
#endif
  v = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)top), _mm_cvtsi64_si128((long long)low));
  q = _mm_srli_epi64(_mm_mul_epu32(v, NUM_LANE(c, by10000)), 45);
  v = _mm_or_si128(q, _mm_slli_epi64(_mm_sub_epi64(v, _mm_mul_epu32(q, NUM_LANE(c, times10000))), 32));
  q = _mm_srli_epi16(_mm_mulhi_epu16(v, NUM_LANE(c, by100)), 3);
  v = _mm_or_si128(q, _mm_slli_epi32(_mm_sub_epi16(v, _mm_mullo_epi16(q, NUM_LANE(c, times100))), 16));
  q = _mm_mulhi_epu16(v, NUM_LANE(c, by10));
  v = _mm_sub_epi16(_mm_slli_epi16(v, 8), _mm_mullo_epi16(q, NUM_LANE(c, times2559)));
  used |= (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(v, _mm_setzero_si128()));
  r.len = 32 - (unsigned)__builtin_clz(used);
  r.v = _mm_or_si128(v, NUM_LANE(c, zero));
  return r;
}

FL_INLINE void num_text_put(char *w, struct num_text t) { _mm_storeu_si128((__m128i *)(void *)w, t.v); }

FL_INLINE char num_text_first(struct num_text t) { return (char)_mm_cvtsi128_si32(t.v); }

static const unsigned char num_head_mask[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                255, 255, 255, 255, 255, 255, 255, 255};

/* Writes the digits with a point after the first p, 1 <= p <= 15; 17 bytes. */
FL_INLINE void num_text_put_point(char *w, struct num_text t, unsigned p) {
  __m128i head = _mm_loadu_si128((const __m128i *)(const void *)(num_head_mask + 16 - p));
  __m128i v = _mm_or_si128(_mm_and_si128(head, t.v), _mm_andnot_si128(head, _mm_slli_si128(t.v, 1)));
  FL_ASSERT(p >= 1 && p <= 15);
  _mm_storeu_si128((__m128i *)(void *)(w + 1), t.v);
  _mm_storeu_si128((__m128i *)(void *)w, v);
  w[p] = '.';
}

#else

#define NUM_ZEROS8 0x3030303030303030u

struct num_text {
  uint64_t a, b;
  unsigned len;
};

/* Returns eight digit values as bytes, the first digit in the least significant byte. n < 10^8. The three reciprocals
** are exact for their lanes: tests/proof/tables.py tries every lane value. */
FL_INLINE uint64_t num_swar8(uint32_t n) {
  uint64_t t = n, q = (t * 109951163) >> 40;
  t = (t << 32) - q * (((uint64_t)10000 << 32) - 1);
  q = ((t * 5243) >> 19) & 0x0000007f0000007fu;
  t = (t << 16) - q * ((100 << 16) - 1);
  q = ((t * 103) >> 10) & 0x000f000f000f000fu;
  return (t << 8) - q * ((10 << 8) - 1);
}

FL_INLINE struct num_text num_text_of(uint64_t sig, unsigned extra) {
  struct num_text r;
  uint64_t top = sig / 100000000, low = sig - top * 100000000;
  FL_ASSERT(sig >= UINT64_C(1000000000000000) && sig < UINT64_C(10000000000000000) && extra <= 9);
  r.a = num_swar8((uint32_t)top);
  r.b = num_swar8((uint32_t)low);
  r.len = r.b ? 16 - fl_leading_zeros(r.b) / 8 : 8 - fl_leading_zeros(r.a) / 8;
  r.len = extra ? 17 : r.len;
  r.a |= NUM_ZEROS8;
  r.b |= NUM_ZEROS8;
#if defined(__GNUC__)
  __asm__("" : "+r"(r.a), "+r"(r.b)); /* keeps the words apart: gcc -O3 would join them in a vector for the store */
#endif
  return r;
}

FL_INLINE void num_text_put(char *w, struct num_text t) {
  num_put8(w, t.a);
  num_put8(w + 8, t.b);
}

FL_INLINE char num_text_first(struct num_text t) { return (char)t.a; }

FL_INLINE void num_text_put_point(char *w, struct num_text t, unsigned p) {
  uint64_t half = p < 8 ? t.a : t.b, below = ((uint64_t)1 << 8 * (p & 7)) - 1;
  FL_ASSERT(p >= 1 && p <= 15);
  num_put8(w, t.a);
  num_put8(w + 1 + (p & 8), half);
  num_put8(w + 9, t.b);
  num_put8(w + (p & 8), (half & below) | (uint64_t)'.' << 8 * (p & 7) | (half & ~below) << 8);
}

#endif

/* Writes "e-05", "e+300": always a sign and at least two digits. |x| < 400; h is |x| / 100. */
FL_INLINE char *num_put_exponent(char *w, int x) {
  unsigned a = x < 0 ? 0u - (unsigned)x : (unsigned)x, h = (a * 656) >> 16, t;
  FL_ASSERT(a < 400);
  w[0] = 'e';
  w[1] = x < 0 ? '-' : '+';
  w[2] = (char)('0' + h);
  w += 2 + (h != 0);
  a -= h * 100;
  t = (a * 103) >> 10;
  w[0] = (char)('0' + t);
  w[1] = (char)('0' + (a - t * 10));
  return w + 2;
}

/* The end of a text without a fraction in fixed notation: "5" or "5.0". */
enum { NUM_END_BARE, NUM_END_POINT_ZERO };

/* Writes fixed notation for an exponent of 15 or 16, with p = 16 or 17 digits before the point: more than one
** vector. */
FL_PRIVATE_NOINLINE char *num_put_long_(char *w, struct num_text t, unsigned extra, unsigned p, int ending);

/* Writes fixed notation for fixed_min <= x < fixed_max (at least -6, at most 17), else scientific, without trailing
** zeros of the fraction. has_fraction: the caller knows that a value below 10^15 has one. */
FL_INLINE char *num_layout(char *w, struct num_decimal d, int fixed_min, int fixed_max, int ending, int has_fraction) {
  struct num_text t = num_text_of(d.sig, d.extra);
  char last = (char)('0' + d.extra);
  FL_ASSERT(fixed_min >= -6 && fixed_max <= 17);
  if (FL_LIKELY((unsigned)d.x < 15 && d.x < fixed_max)) {
    unsigned p = (unsigned)d.x + 1;
    num_text_put_point(w, t, p);
    w[17] = last;
    if (has_fraction || t.len > p) return w + t.len + 1;
    return w + p + (ending == NUM_END_POINT_ZERO ? 2 : 0);
  }
  if (d.x >= fixed_min && d.x < fixed_max) {
    if (d.x < 0) {
      memcpy(w, "0.000000", 8);
      w += 1 - d.x;
      num_text_put(w, t);
      w[16] = last;
      return w + t.len;
    }
    return num_put_long_(w, t, d.extra, (unsigned)d.x + 1, ending);
  }
  num_text_put(w + 1, t);
  w[0] = num_text_first(t);
  w[1] = '.';
  w[17] = last;
  return num_put_exponent(w + t.len + (t.len > 1), d.x);
}
