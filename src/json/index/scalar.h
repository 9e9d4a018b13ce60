/* SPDX-License-Identifier: MIT
** scalar.h -- numbers and words in a text that ends with a bracket: whether they are valid, and where they end.
** Must hold: as locate.h: a number that could be too large for a double is refused. */
#pragma once

#include "../../number/parse.h"
#include "../grammar/scan.h"

/* Returns the first byte from p on that is not a digit. */
FL_INLINE const char *json_index_digits(const char *p, const char *end) {
  while (FL_LIKELY(end - p >= 8)) {
    const struct num_block b = num_block_at(p);
    if (FL_LIKELY(b.mark != 0)) return p + fl_trailing_zeros(b.mark) / 8;
    p += 8;
  }
  return json_skip_digits(p);
}

/* Limits: a number with more digits or a larger exponent could be too large for a double. */
enum { JSON_INDEX_DIGITS = 200, JSON_INDEX_EXPONENT_DIGITS = 2 };

/* Returns the byte after the number or word at p, which must be white space, a comma or a closing bracket. NULL if
** there is none or it is invalid. The text must end with a bracket. */
FL_INLINE const char *json_index_scalar(const char *p, const char *end) {
  const char *digits = p + (*p == '-');
  if (FL_LIKELY(json_is_digit(*digits))) {
    p = json_index_digits(digits, end);
    if (FL_UNLIKELY(*digits == '0') && p > digits + 1) return NULL;
    if (FL_UNLIKELY(p - digits > JSON_INDEX_DIGITS)) return NULL;
    if (*p == '.') {
      digits = p + 1;
      p = json_index_digits(digits, end);
      if (p == digits) return NULL;
    }
    if ((*p | 0x20) == 'e') {
      const int is_small = p[1] == '-';
      digits = p + 1 + (is_small || p[1] == '+');
      p = json_index_digits(digits, end);
      if (p == digits || (!is_small && p - digits > JSON_INDEX_EXPONENT_DIGITS)) return NULL;
    }
  } else {
    const int is_false = *p == 'f';
    if (end - p < 4 + is_false) return NULL;
    if (fl_load32(p + is_false) != json_word(is_false ? "alse" : *p == 't' ? "true" : "null")) return NULL;
    p += 4 + is_false;
  }
  return *p == ',' || (*p | 0x20) == '}' || json_is_blank(*p) ? p : NULL;
}
