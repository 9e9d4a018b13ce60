/* SPDX-License-Identifier: MIT
** checksum.c -- CRC-32C. Every variant gives the same number.
** The register of the CRC holds a polynomial over bits, the highest power in the lowest bit. `sum` is its
** complement. The instruction takes three cycles, and one can begin in each, so three parts are done at once: the
** register after AB is the one after A, times x to the power of the bits of B, plus the one after B alone. */
#include "frame.h"

enum {
  BIN_CHECKSUM_SHORT = 1024, /* bytes; too few to make tables for */
  BIN_CHECKSUM_PART = 8192   /* bytes for each of three streams */
};

#define BIN_CHECKSUM_POLYNOMIAL UINT32_C(0x82f63b78)
#define BIN_CHECKSUM_AFTER_1 UINT32_C(0x28461564) /* x to the power of 8 * BIN_CHECKSUM_PART, */
#define BIN_CHECKSUM_AFTER_2 UINT32_C(0xbf455269) /* and of twice as much */

/* any CPU */

/* The register after four more bits, by its lowest four bits. */
static const uint32_t bin_checksum_nibbles[16] = {
    UINT32_C(0x00000000), UINT32_C(0x105ec76f), UINT32_C(0x20bd8ede), UINT32_C(0x30e349b1),
    UINT32_C(0x417b1dbc), UINT32_C(0x5125dad3), UINT32_C(0x61c69362), UINT32_C(0x7198540d),
    UINT32_C(0x82f63b78), UINT32_C(0x92a8fc17), UINT32_C(0xa24bb5a6), UINT32_C(0xb21572c9),
    UINT32_C(0xc38d26c4), UINT32_C(0xd3d3e1ab), UINT32_C(0xe330a81a), UINT32_C(0xf36e6f75)};

FL_INLINE uint32_t bin_checksum_byte(uint32_t r, unsigned byte) {
  r ^= byte;
  r = r >> 4 ^ bin_checksum_nibbles[r & 15];
  return r >> 4 ^ bin_checksum_nibbles[r & 15];
}

static uint32_t bin_checksum_bytes(uint32_t r, const uint8_t *p, size_t n) {
  for (; n > 0; n--) r = bin_checksum_byte(r, *p++);
  return r;
}

/* Eight bytes at a time. t[k][b] is the register after the byte b and k zeros. The tables are made in each call,
** because they would add 8 KB to every object, and today's CPUs do not need them. */
FL_NOINLINE uint32_t bin_checksum_slices(uint32_t r, const uint8_t *p, size_t n) {
  uint32_t t[8][256];
  for (unsigned i = 0; i < 256; i++) t[0][i] = bin_checksum_byte(0, i);
  for (unsigned k = 1; k < 8; k++)
    for (unsigned i = 0; i < 256; i++) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
  for (; n >= 8; n -= 8, p += 8) {
    const uint64_t x = bin_little64(p) ^ r;
    r = t[7][x & 255] ^ t[6][x >> 8 & 255] ^ t[5][x >> 16 & 255] ^ t[4][x >> 24 & 255] ^ t[3][x >> 32 & 255] ^
        t[2][x >> 40 & 255] ^ t[1][x >> 48 & 255] ^ t[0][x >> 56];
  }
  return bin_checksum_bytes(r, p, n);
}

/* CPUs with the instruction */

#if TEXT_CPU_HAS_CHECKSUM

/* Returns the register after eight more bytes. In assembler, because compilers have different names for the
** instruction. */
FL_INLINE uint64_t bin_checksum_word(uint64_t r, uint64_t x) {
#if defined(FLEECE_SIMD_SSE2)
  __asm__("crc32q %1, %0" : "+r"(r) : "rm"(x));
#else
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(r) : "r"(x));
#endif
  return r;
}

/* Returns the product of two polynomials, in constant time. */
static uint32_t bin_checksum_product(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int i = 31; i >= 0; i--) {
    product ^= b & (0 - (a >> i & 1));
    b = b >> 1 ^ (BIN_CHECKSUM_POLYNOMIAL & (0 - (b & 1)));
  }
  return product;
}

FL_NOINLINE uint32_t bin_checksum_fast(uint32_t r, const uint8_t *p, size_t n) {
  uint64_t a = r, b, c;
  for (; n >= 3 * BIN_CHECKSUM_PART; n -= 3 * BIN_CHECKSUM_PART, p += 3 * BIN_CHECKSUM_PART) {
    b = c = 0;
    for (size_t i = 0; i < BIN_CHECKSUM_PART; i += 8) {
      a = bin_checksum_word(a, fl_load64(p + i));
      b = bin_checksum_word(b, fl_load64(p + BIN_CHECKSUM_PART + i));
      c = bin_checksum_word(c, fl_load64(p + (size_t)2 * BIN_CHECKSUM_PART + i));
    }
    a = bin_checksum_product((uint32_t)a, BIN_CHECKSUM_AFTER_2);
    a ^= bin_checksum_product((uint32_t)b, BIN_CHECKSUM_AFTER_1) ^ c;
  }
  for (; n >= 8; n -= 8, p += 8) a = bin_checksum_word(a, fl_load64(p));
  return bin_checksum_bytes((uint32_t)a, p, n);
}
#endif

FL_PRIVATE uint32_t bin_checksum(unsigned cpu, uint32_t sum, const void *bytes, size_t n) {
  const uint8_t *p = (const uint8_t *)bytes;
#if TEXT_CPU_HAS_CHECKSUM
  if (FL_LIKELY(cpu & TEXT_CPU_CHECKSUM)) return ~bin_checksum_fast(~sum, p, n);
#else
  (void)cpu;
#endif
  return ~(n < BIN_CHECKSUM_SHORT ? bin_checksum_bytes(~sum, p, n) : bin_checksum_slices(~sum, p, n));
}
