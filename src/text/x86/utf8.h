/* SPDX-License-Identifier: MIT
** utf8.h -- template: the vectors of utf8_template.h on x86-64, of TEXT_U_BYTES bytes, 16, 32 or 64.
** Must hold: included for one size at a time; the template undefines the names at its end. text/arm/utf8.h has the
** same.
**
**   TEXT_U_TARGET          what the CPU must have
**   text_u_table(p)        the 16 bytes at p in every 16 lanes
**   text_u_back(a,b,k)     the vector k bytes before a in the text, where b comes before a
**   text_u_over(a,b)       a - b, or 0
**   text_u_first(s,n)      the n bytes at s, fewer than a vector, and zeros; nothing else is read. Optional: without it
**                          the template reads or copies them. */

#if TEXT_U_BYTES == 64
#define TEXT_U_TARGET FL_TARGET("avx512f,avx512bw,bmi2")
#define text_u __m512i
#define text_u_load(p) _mm512_loadu_si512((const void *)(p))
#define text_u_table(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define text_u_all(c) _mm512_set1_epi8((char)(c))
#define text_u_and(a, b) _mm512_and_si512(a, b)
#define text_u_or(a, b) _mm512_or_si512(a, b)
#define text_u_xor(a, b) _mm512_xor_si512(a, b)
#define text_u_over(a, b) _mm512_subs_epu8(a, b)
#define text_u_high_nibble(a) _mm512_and_si512(_mm512_srli_epi16(a, 4), text_u_all(15))
#define text_u_lookup(table, a) _mm512_shuffle_epi8(table, a)
#define text_u_back(a, b, k) _mm512_alignr_epi8(a, _mm512_alignr_epi64(a, b, 6), 16 - (k))
#define text_u_any(a) (_mm512_test_epi8_mask(a, a) != 0)
#define text_u_anyhigh(a) (_mm512_movepi8_mask(a) != 0)
#define text_u_first(s, n) _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)(n)), s)

#elif TEXT_U_BYTES == 32
#define TEXT_U_TARGET FL_TARGET("avx2")
#define text_u __m256i
#define text_u_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define text_u_table(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define text_u_all(c) _mm256_set1_epi8((char)(c))
#define text_u_and(a, b) _mm256_and_si256(a, b)
#define text_u_or(a, b) _mm256_or_si256(a, b)
#define text_u_xor(a, b) _mm256_xor_si256(a, b)
#define text_u_over(a, b) _mm256_subs_epu8(a, b)
#define text_u_high_nibble(a) _mm256_and_si256(_mm256_srli_epi16(a, 4), text_u_all(15))
#define text_u_lookup(table, a) _mm256_shuffle_epi8(table, a)
#define text_u_back(a, b, k) _mm256_alignr_epi8(a, _mm256_permute2x128_si256(b, a, 0x21), 16 - (k))
#define text_u_any(a) (!_mm256_testz_si256(a, a))
#define text_u_anyhigh(a) (_mm256_movemask_epi8(a) != 0)

#else
#define TEXT_U_TARGET FL_TARGET("ssse3")
#define text_u __m128i
#define text_u_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define text_u_table(p) text_u_load(p)
#define text_u_all(c) _mm_set1_epi8((char)(c))
#define text_u_and(a, b) _mm_and_si128(a, b)
#define text_u_or(a, b) _mm_or_si128(a, b)
#define text_u_xor(a, b) _mm_xor_si128(a, b)
#define text_u_over(a, b) _mm_subs_epu8(a, b)
#define text_u_high_nibble(a) _mm_and_si128(_mm_srli_epi16(a, 4), text_u_all(15))
#define text_u_lookup(table, a) _mm_shuffle_epi8(table, a)
#define text_u_back(a, b, k) _mm_alignr_epi8(a, b, 16 - (k))
#define text_u_any(a) (_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) != 0xffff)
#define text_u_anyhigh(a) (_mm_movemask_epi8(a) != 0)
#endif
