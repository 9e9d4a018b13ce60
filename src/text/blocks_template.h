/* SPDX-License-Identifier: MIT
** blocks_template.h -- finds bytes in 64 bytes of text, as masks of 64 bits, the first byte lowest.
** Must hold: reads 64 bytes. blocks.h includes it for each size of vectors.
** Parameter, undefined at the end: TEXT_B_BYTES, the bytes of a vector: 64, 32 or 16, or 8 for words. Defines struct
** text_block_64 and text_block_vector_64, and functions text_block_load_64 and so on. Their callers need the
** attribute TEXT_TARGET_64. */
#if TEXT_B_BYTES == 8
#include "portable/blocks.h"
#elif defined(FLEECE_SIMD_NEON)
#include "arm/blocks.h"
#else
#include "x86/blocks.h"
#endif

#define TEXT_B(name) FL_PASTE(FL_PASTE(text_block, name), TEXT_B_BYTES)
#define TEXT_BLOCK struct FL_PASTE(text_block, TEXT_B_BYTES)
#define TEXT_B_TARGET FL_PASTE(TEXT_TARGET, TEXT_B_BYTES)

typedef text_b_vector TEXT_B(vector);

struct FL_PASTE(text_block, TEXT_B_BYTES) {
  TEXT_B(vector) v[64 / TEXT_B_BYTES];
};

TEXT_B_TARGET FL_INLINE TEXT_BLOCK TEXT_B(load)(const char *p) {
  TEXT_BLOCK b;
  for (int i = 0; i < 64 / TEXT_B_BYTES; i++) b.v[i] = text_b_load(p + i * TEXT_B_BYTES);
  return b;
}

/* Returns the block with bit 5 of each byte set: brackets and braces become braces. */
TEXT_B_TARGET FL_INLINE TEXT_BLOCK TEXT_B(fold)(TEXT_BLOCK b) {
  for (int i = 0; i < 64 / TEXT_B_BYTES; i++) b.v[i] = text_b_or(b.v[i], text_b_all(0x20));
  return b;
}

/* Finds c. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(is)(const TEXT_BLOCK *b, const char c) {
#define TEXT_B_TEST(v) text_b_equal(v, text_b_all(c))
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TEST
}

/* Returns a vector of the byte c, in memory or a register: a compiler that knows its value would create it anew each
** time. */
TEXT_B_TARGET FL_INLINE text_b_vector TEXT_B(byte)(const char c) {
  text_b_vector v = text_b_all(c);
#if defined(text_b_hide)
  text_b_hide(v);
#endif
  return v;
}

/* Finds the byte of the vector. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(are)(const TEXT_BLOCK *b, text_b_vector byte) {
#define TEXT_B_TEST(v) text_b_equal(v, byte)
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TEST
}

/* Finds control characters: 0 to 31. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(controls)(const TEXT_BLOCK *b) { return text_b_mask(b->v, text_b_is_control); }

/* Finds bytes of 0x80 or above. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(high)(const TEXT_BLOCK *b) { return text_b_mask(b->v, text_b_is_high); }

/* Finds quotes, backslashes and control characters. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(stops)(const TEXT_BLOCK *b) {
#define TEXT_B_TEST(v)                                                                              \
  text_b_either(text_b_either(text_b_equal(v, text_b_all('"')), text_b_equal(v, text_b_all('\\'))), \
                text_b_is_control(v))
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TEST
}

/* Finds white space of JSON. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(spaces)(const TEXT_BLOCK *b) {
#if defined(text_b_lookup)
#define TEXT_B_TEST(v) text_b_equal(v, text_b_lookup(text_b_spaces, v))
#else
#define TEXT_B_TEST(v)                                                                      \
  text_b_or(text_b_or(text_b_equal(v, text_b_all(' ')), text_b_equal(v, text_b_all('\n'))), \
            text_b_or(text_b_equal(v, text_b_all('\r')), text_b_equal(v, text_b_all('\t'))))
#endif
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TEST
}

/* Finds bytes that may follow a backslash in JSON: "\\/bfnrtu. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(escapes)(const TEXT_BLOCK *b) {
#if defined(text_b_lookup)
#define TEXT_B_TEST(v) \
  text_b_any(text_b_lookup(text_b_escapes_low, v), text_b_lookup(text_b_escapes_high, text_b_high_nibble(v)))
#else
#define TEXT_B_TWO(v, x, y) text_b_or(text_b_equal(v, text_b_all(x)), text_b_equal(v, text_b_all(y)))
#define TEXT_B_TEST(v)                                                              \
  text_b_or(text_b_or(text_b_or(TEXT_B_TWO(v, '"', '\\'), TEXT_B_TWO(v, 'b', 'f')), \
                      text_b_or(TEXT_B_TWO(v, 'n', 'r'), TEXT_B_TWO(v, 't', 'u'))), \
            text_b_equal(v, text_b_all('/')))
#endif
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TWO
#undef TEXT_B_TEST
}

#if defined(text_b_lookup)
/* Finds hexadecimal digits of `kinds`, a sum of 1: 0 to 7, 2: 8 and 9, 4: a and b, 8: c to f. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(digits)(const TEXT_BLOCK *b, const int kinds) {
  const text_b_vector low = text_b_table(1, 5, 5, 9, 9, 9, 9, 1, 2, 2, 0, 0, 0, 0, 0, 0);
  const text_b_vector high = text_b_table(0, 0, 0, kinds & 3, kinds & 12, 0, kinds & 12, 0, 0, 0, 0, 0, 0, 0, 0, 0);
#define TEXT_B_TEST(v) text_b_any(text_b_lookup(low, v), text_b_lookup(high, text_b_high_nibble(v)))
  return text_b_mask(b->v, TEXT_B_TEST);
#undef TEXT_B_TEST
}
#endif

/* Sets bit i of the result if the number of set bits 0 to i of x is odd, as between two quotes. */
TEXT_B_TARGET FL_INLINE uint64_t TEXT_B(odd)(uint64_t x) {
#if defined(text_b_odd)
  return text_b_odd(x);
#else
  x ^= x << 1;
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  return x ^ x << 32;
#endif
}

/* The number of bits. */
TEXT_B_TARGET FL_INLINE unsigned TEXT_B(count)(uint64_t x) { return text_b_count(x); }

/* Writes offset + i for each of the `count` set bits i of x, and arbitrary numbers up to to[64]. */
TEXT_B_TARGET FL_INLINE void TEXT_B(list)(uint32_t *to, uint64_t x, unsigned count, uint32_t offset) {
#if defined(text_b_put)
  text_b_vector at = text_b_from(offset);
  (void)count;
  for (int i = 0; i < 4; i++, x >>= 16, at = text_b_on(at)) {
    text_b_put(to, x, at);
    to += text_b_count(x & 0xffff);
  }
#else
  for (unsigned n = 0; n < count; n += 4) { /* four at a time are predicted better */
    for (unsigned i = n; i < n + 4; i++, x &= x - 1) to[i] = offset + fl_trailing_zeros(x | UINT64_C(1) << 63);
  }
#endif
}

#undef TEXT_B
#undef TEXT_BLOCK
#undef TEXT_B_BYTES
#undef TEXT_B_TARGET
#undef text_b_vector
#undef text_b_load
#undef text_b_all
#undef text_b_or
#undef text_b_equal
#undef text_b_is_control
#undef text_b_is_high
#undef text_b_either
#undef text_b_mask
#undef text_b_odd
#undef text_b_count
#undef text_b_lookup
#undef text_b_spaces
#undef text_b_any
#undef text_b_high_nibble
#undef text_b_escapes_low
#undef text_b_escapes_high
#undef text_b_table
#undef text_b_put
#undef text_b_from
#undef text_b_on
