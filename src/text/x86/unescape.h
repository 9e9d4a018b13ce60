/* SPDX-License-Identifier: MIT
** unescape.h -- escapes in runs: sixteen short ones, or up to three \uXXXX, per step; with AVX2 up to six.
** Must hold: SSE2 only, which every x86-64 has, but for the functions of TEXT_TARGET_32, which run only on CPUs with
** TEXT_CPU_WIDE. */
#pragma once

#include "../runs.h"
#include "../utf8.h"
#include "vector.h"

/* Writes the contents of 16 short escapes at p, all of which begin with a backslash. Returns 0 if one is not a short
** escape. */
FL_INLINE int text_unescape_sixteen(char *w, const char *p) {
  const text_v c = _mm_packus_epi16(_mm_srli_epi16(text_vload(p), 8), _mm_srli_epi16(text_vload(p + 16), 8));
  const text_v same = text_vor(text_vor(text_vis(c, '"'), text_vis(c, '\\')), text_vis(c, '/'));
  /* a letter is so much more than the control character */
  text_v more = _mm_and_si128(text_vor(text_vis(c, 'b'), text_vis(c, 'f')), _mm_set1_epi8('b' - '\b'));
  more = text_vor(more, _mm_and_si128(text_vis(c, 'n'), _mm_set1_epi8('n' - '\n')));
  more = text_vor(more, _mm_and_si128(text_vis(c, 'r'), _mm_set1_epi8('r' - '\r')));
  more = text_vor(more, _mm_and_si128(text_vis(c, 't'), _mm_set1_epi8('t' - '\t')));
  text_vstore(w, _mm_sub_epi8(c, more));
  return !text_vanyhigh(text_vis(text_vor(same, more), 0));
}

/* The number whose more significant byte is the lowest of x, the other one the next. */
FL_INLINE uint32_t text_big_unit(uint64_t x) { return (uint32_t)((x & 0xff) << 8 | (x >> 8 & 0xff)); }

/* Reads the 16 bytes after the first two of a \uXXXX as XXXX\uXXXX\uXXXX. Bit i of the result: byte i is not what is
** expected there. The numbers are in bytes 0 and 1, 3 and 4, 6 and 7 of *units, the more significant byte first. */
FL_INLINE unsigned text_read_three(const char *s, uint64_t *units) {
#define TEXT_THREE(x, a, b) _mm_setr_epi8(x, x, x, x, a, b, x, x, x, x, a, b, x, x, x, x)
  const text_v v = text_vload(s);
  /* '0' to '9' become 0 to 9, letters 10 to 15, all others more: by saturation, without compares */
  const text_v digit = _mm_subs_epu8(_mm_add_epi8(v, _mm_set1_epi8((char)(0xff - '9'))), _mm_set1_epi8(6));
  const text_v letter = _mm_sub_epi8(text_vor(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  text_v x = _mm_min_epu8(_mm_sub_epi8(digit, _mm_set1_epi8((char)0xf0)), _mm_adds_epu8(letter, _mm_set1_epi8(10)));
  const text_v wrong = text_vor(_mm_adds_epu8(x, _mm_set1_epi8(127 - 15)), TEXT_THREE(0, (char)0x80, (char)0x80));
  const unsigned bad = (unsigned)_mm_movemask_epi8(
      _mm_andnot_si128(_mm_cmpeq_epi8(v, TEXT_THREE('0', '\\', 'u')), wrong));
  x = text_vor(_mm_slli_epi16(x, 4), _mm_srli_epi16(x, 8));
  x = _mm_and_si128(x, _mm_set1_epi16(0xff));
  *units = (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(x, x));
  return bad;
#undef TEXT_THREE
}

/* A word of the numbers of text_read_three: their higher bytes, their lower ones, and the bytes between them. */
#define TEXT_UNITS_HIGH UINT64_C(0x0001000001000001)
#define TEXT_UNITS_LOW (TEXT_UNITS_HIGH << 8)
#define TEXT_UNITS_THIRD (TEXT_UNITS_HIGH << 16)

enum { TEXT_PAIR = 4 };

/* Reads up to three \uXXXX at p that are no surrogates, or a surrogate pair. Returns how many, or TEXT_PAIR. 0: it is
** something else, or it cannot tell; then text_read_unit reads the first. */
FL_INLINE int text_read_run(const char *p, const char *close, uint64_t *units) {
  if (FL_UNLIKELY(close - p < 18)) return 0;
  const unsigned bad = text_read_three(p + 2, units);
  /* the addition carries to the lower byte unless the higher one is that of a surrogate */
  uint64_t other = ((*units & 0xf8 * TEXT_UNITS_HIGH) ^ 0xd8 * TEXT_UNITS_HIGH) + 0xf8 * TEXT_UNITS_HIGH;
  other = ~other & TEXT_UNITS_LOW;
  if (FL_LIKELY(!(bad | other))) return 3;
  if (!(bad & 0x3ff) && (*units & 0xfc0000fc) == 0xdc0000d8) return TEXT_PAIR;
  const int n = ((int)fl_trailing_zeros(bad | 0x10000) + 2) / 6;
  const int others = other ? (int)fl_trailing_zeros(other) / 24 : n;
  return others < n ? others : n;
}

/* Writes n of the numbers that text_read_run has read as UTF-8. Up to 12 bytes are overwritten. */
FL_INLINE char *text_put_units(char *w, const uint64_t x, int n) {
  if (n == TEXT_PAIR) {
    const uint32_t c = 0x10000 + ((text_big_unit(x) & 0x3ff) << 10) + (text_big_unit(x >> 24) & 0x3ff);
    fl_store32(w, 0x808080f0 | c >> 18 | (c >> 4 & 0x3f00) | (c << 10 & 0x3f0000) | (c & 0x3f) << 24);
    return w + 4;
  } else {
    const uint64_t all = TEXT_UNITS_LOW >> 24 * (3 - n);
    /* the additions carry to the lower byte from what is 0x800 or above, and 0x80 or above */
    const uint64_t three = ((x & 0xf8 * TEXT_UNITS_HIGH) + 0xf8 * TEXT_UNITS_HIGH) & all;
    const uint64_t two = ((x & 0x07 * TEXT_UNITS_HIGH) + (x >> 15 & TEXT_UNITS_HIGH) + 0xff * TEXT_UNITS_HIGH) & all;
    const uint64_t six = (x >> 6 & 0x03 * TEXT_UNITS_LOW), last = x & 0x3f * TEXT_UNITS_LOW;
    if (three == all) {
      fl_store64(w, 0xe0 * TEXT_UNITS_HIGH | 0x80 * TEXT_UNITS_LOW | 0x80 * TEXT_UNITS_THIRD |
                        (x >> 4 & 0x0f * TEXT_UNITS_HIGH) | (x << 10 & 0x3c * TEXT_UNITS_LOW) | six | last << 8);
      w[8] = (char)(0x80 | last >> 56);
      return w + 3 * n;
    }
    if (!three && two == all) {
      const uint64_t y = 0xc0 * TEXT_UNITS_HIGH | 0x80 * TEXT_UNITS_LOW | (x << 2 & 0x1c * TEXT_UNITS_HIGH) | six >> 8 |
                         last;
      fl_store32(w, (uint32_t)y);
      fl_store32(w + 2, (uint32_t)(y >> 24));
      fl_store32(w + 4, (uint32_t)(y >> 48));
      return w + 2 * n;
    }
    if (!(three | two)) {
      w[0] = (char)(x >> 8);
      w[1] = (char)(x >> 32);
      w[2] = (char)(x >> 56);
      return w + n;
    }
    {
      for (int i = 0; i < n; i++) w = text_put_utf8(w, text_big_unit(x >> 24 * i));
    }
    return w;
  }
}

/* Returns whether the \uXXXX at p is probably one of U+0100 to U+07FF. Reads four bytes. */
FL_INLINE int text_may_be_two(const char *p) { return p[2] == '0' && p[3] >= '1' && p[3] <= '7'; }

#if FLEECE_WIDE
/* Writes six \uXXXX of U+0100 to U+07FF at p as UTF-8. Returns 0 if one of the first n is something else. Their first
** two bytes are known. Reads 36 bytes, and overwrites 14. */
TEXT_TARGET_32 FL_INLINE int text_put_six_twos(char *w, const char *p, unsigned n) {
#define TEXT_SIX(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
  const __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(text_vload(p + 2)), text_vload(p + 20), 1);
  /* as in text_read_three, but the second digit, '1' to '7', becomes 0 to 6 */
  const __m256i digit = _mm256_subs_epu8(_mm256_add_epi8(v, _mm256_set1_epi8((char)(0xff - '9'))), _mm256_set1_epi8(6));
  const __m256i letter = _mm256_sub_epi8(_mm256_or_si256(v, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
  const __m256i zeros = TEXT_SIX(-16, -15, -16, -16, 0, 0, -16, -15, -16, -16, 0, 0, -16, -15, -16, -16);
  const __m256i x = _mm256_min_epu8(_mm256_sub_epi8(digit, zeros), _mm256_adds_epu8(letter, _mm256_set1_epi8(10)));
  /* the top bit of a byte: it is more than the digit may be */
  const __m256i over = _mm256_adds_epu8(
      x, TEXT_SIX(127, 121, 112, 112, 0, 0, 127, 121, 112, 112, 0, 0, 127, 121, 112, 112));
  const uint32_t bad = (uint32_t)_mm256_movemask_epi8(over) & 0xf3cff3cf;
  /* 16-bit lanes in pairs: the second and the third digit, the third and the last one, each times 4 in the other */
  __m256i y = _mm256_shuffle_epi8(x, TEXT_SIX(1, 2, 2, 3, 7, 8, 8, 9, 13, 14, 14, 15, -1, -1, -1, -1));
  y = _mm256_maddubs_epi16(y, _mm256_set1_epi32(0x04400110));
  y = _mm256_and_si256(_mm256_srli_epi16(y, 2), _mm256_set1_epi16(0x3f));
  y = _mm256_add_epi16(y, _mm256_set1_epi32(0x008000c4));
  y = _mm256_packus_epi16(y, y);
  _mm_storel_epi64((__m128i *)(void *)w, _mm256_castsi256_si128(y));
  _mm_storel_epi64((__m128i *)(void *)(w + 6), _mm256_extracti128_si256(y, 1));
  /* 16 bits for three units: 5, 11, 16, 22, 27, 33 for 1 to 6 of them */
  return !_bzhi_u64(bad, 6 * n - (n + 1) / 2);
#undef TEXT_SIX
}

/* Writes what comes from *at on while its escapes are \uXXXX of U+0100 to U+07FF: words of Cyrillic or Greek letters,
** and what is between them. *at is moved to the first other escape, to `close`, or to bytes that are for other loops.
** A block's masks tell where the units are: no step waits for the digits of the one before it, and no branch depends on
** the length of a word. */
FL_NOINLINE TEXT_TARGET_32 char *text_unescape_words_wide_(char *w, const char **at, const char *close) {
  const char *p = *at;
  while (p < close && text_may_read(p, close, TEXT_BLOCK_READ)) {
    const struct text_block_32 b = text_block_load_32(p);
    /* the u of an escape is in its block: its last byte belongs to the next one */
    size_t size = close - p < TEXT_BLOCK_BYTES - 1 ? (size_t)(close - p) : TEXT_BLOCK_BYTES - 1;
    uint64_t starts = text_escape_starts(text_block_is_32(&b, '\\')) & fl_low_bits(size);
    const uint64_t others = starts & ~(text_block_is_32(&b, 'u') >> 1);
    const char *from = p, *last;
    if (FL_UNLIKELY(others)) {
      size = (size_t)fl_trailing_zeros(others);
      starts &= fl_low_bits(size);
    }
    if (!starts) break;
    last = p + size;
    do {
      /* up to six of them in a row have backslashes at every sixth bit */
      const uint64_t six = UINT64_C(0x41041041);
      const unsigned between = (unsigned)fl_trailing_zeros(starts);
      w = text_copy_between(w, from, from + between);
      from += between;
      starts >>= between;
      const unsigned bytes = (unsigned)fl_trailing_zeros((~starts & six) | UINT64_C(1) << 36);
      const unsigned n = bytes * 43 >> 8;
      if (FL_UNLIKELY(!text_put_six_twos(w, from, n))) {
        *at = from;
        return w;
      }
      w += 2 * n;
      from += bytes;
      starts >>= bytes;
    } while (starts);
    if (from < last) {
      w = text_copy_between(w, from, last);
      from = last;
    }
    p = from;
  }
  *at = p;
  return w;
}
#endif
