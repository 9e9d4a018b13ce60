/* SPDX-License-Identifier: MIT
** fast.h -- what the raw walk of the fast mode remembers of records: their names, sorted and ready to be copied.
** Must hold: no lua_* call. Addresses of names are valid for one call of pack (`document`), because the collector may
** free a string and reuse its address. In the next call the names are compared once more as bytes. */
#pragma once

#include "../../binary/encode/end.h"
#include "../../encode/raw/instances.h"
#include "pack.h"

enum {
  PACK_SHAPES = 128,     /* number of slots */
  PACK_SHAPE_NODES = 64, /* limit for nodes of a table's hash part */
  PACK_SHAPE_PAIRS = 48,
  PACK_SHAPE_NAME = 40, /* limit in bytes: Lua may keep a longer string several times at different addresses */
  PACK_SHAPE_TEXT = 2048,
  PACK_SHORT = 32, /* bytes; shorter strings are copied as two vectors */
  PACK_PIECE = 900 /* bytes that can be written before the room is tested again */
};
FL_STATIC_ASSERT(4 * PACK_SHAPE_PAIRS + 4 <= PACK_PIECE, a_record_fits_a_piece);
FL_STATIC_ASSERT(PACK_PIECE + PACK_SHORT + 16 <= BUF_SLACK, a_piece_fits_the_slack);

/* A kind of frame: a record with a known shape; i and n count its pairs. */
#define PACK_SHAPED ((enum encode_kind)(ENCODE_LIST_OBJECT + 1))

struct pack_name {
  uint16_t node;       /* offset of its node in the table's nodes, in bytes */
  uint16_t at;         /* offset of its string in the text */
  uint16_t slot, mask; /* its slot is slot + (distance & mask), where distance is that to the text, in units */
};

/* The nodes of a table: for each node the address of its key, or NULL if its value is nil. */
struct pack_shape {
  uint64_t document; /* call in which the addresses are valid */
  uint64_t written;  /* the document that has the text at `position` */
  uint32_t position;
  uint32_t open; /* records of this shape open in `document` */
  uint16_t nodes, pairs;
  uint16_t bytes; /* used length of the text */
  uint16_t slot;  /* its own index */
  uint16_t next;  /* slot of the shape that the next table probably has */
  uint16_t size;  /* allocated length of the text */
  const char *key[PACK_SHAPE_NODES];
  struct pack_name names[PACK_SHAPE_PAIRS]; /* sorted */
  char text[PACK_SHAPE_TEXT + PACK_SHORT];  /* the strings as in a document; only partly allocated */
};

struct pack_shapes {
  uint64_t document;
  size_t last; /* slot of the shape used last */
  struct {
    uint64_t missed; /* hash of the last record without a shape: if it comes again, a shape is made */
    uint64_t failed; /* hash of the last record that cannot have a shape */
    struct pack_shape *shape;
  } slots[PACK_SHAPES];
};

/* Stores a copy of a new shape with `bytes` of text in the slot. NULL if out of memory. */
FL_PRIVATE struct pack_shape *pack_store_shape(struct pack_shapes *s, size_t slot, struct pack_shape *shape,
                                               size_t bytes, const struct buffer *memory);

FL_PRIVATE void pack_free_shapes(struct pack_shapes *s, fl_alloc alloc, void *alloc_ud);

/* Sorts the names of a new shape, whose strings are in its text in the order of the nodes, and computes their slots.
** Returns 0 if two names are equal. */
FL_PRIVATE int pack_sort_names(struct pack_shape *shape);

/* Writes any string of at least one byte. Returns the end, or NULL if it is not UTF-8 or the encoder failed. */
FL_PRIVATE_NOINLINE char *pack_fast_text_(struct lua_to_binary *b, char *w, struct bin_item *item, const char *s,
                                          size_t n);

/* Writes a record whose values are the items from `first` on, with wide slots if needed. Returns the end, or NULL if
** the encoder failed. */
FL_PRIVATE_NOINLINE char *pack_wide_record_(struct bin_encoder *e, char *w, struct bin_item *first,
                                            const struct pack_shape *shape, uint32_t *position);

/* Writes any array. Returns the end, or NULL if the encoder failed. */
FL_PRIVATE_NOINLINE char *pack_any_array_(struct bin_encoder *e, char *w, const struct bin_item *first, size_t n,
                                          uint32_t *position);

/* Copies 1 to 32 bytes; 32 must be readable. Returns whether one of the n is above 127. */
FL_INLINE int pack_copy_short(char *w, const char *s, size_t n) {
  FL_ASSERT(n > 0 && n <= PACK_SHORT);
#if defined(FLEECE_SIMD_SWAR)
  memcpy(w, s, 32);
  return !pack_is_ascii(s, n);
#else
  {
    const text_v a = text_vload(s), b = text_vload(s + 16);
    text_vstore(w, a);
    text_vstore(w + 16, b);
    return text_vhigh32(a, b) << (64 - n) != 0;
  }
#endif
}

/* Writes two slots of two bytes. */
FL_INLINE void pack_store_slots(char *w, uint32_t first, uint32_t second) {
#if defined(__GNUC__) && !FLEECE_BIG_ENDIAN
  const uint32_t both = __builtin_bswap32(first << 16 | (second & 0xffff));
  memcpy(w, &both, 4);
#else
  bin_store16((uint8_t *)w, first);
  bin_store16((uint8_t *)w + 2, second);
#endif
}

/* Returns the position of w in a document without a base. */
FL_INLINE uint32_t pack_position(const struct bin_encoder *e, const char *w) {
  return (uint32_t)((size_t)(w - e->out.begin) / 2);
}

/* Writes an array of the n items from `first` on, all of which must be at or after position `begin`. */
FL_INLINE char *pack_array(struct bin_encoder *e, char *w, const struct bin_item *first, size_t n, uint32_t begin,
                           uint32_t *position) {
  uint32_t here = pack_position(e, w);
  size_t i;
  if (FL_UNLIKELY(2 * n + 4 > PACK_PIECE) || FL_UNLIKELY(here + n - begin > BIN_NARROW_REACH / 2))
    return pack_any_array_(e, w, first, n, position);
  *position = here;
  bin_store16((uint8_t *)w, bin_header(n, 0, 0));
  w += 2;
  for (i = 0; i + 2 <= n; i += 2, w += 4) {
    here += 2;
    pack_store_slots(w, bin_narrow_slot(first[i].word, here - 1), bin_narrow_slot(first[i + 1].word, here));
  }
  if (i == n) return w;
  bin_store16((uint8_t *)w, bin_narrow_slot(first[i].word, here + 1));
  return w + 2;
}

/* Writes a double. Returns the end. Does not test for room. */
FL_INLINE char *pack_fast_double(char *w, double d) {
  uint64_t bits;
  if (d >= -3.4028234663852886e38 && d <= 3.4028234663852886e38 && num_bits(d) == num_bits((double)(float)d)) {
    const float f = (float)d;
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    bin_store_little64((uint8_t *)w, (uint64_t)word << 16 | BIN_TAG_FLOAT << 4 | 4);
    return w + 6;
  }
  memcpy(&bits, &d, sizeof bits);
  w[0] = BIN_TAG_FLOAT << 4 | BIN_EIGHT_BYTES, w[1] = 0;
  bin_store_little64((uint8_t *)w + 2, bits);
  return w + 10;
}

/* Writes an integer that does not fit a slot, in as few bytes as possible. */
FL_INLINE char *pack_fast_integer(char *w, uint64_t bits, int is_negative) {
  const unsigned n = 8 - fl_leading_zeros(is_negative ? ~bits << 1 : bits) / 8;
  w[0] = (char)(BIN_TAG_INTEGER << 4 | (is_negative ? 0 : BIN_UNSIGNED) | (n - 1));
  bin_store_little64((uint8_t *)w + 1, n < 8 ? bits & ~(UINT64_MAX << 8 * n) : bits);
  w[9] = 0;
  return w + (n + 2) / 2 * 2;
}

/* The raw walks to binary: return that of a proven layout, or NULL; the second one is for the fast mode. */
typedef enum encode_result (*pack_raw)(struct lua_to_binary *b, const char *root);
FL_PRIVATE pack_raw pack_of_layout(const struct lay_facts *facts);
FL_PRIVATE pack_raw pack_fast_of_layout(const struct lay_facts *facts);
