/* SPDX-License-Identifier: MIT
** characters.c -- white space, digits, letters and words of JSON and of texts like it, byte by byte.
** May call: base.
** Must hold: as characters.h. */
#include "characters.h"

FL_PRIVATE enum json_literal json_read_literal(const char **p, const char *end) {
  static const char *const words[] = {"true", "false", "null", "undefined"};
  int i;
  for (i = 0; i < JSON_LITERAL_NONE && !json_starts(*p, end, words[i]); i++) continue;
  if (i < JSON_LITERAL_NONE) *p += strlen(words[i]);
  return (enum json_literal)i;
}

FL_PRIVATE const char *json_comment_close(const char *p, const char *end) {
  for (; end - p >= 2; p++)
    if (p[0] == '*' && p[1] == '/') return p + 2;
  return NULL;
}
