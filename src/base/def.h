/* SPDX-License-Identifier: MIT
** def.h -- the words every room speaks: inlining, branch hints, unaligned loads and stores.
** May call: nothing.  Must hold: no Lua, no state, no libc beyond memcpy. */
#ifndef FLEECE_BASE_DEF_H
#define FLEECE_BASE_DEF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#if defined(__OPTIMIZE__)
#define FL_INLINE static inline __attribute__((always_inline, unused))
#else /* to step through: and 15 times faster to compile, for nothing shortens a function that has many in it */
#define FL_INLINE static inline __attribute__((unused))
#endif
#define FL_FUNC static __attribute__((unused))
#define FL_NOINLINE static __attribute__((noinline, unused))
#define FL_LIKELY(x) __builtin_expect(!!(x), 1)
#define FL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FL_TARGET(isa) __attribute__((target(isa)))
#define FL_PREFETCH(p) __builtin_prefetch(p)
#define FL_ALIGNED __attribute__((aligned(64))) /* a loop whose place by chance would cost up to 8 % */
#elif defined(_MSC_VER)
#define FL_INLINE static __forceinline
#define FL_FUNC static
#define FL_NOINLINE static __declspec(noinline)
#define FL_LIKELY(x) (x)
#define FL_UNLIKELY(x) (x)
#define FL_TARGET(isa)
#define FL_PREFETCH(p) ((void)(p))
#define FL_ALIGNED
#else
#define FL_INLINE static inline
#define FL_FUNC static
#define FL_NOINLINE static
#define FL_LIKELY(x) (x)
#define FL_UNLIKELY(x) (x)
#define FL_TARGET(isa)
#define FL_PREFETCH(p) ((void)(p))
#define FL_ALIGNED
#endif

/* A function that the module exports: luaopen_. */
#if defined(_WIN32)
#define FLEECE_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FLEECE_EXPORT __attribute__((visibility("default")))
#else
#define FLEECE_EXPORT
#endif

/* Functions that other files call stand in .c files. In the one-file build that users make they are static. Compiled
** apart (FLEECE_APART: development builds, and tests that call them) they are the object's own. */
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

/* Token pasting with the arguments expanded first: every template names its instances with it. */
#define FL_PASTE_(a, b) a##_##b
#define FL_PASTE(a, b) FL_PASTE_(a, b)

/* Compile-time claim, placed above the line that relies on it; `name` is the claim in words. */
#define FL_STATIC_ASSERT(cond, name) typedef char fl_static_assert_##name[(cond) ? 1 : -1]

/* Internal claim: checked in tests and fuzzers (FLEECE_ASSERT), free in a release. */
#ifdef FLEECE_ASSERT
#include <assert.h>
#define FL_ASSERT(cond) assert(cond)
#else
#define FL_ASSERT(cond) ((void)0)
#endif

/* Reads past the end of a string, within its page, are the fastest way over short strings. They are
** harmless to the hardware and intolerable to checkers, so checkers get the strict variant. */
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

/* FLEECE_SIMD: which vector instructions the baseline of this CPU guarantees. */
#if defined(FLEECE_NO_SIMD)
#define FLEECE_SIMD_SWAR 1
#elif defined(__x86_64__) || defined(_M_X64)
#define FLEECE_SIMD_SSE2 1
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define FLEECE_SIMD_NEON 1
#else
#define FLEECE_SIMD_SWAR 1
#endif

/* FLEECE_WIDE: AVX2 may be there; text_cpu() tells. Without over-reads its step would never run. GCC for Windows
** spills wide registers with aligned moves to a stack that is not aligned (its bug 54412). */
#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__) && !FLEECE_STRICT_READS && (!defined(_WIN32) || defined(__clang__))
#define FLEECE_WIDE 1
#else
#define FLEECE_WIDE 0
#endif

/* FLEECE_WIDEST: AVX-512 with VBMI and VBMI2 may be there, and the compiler knows it; text_cpu() tells. */
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
FL_INLINE void fl_store16(void *p, uint16_t x) { memcpy(p, &x, sizeof x); }
FL_INLINE void fl_store32(void *p, uint32_t x) { memcpy(p, &x, sizeof x); }
FL_INLINE void fl_store64(void *p, uint64_t x) { memcpy(p, &x, sizeof x); }

#endif
