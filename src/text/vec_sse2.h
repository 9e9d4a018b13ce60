/* SPDX-License-Identifier: MIT
** vec_sse2.h -- the sixteen-byte words the string algorithms are written in, for x86-64.
** May call: nothing.  Must hold: SSE2 only, which every x86-64 has. */
#ifndef FLEECE_TEXT_VEC_SSE2_H
#define FLEECE_TEXT_VEC_SSE2_H

#include "escape_table.h"
#include <emmintrin.h>

typedef __m128i text_v;

FL_INLINE text_v text_vload(const char *s) { return _mm_loadu_si128((const __m128i *)(const void *)s); }
FL_INLINE void text_vstore(char *w, text_v v) { _mm_storeu_si128((__m128i *)(void *)w, v); }
FL_INLINE text_v text_vzero(void) { return _mm_setzero_si128(); }
FL_INLINE text_v text_vor(text_v a, text_v b) { return _mm_or_si128(a, b); }
FL_INLINE text_v text_vis(text_v v, char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); }

/* 0xff in each lane that belongs to `set` (a constant). Compares are signed here, so the controls are
** found by subtraction with saturation; ^2 brings '"' below them, +1 brings 127 out of the way. */
FL_INLINE text_v text_vhits(text_v v, const unsigned set) {
  text_v hit = text_vzero();
  if ((set & TEXT_CONTROL) && (set & TEXT_QUOTE)) {
    text_v x = _mm_xor_si128(v, _mm_set1_epi8(2));
    hit = _mm_cmpeq_epi8(_mm_subs_epu8(x, _mm_set1_epi8(0x20)), text_vzero());
  } else if (set & TEXT_CONTROL) {
    hit = _mm_cmpeq_epi8(_mm_subs_epu8(v, _mm_set1_epi8(0x1f)), text_vzero());
  } else if (set & TEXT_QUOTE) {
    hit = text_vis(v, '"');
  }
  if (set & TEXT_QUOTE) hit = text_vor(hit, text_vis(v, '\\'));
  if (set & TEXT_SLASH) hit = text_vor(hit, text_vis(v, '/'));
  if (set & TEXT_DEL) hit = text_vor(hit, text_vis(v, 127));
  return hit;
}

/* Lanes of m become '*'. */
FL_INLINE text_v text_vstar(text_v v, text_v m) {
  return _mm_or_si128(_mm_andnot_si128(m, v), _mm_and_si128(m, _mm_set1_epi8('*')));
}

/* One bit per lane of 0xff, lowest lane first. */
FL_INLINE uint64_t text_vmask32(text_v a, text_v b) {
  return (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
}
/* One bit per lane of 0x80 and above: movemask looks at the top bit anyway. */
FL_INLINE uint64_t text_vhigh32(text_v a, text_v b) { return text_vmask32(a, b); }
FL_INLINE int text_vany(text_v m) { return _mm_movemask_epi8(m) != 0; }
FL_INLINE int text_vanyhigh(text_v m) { return _mm_movemask_epi8(m) != 0; }

#endif
