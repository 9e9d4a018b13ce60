/* SPDX-License-Identifier: MIT */
#include "tokens.h"

FL_PRIVATE const char *json4lua_begin(struct json_scan *j, const char *p) {
  const char *q;
  while (*(p = json_skip_blanks(p)) == '/' && p[1] == '*') {
    if (!(q = json_comment_close(p + 2, j->end))) return json_scan_error(j, JSON4LUA_COMMENT, p);
    p = q;
  }
  return p < j->end ? p : json_scan_error(j, JSON4LUA_END, p);
}

FL_PRIVATE const char *json4lua_number(struct json_scan *j, const char *p, struct num_value *v) {
  const int negative = *p == '-';
  const char *last = p, *behind;
  while (json4lua_is_number(*last)) last++;
  behind = p[negative] == 'e' || p[negative] == '+' ? NULL : json_lenient_decimal(j, p + negative, negative, 1, v);
  return behind == last ? last : json_scan_error(j, JSON4LUA_NUMBER, p);
}
