/* SPDX-License-Identifier: MIT */
#include "lenient.h"

FL_PRIVATE const char *rxi_token(const char *p, const char *end) {
  while (p < end && !json_is_blank(*p) && *p != ',' && *p != ']' && *p != '}') p++;
  return p;
}

FL_PRIVATE int rxi_is_number(const char *p, const char *end, enum dropin_strtod_kind *kind, double *d) {
  return !dropin_is_inf_or_nan(p + (*p == '-')) && dropin_strtod_number(p, DROPIN_STRTOD_NUMBERS, kind, d) == end;
}

FL_PRIVATE const char *rxi_value_(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int negative = *p == '-';
  const char *first = p + negative, *end = rxi_token(p, j->end);
  struct num_value *v = &out->number, hex;
  enum dropin_strtod_kind kind;
  if (!negative && !json_is_digit(*p)) return json_scan_error(j, JSON_CHECK_VALUE, p);
  if (!rxi_is_number(p, end, &kind, &v->d)) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  v->kind = NUM_DOUBLE;
  if (kind == DROPIN_STRTOD_DECIMAL) return json_lenient_decimal(j, first, negative, 1, v);
  if (text_hex_digit(first[2]) < 0) return end;
  if (json5_hex(first + 2, negative, &hex) == end) *v = hex;
  return end;
}
