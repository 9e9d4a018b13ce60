/* SPDX-License-Identifier: MIT
** encode_known.h -- strings that the caller knows to have put before: what the encoder found out then is not found out again.
** May call: base, binary/encode.h.
** Must hold: the result is that of bin_put_key for the same bytes. */
#ifndef FLEECE_BINARY_ENCODE_KNOWN_H
#define FLEECE_BINARY_ENCODE_KNOWN_H

#include "encode.h"

/* Where a string lay when it was put last, or its inline bytes. */
typedef struct bin_item bin_known;

/* Puts a string and notes it. */
FL_INLINE int bin_put_and_note(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  if (FL_UNLIKELY(!bin_put_key(e, s, n))) return 0;
  *known = e->items[e->count - 1];
  return 1;
}

/* Puts a string that was noted in this document. It may have been written again since, or fallen out of the pool or out of
** reach: then its bytes decide. */
FL_INLINE int bin_put_known(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  const uint32_t position = bin_item_position(*known);
  size_t mask, at, probes;
  if (!bin_item_points(*known)) return bin_push(e, known->word, known->hash);
  if (FL_UNLIKELY(!bin_pool_reserve(&e->pool, e->out.alloc, e->out.alloc_ud))) return bin_fail(e, BIN_ERROR_MEMORY);
  mask = e->pool.room - 1;
  at = known->hash & mask;
  for (probes = 0; probes < BIN_POOL_PROBES && e->pool.slots[at].position; at = (at + 1) & mask, probes++) {
    const struct bin_pool_slot *slot = &e->pool.slots[at];
    if (slot->hash != known->hash) continue;
    if (slot->position != position + 1) break;
    if (FL_UNLIKELY(!e->compact) && bin_here(e) - 2 * (size_t)position > BIN_POOLED_REACH) break;
    return bin_push(e, known->word, known->hash);
  }
  return bin_put_and_note(e, s, n, known);
}

#endif
