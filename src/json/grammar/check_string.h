/* SPDX-License-Identifier: MIT
** check_string.h -- finds the first error of a string, by the letter of RFC 8259; and the messages of all errors.
** May call: base, text.  Must hold: byte order is reading order; no read outside [*at, end).
**
** Stricter than the RFC's "may" clauses: UTF-8 without exception (section 8.1), and surrogates only in pairs (section
** 8.2 does not define the others). */
#ifndef FLEECE_JSON_GRAMMAR_CHECK_STRING_H
#define FLEECE_JSON_GRAMMAR_CHECK_STRING_H

#include "../../base/def.h"
#include "../../text/portable/quote.h"
#include "../../text/utf8.h"
#include "check_errors.h"

/* The message of an error number, NULL if there is none. */
FL_FUNC const char *json_check_message(int error) {
  switch (error) {
#define JSON_CHECK_CASE(name, message) \
  case JSON_CHECK_##name: return message;
    JSON_CHECK_ERRORS(JSON_CHECK_CASE)
#undef JSON_CHECK_CASE
  default: return NULL;
  }
}

FL_INLINE int json_check_hex_digit(char c) {
  const int lower = c | 0x20;
  if (c >= '0' && c <= '9') return c - '0';
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Four hexadecimal digits as a number, or -1. */
FL_INLINE int json_check_hex(const char *r, const char *end) {
  int x = 0, i;
  if (end - r < 4) return -1;
  for (i = 0; i < 4; i++) x = x < 0 ? x : x << 4 | json_check_hex_digit(r[i]);
  return x;
}

/* json_check_escape and json_check_string move *at past what they read, or to the error: an escape's backslash, or
** the end if something is missing. */

/* At a backslash. */
FL_FUNC int json_check_escape(const char **at, const char *end) {
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

/* From the byte after the opening quote to the byte after the closing one. */
FL_FUNC int json_check_string(const char **at, const char *end) {
  const char *r = *at;
  int error = JSON_CHECK_END;
  while (r < end) {
    unsigned char c;
    while (end - r > 8 && text_wplain(fl_load64(r), TEXT_QUOTE | TEXT_CONTROL | TEXT_HIGH)) r += 8;
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

#endif
