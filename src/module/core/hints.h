/* SPDX-License-Identifier: MIT
** hints.h -- what error messages add to the grammar's: the option that would allow the text, and the line of NDJSON
** that is incomplete.
** May call: json/grammar/check_errors.h, json/grammar/split.h.
** Must hold: reads nothing but the text, in linear time. */
#ifndef FLEECE_MODULE_CORE_HINTS_H
#define FLEECE_MODULE_CORE_HINTS_H

#include "../../json/grammar/split.h"

/* What the message says if several values follow where one is expected. */
enum mod_several { MOD_SEVERAL_NOTHING, MOD_SEVERAL_DOCUMENTS, MOD_SEVERAL_LINES };

/* Is there a comma before `at` and the blanks in front of it? Is there a line end among these blanks? */
FL_FUNC int mod_stands_behind_comma(const char *begin, const char *at) {
  while (at > begin && json_is_blank(at[-1])) at--;
  return at > begin && at[-1] == ',';
}
FL_FUNC int mod_stands_on_next_line(const char *begin, const char *at) {
  for (; at > begin && json_is_blank(at[-1]); at--)
    if (at[-1] == '\n') return 1;
  return 0;
}

/* What to add to an error message; usually "". */
FL_FUNC const char *mod_hint(unsigned grammar, enum mod_several several, int error, const char *begin, const char *at,
                             const char *end) {
  const char c = at < end ? *at : 0;
  switch (error) {
  case JSON_CHECK_VALUE:
  case JSON_CHECK_NAME:
    if (c == (error == JSON_CHECK_VALUE ? ']' : '}') && !(grammar & JSON_TRAILING_COMMAS) &&
        mod_stands_behind_comma(begin, at))
      return " (trailing_commas = true allows it)";
    break;
  case JSON_CHECK_AFTER:
    if (several && c && strchr("{[\"", c) && mod_stands_on_next_line(begin, at))
      return several == MOD_SEVERAL_LINES ? " (lines = true reads several values)"
                                          : " (fleece.documents reads several values)";
    break;
  case JSON_CHECK_COLON:
  case JSON_CHECK_OBJECT:
  case JSON_CHECK_ARRAY: break;
  default: return "";
  }
  if (c == '/' && end - at > 1 && (at[1] == '/' || at[1] == '*') && !(grammar & (JSON_COMMENTS | JSON_JSON5)))
    return " (comments = true allows it)";
  return "";
}

/* Is [p, end) one complete array or object, followed by blanks at most? */
FL_FUNC int mod_is_whole(const char *p, const char *end, unsigned grammar) {
  struct json_split split;
  memset(&split, 0, sizeof split);
  p = json_split(&split, p, end, (grammar & JSON_JSON5) != 0, (grammar & (JSON_JSON5 | JSON_COMMENTS)) != 0);
  while (p && p < end && json_is_blank(*p)) p++;
  return p == end;
}

FL_INLINE const char *mod_line_end(const char *p, const char *end) {
  const char *line = (const char *)memchr(p, '\n', (size_t)(end - p));
  return line ? line : end;
}

/* An error was found in a document of a stream, after the document's first line. Was the document cut off at the end of
** that line? That is likely if the next line is a complete document of the same kind, and not an item of a list that is
** printed over several lines. Returns the end of the first line; NULL: it is not likely. */
FL_FUNC const char *mod_cut_line(const char *document, const char *at, const char *end, unsigned grammar) {
  const char *line, *next, *behind;
  if (*document != '{' && *document != '[') return NULL;
  line = mod_line_end(document, end);
  if (line >= at || line + 1 >= end) return NULL;
  next = mod_line_end(line + 1, end);
  behind = next + 1;
  if (line[1] != *document || !mod_is_whole(line + 1, next, grammar) || mod_is_whole(document, line, grammar))
    return NULL;
  while (json_is_blank(line[-1])) line--;
  if (line[-1] == '[' || (behind < end && strchr("]},", *behind))) return NULL;
  return line;
}

#endif
