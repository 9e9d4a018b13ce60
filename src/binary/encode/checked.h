/* SPDX-License-Identifier: MIT
** checked.h -- tests whether a call of an encoder is allowed now, for callers that pass on users' calls.
** Must hold: nothing is changed. The caller keeps `has_key`: the innermost collection is a dict whose last item is a
** key. Each function returns the error of the call, or the error that the encoder has already. */
#pragma once

#include "encode.h"

FL_INLINE int bin_in_dict(const struct bin_encoder *e) { return e->depth > 0 && e->open[e->depth - 1].is_dict; }

/* Tests whether a value may come: one at the root, one after each key. */
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

/* Tests whether the innermost collection may end, and is a dict (1), an array (0) or either (-1). */
FL_INLINE enum bin_error bin_may_end(const struct bin_encoder *e, int has_key, int is_dict) {
  if (FL_UNLIKELY(e->error)) return e->error;
  if (FL_UNLIKELY(e->depth == 0)) return BIN_ERROR_STATE_END;
  if (FL_UNLIKELY(is_dict >= 0 && bin_in_dict(e) != is_dict)) return BIN_ERROR_STATE_KIND;
  return FL_UNLIKELY(has_key) ? BIN_ERROR_STATE_NO_VALUE : BIN_ERROR_NONE;
}
