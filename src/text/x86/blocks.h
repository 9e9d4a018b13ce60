/* SPDX-License-Identifier: MIT
** blocks.h -- template: the vectors of blocks_template.h on x86-64, of TEXT_B_BYTES bytes: 16, 32 or 64.
** Must hold: the template undefines the names, but not TEXT_TARGET_. text/arm/blocks.h and text/portable/blocks.h have
** the same.
**
**   TEXT_TARGET_64         what the CPU must have
**   text_b_equal(a,b)      which lanes are equal, as text_b_mask takes it; so text_b_is_control, text_b_is_high
**   text_b_either(a,b)     of two such results: which lanes are in one of them
**   text_b_mask(v,test)    the bits of test(v[i]) of all vectors of a block
**   text_b_odd(x)          see blocks_template.h; optional. The product without carries of x and all ones is that.
**   text_b_count(x)        the number of bits
**   text_b_lookup(t,a)     t[a % 16] for each byte of a, where it is below 128; optional, and with it
**   text_b_spaces          a table with each white space of JSON at its low four bits; 0 elsewhere, also for byte 1
**   text_b_any(a,b)        which lanes have a bit in common; the top bits are 0
**   text_b_escapes_low     for each low half of a byte, the high halves with which it may follow a backslash, a bit for
**   text_b_escapes_high    each, as the other table has them: 2 " /, 5 \, 6 b f n, 7 r t u
**   text_b_put(to,m,at)    writes at[i] for each set bit i of the 16 of m, and arbitrary numbers up to to[16]; optional
**   text_b_from(at)        the vector that it takes: at and the next 15 numbers
**   text_b_on(at)          the vector of the next 16 numbers */

#if TEXT_B_BYTES == 64
#define TEXT_TARGET_64 FL_TARGET("avx512f,avx512bw,avx512vl,avx2,bmi,bmi2,popcnt,pclmul")
#define text_b_vector __m512i
#define text_b_load(p) _mm512_loadu_si512((const void *)(p))
#define text_b_all(c) _mm512_set1_epi8((char)(c))
#define text_b_or(a, b) _mm512_or_si512(a, b)
#define text_b_equal(a, b) _mm512_cmpeq_epi8_mask(a, b)
#define text_b_is_control(a) _mm512_cmplt_epu8_mask(a, text_b_all(0x20))
#define text_b_is_high(a) _mm512_movepi8_mask(a)
#define text_b_either(a, b) ((a) | (b))
#define text_b_mask(v, test) ((uint64_t)test(v[0]))
#define text_b_table(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))
#define text_b_lookup(table, a) _mm512_shuffle_epi8(table, a)
#define text_b_high_nibble(a) _mm512_and_si512(_mm512_srli_epi16(a, 4), text_b_all(15))
#define text_b_any(a, b) _mm512_test_epi8_mask(a, b)
#define text_b_put(to, m, at) _mm512_storeu_si512((void *)(to), _mm512_maskz_compress_epi32((__mmask16)(m), at))
#define text_b_from(at)                          \
  _mm512_add_epi32(_mm512_set1_epi32((int)(at)), \
                   _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define text_b_on(at) _mm512_add_epi32(at, _mm512_set1_epi32(16))

#elif TEXT_B_BYTES == 32
#define TEXT_TARGET_32 FL_TARGET("avx2,bmi,bmi2,popcnt,pclmul")
#define text_b_vector __m256i
#define text_b_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define text_b_all(c) _mm256_set1_epi8((char)(c))
#define text_b_or(a, b) _mm256_or_si256(a, b)
#define text_b_equal(a, b) _mm256_cmpeq_epi8(a, b)
#define text_b_is_control(a) _mm256_cmpeq_epi8(_mm256_max_epu8(a, text_b_all(0x1f)), text_b_all(0x1f))
#define text_b_is_high(a) (a)
#define text_b_either(a, b) text_b_or(a, b)
#define text_b_mask(v, test) \
  ((uint32_t)_mm256_movemask_epi8(test(v[0])) | (uint64_t)(uint32_t)_mm256_movemask_epi8(test(v[1])) << 32)
#define text_b_table(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define text_b_lookup(table, a) _mm256_shuffle_epi8(table, a)
#define text_b_high_nibble(a) _mm256_and_si256(_mm256_srli_epi16(a, 4), text_b_all(15))
#define text_b_any(a, b) _mm256_cmpgt_epi8(_mm256_and_si256(a, b), _mm256_setzero_si256())

#else
#define TEXT_TARGET_16
#define text_b_vector __m128i
#define text_b_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define text_b_all(c) _mm_set1_epi8((char)(c))
#define text_b_or(a, b) _mm_or_si128(a, b)
#define text_b_equal(a, b) _mm_cmpeq_epi8(a, b)
#define text_b_is_control(a) _mm_cmpeq_epi8(_mm_max_epu8(a, text_b_all(0x1f)), text_b_all(0x1f))
#define text_b_is_high(a) (a)
#define text_b_either(a, b) text_b_or(a, b)
#define text_b_mask(v, test)                                                                                     \
  ((uint64_t)(unsigned)_mm_movemask_epi8(test(v[0])) | (uint64_t)(unsigned)_mm_movemask_epi8(test(v[1])) << 16 | \
   (uint64_t)(unsigned)_mm_movemask_epi8(test(v[2])) << 32 | (uint64_t)(unsigned)_mm_movemask_epi8(test(v[3])) << 48)
#endif

#if TEXT_B_BYTES == 16
#define text_b_count(x) fl_count_bits(x)
#else
#define text_b_count(x) ((unsigned)__builtin_popcountll(x))
#define text_b_spaces text_b_table(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0)
#define text_b_escapes_low text_b_table(0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1)
#define text_b_escapes_high text_b_table(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0)
#define text_b_odd(x) \
  ((uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)(x)), _mm_set1_epi8(-1), 0)))
#endif
#define text_b_hide(v) __asm__("" : "+x"(v))
