/* SPDX-License-Identifier: MIT
** def.h -- what every room uses: inlining, branch hints, assertions, features of the CPU, unaligned access, bits.
** Must hold: no Lua, no state, no libc beyond memcpy. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(_M_X64) && !defined(__GNUC__)
#include <intrin.h>
#endif

#if defined(__GNUC__)
#if defined(__OPTIMIZE__)
#define FL_INLINE static inline __attribute__((always_inline, unused))
#else /* not inlined without optimization: a debugger can step in, and compiling is 15 times faster */
#define FL_INLINE static inline __attribute__((unused))
#endif
#define FL_FUNC static __attribute__((unused))
#define FL_NOINLINE static __attribute__((noinline, unused))
#define FL_COLD __attribute__((cold)) /* rarely called: registers go to the hot path */
#define FL_LIKELY(x) __builtin_expect(!!(x), 1)
#define FL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FL_TARGET(isa) __attribute__((target(isa)))
#define FL_PREFETCH(p) __builtin_prefetch(p)
#define FL_ALIGNED __attribute__((aligned(64))) /* for loops that take up to 8 % longer at an unlucky address */
#elif defined(_MSC_VER)
#define FL_INLINE static __forceinline
#define FL_FUNC static
#define FL_NOINLINE static __declspec(noinline)
#define FL_COLD
#define FL_LIKELY(x) (x)
#define FL_UNLIKELY(x) (x)
#define FL_TARGET(isa)
#define FL_PREFETCH(p) ((void)(p))
#define FL_ALIGNED
#else
#define FL_INLINE static inline
#define FL_FUNC static
#define FL_NOINLINE static
#define FL_COLD
#define FL_LIKELY(x) (x)
#define FL_UNLIKELY(x) (x)
#define FL_TARGET(isa)
#define FL_PREFETCH(p) ((void)(p))
#define FL_ALIGNED
#endif

/* Files that src/parts includes between these two are compiled for size, because their loops are not hot. That makes
** the object 5 % smaller. Include a header with hot functions before. */
#if defined(__OPTIMIZE__) && defined(NDEBUG) && !defined(__clang__) && __GNUC__ >= 8
/* Keeps the alignment of loops. Aligning the targets of jumps costs 2 % of the object and only pays for files between
** FL_HOT_BEGIN and FL_HOT_END: 3 % of encode. */
#pragma GCC optimize("align-jumps=1")
#define FL_HOT_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"align-jumps=16\")")
#define FL_HOT_END _Pragma("GCC pop_options")
#define FL_SMALL_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"Os\")")
#define FL_SMALL_END _Pragma("GCC pop_options")
#else
#define FL_HOT_BEGIN
#define FL_HOT_END
#define FL_SMALL_BEGIN
#define FL_SMALL_END
#endif

/* A function that the module exports: luaopen_. */
#if defined(_WIN32)
#define FLEECE_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FLEECE_EXPORT __attribute__((visibility("default")))
#else
#define FLEECE_EXPORT
#endif

/* Functions that other files call are in .c files. They are static in the one-file build that users make. With
** FLEECE_APART (the parts that make compiles, development builds, and tests that call them) they have hidden
** visibility. */
#if defined(FLEECE_APART) && defined(__GNUC__)
#define FL_PRIVATE __attribute__((visibility("hidden")))
#define FL_PRIVATE_NOINLINE __attribute__((visibility("hidden"), noinline))
#elif defined(FLEECE_APART)
#define FL_PRIVATE
#define FL_PRIVATE_NOINLINE
#else
#define FL_PRIVATE FL_FUNC
#define FL_PRIVATE_NOINLINE FL_NOINLINE
#endif
#if defined(FLEECE_APART) /* prototype of an FL_PRIVATE table */
#define FL_TABLE extern FL_PRIVATE
#else
#define FL_TABLE FL_PRIVATE
#endif

/* FL_ONE_OBJECT: a constant in a header whose address or size matters. FL_SHARED: a function in a header that is
** called, not inlined. Separately compiled files share one copy. */
#if defined(FLEECE_APART) && defined(__GNUC__)
#define FL_ONE_OBJECT __attribute__((weak, visibility("hidden")))
#define FL_SHARED __attribute__((weak, visibility("hidden"), noinline))
#else
#define FL_ONE_OBJECT static
#define FL_SHARED FL_NOINLINE
#endif
#define FL_IDENTITY FL_ONE_OBJECT const char /* a key of Lua's registry, or the mark of a userdata */

/* Token pasting after the arguments are expanded: templates name their instances with it. */
#define FL_PASTE_(a, b) a##_##b
#define FL_PASTE(a, b) FL_PASTE_(a, b)

/* A compile-time assertion, placed above the line that relies on it; `name` states it in words. */
#define FL_STATIC_ASSERT(cond, name) typedef char fl_static_assert_##name[(cond) ? 1 : -1]

/* A run-time assertion, only checked in FLEECE_ASSERT builds (tests, fuzzers). */
#ifdef FLEECE_ASSERT
#include <assert.h>
#define FL_ASSERT(cond) assert(cond)
#else
#define FL_ASSERT(cond) ((void)0)
#endif

/* Reading past the end of a string, but within its page, is the fastest way over short strings. The hardware allows it;
** sanitizers and memory tagging do not, so builds for them read only the string. */
#if !defined(FLEECE_STRICT_READS)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FLEECE_STRICT_READS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define FLEECE_STRICT_READS 1
#endif
#endif
#endif
#if !defined(FLEECE_STRICT_READS) && defined(__ARM_FEATURE_MEMORY_TAGGING)
#define FLEECE_STRICT_READS 1
#endif
#ifndef FLEECE_STRICT_READS
#define FLEECE_STRICT_READS 0
#endif

/* FLEECE_SIMD_x: the vector instructions that every CPU of this architecture has. SWAR: none; words are used. */
#if defined(FLEECE_NO_SIMD)
#define FLEECE_SIMD_SWAR 1
#elif defined(__x86_64__) || defined(_M_X64)
#define FLEECE_SIMD_SSE2 1
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define FLEECE_SIMD_NEON 1
#else
#define FLEECE_SIMD_SWAR 1
#endif

/* FLEECE_WIDE: code for AVX2 is compiled; text_cpu() says whether this CPU has it. It needs reads past the end. Not for
** GCC on Windows, which spills wide registers with aligned moves to an unaligned stack (GCC bug 54412). */
#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__) && !FLEECE_STRICT_READS && (!defined(_WIN32) || defined(__clang__))
#define FLEECE_WIDE 1
#else
#define FLEECE_WIDE 0
#endif

/* FLEECE_WIDEST: the same for AVX-512 with VBMI and VBMI2, where the compiler knows them. */
#if FLEECE_WIDE && (defined(__clang__) ? __clang_major__ >= 6 : __GNUC__ >= 8)
#define FLEECE_WIDEST 1
#else
#define FLEECE_WIDEST 0
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FLEECE_BIG_ENDIAN 1
#else
#define FLEECE_BIG_ENDIAN 0
#endif

/* Unaligned access. The compiler turns each memcpy into one move. */
FL_INLINE uint16_t fl_load16(const void *p) {
  uint16_t x;
  memcpy(&x, p, sizeof x);
  return x;
}
FL_INLINE uint32_t fl_load32(const void *p) {
  uint32_t x;
  memcpy(&x, p, sizeof x);
  return x;
}
FL_INLINE uint64_t fl_load64(const void *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return x;
}
FL_INLINE const char *fl_load_ptr(const void *p) {
  const char *x;
  memcpy(&x, p, sizeof x);
  return x;
}
FL_INLINE char *fl_load_mutable(const void *p) {
  char *x;
  memcpy(&x, p, sizeof x);
  return x;
}
FL_INLINE void fl_store32(void *p, uint32_t x) { memcpy(p, &x, sizeof x); }
FL_INLINE void fl_store64(void *p, uint64_t x) { memcpy(p, &x, sizeof x); }

/* Returns the number of the lowest set bit, which is the number of zeros below it. x must not be 0. */
FL_INLINE unsigned fl_trailing_zeros(uint64_t x) {
#if defined(__GNUC__)
  FL_ASSERT(x != 0);
  return (unsigned)__builtin_ctzll(x);
#elif defined(_M_X64)
  unsigned long i;
  _BitScanForward64(&i, x);
  return (unsigned)i;
#else
  unsigned n = 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
#endif
}

/* Returns the number of zeros above the highest set bit. x must not be 0. */
FL_INLINE unsigned fl_leading_zeros(uint64_t x) {
#if defined(__GNUC__)
  FL_ASSERT(x != 0);
  return (unsigned)__builtin_clzll(x);
#else
  unsigned n = 0;
  for (; !(x >> 63); x <<= 1) n++;
  return n;
#endif
}

FL_INLINE unsigned fl_count_bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns the carry of a + b, 0 or 1. */
FL_INLINE uint64_t fl_add(uint64_t a, uint64_t b, uint64_t *sum) {
#if defined(__GNUC__) && (__GNUC__ >= 5 || defined(__clang__))
  return __builtin_add_overflow(a, b, sum);
#else
  *sum = a + b;
  return *sum < a;
#endif
}

/* Returns a mask of the lowest n bits, n < 64. */
FL_INLINE uint64_t fl_low_bits(size_t n) {
  FL_ASSERT(n < 64);
  return ((uint64_t)1 << n) - 1;
}
