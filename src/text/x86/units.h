/* SPDX-License-Identifier: MIT
** units.h -- characters of three bytes as \uxxxx, four per step, and of two bytes, up to eight per step, with the table
** look-up of SSSE3: Chinese and Cyrillic text.
** Must hold: runs only on CPUs with TEXT_CPU_LOOKUP. */
#pragma once

#include "../blocks.h"
#include "../escape_table.h"
#include "../utf8_lookup.h"
#include "vector.h"

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

/* Writes eight characters of two bytes at p as \uxxxx: 48 bytes for 16. */
FL_INLINE FL_TARGET("ssse3") void text_put_twos(char *w, const char *p) {
/* The compiler keeps the order of the stores: CPUs join stores to one line that follow each other (4 to 10 %). */
#define TEXT_PUT(i, digits, places, ...)                                                                      \
  _mm_storeu_si128((__m128i *)(void *)(w + 16 * (i)),                                                         \
                   _mm_or_si128(_mm_shuffle_epi8(digits, _mm_setr_epi8 places), _mm_setr_epi8(__VA_ARGS__))); \
  __asm__ volatile("" ::: "memory")
#define TEXT_BOTH(a, b) _mm_set1_epi16((short)((a) | (b) << 8))
  const __m128i hex = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
  const __m128i unit = _mm_maddubs_epi16(_mm_and_si128(v, TEXT_BOTH(0x1f, 0x3f)), TEXT_BOTH(64, 1));
  const __m128i a = _mm_and_si128(_mm_srli_epi16(unit, 4), TEXT_BOTH(15, 0)); /* the third digits, and 0 */
  const __m128i b = _mm_and_si128(unit, TEXT_BOTH(15, 15));                   /* the last digits, and the second ones */
  const __m128i third = _mm_shuffle_epi8(hex, a), others = _mm_shuffle_epi8(hex, b);
  const __m128i four = _mm_unpacklo_epi8(third, others), more = _mm_unpackhi_epi8(third, others);
  TEXT_PUT(0, four, (-1, -1, 2, 3, 0, 1, -1, -1, 6, 7, 4, 5, -1, -1, 10, 11), '\\', 'u', 0, 0, 0, 0, '\\', 'u', 0, 0, 0,
           0, '\\', 'u', 0, 0);
  TEXT_PUT(1, _mm_alignr_epi8(more, four, 8), (0, 1, -1, -1, 6, 7, 4, 5, -1, -1, 10, 11, 8, 9, -1, -1), 0, 0, '\\', 'u',
           0, 0, 0, 0, '\\', 'u', 0, 0, 0, 0, '\\', 'u');
  TEXT_PUT(2, more, (6, 7, 4, 5, -1, -1, 10, 11, 8, 9, -1, -1, 14, 15, 12, 13), 0, 0, 0, 0, '\\', 'u', 0, 0, 0, 0, '\\',
           'u', 0, 0, 0, 0);
#undef TEXT_BOTH
#undef TEXT_PUT
}

/* The top bit is set where a byte is one that JSON escapes, or one of 0xe0 and above, which begins a character of more
** than two bytes. */
FL_INLINE text_v text_twos_end_marks(text_v v) {
  return text_vor(text_vor(text_vis(v, '\\'), _mm_subs_epu8(v, _mm_set1_epi8(0x60))),
                  _mm_cmpeq_epi8(_mm_subs_epu8(_mm_xor_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8(0x20)), text_vzero()));
}

/* Finds where a block ends for text_escape_twos_lookup. */
FL_INLINE uint64_t text_twos_end(const struct text_block_16 *b) {
  return text_vmask32(text_twos_end_marks(b->v[0]), text_twos_end_marks(b->v[1])) |
         text_vmask32(text_twos_end_marks(b->v[2]), text_twos_end_marks(b->v[3])) << 32;
}

/* Writes characters of two bytes at *s as \uxxxx, and up to three ASCII characters between them as they are, from a
** block of 64 bytes: `high` says where it has bytes of 128 and above, `stops` where it ends. Moves *s past them, at
** least one character. The text is UTF-8. The words are found by the masks: no step waits for the end of the word
** before it. */
FL_NOINLINE FL_TARGET("ssse3") char *text_escape_twos_lookup(char *w, const char **s, uint64_t high, uint64_t stops) {
  const char *p = *s, *word = p, *last;
  uint64_t single = ~high;
  unsigned n = 64;
  stops |= single & single >> 1 & single >> 2 & single >> 3;
  if (stops) {
    n = (unsigned)fl_trailing_zeros(stops);
    single &= fl_low_bits(n);
  } else if (((unsigned char)p[63] & 0xc0) == 0xc0) {
    n = 63; /* its second byte is in the next block */
  }
  for (;; word = last + 1, single &= single - 1) {
    last = p + (single ? fl_trailing_zeros(single) : n);
    for (; last - word > 16; word += 16, w += 48) text_put_twos(w, word);
    text_put_twos(w, word);
    w += 3 * (last - word);
    if (!single) break;
    *w++ = *last;
  }
  *s = last;
  return w;
}
