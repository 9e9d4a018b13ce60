/* SPDX-License-Identifier: MIT
** wide.h -- strings and doubles as in write.h, in functions compiled for AVX2.
** Must hold: they run only on CPUs with TEXT_CPU_WIDE. */
#pragma once

#include "write.h"

#if FLEECE_WIDE
#include "../../text/x86/copy.h"

/* json_put_lesser_flag_ for a short string whose opening quote is written. Usually its marks are slashes, which E1 and
** E2 do not escape. */
FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_put_lesser_flag_wide_(struct json_out *o, char *w, const char *s,
                                                                      size_t n, char after);

/* json_put_string for TEXT_WIDE_TARGET, for escapings in which no character is replaced by another. Addresses and
** descriptions often have 33 to 64 bytes: the step for those saves apache_builds 13 % of its instructions,
** github_events 11 %; as a call it saves nothing. */
FL_INLINE TEXT_WIDE_TARGET char *json_put_string_wide(struct json_out *o, char *w, const char *s, size_t n, int escape,
                                                      char after) {
  uint64_t marks;
  *w = '"';
  if (FL_UNLIKELY(!text_is_short(s, n))) {
    if (n - 33 <= 31 && text_is_readable(s, 64)) {
      marks = text_copy64_wide(w + 1, s, json_escape_set(escape));
      if (FL_LIKELY(!(marks << (64 - n)))) {
        w[n + 1] = '"', w[n + 2] = after;
        return w + n + 3;
      }
    }
    _mm256_zeroupper();
    if (json_is_lesser_flag(o, escape)) return json_put_lesser_flag_(o, w, s, n, after);
    return json_write_string_and(o, w, s, n, escape, after);
  }
  marks = text_copy32_wide(w + 1, s, json_escape_set(escape)) & fl_low_bits(n);
  if (FL_UNLIKELY(marks)) {
    unsigned high = 0;
    if (json_is_lesser_flag(o, escape)) return json_put_lesser_flag_wide_(o, w, s, n, after);
    w = text_settle32_wide(w + 1, s, n, marks, &high);
    w[0] = '"', w[1] = after;
    if (escape == JSON_ESCAPE_JSON && FL_UNLIKELY(high) && !json_utf8_holds(o, s, n)) return NULL;
    return w + 2;
  }
  w[n + 1] = '"', w[n + 2] = after;
  return w + n + 3;
}

/* json_write_double for TEXT_WIDE_TARGET. It has its own copy of the code, because clearing the upper halves (see
** text_settle32_wide_) costs 7 % on prices. */
FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_write_fraction_wide_(char *w, double d);

FL_INLINE TEXT_WIDE_TARGET char *json_write_double_wide(struct json_out *o, char *w, double d) {
  uint64_t n;
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  return num_integral(d, &n) ? num_write_integral(w, d, n, 0) : json_write_fraction_wide_(w, d);
}

FL_PRIVATE_NOINLINE TEXT_WIDE_TARGET char *json_write_rounded_wide_(char *w, double d, int digits);

FL_INLINE TEXT_WIDE_TARGET char *json_write_rounded_wide(struct json_out *o, char *w, double d) {
  uint64_t n;
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  if (num_integral(d, &n) && FL_LIKELY(n < o->style->whole)) return num_write_integral(w, d, n, 0);
  return json_write_rounded_wide_(w, d, o->style->precision);
}
#endif
