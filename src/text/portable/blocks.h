/* SPDX-License-Identifier: MIT
** blocks.h -- template: the vectors of blocks_template.h as words of 8 bytes, for every CPU.
** Must hold: the template undefines the names, but not TEXT_TARGET_. text/x86/blocks.h says what they are. In a word
** that answers, the top bit of each byte counts. */
#ifndef FLEECE_TEXT_PORTABLE_BLOCKS_H
#define FLEECE_TEXT_PORTABLE_BLOCKS_H

#include "../../base/def.h"

enum { TEXT_B_TOP = 0x80 };
#define TEXT_B_EACH(c) ((uint64_t)(unsigned char)(c)*UINT64_C(0x0101010101010101))

/* The word whose lowest byte is *p. */
FL_INLINE uint64_t text_b_word(const char *p) {
  uint64_t x = 0;
  if (!FLEECE_BIG_ENDIAN) return fl_load64(p);
  for (int i = 7; i >= 0; i--) x = x << 8 | (unsigned char)p[i];
  return x;
}

/* Finds bytes that are 0: adding 127 to its low 7 bits leaves the top bit clear, and its own is clear, too. */
FL_INLINE uint64_t text_b_zeros(uint64_t x) { return ~(((x & TEXT_B_EACH(0x7f)) + TEXT_B_EACH(0x7f)) | x); }

/* Returns the top bits of the bytes as 8 bits: each product moves one of them to the highest byte. */
FL_INLINE uint64_t text_b_bits(uint64_t x) {
  return ((x & TEXT_B_EACH(TEXT_B_TOP)) >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

#endif

#define TEXT_TARGET_8
#define text_b_vector uint64_t
#define text_b_load(p) text_b_word(p)
#define text_b_all(c) TEXT_B_EACH(c)
#define text_b_or(a, b) ((a) | (b))
#define text_b_equal(a, b) text_b_zeros((a) ^ (b))
#define text_b_is_control(a) text_b_zeros((a)&TEXT_B_EACH(0xe0))
#define text_b_is_high(a) (a)
#define text_b_either(a, b) text_b_or(a, b)
#define text_b_mask(v, test)                                                                       \
  (text_b_bits(test(v[0])) | text_b_bits(test(v[1])) << 8 | text_b_bits(test(v[2])) << 16 |        \
   text_b_bits(test(v[3])) << 24 | text_b_bits(test(v[4])) << 32 | text_b_bits(test(v[5])) << 40 | \
   text_b_bits(test(v[6])) << 48 | text_b_bits(test(v[7])) << 56)
#define text_b_count(x) fl_count_bits(x)
