/* SPDX-License-Identifier: MIT
** units.h -- characters of three bytes as \uxxxx, four per step, with the table look-up of SSSE3: Chinese text.
** May call: base.  Must hold: runs only on CPUs with TEXT_CPU_LOOKUP. */
#ifndef FLEECE_TEXT_X86_UNITS_H
#define FLEECE_TEXT_X86_UNITS_H

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

#endif
