/* SPDX-License-Identifier: MIT */
#include "wide.h"

#if FLEECE_WIDE

FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_put_lesser_flag_wide_(struct json_out *o, char *w, const char *s,
                                                                      size_t n, char after) {
  if (FL_LIKELY(!json_lesser_hits(s, n, o->style->escape))) {
    w[n + 1] = '"', w[n + 2] = after;
    return w + n + 3;
  }
  _mm256_zeroupper();
  return json_put_lesser_flag_(o, w, s, n, after);
}

FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_write_fraction_wide_(char *w, double d) {
  return num_write_fraction(w, d, 0);
}

FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_write_rounded_wide_(char *w, double d, int digits) {
  return num_write_rounded(w, d, digits, NUM_END_BARE);
}
#endif
