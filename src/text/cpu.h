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
  TEXT_CPU_WIDE = 2    /* AVX2, BMI and BMI2, and a system that saves the wide registers */
};

#if FLEECE_WIDE
/* xgetbv(0): 2 and 4 are set when the system saves both halves. In bytes, for want of a name without -mxsave. */
FL_FUNC int text_cpu_saves_wide(void) {
  unsigned low, high;
  __asm__(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
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
  if (most >= 7 && (c & bit_OSXSAVE) && text_cpu_saves_wide()) {
    const unsigned need = bit_AVX2 | bit_BMI | bit_BMI2;
    __cpuid_count(7, 0, a, b, c, d);
    if ((b & need) == need) has |= TEXT_CPU_WIDE;
  }
#endif
  (void)most;
  return has;
#else
  return 0;
#endif
}

#endif
