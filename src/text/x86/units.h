/* SPDX-License-Identifier: MIT
** units.h -- characters of three bytes as \uxxxx, four per step, and of two bytes, up to eight per step, with the table
** look-up of SSSE3: Chinese and Cyrillic text.
** Must hold: runs only on CPUs with TEXT_CPU_LOOKUP. */
#pragma once

#include "../escape_table.h"
#include "../utf8_lookup.h"

/* Writes the characters of three bytes at *s as \uxxxx, four by four as long as 16 bytes are left, and moves *s past
** them. The text is UTF-8. 24 bytes are written for 12. */
FL_NOINLINE FL_TARGET("ssse3") char *text_escape_triples_lookup(char *w, const char **s, const char *end) {
#define TEXT_FOUR(a, b, c) _mm_setr_epi8(a, b, c, a, b, c, a, b, c, a, b, c, 0, 0, 0, 0)
#define TEXT_LANES(a, b, c, d) _mm_setr_epi8(a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d)
  const __m128i hex = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  const char *p = *s;
  for (; end - p >= 16; p += 12, w += 24) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i kinds = _mm_and_si128(v, TEXT_FOUR((char)0xf0, (char)0xc0, (char)0xc0));
    __m128i x, digits;
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(kinds, TEXT_FOUR((char)0xe0, (char)0x80, (char)0x80))) != 0xffff) break;
    /* A lane of four bytes is one character; its second byte is there twice: it has bits of two digits. */
    x = _mm_shuffle_epi8(v, _mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11));
    digits = _mm_and_si128(x, TEXT_LANES(15, 0, 0, 15));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_srli_epi32(x, 2), TEXT_LANES(0, 15, 0, 0)));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_slli_epi32(x, 2), TEXT_LANES(0, 0, 12, 0)));
    digits = _mm_or_si128(digits, _mm_and_si128(_mm_srli_epi32(x, 12), TEXT_LANES(0, 0, 3, 0)));
    digits = _mm_shuffle_epi8(hex, digits);
    _mm_storeu_si128(
        (__m128i *)(void *)w,
        _mm_or_si128(_mm_shuffle_epi8(digits, _mm_setr_epi8(-1, -1, 0, 1, 2, 3, -1, -1, 4, 5, 6, 7, -1, -1, 8, 9)),
                     _mm_setr_epi8('\\', 'u', 0, 0, 0, 0, '\\', 'u', 0, 0, 0, 0, '\\', 'u', 0, 0)));
    _mm_storel_epi64((__m128i *)(void *)(w + 16),
                     _mm_or_si128(_mm_shuffle_epi8(digits, _mm_setr_epi8(10, 11, -1, -1, 12, 13, 14, 15, -1, -1, -1, -1,
                                                                         -1, -1, -1, -1)),
                                  _mm_setr_epi8(0, 0, '\\', 'u', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
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
#define TEXT_PUT(at, frame, from_a, from_b)                                                                  \
  _mm_storeu_si128((__m128i *)(void *)(w + (at)),                                                            \
                   _mm_or_si128(_mm_setr_epi8 frame, _mm_or_si128(_mm_shuffle_epi8(a, _mm_setr_epi8 from_a), \
                                                                  _mm_shuffle_epi8(b, _mm_setr_epi8 from_b))))
  const __m128i hex = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  const __m128i low = _mm_set1_epi16(15);
  const char *p = *s;
  unsigned twos;
  do {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i is_two = _mm_cmpeq_epi16(_mm_and_si128(v, TEXT_BOTH(0xe0, 0xc0)), TEXT_BOTH(0xc0, 0x80));
    const __m128i unit = _mm_or_si128(_mm_slli_epi16(_mm_and_si128(v, _mm_set1_epi16(0x1f)), 6),
                                      _mm_and_si128(_mm_srli_epi16(v, 8), _mm_set1_epi16(0x3f)));
    /* The digits of all characters after the first, which is 0: the second ones, then the third ones; the last ones. */
    const __m128i second = _mm_srli_epi16(unit, 8), third = _mm_and_si128(_mm_srli_epi16(unit, 4), low);
    const __m128i last = _mm_and_si128(unit, low);
    const __m128i a = _mm_shuffle_epi8(hex, _mm_packus_epi16(second, third));
    const __m128i b = _mm_shuffle_epi8(hex, _mm_packus_epi16(last, last));
    /* clang-format off */
    TEXT_PUT(0, ('\\', 'u', '0', 0, 0, 0, '\\', 'u', '0', 0, 0, 0, '\\', 'u', '0', 0),
             (-1, -1, -1, 0, 8, -1, -1, -1, -1, 1, 9, -1, -1, -1, -1, 2),
             (-1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, 1, -1, -1, -1, -1));
    TEXT_PUT(16, (0, 0, '\\', 'u', '0', 0, 0, 0, '\\', 'u', '0', 0, 0, 0, '\\', 'u'),
             (10, -1, -1, -1, -1, 3, 11, -1, -1, -1, -1, 4, 12, -1, -1, -1),
             (-1, 2, -1, -1, -1, -1, -1, 3, -1, -1, -1, -1, -1, 4, -1, -1));
    TEXT_PUT(32, ('0', 0, 0, 0, '\\', 'u', '0', 0, 0, 0, '\\', 'u', '0', 0, 0, 0),
             (-1, 5, 13, -1, -1, -1, -1, 6, 14, -1, -1, -1, -1, 7, 15, -1),
             (-1, -1, -1, 5, -1, -1, -1, -1, -1, 6, -1, -1, -1, -1, -1, 7));
    /* clang-format on */
    twos = (unsigned)fl_trailing_zeros(~(uint64_t)(unsigned)_mm_movemask_epi8(is_two)) / 2;
    w += (size_t)6 * twos;
    p += (size_t)2 * twos;
    if (end - p > 16 && (unsigned char)*p < 0x80 && !(text_class((unsigned char)*p) & set)) *w++ = *p++;
  } while (end - p >= 16 && ((unsigned char)*p & 0xe0) == 0xc0);
  *s = p;
  return w;
#undef TEXT_PUT
#undef TEXT_BOTH
}
