/* SPDX-License-Identifier: MIT
** unescape.h -- escapes in runs: sixteen short ones, or up to three \uXXXX, per step.
** Must hold: SSE2 only, which every x86-64 has. */
#pragma once

#include "vector.h"

/* Writes what 16 short escapes at p mean, of which each begins with a backslash. False: one of them is none. */
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

/* Reads the 16 bytes after the first two of a \uXXXX as XXXX\uXXXX\uXXXX. Bit i of the result: is byte i what is
** expected there? The numbers are in bytes 0, 3 and 6 of *units, see text_big_unit; *from_d000: does one begin with D,
** as surrogates do? */
FL_INLINE unsigned text_read_three(const char *s, uint64_t *units, int *from_d000) {
#define TEXT_THREE(x, a, b) _mm_setr_epi8(x, x, x, x, a, b, x, x, x, x, a, b, x, x, x, x)
  const text_v v = text_vload(s), zero = TEXT_THREE('0', '\\', 'u');
  const text_v digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
  const text_v letter = _mm_sub_epi8(text_vor(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  const text_v is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
  const text_v is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
  const text_v is_hex = _mm_and_si128(text_vor(is_digit, is_letter), TEXT_THREE(-1, 0, 0));
  text_v x = text_vor(_mm_and_si128(is_digit, digit),
                      _mm_and_si128(is_letter, _mm_add_epi8(letter, _mm_set1_epi8(10))));
  *from_d000 = _mm_movemask_epi8(_mm_cmpeq_epi8(letter, _mm_set1_epi8('d' - 'a'))) & 0x1041;
  x = text_vor(_mm_slli_epi16(x, 4), _mm_srli_epi16(x, 8));
  x = _mm_and_si128(x, _mm_set1_epi16(0xff));
  *units = (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(x, x));
  return (unsigned)_mm_movemask_epi8(text_vor(is_hex, _mm_cmpeq_epi8(v, zero)));
#undef TEXT_THREE
}
