/* SPDX-License-Identifier: MIT
** integer.h -- writes integers, three digits at a time; reads the indexes of JSON pointers.
** Must hold: w has NUM_ROOM writable bytes, and any of them may be overwritten.
** Letters in this room: w is where text is written, or the digits of a decimal as an integer; v a value; p a pointer
** into a text, or a power of ten (10^p); e an exponent of two; x the exponent of the first digit; d a decimal. */
#pragma once

#include "../base/def.h"

/* Bytes that every number writer may use. The longest texts have 24, such as "-0.00001234567890123456"; the last store
** ends before 40. */
#define NUM_ROOM 40

/* For each n < 1000: its three digits as text in the low three bytes, the first digit lowest. Above them 5 bits: the
** shift that removes the leading zeros; then 3 bits: how many digits are left (at least one). Of these 4 KB small
** integers touch only the first cache lines. */
FL_TABLE const uint32_t num_triple[1000];

/* Stores the least significant byte first on every machine. */
FL_INLINE void num_put4(char *w, uint32_t t) {
#if FLEECE_BIG_ENDIAN
  t = __builtin_bswap32(t);
#endif
  fl_store32(w, t);
}

FL_INLINE void num_put8(char *w, uint64_t t) {
#if FLEECE_BIG_ENDIAN
  t = __builtin_bswap64(t);
#endif
  fl_store64(w, t);
}

/* Writes n < 10^3 without leading zeros. */
FL_INLINE char *num_write_3(char *w, uint32_t n) {
  uint32_t t = num_triple[n];
  num_put4(w, t >> (t >> 24 & 31));
  return w + (t >> 29);
}

/* Returns n / 1000 for n < 10^6; tests/proof/tables.py tries every n. */
FL_INLINE uint32_t num_thousands(uint32_t n) { return (uint32_t)(((uint64_t)n * 274877907) >> 38); }

/* Writes 10^3 <= n < 10^6. */
FL_INLINE char *num_write_6(char *w, uint32_t n) {
  uint32_t q = num_thousands(n);
  FL_ASSERT(n >= 1000 && n < 1000000);
  w = num_write_3(w, q);
  num_put4(w, num_triple[n - q * 1000]);
  return w + 3;
}

/* Writes v >= 10^6. */
FL_PRIVATE_NOINLINE char *num_write_u64_(char *w, uint64_t v);

FL_INLINE char *num_write_u64(char *w, uint64_t v) {
  if (FL_LIKELY(v < 1000)) return num_write_3(w, (uint32_t)v);
  if (FL_LIKELY(v < 1000000)) return num_write_6(w, (uint32_t)v);
  return num_write_u64_(w, v);
}

/* The magnitude is computed in unsigned arithmetic, so the most negative integer needs no special case. */
FL_INLINE char *num_write_i64(char *w, int64_t v) {
  *w = '-';
  return num_write_u64(w + (v < 0), v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* Doubles hold every integer up to here. */
#define NUM_CONSECUTIVE ((int64_t)1 << 53)

/* Returns whether a double holds this integer exactly. */
FL_INLINE int num_is_exact(int64_t i) {
  const int64_t most = NUM_CONSECUTIVE;
  if (FL_LIKELY(i >= -most && i <= most)) return 1;
  const double d = (double)i;
  return d < 0x1p63 && (int64_t)d == i;
}

/* Reads the index of an array item in a JSON pointer (RFC 6901, section 4), s[0..n): one to ten digits, no leading 0
** except in "0". Returns 0 if it is not an index. */
FL_PRIVATE int num_read_index(const char *s, size_t n, uint64_t *index);
