/* SPDX-License-Identifier: MIT
** span.h -- strings and numbers as they stand in the text: tested, but not turned into what they mean.
** May call: base, number.
** Must hold: as scan.h; what is accepted, and where it goes wrong, is as json_scan_string and num_parse have it, but
** that numbers may be of any size. */
#ifndef FLEECE_JSON_GRAMMAR_SPAN_H
#define FLEECE_JSON_GRAMMAR_SPAN_H

#include "scan.h"

/* A number (RFC 8259, section 6): its kind is NUM_INTEGER, whatever it is, or NUM_BAD with where it goes wrong. */
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

/* Behind the escapes and plain characters from the backslash q on: the closing quote, or where it goes wrong. */
FL_NOINLINE const char *json_span_escapes_(struct json_scan *j, const char *q, uint64_t *high) {
  while (*q == '\\') {
    if (json_short_escape(q[1])) q += 2;
    else if (json_check_escape(&q, j->end)) break;
    q = json_scan_plain(j, q, high);
  }
  return q;
}

/* As json_scan_string, but *out is what stands between the quotes, escapes and all; *strict tells that it does. If
** not, it is a string of a lenient grammar, and *out what it means. */
FL_INLINE const char *json_span_string(struct json_scan *j, const char *p, struct json_string *out, int *strict) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_UNLIKELY(*q == '\\')) q = json_span_escapes_(j, q, &high);
  out->s = p;
  out->n = (size_t)(q - p);
  *strict = FL_LIKELY(*q == '"') && (FL_LIKELY(!high) || FL_LIKELY(j->utf8(p, out->n) == out->n));
  return FL_LIKELY(*strict) ? q + 1 : json_lenient_string(j, p, out);
}

#endif
