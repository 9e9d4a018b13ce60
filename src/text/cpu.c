/* SPDX-License-Identifier: MIT */
#include "cpu.h"

#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__)
#include <cpuid.h>
#if TEXT_CPU_OF_GLIBC
#include <sys/platform/x86.h>
#endif
#elif defined(FLEECE_SIMD_NEON) && TEXT_CPU_HAS_CHECKSUM && defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(FLEECE_SIMD_SSE2) && defined(__GNUC__)

/* Words of cpuid's leaves 1 and 7, without the features that the system does not let programs use. */
struct text_cpu_leaves {
  unsigned c1, b7, c7;
};

#if TEXT_CPU_OF_GLIBC
static struct text_cpu_leaves text_cpu_ask(void) {
  const unsigned *one = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1)->active_array;
  const unsigned *seven = __x86_get_cpuid_feature_leaf(CPUID_INDEX_7)->active_array;
  struct text_cpu_leaves leaves = {one[2], seven[1], seven[2]}; /* eax, ebx, ecx, edx */
  return leaves;
}
#else
/* xgetbv(0): the registers that the system saves. In bytes, because the instruction has no name without -mxsave. */
#define TEXT_SAVES_WIDE 0x06u   /* all 32 bytes of the wide registers */
#define TEXT_SAVES_WIDEST 0xe6u /* all 64 bytes of them, and the masks */
static unsigned text_cpu_saves(void) {
  unsigned low, high;
  __asm__(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static struct text_cpu_leaves text_cpu_ask(void) {
  struct text_cpu_leaves leaves = {0, 0, 0};
  unsigned a, b, d, most, saves;
  __cpuid(0, most, b, leaves.c1, d);
  __cpuid(1, a, b, leaves.c1, d);
  if (most < 7 || !(leaves.c1 & bit_OSXSAVE)) return leaves;
  saves = text_cpu_saves();
  if ((saves & TEXT_SAVES_WIDE) != TEXT_SAVES_WIDE) return leaves;
  __cpuid_count(7, 0, a, leaves.b7, leaves.c7, d);
  if ((saves & TEXT_SAVES_WIDEST) != TEXT_SAVES_WIDEST) leaves.b7 &= ~(unsigned)bit_AVX512F;
  return leaves;
}
#endif

FL_PRIVATE unsigned text_cpu(void) {
  const struct text_cpu_leaves cpu = text_cpu_ask();
  unsigned has = (cpu.c1 & bit_SSSE3 ? TEXT_CPU_LOOKUP : 0u) | (cpu.c1 & bit_SSE4_2 ? TEXT_CPU_CHECKSUM : 0u);
#if FLEECE_WIDE
  const unsigned wide = bit_AVX2 | bit_BMI | bit_BMI2, words = bit_PCLMUL | bit_POPCNT;
  if ((cpu.b7 & wide) != wide || (cpu.c1 & words) != words) return has;
  has |= TEXT_CPU_WIDE;
#if FLEECE_WIDEST
  const unsigned widest = bit_AVX512F | bit_AVX512BW | bit_AVX512VL, bytes = bit_AVX512VBMI | bit_AVX512VBMI2;
  if ((cpu.b7 & widest) == widest && (cpu.c7 & bytes) == bytes) has |= TEXT_CPU_WIDEST;
#endif
#endif
  return has;
}

#else

FL_PRIVATE unsigned text_cpu(void) {
#if defined(FLEECE_SIMD_NEON) && defined(__ARM_FEATURE_CRC32)
  return TEXT_CPU_LOOKUP | TEXT_CPU_CHECKSUM;
#elif defined(FLEECE_SIMD_NEON) && TEXT_CPU_HAS_CHECKSUM && defined(__linux__)
  const unsigned long crc32 = 1ul << 7; /* HWCAP_CRC32 */
  return TEXT_CPU_LOOKUP | (getauxval(AT_HWCAP) & crc32 ? TEXT_CPU_CHECKSUM : 0u);
#elif defined(FLEECE_SIMD_NEON)
  return TEXT_CPU_LOOKUP;
#else
  return 0;
#endif
}
#endif
