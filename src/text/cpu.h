/* SPDX-License-Identifier: MIT
** cpu.h -- which vector instructions beyond the baseline this CPU has.
** Must hold: called once per Lua state, which keeps the answer: there are no mutable statics, and a virtual machine
** traps cpuid (2 to 7 us each). glibc from 2.33 on provides what its loader found; other C libraries do not. */
#pragma once

#include "../base/def.h"

enum {
  TEXT_CPU_LOOKUP = 1,  /* table look-up of bytes in a register: SSSE3, NEON */
  TEXT_CPU_WIDE = 2,    /* AVX2, BMI, BMI2, PCLMUL and POPCNT, on a system that saves the wide registers */
  TEXT_CPU_WIDEST = 4,  /* AVX-512 F, BW, VL, VBMI and VBMI2, on a system that saves its registers */
  TEXT_CPU_CHECKSUM = 8 /* an instruction for CRC-32C: SSE4.2, the extension of ARMv8 */
};

/* 1: the answer is free, because glibc's loader has asked already. */
#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__) && defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#define TEXT_CPU_OF_GLIBC 1
#endif
#endif
#ifndef TEXT_CPU_OF_GLIBC
#define TEXT_CPU_OF_GLIBC 0
#endif

/* TEXT_CPU_CHECKSUM is possible here, and code for it is compiled. */
#if defined(__GNUC__) && (defined(FLEECE_SIMD_SSE2) || (defined(FLEECE_SIMD_NEON) && !FLEECE_BIG_ENDIAN))
#define TEXT_CPU_HAS_CHECKSUM 1
#else
#define TEXT_CPU_HAS_CHECKSUM 0
#endif

/* Returns the TEXT_CPU_ bits of this CPU. */
FL_PRIVATE unsigned text_cpu(void);
