/* SPDX-License-Identifier: MIT */
#include "hints.h"

FL_PRIVATE void mod_pass_before(struct mod_before *before, const char *begin, const char *at) {
  int line_end = 0;
  for (; at > begin && json_is_blank(at[-1]); at--) line_end |= at[-1] == '\n';
  if (at > begin) before->byte = at[-1], before->has_line_end = line_end;
  else before->has_line_end |= line_end;
}

FL_PRIVATE const char *mod_hint(unsigned grammar, enum mod_several several, int error, const struct mod_before *before,
                                const char *begin, const char *at, const char *end) {
  const char c = at < end ? *at : 0;
  struct mod_before here = *before;
  mod_pass_before(&here, begin, at);
  switch (error) {
  case JSON_CHECK_VALUE:
  case JSON_CHECK_NAME:
    if (c == (error == JSON_CHECK_VALUE ? ']' : '}') && !(grammar & JSON_TRAILING_COMMAS) && here.byte == ',')
      return " (trailing_commas = true allows it)";
    break;
  case JSON_CHECK_AFTER:
    if (several && c && strchr("{[\"", c) && here.has_line_end)
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

/* Is [p, end) one complete array or object, followed by nothing but white space? */
static int mod_is_whole(const char *p, const char *end, unsigned grammar) {
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

FL_PRIVATE const char *mod_cut_line(const char *document, const char *at, const char *end, unsigned grammar) {
  const char *line, *next, *behind;
  if (*document != '{' && *document != '[') return NULL;
  line = mod_line_end(document, end);
  if (line >= at || line + 1 >= end) return NULL;
  next = mod_line_end(line + 1, end);
  behind = next + 1;
  if (next - document > MOD_LINES_LONGEST) return NULL;
  if (line[1] != *document || !mod_is_whole(line + 1, next, grammar) || mod_is_whole(document, line, grammar))
    return NULL;
  while (json_is_blank(line[-1])) line--;
  if (line[-1] == '[' || (behind < end && strchr("]},", *behind))) return NULL;
  return line;
}

FL_PRIVATE int mod_cut_line_is_open(const char *document, const char *at, const char *end) {
  const char *line;
  if ((*document != '{' && *document != '[') || end - document > MOD_LINES_LONGEST) return 0;
  line = mod_line_end(document, end);
  if (line >= at) return 0;
  return line + 1 >= end || (line[1] == *document && mod_line_end(line + 1, end) + 1 >= end);
}
