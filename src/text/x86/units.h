/* SPDX-License-Identifier: MIT
** units.h -- characters of three bytes as \uxxxx, four per step, and of two bytes, up to eight per step, with the table
** look-up of SSSE3: Chinese and Cyrillic text.
** Must hold: runs only on CPUs with TEXT_CPU_LOOKUP. */
#pragma once

#include "../escape_table.h"
#include "../utf8_lookup.h"

/* Writes four units as \uxxxx, 24 bytes. A lane of four bytes has the digits of one: third, last, first, second. */
FL_INLINE FL_TARGET("ssse3") void text_put_four(char *w, __m128i digits) {
  const __m128i hex = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  digits = _mm_shuffle_epi8(hex, digits);
  _mm_storeu_si128(
      (__m128i *)(void *)w,
      _mm_or_si128(_mm_shuffle_epi8(digits, _mm_setr_epi8(-1, -1, 2, 3, 0, 1, -1, -1, 6, 7, 4, 5, -1, -1, 10, 11)),
                   _mm_setr_epi8('\\', 'u', 0, 0, 0, 0, '\\', 'u', 0, 0, 0, 0, '\\', 'u', 0, 0)));
  _mm_storel_epi64((__m128i *)(void *)(w + 16),
                   _mm_or_si128(_mm_shuffle_epi8(digits, _mm_setr_epi8(8, 9, -1, -1, 14, 15, 12, 13, -1, -1, -1, -1, -1,
                                                                       -1, -1, -1)),
                                _mm_setr_epi8(0, 0, '\\', 'u', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
}

/* Writes the characters of three bytes at *s as \uxxxx, four by four as long as 16 bytes are left, and moves *s past
** them. The text is UTF-8. 24 bytes are written for 12. */
FL_NOINLINE FL_TARGET("ssse3") char *text_escape_triples_lookup(char *w, const char **s, const char *end) {
#define TEXT_FOUR(a, b, c) _mm_setr_epi8(a, b, c, a, b, c, a, b, c, a, b, c, 0, 0, 0, 0)
#define TEXT_LANES(a, b, c, d) _mm_setr_epi8(a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d)
  const char *p = *s;
  for (; end - p >= 16; p += 12, w += 24) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i kinds = _mm_and_si128(v, TEXT_FOUR((char)0xf0, (char)0xc0, (char)0xc0));
    __m128i x, digits;
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(kinds, TEXT_FOUR((char)0xe0, (char)0x80, (char)0x80))) != 0xffff) break;
    /* A lane of four bytes is one character; its second byte is there twice: it has bits of two digits. */
    x = _mm_shuffle_epi8(v, _mm_setr_epi8(1, 2, 0, 1, 4, 5, 3, 4, 7, 8, 6, 7, 10, 11, 9, 10));
    digits = _mm_and_si128(x, TEXT_LANES(0, 15, 15, 0));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_srli_epi32(x, 2), TEXT_LANES(0, 0, 0, 15)));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_slli_epi32(x, 2), TEXT_LANES(12, 0, 0, 0)));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_srli_epi32(x, 12), TEXT_LANES(3, 0, 0, 0)));
    text_put_four(w, digits);
  }
  *s = p;
  return w;
#undef TEXT_LANES
#undef TEXT_FOUR
}

/* Writes the characters of two bytes at *s as \uxxxx while 16 bytes are left, and single ASCII characters between them
** that are not in `set`, as they are: words and the spaces between them. Moves *s past what was written, at least one
** character. The text is UTF-8. 48 bytes are written for 16. */
FL_NOINLINE FL_TARGET("ssse3") char *text_escape_twos_lookup(char *w, const char **s, const char *end, unsigned set) {
#define TEXT_BOTH(a, b) _mm_set1_epi16((short)((a) | (b) << 8))
  const char *p = *s;
  unsigned twos;
  do {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i is_two = _mm_cmpeq_epi16(_mm_and_si128(v, TEXT_BOTH(0xe0, 0xc0)), TEXT_BOTH(0xc0, 0x80));
    const __m128i unit = _mm_maddubs_epi16(_mm_and_si128(v, TEXT_BOTH(0x1f, 0x3f)), TEXT_BOTH(64, 1));
    const __m128i a = _mm_and_si128(_mm_srli_epi16(unit, 4), TEXT_BOTH(15, 0)); /* the third digits, and 0 */
    const __m128i b = _mm_and_si128(unit, TEXT_BOTH(15, 15));                   /* the last ones, and the second ones */
    text_put_four(w, _mm_unpacklo_epi8(a, b));
    text_put_four(w + 24, _mm_unpackhi_epi8(a, b));
    twos = (unsigned)fl_trailing_zeros(~(uint64_t)(unsigned)_mm_movemask_epi8(is_two)) / 2;
    w += (size_t)6 * twos;
    p += (size_t)2 * twos;
    if (end - p > 16 && (unsigned char)*p < 0x80 && !(text_class((unsigned char)*p) & set)) *w++ = *p++;
  } while (end - p >= 16 && ((unsigned char)*p & 0xe0) == 0xc0);
  *s = p;
  return w;
#undef TEXT_BOTH
}
