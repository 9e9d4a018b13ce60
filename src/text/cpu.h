/* SPDX-License-Identifier: MIT
** cpu.h -- which vector instructions beyond the baseline this CPU has.
** May call: cpuid.  Must hold: asked once per Lua state and the answer kept there: a virtual machine traps the
** question (2 us each, and every encode within a hook would ask), and there are no mutable statics. */
#ifndef FLEECE_TEXT_CPU_H
#define FLEECE_TEXT_CPU_H

#include "../base/def.h"
#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__)
#include <cpuid.h>
#endif

enum {
  TEXT_CPU_LOOKUP = 1, /* bytes looked up in a register: SSSE3, NEON */
  TEXT_CPU_WIDE = 2,   /* AVX2, BMI and BMI2, and a system that saves the wide registers */
  TEXT_CPU_WIDEST = 4  /* AVX-512 F, BW, VL, VBMI and VBMI2, and the same */
};

#if FLEECE_WIDE
/* xgetbv(0): which registers the system saves. In bytes, for want of a name without -mxsave. */
#define TEXT_SAVES_WIDE 0x06u   /* both halves of 32 bytes */
#define TEXT_SAVES_WIDEST 0xe6u /* the rest of 64 bytes, and the masks, too */
FL_FUNC unsigned text_cpu_saves(void) {
  unsigned low, high;
  __asm__(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/* TEXT_CPU_WIDE and _WIDEST; asked only where there are leaf 7 and xgetbv. */
FL_FUNC unsigned text_cpu_wide(void) {
  const unsigned wide = bit_AVX2 | bit_BMI | bit_BMI2, saves = text_cpu_saves();
#if FLEECE_WIDEST
  const unsigned widest = bit_AVX512F | bit_AVX512BW | bit_AVX512VL, bytes = bit_AVX512VBMI | bit_AVX512VBMI2;
#endif
  unsigned a, b, c, d;
  __cpuid_count(7, 0, a, b, c, d);
  if ((b & wide) != wide || (saves & TEXT_SAVES_WIDE) != TEXT_SAVES_WIDE) return 0;
#if FLEECE_WIDEST
  if ((b & widest) == widest && (c & bytes) == bytes && (saves & TEXT_SAVES_WIDEST) == TEXT_SAVES_WIDEST)
    return TEXT_CPU_WIDE | TEXT_CPU_WIDEST;
#endif
  (void)a, (void)c, (void)d;
  return TEXT_CPU_WIDE;
}
#endif

FL_FUNC unsigned text_cpu(void) {
#if defined(FLEECE_SIMD_NEON)
  return TEXT_CPU_LOOKUP;
#elif defined(FLEECE_SIMD_SSE2) && defined(__GNUC__)
  unsigned a, b, c, d, most, has;
  __cpuid(0, most, b, c, d);
  __cpuid(1, a, b, c, d);
  has = c & bit_SSSE3 ? TEXT_CPU_LOOKUP : 0;
#if FLEECE_WIDE
  if (most >= 7 && (c & bit_OSXSAVE)) has |= text_cpu_wide();
#endif
  (void)most;
  return has;
#else
  return 0;
#endif
}

#endif
