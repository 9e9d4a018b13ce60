/* SPDX-License-Identifier: MIT
** Stricter than the RFC's "may" clauses: UTF-8 without exception (section 8.1), and surrogates only in pairs (section
** 8.2 does not define the others). */
#include "tokens.h"

FL_PRIVATE enum json_literal json_read_literal(const char **p, const char *end) {
  const char *s = *p;
  switch (*s) { /* switch on the first byte, so that each comparison has a constant length */
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

FL_PRIVATE const char *json_check_message(int error) {
  switch (error) {
#define JSON_CHECK_CASE(name, kind, message) \
  case JSON_CHECK_##name: return message;
    JSON_CHECK_ERRORS(JSON_CHECK_CASE)
#undef JSON_CHECK_CASE
  default: return NULL;
  }
}

FL_PRIVATE enum fl_kind json_check_kind(int error) {
  static const unsigned char kinds[] = {FL_KIND_NONE, JSON_CHECK_ERRORS(FL_KIND_OF)};
  return (enum fl_kind)kinds[error];
}

FL_PRIVATE int json_check_escape(const char **at, const char *end) {
  const char *r = *at + 1;
  if (r == end) return JSON_CHECK_ESCAPE;
  switch (*r++) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't': *at = r; return 0;
  case 'u': break;
  default: return JSON_CHECK_ESCAPE;
  }
  int unit = json_check_hex(r, end);
  if (unit < 0) return JSON_CHECK_ESCAPE;
  r += 4;
  if (unit >= 0xd800 && unit <= 0xdfff) {
    if (unit >= 0xdc00 || end - r < 2 || r[0] != '\\' || r[1] != 'u') return JSON_CHECK_SURROGATE;
    unit = json_check_hex(r + 2, end);
    if (unit < 0xdc00 || unit > 0xdfff) return JSON_CHECK_SURROGATE;
    r += 6;
  }
  *at = r;
  return 0;
}

FL_PRIVATE int json_check_string(const char **at, const char *end) {
  const char *r = *at;
  int error = JSON_CHECK_END;
  while (r < end) {
    while (end - r > 8 && text_word_is_plain(fl_load64(r), TEXT_QUOTE | TEXT_CONTROL | TEXT_HIGH)) r += 8;
    const unsigned char c = (unsigned char)*r;
    if (c == '"') {
      *at = r + 1;
      return 0;
    }
    if (c == '\\') {
      error = json_check_escape(&r, end);
      if (error) break;
      error = JSON_CHECK_END;
    } else if (c < 0x20) {
      error = JSON_CHECK_CONTROL;
      break;
    } else if (c < 0x80) {
      r++;
    } else {
      uint32_t cp;
      int k = text_utf8_next(r, (size_t)(end - r), &cp);
      if (k < 0) {
        error = JSON_CHECK_UTF8;
        break;
      }
      r += k;
    }
  }
  *at = r;
  return error;
}

FL_PRIVATE_NOINLINE const char *json_scan_unexpected(struct json_scan *j, int error, const char *at) {
  return json_scan_error(j, at == j->end ? JSON_CHECK_END : error, at);
}

FL_PRIVATE char *json_scratch(struct json_scan *j, size_t n) {
  n += TEXT_UNESCAPE_MARGIN;
  if (n > j->room) {
    char *block = j->grow(j->owner, n);
    if (!block) return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_MEMORY, j->end);
    j->scratch = block;
    j->room = n;
  }
  return j->scratch;
}

FL_PRIVATE char *json_unescape_unicode(struct json_scan *j, char *w, const char **at) {
  const char *p = *at;
  int c = json_check_hex(p + 2, j->end), low;
  if (c < 0) return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_ESCAPE, p);
  *at = p + 6;
  if (FL_LIKELY((c & 0xf800) != 0xd800)) return text_put_utf8(w, (uint32_t)c);
  low = c < 0xdc00 && p[6] == '\\' && p[7] == 'u' ? json_check_hex(p + 8, j->end) : -1;
  if ((low & ~0x3ff) == 0xdc00) {
    *at = p + 12;
    return text_put_utf8(w, 0x10000u + (((uint32_t)c & 0x3ff) << 10) + ((uint32_t)low & 0x3ff));
  }
  if (j->bad_text == JSON_BAD_ERROR || j->bad_text == JSON_BAD_BYTES || (j->bad_text == JSON_BAD_LOW && c < 0xdc00))
    return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_SURROGATE, p);
  return text_put_utf8(w, j->bad_text >= JSON_BAD_PASS ? (uint32_t)c : 0xfffd);
}
