/* SPDX-License-Identifier: MIT
** copy_avx2.h -- the inline step of the escape copy in one 32-byte word, for CPUs with AVX2.
** May call: escape_table.h.  Must hold: inlined only into functions of TEXT_WIDE_TARGET, which run only where
** text_cpu() told of TEXT_CPU_WIDE; TEXT_STAR is not in `set`.
**
** It pays when a whole walk is compiled for it, so that no call comes between: arrays of words take 24 % less
** time than with two 16-byte words, escapes-100 11 to 19 % less, documents of long text nothing. */
#ifndef FLEECE_TEXT_COPY_AVX2_H
#define FLEECE_TEXT_COPY_AVX2_H

#include "escape_table.h"
#include <immintrin.h>

#define TEXT_WIDE_TARGET FL_TARGET("avx2,bmi,bmi2")

/* As text_copy32 of quote_template.h; the marks are reckoned as in vec_sse2.h, text_vmarks. */
FL_INLINE TEXT_WIDE_TARGET uint64_t text_copy32_wide(char *w, const char *s, const unsigned set) {
  __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)s), mark = v;
#define TEXT_WIDE_OR(c) mark = _mm256_or_si256(mark, _mm256_cmpeq_epi8(v, _mm256_set1_epi8(c)))
  _mm256_storeu_si256((__m256i *)(void *)w, v);
  if ((set & TEXT_CONTROL) && (set & TEXT_DEL)) {
    mark = _mm256_subs_epi8(_mm256_add_epi8(v, _mm256_set1_epi8(1)), _mm256_set1_epi8(0x21));
    if (set & TEXT_QUOTE) TEXT_WIDE_OR('"');
  } else if ((set & TEXT_CONTROL) && (set & TEXT_QUOTE)) {
    mark = _mm256_subs_epi8(_mm256_xor_si256(v, _mm256_set1_epi8(2)), _mm256_set1_epi8(0x21));
  } else if (set & TEXT_QUOTE) {
    TEXT_WIDE_OR('"');
  }
  if (set & TEXT_QUOTE) TEXT_WIDE_OR('\\');
  if (set & TEXT_SLASH) TEXT_WIDE_OR('/');
#undef TEXT_WIDE_OR
  return (uint32_t)_mm256_movemask_epi8(mark);
}

#endif
