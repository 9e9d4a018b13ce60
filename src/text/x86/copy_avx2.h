/* SPDX-License-Identifier: MIT
** copy_avx2.h -- the inline step of the escape copy in one 32-byte word, for CPUs with AVX2.
** May call: quote_template.h.  Must hold: inlined only into functions of TEXT_WIDE_TARGET, which run only where
** text_cpu() told of TEXT_CPU_WIDE; TEXT_STAR is not in `set`, and TEXT_DEL only with TEXT_CONTROL.
**
** It pays when a whole walk is compiled for it, so that no call comes between: arrays of words take 24 % less
** time than with two 16-byte words, escapes-100 11 to 19 % less, documents of long text nothing. */
#ifndef FLEECE_TEXT_X86_COPY_AVX2_H
#define FLEECE_TEXT_X86_COPY_AVX2_H

#include "vector.h"
#include "../quote_template.h"
#include <immintrin.h>

#define TEXT_WIDE_TARGET FL_TARGET("avx2,bmi,bmi2")

/* By their low four bits a shuffle looks up, for each byte, the one of the set that it may be: quote, backslash and
** slash differ there. Where there is none stands a byte with other low bits. (E4: 7 to 14 % less time on words than
** with three compares.) */
#define TEXT_WIDE_ROW                                                                           \
  1, 0, set &TEXT_QUOTE ? '"' : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, set &TEXT_QUOTE ? '\\' : 0, 0, 0, \
      set &TEXT_SLASH ? '/' : 0

/* As text_copy32 of quote_template.h; what is marked is what text_vmarks of vector.h says. */
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

/* Two of them. */
FL_INLINE TEXT_WIDE_TARGET uint64_t text_copy64_wide(char *w, const char *s, const unsigned set) {
  const uint64_t low = text_copy32_wide(w, s, set);
  return low | text_copy32_wide(w + 32, s + 32, set) << 32;
}

#undef TEXT_WIDE_ROW

/* As text_escape_repair32_, but no call of code for any CPU: words with an escape in 10 characters take 5 to 7 % less
** time. */
FL_INLINE TEXT_WIDE_TARGET char *text_escape_repair32_wide(char *w, const char *s, size_t n, uint64_t hits) {
  const char *r = s, *next;
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

/* As text_settle32; marks is not zero. Before code for any CPU the upper halves of the vector registers are cleared
** by hand: where they are in use such code takes 70 ns longer (a Xeon of 2023), and gcc 12 does not clear them for
** a static function that leaves them alone. */
FL_NOINLINE TEXT_WIDE_TARGET char *text_settle32_wide_(char *w, const char *s, size_t n, uint64_t marks,
                                                       unsigned *high) {
  if (FL_LIKELY(!(marks & (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)(const void *)s)))))
    return text_escape_repair32_wide(w, s, n, marks);
  _mm256_zeroupper();
  return text_settle32(w, s, n, marks, high);
}

/* The same; one escape, the commonest case, needs no call: words with an escape in 10 characters take 5 to 8 % less
** time, in 100 characters 2 to 4 %. */
FL_INLINE TEXT_WIDE_TARGET char *text_settle32_wide(char *w, const char *s, size_t n, uint64_t marks, unsigned *high) {
  const char *r = s + fl_trailing_zeros(marks);
  const unsigned char c = (unsigned char)*r++;
  if (FL_UNLIKELY(marks & (marks - 1)) || FL_UNLIKELY(c >= 128) || FL_UNLIKELY(!text_is_readable(s, 64)))
    return text_settle32_wide_(w, s, n, marks, high);
  w = text_put_escape(w + (r - s) - 1, c);
  _mm256_storeu_si256((__m256i *)(void *)w, _mm256_loadu_si256((const __m256i *)(const void *)r));
  return w + (s + n - r);
}

#endif
