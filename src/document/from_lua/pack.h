/* SPDX-License-Identifier: MIT
** pack.h -- shared by the raw and the public-API encoder to binary: which strings are text, and which doubles are
** integers.
** Must hold: no lua_* call. */
#pragma once

#include "../../binary/encode/encode.h"
#include "../../number/scale.h"
#include "../../text/quote.h"
#include "../../encode/state.h"

#define PACK_SIGNED 9223372036854775808.0    /* 2^63 */
#define PACK_UNSIGNED 18446744073709551616.0 /* 2^64 */

/* Known keys by address; within a call the same address is the same string. (Values are looked up by content. Half of
** them in people and twitter repeat, but finding them by address was no faster.) */
enum { PACK_KEYS = 2048 };

enum { PACK_POINT = 4 }; /* items of an array of numbers that is written in one go */

struct pack_known {
  const char *object;
  bin_known known;
};
struct pack_keys {
  uint64_t epoch; /* incremented after 2^31 generations of the encoder's pool, more than a document has */
  struct pack_known known[PACK_KEYS];
};

struct pack_shapes;

struct lua_to_binary {
  struct encode_state *walk; /* frames, marks, style; its buffer is lent to the encoder */
  struct bin_encoder *e;
  struct pack_keys *keys;     /* or NULL in the fast mode */
  struct pack_shapes *shapes; /* only in the fast mode */
  int data;                   /* strings that are not UTF-8 become data; else they are errors */
};

/* Returns whether a double is an integer of 64 bits, for Luas in which all numbers are doubles. -0.0 is not. encode
** writes these as integers, too. */
FL_INLINE int pack_is_integer(double d) {
  if (FL_LIKELY(d >= -PACK_SIGNED && d < PACK_SIGNED)) return num_bits((double)(int64_t)d) == num_bits(d);
  return d >= PACK_SIGNED && d < PACK_UNSIGNED;
}

/* Returns the bits of such an integer: below 2^63 with a sign, else unsigned. */
FL_INLINE uint64_t pack_integer_bits(double d) {
  return FL_LIKELY(d < PACK_SIGNED) ? (uint64_t)(int64_t)d : (uint64_t)d;
}

FL_INLINE int pack_put_integer(struct bin_encoder *e, double d) {
  const uint64_t bits = pack_integer_bits(d);
  return d < 0 ? bin_put_integer(e, (int64_t)bits) : bin_put_unsigned(e, bits);
}

/* Returns whether all bytes are below 128. */
FL_INLINE int pack_is_ascii(const char *s, size_t n) {
  const uint64_t high = UINT64_C(0x8080808080808080);
  uint64_t seen = 0;
  if (n >= 8) {
    size_t i = 0;
#if !defined(FLEECE_SIMD_SWAR)
    uint64_t wide = 0;
    for (; i + 32 <= n; i += 32) wide |= text_vhigh32(text_vload(s + i), text_vload(s + i + 16));
    if (wide) return 0;
#endif
    for (; i + 8 < n; i += 8) seen |= fl_load64(s + i);
    return ((seen | fl_load64(s + n - 8)) & high) == 0;
  }
  if (n >= 4) return ((fl_load32(s) | fl_load32(s + n - 4)) & (uint32_t)high) == 0;
  return n == 0 || (((uint8_t)s[0] | (uint8_t)s[n >> 1] | (uint8_t)s[n - 1]) & 0x80) == 0;
}

/* Call this after the encoder was reset: then all entries of `t` belong to older generations and are not used. */
FL_INLINE void pack_begin(struct pack_keys *t, const struct bin_encoder *e) {
  if (FL_LIKELY(t->epoch == e->pool.generation >> 31)) return;
  memset(t, 0, sizeof *t);
  t->epoch = e->pool.generation >> 31;
}

FL_INLINE struct pack_known *pack_find(struct pack_keys *t, const char *object) {
  return &t->known[((uintptr_t)object >> 4 ^ (uintptr_t)object >> 13) % PACK_KEYS];
}

#define PACK_HIGH_BITS UINT64_C(0x8080808080808080)

/* Writes a string, or a key without a code. Returns 0 if it is not UTF-8, or with e->error set. */
FL_INLINE int pack_put_text(struct bin_encoder *e, text_utf8_fn utf8, int is_key, const char *s, size_t n) {
  uint64_t seen;
  if (FL_LIKELY(n >= BIN_POOLED_LEAST) && FL_LIKELY(bin_is_pooled(e, BIN_TAG_STRING, is_key, n))) {
    const uint32_t hash = bin_hash_seen(s, n, bin_seed(e, BIN_TAG_STRING, is_key), &seen);
    if (FL_UNLIKELY(seen & PACK_HIGH_BITS) && utf8(s, n) != n) return 0;
    return bin_put_shared_bytes(e, BIN_TAG_STRING, s, n, hash);
  }
  if (!pack_is_ascii(s, n) && utf8(s, n) != n) return 0;
  return n < BIN_POOLED_LEAST ? bin_put_inline_bytes(e, BIN_TAG_STRING, s, n)
                              : bin_put_unshared_bytes(e, BIN_TAG_STRING, s, n);
}

/* pack_put_text as a call, which saves two kilobytes. */
FL_SHARED int pack_write_text(struct bin_encoder *e, text_utf8_fn utf8, int is_key, const char *s, size_t n) {
  return pack_put_text(e, utf8, is_key, s, n);
}
