/* SPDX-License-Identifier: MIT
** encode_known.h -- strings that the caller knows to have put before: what the encoder found out then is not found
** out again.
** May call: base, binary/encode.h.
** Must hold: the result is that of bin_put_key for the same bytes. */
#ifndef FLEECE_BINARY_ENCODE_KNOWN_H
#define FLEECE_BINARY_ENCODE_KNOWN_H

#include "encode.h"

/* Where a key lay when it was put last, or its inline bytes. */
typedef struct {
  struct bin_item item;
  uint32_t moved; /* the encoder's at that time */
} bin_known;

/* Puts a key and notes it. */
FL_INLINE int bin_put_and_note(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  if (FL_UNLIKELY(!bin_put_key(e, s, n))) return 0;
  known->item = e->items[e->count - 1];
  known->moved = e->moved;
  return 1;
}

/* Puts a key that was noted in this document. Its bytes decide where keys were written again since, or where the
** reference would write it again. */
FL_INLINE int bin_put_known(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  const struct bin_item item = known->item;
  if (FL_LIKELY(known->moved == e->moved) &&
      (e->compact || !bin_item_points(item) ||
       (bin_here(e) - 2 * (size_t)bin_item_position(item) <= BIN_POOLED_REACH && n <= e->pooled_most[1])))
    return bin_push(e, item.word, item.hash);
  return bin_put_and_note(e, s, n, known);
}

#endif
