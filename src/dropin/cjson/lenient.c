/* SPDX-License-Identifier: MIT */
#include "lenient.h"

FL_PRIVATE const char *cjson_string_(struct json_scan *j, const char *p, struct json_string *out) {
  const char *q = p;
  char *w;
  while (q < j->end && *q != '"') q += 1 + (*q == '\\');
  if (q > j->end) q = j->end;
  if (!(w = json_scratch(j, (size_t)(q - p)))) return NULL;
  while (*p != '"') {
    char plain;
    if (*p == 0) return json_scan_unexpected(j, JSON_CHECK_CONTROL, p);
    if (*p != '\\') {
      *w++ = *p++;
    } else if ((plain = text_short_escape(p[1])) != 0) {
      *w++ = plain;
      p += 2;
    } else if (p[1] != 'u') {
      return json_scan_error(j, JSON_CHECK_ESCAPE, p);
    } else if (!(w = json_unescape_unicode(j, w, &p))) {
      return NULL;
    }
  }
  json_set_scratch_string(j, w, out);
  return p + 1;
}

FL_PRIVATE const char *cjson_value_(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int wide = (j->grammar & DROPIN_STRTOD_NUMBERS) != 0;
  const int begins = *p == '-' || json_is_digit(*p) || (wide && (*p == '+' || dropin_is_inf_or_nan(p)));
  enum dropin_strtod_kind kind;
  const char *behind;
  if (!begins) return json_scan_unexpected(j, JSON_CHECK_VALUE, p);
  behind = dropin_strtod_number(p, j->grammar, &kind, &out->number.d);
  if (!behind) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  out->number.kind = NUM_DOUBLE;
  if (kind == DROPIN_STRTOD_OTHER) return behind;
  return json_lenient_decimal(j, p + (*p == '-' || *p == '+'), *p == '-', 1, &out->number);
}
