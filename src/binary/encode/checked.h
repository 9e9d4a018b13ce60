/* SPDX-License-Identifier: MIT
** checked.h -- may this call of an encoder come now? For callers whose own order of calls is not to be
** trusted.
** May call: binary/encode/encode.h.
** Must hold: nothing is changed. `has_key`: the innermost collection is a dict and its last item is a key; the caller
** keeps it. Each function answers the error that the call would be, or what the encoder failed with before. */
#ifndef FLEECE_BINARY_ENCODE_CHECKED_H
#define FLEECE_BINARY_ENCODE_CHECKED_H

#include "encode.h"

FL_INLINE int bin_in_dict(const struct bin_encoder *e) { return e->depth > 0 && e->open[e->depth - 1].is_dict; }

/* A value: one at the root, one behind each key. */
FL_INLINE enum bin_error bin_may_put(const struct bin_encoder *e, int has_key) {
  if (FL_UNLIKELY(e->error)) return e->error;
  if (FL_UNLIKELY(e->depth == 0 && e->count > 0)) return BIN_ERROR_STATE_TWO;
  return FL_UNLIKELY(bin_in_dict(e) && !has_key) ? BIN_ERROR_STATE_NO_KEY : BIN_ERROR_NONE;
}

FL_INLINE enum bin_error bin_may_put_key(const struct bin_encoder *e, int has_key) {
  if (FL_UNLIKELY(e->error)) return e->error;
  if (FL_UNLIKELY(!bin_in_dict(e))) return BIN_ERROR_STATE_NO_DICT;
  return FL_UNLIKELY(has_key) ? BIN_ERROR_STATE_NO_VALUE : BIN_ERROR_NONE;
}

/* The end of the innermost collection, which is a dict (1), an array (0) or either (-1). */
FL_INLINE enum bin_error bin_may_end(const struct bin_encoder *e, int has_key, int is_dict) {
  if (FL_UNLIKELY(e->error)) return e->error;
  if (FL_UNLIKELY(e->depth == 0)) return BIN_ERROR_STATE_END;
  if (FL_UNLIKELY(is_dict >= 0 && bin_in_dict(e) != is_dict)) return BIN_ERROR_STATE_KIND;
  return FL_UNLIKELY(has_key) ? BIN_ERROR_STATE_NO_VALUE : BIN_ERROR_NONE;
}

#endif
