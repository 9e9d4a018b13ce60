/* SPDX-License-Identifier: MIT
** known.h -- strings that the caller knows to have put before: what the encoder found out then is not found
** out again.
** May call: base, binary/encode/encode.h.
** Must hold: the result is that of bin_put_key for the same bytes. */
#ifndef FLEECE_BINARY_ENCODE_KNOWN_H
#define FLEECE_BINARY_ENCODE_KNOWN_H

#include "encode.h"

/* Where a string is known to be that was put: the number of its slot in the pool, or with BIN_KNOWN_INLINE the word
** of its item. While the pool's generation is the same, a string keeps its slot, wherever it is written again. Of the
** generation 32 bits are noted: who keeps this for longer than a document sees to the others (pack_begin). */
typedef struct {
  uint32_t place, generation;
} bin_known;
#define BIN_KNOWN_INLINE UINT32_C(0x80000000)
#define BIN_UNKNOWN UINT32_MAX

/* Is the string of an item a long one, whose uses the encoder counts? */
FL_INLINE int bin_is_long_text(const struct bin_encoder *e, struct bin_item item) {
  bin_value v = bin_value_at(e, bin_item_position(item));
  return v[0] == (BIN_TAG_STRING << 4 | BIN_LONG_LENGTH) && v[1] >= 0x80;
}

/* Notes the string that was put last, unless it is a long one. */
FL_INLINE void bin_remember(const struct bin_encoder *e, bin_known *known) {
  const struct bin_item last = e->items[e->count - 1];
  known->place = BIN_UNKNOWN;
  if (!bin_item_points(last)) known->place = last.word | BIN_KNOWN_INLINE;
  else if (e->slot && (size_t)(e->slot - e->pool.slots) < BIN_KNOWN_INLINE && FL_LIKELY(!bin_is_long_text(e, last)))
    known->place = (uint32_t)(e->slot - e->pool.slots);
  known->generation = (uint32_t)e->pool.generation;
}

/* Is it a shared key? */
FL_INLINE int bin_is_code(uint32_t place) { return place >> 28 == (BIN_KNOWN_INLINE >> 28 | BIN_TAG_SMALL); }

/* Puts a string that was noted. False: its bytes are needed, or e->error is set. */
FL_INLINE int bin_put_remembered(struct bin_encoder *e, bin_known known) {
  struct bin_pool_slot slot;
  if (FL_UNLIKELY(known.generation != (uint32_t)e->pool.generation)) return 0;
  if (FL_UNLIKELY(known.place & BIN_KNOWN_INLINE))
    return known.place != BIN_UNKNOWN && bin_push_inline(e, known.place & ~BIN_KNOWN_INLINE);
  slot = e->pool.slots[known.place];
  return FL_LIKELY(bin_is_in_reach(e, slot.position - 1)) && bin_push_pointer(e, slot.position - 1, slot.hash);
}

/* A key that may be known. */
FL_INLINE int bin_put_known(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  if (FL_LIKELY(bin_put_remembered(e, *known))) return 1;
  if (FL_UNLIKELY(e->error) || FL_UNLIKELY(!bin_put_key(e, s, n))) return 0;
  bin_remember(e, known);
  return 1;
}

#endif
