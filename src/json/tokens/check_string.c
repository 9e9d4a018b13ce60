/* SPDX-License-Identifier: MIT
** Stricter than the RFC's "may" clauses: UTF-8 without exception (section 8.1), and surrogates only in pairs (section
** 8.2 does not define the others). */
#include "check_string.h"

FL_PRIVATE const char *json_check_message(int error) {
  switch (error) {
#define JSON_CHECK_CASE(name, message) \
  case JSON_CHECK_##name: return message;
    JSON_CHECK_ERRORS(JSON_CHECK_CASE)
#undef JSON_CHECK_CASE
  default: return NULL;
  }
}

FL_PRIVATE int json_check_escape(const char **at, const char *end) {
  const char *r = *at + 1;
  int unit;
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
  unit = json_check_hex(r, end);
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
    unsigned char c;
    while (end - r > 8 && text_word_is_plain(fl_load64(r), TEXT_QUOTE | TEXT_CONTROL | TEXT_HIGH)) r += 8;
    c = (unsigned char)*r;
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
