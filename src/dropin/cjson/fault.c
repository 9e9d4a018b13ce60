/* SPDX-License-Identifier: MIT */
#include "fault.h"

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
  /* A number is an integer if digits alone follow its sign, and after them nothing that could be more of a number. */
  p = json_skip_digits(p + (*p == '-' || *p == '+'));
  return p == after && (*p | 0x20) != 'e' && *p != 'x' ? "T_INTEGER" : "T_NUMBER";
}
