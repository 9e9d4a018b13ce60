/* SPDX-License-Identifier: MIT
** known.h -- the caller remembers where a string was put, so that it is not hashed and looked up again.
** Must hold: the result equals that of bin_put_key for the same bytes. */
#pragma once

#include "encode.h"

/* The number of a string's slot in the pool, or with BIN_KNOWN_INLINE the word of its item. A string keeps its slot as
** long as the pool's generation does not change, even if it is written again elsewhere. Only 32 bits of the generation
** are stored: a caller that keeps this for longer than one document must compare the others (pack_begin). */
typedef struct {
  uint32_t place, generation;
} bin_known;
#define BIN_KNOWN_INLINE UINT32_C(0x80000000)
#define BIN_UNKNOWN UINT32_MAX

/* Is the string of an item long? The encoder must count the uses of long strings. */
FL_INLINE int bin_is_long_text(const struct bin_encoder *e, struct bin_item item) {
  bin_value v = bin_value_at(e, bin_item_position(item));
  return v[0] == (BIN_TAG_STRING << 4 | BIN_LONG_LENGTH) && v[1] >= 0x80;
}

/* Remembers the string that was put last, unless it is long. */
FL_INLINE void bin_remember(const struct bin_encoder *e, bin_known *known) {
  const struct bin_item last = e->items[e->count - 1];
  FL_ASSERT(e->count > 0);
  known->place = BIN_UNKNOWN;
  if (!bin_item_points(last)) known->place = last.word | BIN_KNOWN_INLINE;
  else if (e->slot && (size_t)(e->slot - e->pool.slots) < BIN_KNOWN_INLINE && FL_LIKELY(!bin_is_long_text(e, last)))
    known->place = (uint32_t)(e->slot - e->pool.slots);
  known->generation = (uint32_t)e->pool.generation;
}

/* Is this place the code of a shared key? */
FL_INLINE int bin_is_code(uint32_t place) { return place >> 28 == (BIN_KNOWN_INLINE >> 28 | BIN_TAG_SMALL); }

/* Puts a string that was remembered. False: its bytes are needed, or e->error is set. */
FL_INLINE int bin_put_remembered(struct bin_encoder *e, bin_known known) {
  struct bin_pool_slot slot;
  if (FL_UNLIKELY(known.generation != (uint32_t)e->pool.generation)) return 0;
  if (FL_UNLIKELY(known.place & BIN_KNOWN_INLINE))
    return known.place != BIN_UNKNOWN && bin_push_inline(e, known.place & ~BIN_KNOWN_INLINE);
  FL_ASSERT(known.place < e->pool.room && e->pool.slots[known.place].position != 0);
  slot = e->pool.slots[known.place];
  return FL_LIKELY(bin_is_in_reach(e, slot.position - 1)) && bin_push_pointer(e, slot.position - 1, slot.hash);
}

/* Puts a key that may have been remembered. */
FL_INLINE int bin_put_known(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  if (FL_LIKELY(bin_put_remembered(e, *known))) return 1;
  if (FL_UNLIKELY(e->error) || FL_UNLIKELY(!bin_put_key(e, s, n))) return 0;
  bin_remember(e, known);
  return 1;
}
