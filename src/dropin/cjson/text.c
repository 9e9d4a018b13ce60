/* SPDX-License-Identifier: MIT */
#include "text.h"

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
  if (!begins) return json_scan_unexpected(j, JSON_CHECK_VALUE, p);
  const char *behind = dropin_strtod_number(p, j->grammar, &kind, &out->number.d);
  if (!behind) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  out->number.kind = NUM_DOUBLE;
  if (kind == DROPIN_STRTOD_OTHER) return behind;
  return json_lenient_decimal(j, p + (*p == '-' || *p == '+'), *p == '-', 1, &out->number);
}

FL_PRIVATE const char *cjson_fault_scalar(struct dropin_fault *f, const char *p) {
  enum dropin_strtod_kind kind;
  double d;
  const char *after = p;
  if (json_read_literal(&after, f->end) <= JSON_LITERAL_NULL) return after;
  if (*p != '-' && !json_is_digit(*p) &&
      !((f->grammar & DROPIN_STRTOD_NUMBERS) && (*p == '+' || dropin_is_inf_or_nan(p))))
    return dropin_fault_is(f, DROPIN_FAULT_CHARACTER, p);
  after = dropin_strtod_number(p, f->grammar, &kind, &d);
  return after ? after : dropin_fault_is(f, DROPIN_FAULT_NUMBER, p);
}

FL_PRIVATE const char *cjson_fault_token(struct dropin_fault *f, const char *p) {
  /* clang-format off */
  static const struct { char byte; const char *name; } tokens[] = {
      {'{', "T_OBJ_BEGIN"}, {'}', "T_OBJ_END"}, {'[', "T_ARR_BEGIN"}, {']', "T_ARR_END"}, {':', "T_COLON"},
      {',', "T_COMMA"},     {0, "T_END"},       {'"', "T_STRING"},    {'t', "T_BOOLEAN"}, {'f', "T_BOOLEAN"}};
  /* clang-format on */
  enum { SINGLES = 7 }; /* tokens of one byte */
  const char *after;
  size_t i;
  f->at = p;
  for (i = 0; i < SINGLES; i++)
    if (*p == tokens[i].byte) return tokens[i].name;
  after = *p == '"' ? dropin_fault_string(f, p) : cjson_fault_scalar(f, p);
  if (!after) return cjson_fault_rules.texts[f->cause];
  for (; i < sizeof tokens / sizeof *tokens; i++)
    if (*p == tokens[i].byte) return tokens[i].name;
  if (*p == 'n' && p[1] == 'u') return "T_NULL";
  /* A number is an integer if only digits follow its sign, and nothing after them continues a number. */
  p = json_skip_digits(p + (*p == '-' || *p == '+'));
  return p == after && (*p | 0x20) != 'e' && *p != 'x' ? "T_INTEGER" : "T_NUMBER";
}
