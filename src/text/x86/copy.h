/* SPDX-License-Identifier: MIT
** copy.h -- the inlined part of the escape copy with one vector of 32 bytes, for CPUs with AVX2.
** Must hold: inlined only into functions of TEXT_WIDE_TARGET, which run only on CPUs with
** TEXT_CPU_WIDE; TEXT_STAR is not in `set`, and TEXT_DEL only together with TEXT_CONTROL.
**
** It pays if a whole encoder is compiled for AVX2, so that it is inlined: arrays of words take 24 % less time than with
** two vectors of 16 bytes, escapes-100 11 to 19 % less, documents of long text the same. */
#pragma once

#include "vector.h"
#include "../quote_template.h"
#include <immintrin.h>

#define TEXT_WIDE_TARGET FL_TARGET("avx2,bmi,bmi2")

/* A table for a shuffle, which looks up the low four bits of each byte: the only byte of the set that it may be. Quote,
** backslash and slash differ in these bits. Entries for other bits hold a byte that cannot compare equal. (E4: 7 to
** 14 % less time on words than with three compares.) */
#define TEXT_WIDE_ROW                                                                           \
  1, 0, set &TEXT_QUOTE ? '"' : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, set &TEXT_QUOTE ? '\\' : 0, 0, 0, \
      set &TEXT_SLASH ? '/' : 0

/* text_copy32 of quote_template.h for AVX2, with the marks of text_vmarks (vector.h). */
FL_INLINE TEXT_WIDE_TARGET uint64_t text_copy32_wide(char *w, const char *s, const unsigned set) {
  __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)s), mark = v;
  _mm256_storeu_si256((__m256i *)(void *)w, v);
  if (set & TEXT_DEL) mark = _mm256_add_epi8(mark, _mm256_set1_epi8(1));
  if (set & TEXT_CONTROL) mark = _mm256_subs_epi8(mark, _mm256_set1_epi8(set & TEXT_DEL ? 0x21 : 0x20));
  if (set & (TEXT_QUOTE | TEXT_SLASH)) {
    const __m256i row = _mm256_setr_epi8(TEXT_WIDE_ROW, TEXT_WIDE_ROW);
    mark = _mm256_or_si256(mark, _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(row, v)));
  }
  return (uint32_t)_mm256_movemask_epi8(mark);
}

/* text_copy32_wide for 64 bytes. */
FL_INLINE TEXT_WIDE_TARGET uint64_t text_copy64_wide(char *w, const char *s, const unsigned set) {
  const uint64_t low = text_copy32_wide(w, s, set);
  return low | text_copy32_wide(w + 32, s + 32, set) << 32;
}

#undef TEXT_WIDE_ROW

/* text_escape_repair32_ without a call of code that is not for AVX2: words with an escape in 10 characters take 5 to
** 7 % less time. */
FL_INLINE TEXT_WIDE_TARGET char *text_escape_repair32_wide(char *w, const char *s, size_t n, uint64_t hits) {
  const char *r = s, *next;
  FL_ASSERT(hits != 0 && n <= 32 && hits >> n == 0);
  if (FL_UNLIKELY(!text_is_readable(s, 64))) {
    _mm256_zeroupper();
    return text_escape_repair32_(w, s, n, hits);
  }
  do {
    next = s + fl_trailing_zeros(hits);
    w = text_put_escape(w + (next - r), (unsigned char)*next);
    r = next + 1;
    _mm256_storeu_si256((__m256i *)(void *)w, _mm256_loadu_si256((const __m256i *)(const void *)r));
    hits &= hits - 1;
  } while (hits);
  return w + (s + n - r);
}

/* text_settle32 for marks that are not zero. Before a call of code that is not for AVX2 the upper halves of the vector
** registers are cleared explicitly: while they are in use such code takes 70 ns longer (a Xeon of 2023), and gcc 12
** does not clear them for a static function that leaves them alone. */
FL_NOINLINE TEXT_WIDE_TARGET char *text_settle32_wide_(char *w, const char *s, size_t n, uint64_t marks,
                                                       unsigned *high) {
  FL_ASSERT(marks != 0 && n <= 32 && marks >> n == 0);
  if (FL_LIKELY(!(marks & (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)(const void *)s)))))
    return text_escape_repair32_wide(w, s, n, marks);
  _mm256_zeroupper();
  return text_settle32(w, s, n, marks, high);
}

/* text_settle32 for AVX2. One escape, the most frequent case, needs no call: words with an escape in 10 characters take
** 5 to 8 % less time, in 100 characters 2 to 4 %. */
FL_INLINE TEXT_WIDE_TARGET char *text_settle32_wide(char *w, const char *s, size_t n, uint64_t marks, unsigned *high) {
  const char *r = s + fl_trailing_zeros(marks);
  const unsigned char c = (unsigned char)*r++;
  if (FL_UNLIKELY(marks & (marks - 1)) || FL_UNLIKELY(c >= 128) || FL_UNLIKELY(!text_is_readable(s, 64)))
    return text_settle32_wide_(w, s, n, marks, high);
  w = text_put_escape(w + (r - s) - 1, c);
  _mm256_storeu_si256((__m256i *)(void *)w, _mm256_loadu_si256((const __m256i *)(const void *)r));
  return w + (s + n - r);
}
