/* SPDX-License-Identifier: MIT
** span.h -- strings and numbers as they stand in the text: tested, but not converted.
** Must hold: as scan.h. What is accepted, and where an error is, is as for json_scan_string and num_parse, except that
** numbers may be of any size. */
#pragma once

#include "scan.h"

/* A number (RFC 8259, section 6). Its kind is NUM_INTEGER, also if it has a fraction, or NUM_BAD; then the error is at
** the byte that is returned. */
FL_INLINE const char *json_span_number(const char *p, const char *end, struct num_value *v) {
  const char *digits = p + (*p == '-');
  (void)end;
  v->kind = NUM_BAD;
  v->i = 0;
  p = json_skip_digits(digits);
  if (p == digits) return p;
  if (FL_UNLIKELY(*digits == '0') && p > digits + 1) return digits + 1;
  if (*p == '.') {
    digits = p + 1;
    p = json_skip_digits(digits);
    if (p == digits) return p;
  }
  if ((*p | 0x20) == 'e') {
    digits = p + 1 + (p[1] == '-' || p[1] == '+');
    p = json_skip_digits(digits);
    if (p == digits) return p;
  }
  v->kind = NUM_INTEGER;
  return p;
}

/* As json_scan_string, but *out is the text between the quotes, with its escapes, and *strict is true. A string of a
** lenient grammar is read with *strict false, and *out is what it means. */
FL_INLINE const char *json_span_string(struct json_scan *j, const char *p, struct json_string *out, int *strict) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_UNLIKELY(*q == '\\')) q = text_check_escapes(q, j->end, &high);
  out->s = p;
  out->n = (size_t)(q - p);
  *strict = FL_LIKELY(*q == '"') && (FL_LIKELY(!high) || FL_LIKELY(j->utf8(p, out->n) == out->n));
  return FL_LIKELY(*strict) ? q + 1 : json_lenient_string(j, p, out);
}
