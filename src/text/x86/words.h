/* SPDX-License-Identifier: MIT
** words.h -- text of ASCII and characters of two bytes, mixed, the latter as \uxxxx: Cyrillic, German, French text.
** Must hold: runs only on CPUs with TEXT_CPU_WIDE.
**
** No branch depends on where words or characters begin: mispredicted ones took most of the time. Each byte has its own
** part of the result: \u0 and a digit for the first byte of a character, two digits for its second byte, itself if it
** is ASCII. Five bytes become up to 16 by one shuffle. Which one depends on where among them, and before them, first
** bytes are. */
#pragma once

#include "../blocks.h"
#include "../page_read.h"
#include "units.h"

#if FLEECE_WIDE

/* For each mask of first bytes, the byte before the five in bit 0: which bytes of its source a shuffle takes. Those at
** 2 * i and 2 * i + 1 belong to byte i, "\u0" is at 12. First bytes are never neighbours. */
#define TEXT_A(i) 2 * (i)
#define TEXT_L(i) 12, 13, 14, 2 * (i)
#define TEXT_C(i) 2 * (i) + 1, 2 * (i)
/* clang-format off */
static const uint8_t text_words_places[43][16] = {
  [0x00] = {TEXT_A(1), TEXT_A(2), TEXT_A(3), TEXT_A(4), TEXT_A(5)},
  [0x01] = {TEXT_C(1), TEXT_A(2), TEXT_A(3), TEXT_A(4), TEXT_A(5)},
  [0x02] = {TEXT_L(1), TEXT_C(2), TEXT_A(3), TEXT_A(4), TEXT_A(5)},
  [0x04] = {TEXT_A(1), TEXT_L(2), TEXT_C(3), TEXT_A(4), TEXT_A(5)},
  [0x05] = {TEXT_C(1), TEXT_L(2), TEXT_C(3), TEXT_A(4), TEXT_A(5)},
  [0x08] = {TEXT_A(1), TEXT_A(2), TEXT_L(3), TEXT_C(4), TEXT_A(5)},
  [0x09] = {TEXT_C(1), TEXT_A(2), TEXT_L(3), TEXT_C(4), TEXT_A(5)},
  [0x0a] = {TEXT_L(1), TEXT_C(2), TEXT_L(3), TEXT_C(4), TEXT_A(5)},
  [0x10] = {TEXT_A(1), TEXT_A(2), TEXT_A(3), TEXT_L(4), TEXT_C(5)},
  [0x11] = {TEXT_C(1), TEXT_A(2), TEXT_A(3), TEXT_L(4), TEXT_C(5)},
  [0x12] = {TEXT_L(1), TEXT_C(2), TEXT_A(3), TEXT_L(4), TEXT_C(5)},
  [0x14] = {TEXT_A(1), TEXT_L(2), TEXT_C(3), TEXT_L(4), TEXT_C(5)},
  [0x15] = {TEXT_C(1), TEXT_L(2), TEXT_C(3), TEXT_L(4), TEXT_C(5)},
  [0x20] = {TEXT_A(1), TEXT_A(2), TEXT_A(3), TEXT_A(4), TEXT_L(5)},
  [0x21] = {TEXT_C(1), TEXT_A(2), TEXT_A(3), TEXT_A(4), TEXT_L(5)},
  [0x22] = {TEXT_L(1), TEXT_C(2), TEXT_A(3), TEXT_A(4), TEXT_L(5)},
  [0x24] = {TEXT_A(1), TEXT_L(2), TEXT_C(3), TEXT_A(4), TEXT_L(5)},
  [0x25] = {TEXT_C(1), TEXT_L(2), TEXT_C(3), TEXT_A(4), TEXT_L(5)},
  [0x28] = {TEXT_A(1), TEXT_A(2), TEXT_L(3), TEXT_C(4), TEXT_L(5)},
  [0x29] = {TEXT_C(1), TEXT_A(2), TEXT_L(3), TEXT_C(4), TEXT_L(5)},
  [0x2a] = {TEXT_L(1), TEXT_C(2), TEXT_L(3), TEXT_C(4), TEXT_L(5)},
};
/* clang-format on */
#undef TEXT_A
#undef TEXT_L
#undef TEXT_C

/* Lengths of the results: 4 bytes for a first byte, 2 for a second one, 1 for ASCII. */
#define TEXT_LENGTH(m) \
  5 + ((m)&1) + 4 * (((m) >> 1 & 1) + ((m) >> 2 & 1) + ((m) >> 3 & 1) + ((m) >> 4 & 1)) + 3 * ((m) >> 5)
#define TEXT_LENGTHS4(m) TEXT_LENGTH(m), TEXT_LENGTH((m) + 1), TEXT_LENGTH((m) + 2), TEXT_LENGTH((m) + 3)
#define TEXT_LENGTHS(m) TEXT_LENGTHS4(m), TEXT_LENGTHS4((m) + 4), TEXT_LENGTHS4((m) + 8), TEXT_LENGTHS4((m) + 12)
static const uint16_t text_words_lengths[48] = {TEXT_LENGTHS(0), TEXT_LENGTHS(16), TEXT_LENGTHS(32)};
#undef TEXT_LENGTHS
#undef TEXT_LENGTHS4
#undef TEXT_LENGTH

FL_INLINE TEXT_TARGET_32 __m256i text_words_load(const char *low, const char *high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low)),
                                 _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

/* Returns where the character at p ends. */
FL_INLINE const char *text_words_next(const char *p) {
  const unsigned char c = (unsigned char)*p;
  return p + 1 + (c >= 0xc0) + (c >= 0xe0) + (c >= 0xf0);
}

/* Returns whether calling text_escape_words_wide_ at p pays: if nothing stops it in the next 32 bytes, and the first 16
** of them have letters. */
FL_INLINE int text_words_begin(const char *p, const char *end) {
  if (end - p < 32) return 0;
  const text_v a = text_vload(p);
  if (!_mm_movemask_epi8(a)) return 0;
  const text_v b = text_vload(p + 16);
  return _mm_movemask_epi8(text_vor(text_twos_end_marks(a), text_twos_end_marks(b))) == 0;
}

/* Writes ASCII as it is, and characters of two bytes as \uxxxx. Moves *s to a byte that JSON escapes, to a character of
** more bytes, past 30 to 60 bytes of ASCII, or to where 30 bytes cannot be read: not at all, if it is there already. A
** character begins at *s, but not the first of the text. The text is UTF-8. */
FL_NOINLINE TEXT_TARGET_32 char *text_escape_words_wide_(char *w, const char **s, const char *end) {
/* A compiler that knew the value would make the vector again in each step, from a word. */
#define TEXT_HIDE(v) __asm__("" : "+x"(v))
#define TEXT_ALL(name, c)                     \
  __m256i name = _mm256_set1_epi8((char)(c)); \
  TEXT_HIDE(name)
#define TEXT_DIGITS(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
/* Twice the mask of six bytes from bit k + 1 on. The rotation needs no copy of its operand, as a shift does. */
#define TEXT_INDEX(k) ((firsts >> (k) | firsts << (32 - (k))) & 126)
/* The compiler keeps the order of the stores: CPUs join stores to one line that follow each other. */
#define TEXT_PUT(part, index)                   \
  _mm_storeu_si128((__m128i *)(void *)w, part); \
  __asm__ volatile("" ::: "memory");            \
  w += fl_load16(lengths + (index))
  enum { STEP = 30 };
  const char *p = *s, *places = (const char *)text_words_places, *lengths = (const char *)text_words_lengths;
  unsigned before = 0;
  __m256i hex = TEXT_DIGITS('2', '3', '0', '1', '6', '7', '4', '5', 'a', 'b', '8', '9', 'e', 'f', 'c', 'd');
  __m256i hex_third = TEXT_DIGITS('8', 'c', '0', '4', '9', 'd', '1', '5', 'a', 'e', '2', '6', 'b', 'f', '3', '7');
  __m256i begin = _mm256_set1_epi32('\\' | 'u' << 8 | '0' << 16);
  TEXT_ALL(x82, 0x82);
  TEXT_ALL(x20, 0x20);
  TEXT_ALL(xc1, 0xc1);
  TEXT_ALL(x5c, '\\');
  TEXT_ALL(x0c, 0x0c);
  TEXT_ALL(x40, 0x40);
  TEXT_ALL(x3f, 0x3f);
  TEXT_HIDE(hex);
  TEXT_HIDE(hex_third);
  TEXT_HIDE(begin);
  for (;;) {
    const ptrdiff_t left = end - p;
    __m256i v, x, first, stop, one, second, third, low, high, a, b, c;
    unsigned firsts, stops;
    size_t i, j, k, l, m, n;
    if (FL_UNLIKELY(left < STEP) && (left <= 0 || !text_is_readable(p, STEP))) break;
    v = text_words_load(p - 1, p + 14); /* two times 15 bytes, and the one before them */
    x = _mm256_xor_si256(v, x82);
    first = _mm256_subs_epu8(v, x40); /* 0x80 and above: a first byte */
    firsts = (unsigned)_mm256_movemask_epi8(first);
    if (!(firsts | before)) break;
    before = firsts;
    /* 0xe0 to 0xff, 0 to 31 and '"' are next to each other with these bits flipped. */
    stop = _mm256_or_si256(_mm256_cmpeq_epi8(v, x5c), _mm256_cmpgt_epi8(xc1, _mm256_add_epi8(x, x20)));
    stops = (unsigned)_mm256_movemask_epi8(stop) & ~1u;
    if (FL_UNLIKELY(left < STEP)) stops |= 2u << (left + (left >= 15));
    if (FL_UNLIKELY(stops)) firsts = _bzhi_u32(firsts, fl_trailing_zeros(stops));
    /* The last digit is in the low half of a second byte, here with bit 1 flipped. ASCII stays. */
    one = _mm256_max_epi8(_mm256_shuffle_epi8(hex, x), v);
    /* 110abcde 10fghijk is abc, defg, hijk. Shifted, a first byte is '0' + abc, and a second one is xxxxfgxx. */
    second = _mm256_and_si256(_mm256_srli_epi16(v, 2), x3f);
    one = _mm256_blendv_epi8(one, second, first);
    /* fgde with the bit of d flipped: from the shifted byte, and from the byte before it. */
    x = _mm256_slli_si256(x, 1);
    third = _mm256_xor_si256(_mm256_and_si256(_mm256_xor_si256(second, x), x0c), x);
    third = _mm256_shuffle_epi8(hex_third, third);
    low = _mm256_unpacklo_epi8(one, third), high = _mm256_unpackhi_epi8(one, third);
    a = _mm256_blend_epi32(low, begin, 0x88);
    b = _mm256_blend_epi32(_mm256_alignr_epi8(high, low, 10), begin, 0x88);
    c = _mm256_alignr_epi8(begin, high, 4);
    i = firsts << 1 & 126, j = TEXT_INDEX(4), k = TEXT_INDEX(9);
    l = TEXT_INDEX(15), m = TEXT_INDEX(20), n = firsts >> 25 & 126;
    a = _mm256_shuffle_epi8(a, text_words_load(places + 8 * i, places + 8 * l));
    b = _mm256_shuffle_epi8(b, text_words_load(places + 8 * j, places + 8 * m));
    c = _mm256_shuffle_epi8(c, text_words_load(places + 8 * k, places + 8 * n));
    TEXT_PUT(_mm256_castsi256_si128(a), i);
    TEXT_PUT(_mm256_castsi256_si128(b), j);
    TEXT_PUT(_mm256_castsi256_si128(c), k);
    TEXT_PUT(_mm256_extracti128_si256(a, 1), l);
    TEXT_PUT(_mm256_extracti128_si256(b, 1), m);
    TEXT_PUT(_mm256_extracti128_si256(c, 1), n);
    p += STEP;
    if (FL_UNLIKELY(stops)) {
      const unsigned at = fl_trailing_zeros(stops), past = STEP - (at - 1 - (at >> 4));
      p -= past, w -= past; /* one byte was written for each of them */
      break;
    }
  }
  if ((unsigned char)p[-1] >= 0xc0) p--, w -= 4; /* its second byte has not been written */
  *s = p;
  return w;
#undef TEXT_PUT
#undef TEXT_INDEX
#undef TEXT_DIGITS
#undef TEXT_ALL
#undef TEXT_HIDE
}
#endif
