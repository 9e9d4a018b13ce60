/* SPDX-License-Identifier: MIT
** vector.h -- vectors of 16 bytes for the string algorithms, on x86-64.
** Must hold: SSE2 only, which every x86-64 has. text/arm/vector.h has the same functions.
**
** text_v is a vector; text_vload and the other text_v functions take one. A lane is a byte of it. A compare gives 0xff
** in the lanes where it holds, 0 elsewhere. text_vis(v, c): lanes that equal c. */
#pragma once

#include "../escape_table.h"
#include <emmintrin.h>

typedef __m128i text_v;

FL_INLINE text_v text_vload(const char *s) { return _mm_loadu_si128((const __m128i *)(const void *)s); }
FL_INLINE void text_vstore(char *w, text_v v) { _mm_storeu_si128((__m128i *)(void *)w, v); }
FL_INLINE text_v text_vzero(void) { return _mm_setzero_si128(); }
FL_INLINE text_v text_vor(text_v a, text_v b) { return _mm_or_si128(a, b); }
FL_INLINE text_v text_vis(text_v v, char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); }

/* 0xff in the lanes that are in `set` (a constant), never for 128 to 255. The xor with 2 moves '"', and nothing else,
** to the control bytes; unsigned compares are made of saturating subtractions. */
FL_INLINE text_v text_vhits(text_v v, const unsigned set) {
  text_v hit = text_vzero();
  if (set & TEXT_CONTROL) {
    text_v x = set & TEXT_QUOTE ? _mm_xor_si128(v, _mm_set1_epi8(2)) : v;
    hit = _mm_cmpeq_epi8(_mm_subs_epu8(x, _mm_set1_epi8(set & TEXT_QUOTE ? 0x20 : 0x1f)), text_vzero());
  } else if (set & TEXT_QUOTE) {
    hit = text_vis(v, '"');
  }
  if (set & TEXT_QUOTE) hit = text_vor(hit, text_vis(v, '\\'));
  if (set & TEXT_SLASH) hit = text_vor(hit, text_vis(v, '/'));
  if (set & TEXT_DEL) hit = text_vor(hit, text_vis(v, 127));
  return hit;
}

/* The top bit is set in the lanes that are in `set` and in those of 128 and above; text_vmask32 collects it. Compares
** are signed, so "less than 32" covers both at once. Adding 1 makes 127 negative too (and 255 a control byte). */
FL_INLINE text_v text_vmarks(text_v v, const unsigned set) {
  text_v mark = v;
  if ((set & TEXT_CONTROL) && (set & TEXT_DEL)) {
    mark = _mm_subs_epi8(_mm_add_epi8(v, _mm_set1_epi8(1)), _mm_set1_epi8(0x21));
    if (set & TEXT_QUOTE) mark = text_vor(mark, text_vis(v, '"'));
  } else if ((set & TEXT_CONTROL) && (set & TEXT_QUOTE)) {
    mark = _mm_subs_epi8(_mm_xor_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8(0x21));
  } else if (set) {
    return text_vor(v, text_vhits(v, set));
  }
  if (set & TEXT_QUOTE) mark = text_vor(mark, text_vis(v, '\\'));
  if (set & TEXT_SLASH) mark = text_vor(mark, text_vis(v, '/'));
  return mark;
}

/* Returns whether any lane of the four vectors is a quote or a control character. Minima first, then one compare for
** all. */
FL_INLINE int text_vany_ends(text_v a, text_v b, text_v c, text_v d) {
  const text_v two = _mm_set1_epi8(2);
  const text_v x = _mm_min_epu8(_mm_min_epu8(_mm_xor_si128(a, two), _mm_xor_si128(b, two)),
                                _mm_min_epu8(_mm_xor_si128(c, two), _mm_xor_si128(d, two)));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_subs_epu8(x, _mm_set1_epi8(0x20)), text_vzero())) != 0;
}

/* Returns whether any lane of the four vectors is in `set`. */
FL_INLINE int text_vany4(text_v a, text_v b, text_v c, text_v d, const unsigned set) {
  text_v hit = text_vzero();
#define TEXT_V4(op, one) op(op(one(a), one(b)), op(one(c), one(d)))
#define TEXT_VX(v) _mm_xor_si128(v, _mm_set1_epi8(2))
#define TEXT_VC(v) text_vis(v, c0)
  if (set & TEXT_CONTROL) {
    text_v x = TEXT_V4(_mm_min_epu8, TEXT_VX);
    hit = _mm_cmpeq_epi8(_mm_subs_epu8(x, _mm_set1_epi8(0x20)), text_vzero());
  } else if (set & TEXT_QUOTE) {
    const char c0 = '"';
    hit = TEXT_V4(text_vor, TEXT_VC);
  }
  if (set & TEXT_QUOTE) {
    const char c0 = '\\';
    hit = text_vor(hit, TEXT_V4(text_vor, TEXT_VC));
  }
  if (set & TEXT_SLASH) {
    const char c0 = '/';
    hit = text_vor(hit, TEXT_V4(text_vor, TEXT_VC));
  }
  if (set & TEXT_DEL) {
    const char c0 = 127;
    hit = text_vor(hit, TEXT_V4(text_vor, TEXT_VC));
  }
#undef TEXT_VC
#undef TEXT_VX
#undef TEXT_V4
  return _mm_movemask_epi8(hit) != 0;
}

FL_INLINE text_v text_vfill(char c) { return _mm_set1_epi8(c); }

/* Returns the letter after the backslash of each lane's two-character escape, for quote, backslash, slash and control
** bytes, or 0. \b is 90 before 'b', and so on. */
FL_INLINE text_v text_vletters(text_v v) {
#define TEXT_VTO(c, letter) _mm_and_si128(text_vis(v, c), _mm_set1_epi8((letter) - (c)))
  const text_v to = text_vor(text_vor(TEXT_VTO('\b', 'b'), TEXT_VTO('\t', 't')),
                             text_vor(text_vor(TEXT_VTO('\n', 'n'), TEXT_VTO('\f', 'f')), TEXT_VTO('\r', 'r')));
  const text_v letters = _mm_add_epi8(v, to);
  return _mm_and_si128(letters, _mm_and_si128(_mm_cmpgt_epi8(letters, _mm_set1_epi8(0x1f)),
                                              _mm_cmpgt_epi8(_mm_set1_epi8(127), letters)));
#undef TEXT_VTO
}

/* Stores the lanes of a and b alternately, 32 bytes. */
FL_INLINE void text_vstore_pairs(char *w, text_v a, text_v b) {
  text_vstore(w, _mm_unpacklo_epi8(a, b));
  text_vstore(w + 16, _mm_unpackhi_epi8(a, b));
}

/* Returns v with TEXT_PURGE_CHAR in the lanes of m. */
FL_INLINE text_v text_vstar(text_v v, text_v m) {
  return _mm_or_si128(_mm_andnot_si128(m, v), _mm_and_si128(m, _mm_set1_epi8(TEXT_PURGE_CHAR)));
}

/* One bit per lane of 0xff, the lowest lane first. */
FL_INLINE uint64_t text_vmask32(text_v a, text_v b) {
  return (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
}
/* One bit per lane of 0x80 and above: movemask takes the top bit of each lane. */
FL_INLINE uint64_t text_vhigh32(text_v a, text_v b) { return text_vmask32(a, b); }
FL_INLINE int text_vanyhigh(text_v m) { return _mm_movemask_epi8(m) != 0; }
