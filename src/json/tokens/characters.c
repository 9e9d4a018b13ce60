/* SPDX-License-Identifier: MIT */
#include "characters.h"

FL_PRIVATE enum json_literal json_read_literal(const char **p, const char *end) {
  const char *s = *p;
  switch (*s) { /* by the first byte: each comparison is one of constant length */
  case 't': return json_starts(s, end, "true") ? (*p = s + 4, JSON_LITERAL_TRUE) : JSON_LITERAL_NONE;
  case 'f': return json_starts(s, end, "false") ? (*p = s + 5, JSON_LITERAL_FALSE) : JSON_LITERAL_NONE;
  case 'n': return json_starts(s, end, "null") ? (*p = s + 4, JSON_LITERAL_NULL) : JSON_LITERAL_NONE;
  case 'u': return json_starts(s, end, "undefined") ? (*p = s + 9, JSON_LITERAL_UNDEFINED) : JSON_LITERAL_NONE;
  default: return JSON_LITERAL_NONE;
  }
}

FL_PRIVATE const char *json_comment_close(const char *p, const char *end) {
  for (; end - p >= 2; p++)
    if (p[0] == '*' && p[1] == '/') return p + 2;
  return NULL;
}
