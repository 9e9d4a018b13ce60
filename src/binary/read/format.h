/* SPDX-License-Identifier: MIT
** format.h -- the bits of the Fleece binary format (docs/format.md): tags, headers, pointers.
** Must hold: nothing here tests bounds; binary/check/check.h does. A value is the address of its first byte. All
** values begin at even addresses.
**
**   0000iiii iiiiiiii           small integer, 12 bits, two's complement
**   0001uccc + ccc+1 bytes      integer, little-endian; u: unsigned
**   0010wd-- -------- + bytes   floating point: 4 bytes, or 8 if w; d or w: the value is a double
**   0011ss-- --------           00 null, 01 false, 10 true, 11 undefined
**   0100nnnn + bytes            string; n = 15: a varint with the length stands first
**   0101nnnn + bytes            data, the same way
**   0110wccc cccccccc + items   array; count 2047: a varint with what is above it follows, padded to even
**   0111wccc cccccccc + items   dict of count pairs; w: items take 4 bytes instead of 2
**   1xoooooo oooooooo           pointer: o * 2 bytes back; x: into the base document; in 4 bytes 30 bits of o */
#pragma once

#include "../../base/def.h"

typedef const uint8_t *bin_value;

/* clang-format off */
enum bin_tag {
  BIN_TAG_SMALL, BIN_TAG_INTEGER, BIN_TAG_FLOAT, BIN_TAG_SPECIAL, BIN_TAG_STRING, BIN_TAG_DATA, BIN_TAG_ARRAY,
  BIN_TAG_DICT
};

enum {
  BIN_NULL = 0x30, BIN_FALSE = 0x34, BIN_TRUE = 0x38, BIN_UNDEFINED = 0x3c, /* first bytes */
  BIN_UNSIGNED = 0x08,    /* of an integer's first byte */
  BIN_EIGHT_BYTES = 0x08, /* of a float's first byte */
  BIN_DOUBLE = 0x0c,      /* any of these bits: a double */
  BIN_WIDE = 0x08,        /* of a collection's first byte */
  BIN_POINTER = 0x80, BIN_EXTERN = 0x40,
  BIN_LONG_LENGTH = 15, BIN_LONG_COUNT = 2047,
  BIN_SMALL_LEAST = -2048, BIN_SMALL_MOST = 2047,
  BIN_NARROW_REACH = 0x7ffe, /* bytes that a narrow pointer can go back */
  BIN_PARENT_0 = 0x08, BIN_PARENT_1 = 0x00, /* the key of a dict's parent: the small integer -2048 */
  BIN_VARINT_MOST = 10,
  BIN_LONG_TEXT = 128, BIN_TEXT_VALUE = 32, /* bytes: see bin_text_values */
  BIN_VALUES_LEAST = 1000000 /* any document may have as many, unless its reader sets a lower limit */
};

/* clang-format on */
#define BIN_WIDE_REACH UINT32_C(0x7ffffffe)

/* The type of a value, with the numbers of the reference implementation. */
/* clang-format off */
enum bin_type {
  BIN_TYPE_UNDEFINED = -1, BIN_TYPE_NULL, BIN_TYPE_BOOLEAN, BIN_TYPE_NUMBER, BIN_TYPE_STRING, BIN_TYPE_DATA,
  BIN_TYPE_ARRAY, BIN_TYPE_DICT
};

/* clang-format on */

FL_INLINE unsigned bin_tag(bin_value v) { return v[0] >> 4; }

FL_INLINE int bin_is_pointer(bin_value v) { return v[0] >= BIN_POINTER; }

FL_INLINE int bin_is_collection(bin_value v) { return (v[0] & 0xe0) == 0x60; }

FL_INLINE int bin_small(bin_value v) {
  FL_ASSERT(bin_tag(v) == BIN_TAG_SMALL);
  return (int)((((uint32_t)v[0] & 15) << 8 | v[1]) ^ 0x800) - 0x800;
}

FL_INLINE int bin_is_parent_key(bin_value key) { return key[0] == BIN_PARENT_0 && key[1] == BIN_PARENT_1; }

FL_INLINE uint32_t bin_big16(bin_value p) { return (uint32_t)p[0] << 8 | p[1]; }

FL_INLINE uint32_t bin_big32(bin_value p) { return bin_big16(p) << 16 | bin_big16(p + 2); }

/* Big-endian: these numbers compare as their bytes do. */
FL_INLINE uint64_t bin_big64(bin_value p) {
  uint64_t x = 0;
  unsigned i;
#if defined(__GNUC__) && !FLEECE_BIG_ENDIAN
  (void)i;
  x = fl_load64(p);
  return __builtin_bswap64(x);
#else
  for (i = 0; i < 8; i++) x = x << 8 | p[i];
  return x;
#endif
}

/* The first eight bytes of a string as a big-endian number, missing ones as 0: it orders strings. */
FL_INLINE uint64_t bin_prefix(const char *s, size_t n) {
  uint64_t x = 0;
  size_t i;
  for (i = 0; i < n && i < 8; i++) x |= (uint64_t)(uint8_t)s[i] << (56 - 8 * i);
  return x;
}

/* Extra values that a string or data of n bytes counts for at each pointer to it, because readers go through its bytes
** each time. binary/check/check.h bounds their sum. The encoder limits sharing so that its documents pass. */
FL_INLINE uint64_t bin_text_values(size_t n) { return n < BIN_LONG_TEXT ? 0 : n / BIN_TEXT_VALUE; }

/* Bytes that a pointer goes back. */
FL_INLINE size_t bin_narrow_offset(bin_value p) { return 2 * (size_t)(bin_big16(p) & 0x3fff); }

FL_INLINE size_t bin_wide_offset(bin_value p) { return 2 * (size_t)(bin_big32(p) & 0x3fffffff); }

/* The little-endian number of n bytes, 1 to 8. */
FL_INLINE uint64_t bin_little(bin_value p, unsigned n) {
  uint64_t x = 0;
  FL_ASSERT(n >= 1 && n <= 8);
  while (n--) x = x << 8 | p[n];
  return x;
}

/* Eight bytes, or four, little-endian. */
FL_INLINE uint64_t bin_little64(bin_value p) { return FLEECE_BIG_ENDIAN ? bin_little(p, 8) : fl_load64(p); }
FL_INLINE uint32_t bin_little32(bin_value p) { return FLEECE_BIG_ENDIAN ? (uint32_t)bin_little(p, 4) : fl_load32(p); }

FL_INLINE void bin_store_little64(uint8_t *w, uint64_t x) {
  unsigned i;
  if (!FLEECE_BIG_ENDIAN) fl_store64(w, x);
  else
    for (i = 0; i < 8; i++) w[i] = (uint8_t)(x >> 8 * i);
}

/* Reads the varint at *p and moves *p after it. False: it does not end before `end`, or it is above 2^32 - 1. Forms
** that are longer than needed are accepted. */
FL_PRIVATE int bin_varint(bin_value *p, bin_value end, uint32_t *out);

/* The same for a varint that was checked before. */
FL_INLINE uint32_t bin_varint_trusted(bin_value *p) {
  uint32_t x = 0;
  unsigned shift = 0;
  while (**p >= 0x80) {
    if (shift < 32) x |= (uint32_t)(**p & 0x7f) << shift;
    shift += 7;
    ++*p;
  }
  if (shift < 32) x |= (uint32_t)(*p)[0] << shift;
  ++*p;
  return x;
}

/* Writes a varint, at most 5 bytes. */
FL_INLINE uint8_t *bin_put_varint(uint8_t *w, uint32_t x) {
  while (x >= 0x80) {
    *w++ = (uint8_t)(x | 0x80);
    x >>= 7;
  }
  *w++ = (uint8_t)x;
  return w;
}
