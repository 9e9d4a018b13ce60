/* SPDX-License-Identifier: MIT
** integer.h -- writes integers: eight digits per machine word, no loop and no branch on the length.
** May call: base/def.h.  Must hold: w has NUM_ROOM writable bytes; any of them may be scribbled on.
**
** Lane-wise division in a word after P. Khuong, "How to print integers really fast", and W. Mula. */
#ifndef FLEECE_NUMBER_INTEGER_H
#define FLEECE_NUMBER_INTEGER_H

#include "base/def.h"

/* Room that every number writer may use: the longest text is "-0.00001234567890123456" and the like (24
** bytes), and no store reaches further than 40. */
#define NUM_ROOM 40

#define NUM_ASCII8 0x3030303030303030u

/* Eight digit values as bytes, the first digit in the least significant byte. n < 10^8. The three
** reciprocals are exact for their lanes: tests/proof/tables.py tries every lane value. */
FL_INLINE uint64_t num_swar8(uint32_t n)
{
  uint64_t t = n, q = (t * 109951163) >> 40;
  t = q | (t - 10000 * q) << 32;
  q = ((t * 5243) >> 19) & 0x0000007f0000007fu;
  t = q | (t - 100 * q) << 16;
  q = ((t * 103) >> 10) & 0x000f000f000f000fu;
  return q | (t - 10 * q) << 8;
}

/* Stores the least significant byte first on every machine. */
FL_INLINE void num_put8(char *w, uint64_t t)
{
#if FLEECE_BIG_ENDIAN
  t = __builtin_bswap64(t);
#endif
  fl_store64(w, t);
}

FL_INLINE unsigned num_trailing_zeros(uint64_t x)
{
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(x);
#else
  unsigned n = 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
#endif
}

FL_INLINE unsigned num_leading_zeros(uint64_t x)
{
#if defined(__GNUC__)
  return (unsigned)__builtin_clzll(x);
#else
  unsigned n = 0;
  for (; !(x >> 63); x <<= 1) n++;
  return n;
#endif
}

/* n < 10^8. The guard bit keeps one digit of zero. */
FL_INLINE char *num_write_short(char *w, uint32_t n)
{
  uint64_t t = num_swar8(n);
  unsigned z = num_trailing_zeros(t | (uint64_t)1 << 56) & ~7u;
  num_put8(w, (t | NUM_ASCII8) >> z);
  return w + 8 - z / 8;
}

/* Exactly eight digits. n < 10^8. */
FL_INLINE char *num_write_8(char *w, uint32_t n)
{
  num_put8(w, num_swar8(n) | NUM_ASCII8);
  return w + 8;
}

FL_NOINLINE char *num_write_u64_(char *w, uint64_t v)
{
  uint64_t top = v / 100000000;
  if (top >= 100000000) {
    uint64_t first = top / 100000000;
    w = num_write_short(w, (uint32_t)first);
    w = num_write_8(w, (uint32_t)(top - first * 100000000));
  } else {
    w = num_write_short(w, (uint32_t)top);
  }
  return num_write_8(w, (uint32_t)(v - top * 100000000));
}

FL_INLINE char *num_write_u64(char *w, uint64_t v)
{
  if (FL_LIKELY(v < 100000000))
    return num_write_short(w, (uint32_t)v);
  return num_write_u64_(w, v);
}

/* The magnitude is taken in unsigned arithmetic, so the most negative integer needs no special case. */
FL_INLINE char *num_write_i64(char *w, int64_t v)
{
  *w = '-';
  return num_write_u64(w + (v < 0), v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

#endif
