/* SPDX-License-Identifier: MIT
** lenient.h -- what rxi's json.lua reads beyond RFC 8259: numbers, as Lua's tonumber reads a token.
** May call: base, number, json.
** Must hold: what json/grammar/lenient.h says of its functions. */
#ifndef FLEECE_DROPIN_RXI_LENIENT_H
#define FLEECE_DROPIN_RXI_LENIENT_H

#include "../shared/strtod.h"

/* The byte after the token at p: white space, a comma or the end of a container ends it. */
FL_FUNC const char *rxi_token(const char *p, const char *end) {
  while (p < end && !json_is_blank(*p) && *p != ',' && *p != ']' && *p != '}') p++;
  return p;
}

/* Is the token [p, end), which begins with a digit or '-', a number: "0x1f", "0x.8p1", "007", "1."? *d is the
** value if it is not a decimal. */
FL_FUNC int rxi_is_number(const char *p, const char *end, enum dropin_strtod_kind *kind, double *d) {
  return !dropin_is_inf_or_nan(p + (*p == '-')) && dropin_strtod_number(p, DROPIN_STRTOD_NUMBERS, kind, d) == end;
}

/* A value that strict JSON does not have: a number. */
FL_FUNC const char *rxi_value_(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int negative = *p == '-';
  const char *first = p + negative, *end = rxi_token(p, j->end);
  struct num_value *v = &out->number, hex;
  enum dropin_strtod_kind kind;
  if (!negative && !json_is_digit(*p)) return json_scan_error(j, JSON_CHECK_VALUE, p);
  if (!rxi_is_number(p, end, &kind, &v->d)) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  v->kind = NUM_DOUBLE;
  if (kind == DROPIN_STRTOD_DECIMAL) return json_lenient_decimal(j, first, negative, 1, v);
  if (json_check_hex_digit(first[2]) < 0) return end;
  if (json5_hex(first + 2, negative, &hex) == end) *v = hex;
  return end;
}

static const struct json_rules rxi_rules = {NULL, rxi_value_};
enum { RXI_GRAMMAR = JSON_RULES | JSON_ODD_ZEROS | JSON_TRAILING_COMMAS };

#endif
