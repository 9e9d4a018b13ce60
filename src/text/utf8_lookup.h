/* SPDX-License-Identifier: MIT
** utf8_lookup.h -- UTF-8 validation by table lookup, 16 bytes at a time.
** May call: near.h.  Must hold: runs only where TEXT_UTF8_TARGET's instructions exist.
**
** After Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021). Every fault of
** two neighbouring bytes shows in three of their nibbles: the high and the low one of the first byte, the
** high one of the second. Each of three tables says, per nibble, which faults it does not rule out; a fault
** is real where all three agree. What two bytes cannot show is whether a third or fourth byte must
** continue: there, "two continuations in a row" is no fault but a duty. */
#ifndef FLEECE_TEXT_UTF8_LOOKUP_H
#define FLEECE_TEXT_UTF8_LOOKUP_H

#include "near.h"

#if defined(FLEECE_SIMD_SSE2)
#include <tmmintrin.h>
#define TEXT_UTF8_TARGET FL_TARGET("ssse3")
typedef __m128i text_u;
#define text_u_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define text_u_all(c) _mm_set1_epi8((char)(c))
#define text_u_and(a, b) _mm_and_si128(a, b)
#define text_u_or(a, b) _mm_or_si128(a, b)
#define text_u_xor(a, b) _mm_xor_si128(a, b)
#define text_u_over(a, b) _mm_subs_epu8(a, b)
#define text_u_high_nibble(a) _mm_and_si128(_mm_srli_epi16(a, 4), text_u_all(15))
#define text_u_lookup(table, a) _mm_shuffle_epi8(table, a)
#define text_u_behind(a, before, k) _mm_alignr_epi8(a, before, 16 - (k))   /* a moved up by k, filled from before */
#define text_u_any(a) (_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) != 0xffff)
#define text_u_anyhigh(a) (_mm_movemask_epi8(a) != 0)
#else
#include <arm_neon.h>
#define TEXT_UTF8_TARGET
typedef uint8x16_t text_u;
#define text_u_load(p) vld1q_u8((const uint8_t *)(const void *)(p))
#define text_u_all(c) vdupq_n_u8((uint8_t)(c))
#define text_u_and(a, b) vandq_u8(a, b)
#define text_u_or(a, b) vorrq_u8(a, b)
#define text_u_xor(a, b) veorq_u8(a, b)
#define text_u_over(a, b) vqsubq_u8(a, b)
#define text_u_high_nibble(a) vshrq_n_u8(a, 4)
#define text_u_lookup(table, a) vqtbl1q_u8(table, a)
#define text_u_behind(a, before, k) vextq_u8(before, a, 16 - (k))
#define text_u_any(a) (vmaxvq_u8(a) != 0)
#define text_u_anyhigh(a) (vmaxvq_u8(a) >= 0x80)
#endif

/* The faults, one bit each. F_OVER4 serves two faults that no byte pair can share. */
#define F_SHORT 0x01u   /* a lead byte, then no continuation */
#define F_LONG 0x02u    /* ASCII, then a continuation */
#define F_OVER3 0x04u   /* e0 80..9f: fits in 2 bytes */
#define F_LARGE 0x08u   /* f4 90..bf, f5..ff 90..bf: above U+10FFFF */
#define F_SURR 0x10u    /* ed a0..bf: a surrogate */
#define F_OVER2 0x20u   /* c0 c1: fits in 1 byte */
#define F_OVER4 0x40u   /* f0 80..8f: fits in 3 bytes; f5..ff 80..8f: above U+10FFFF */
#define F_TWO 0x80u     /* two continuations: a fault unless a third or fourth byte is due */
#define F_ANY_LOW (F_SHORT | F_LONG | F_TWO)
#define F_CONT (F_LONG | F_OVER2 | F_TWO)

static const uint8_t text_utf8_first_high[16] = {
  F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_TWO, F_TWO, F_TWO, F_TWO,
  F_SHORT | F_OVER2, F_SHORT, F_SHORT | F_OVER3 | F_SURR, F_SHORT | F_LARGE | F_OVER4
};
static const uint8_t text_utf8_first_low[16] = {
  F_ANY_LOW | F_OVER2 | F_OVER3 | F_OVER4, F_ANY_LOW | F_OVER2, F_ANY_LOW, F_ANY_LOW, F_ANY_LOW | F_LARGE,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4 | F_SURR,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4
};
static const uint8_t text_utf8_second_high[16] = {
  F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT,
  F_CONT | F_OVER3 | F_OVER4, F_CONT | F_OVER3 | F_LARGE, F_CONT | F_SURR | F_LARGE, F_CONT | F_SURR | F_LARGE,
  F_SHORT, F_SHORT, F_SHORT, F_SHORT
};
/* What the last three bytes of a block may be at most, for nothing to be due in the next. */
static const uint8_t text_utf8_closed[16] = {
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf
};
static const uint8_t text_utf8_first_n[32] = {
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0
};

/* Non-zero lanes where `a`, coming after `before`, is at fault. */
TEXT_UTF8_TARGET FL_INLINE text_u text_utf8_faults(text_u a, text_u before) {
  text_u p1 = text_u_behind(a, before, 1), p2 = text_u_behind(a, before, 2), p3 = text_u_behind(a, before, 3);
  text_u first = text_u_and(text_u_lookup(text_u_load(text_utf8_first_high), text_u_high_nibble(p1)),
                            text_u_lookup(text_u_load(text_utf8_first_low), text_u_and(p1, text_u_all(15))));
  text_u pair = text_u_and(first, text_u_lookup(text_u_load(text_utf8_second_high), text_u_high_nibble(a)));
  /* e0..ff two bytes back, f0..ff three bytes back: the top bit remains, and is due as F_TWO. */
  text_u due = text_u_or(text_u_over(p2, text_u_all(0x60)), text_u_over(p3, text_u_all(0x70)));
  return text_u_xor(text_u_and(due, text_u_all(F_TWO)), pair);
}

/* The last 0..15 bytes, with zeros behind them: a zero is a fault where a continuation is due. */
TEXT_UTF8_TARGET FL_INLINE text_u text_utf8_rest(const char *s, size_t n) {
  char edge[16];
  if (FL_LIKELY(n && text_near(s, 16))) return text_u_and(text_u_load(s), text_u_load(text_utf8_first_n + 16 - n));
  memset(edge, 0, sizeof edge);
  memcpy(edge, s, n);
  return text_u_load(edge);
}

/* Whether s[0..n) is UTF-8. */
TEXT_UTF8_TARGET FL_FUNC int text_utf8_lookup(const char *s, size_t n) {
  text_u fault = text_u_all(0), before = text_u_all(0), a, b, c, d;
  for (; n >= 64; s += 64, n -= 64) {
    a = text_u_load(s), b = text_u_load(s + 16), c = text_u_load(s + 32), d = text_u_load(s + 48);
    if (!text_u_anyhigh(text_u_or(text_u_or(a, b), text_u_or(c, d)))) {
      fault = text_u_or(fault, text_u_over(before, text_u_load(text_utf8_closed)));
    } else {
      fault = text_u_or(fault, text_u_or(text_utf8_faults(a, before), text_utf8_faults(b, a)));
      fault = text_u_or(fault, text_u_or(text_utf8_faults(c, b), text_utf8_faults(d, c)));
    }
    before = d;
  }
  for (; n >= 16; s += 16, n -= 16) {
    a = text_u_load(s);
    fault = text_u_or(fault, text_utf8_faults(a, before));
    before = a;
  }
  fault = text_u_or(fault, text_utf8_faults(text_utf8_rest(s, n), before));
  return !text_u_any(fault);
}

#undef F_SHORT
#undef F_LONG
#undef F_OVER3
#undef F_LARGE
#undef F_SURR
#undef F_OVER2
#undef F_OVER4
#undef F_TWO
#undef F_ANY_LOW
#undef F_CONT

#endif
