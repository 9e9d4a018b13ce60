/* SPDX-License-Identifier: MIT
** check.h -- is this text exactly one JSON value, by the letter of RFC 8259?
** May call: text/.  Must hold: one pass, no recursion, no allocation, no read outside s[0..n).
**
** Stricter than the RFC's "may" clauses: no byte order mark, UTF-8 without exception (section 8.1), and
** surrogates only in pairs (section 8.2 leaves the rest to luck). Numbers may be of any size. */
#ifndef FLEECE_JSON_CHECK_H
#define FLEECE_JSON_CHECK_H

#include "../base/def.h"
#include "../text/quote_portable.h"
#include "../text/utf8.h"
#include "check_errors.h"

#define JSON_CHECK_DEEPEST 1000u

/* The message of an error number, NULL if there is none. */
FL_FUNC const char *json_check_message(int error) {
  switch (error) {
#define JSON_CHECK_CASE(name, message) case JSON_CHECK_##name: return message;
    JSON_CHECK_ERRORS(JSON_CHECK_CASE)
#undef JSON_CHECK_CASE
    default: return NULL;
  }
}

/* Every json_check_x below takes *at before something and moves it past that; on an error, to the byte where
** the text goes wrong: for an escape or a literal its beginning, for something missing the end. */

FL_INLINE void json_check_space(const char **at, const char *end) {
  const char *r = *at;
  while (r < end && (*r == ' ' || *r == '\n' || *r == '\r' || *r == '\t')) r++;
  *at = r;
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

/* At a backslash. */
FL_FUNC int json_check_escape(const char **at, const char *end) {
  const char *r = *at + 1;
  int unit;
  if (r == end) return JSON_CHECK_ESCAPE;
  switch (*r++) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      *at = r;
      return 0;
    case 'u':
      break;
    default:
      return JSON_CHECK_ESCAPE;
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

/* Behind the opening quote; ends behind the closing one. */
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
      if (k < 0) { error = JSON_CHECK_UTF8; break; }
      r += k;
    }
  }
  *at = r;
  return error;
}

FL_INLINE const char *json_check_digits(const char *r, const char *end) {
  while (r < end && *r >= '0' && *r <= '9') r++;
  return r;
}

/* At '-' or a digit: [-] int [frac] [exp], section 6. */
FL_FUNC int json_check_number(const char **at, const char *end) {
  const char *r = *at, *digits;
  if (*r == '-') r++;
  digits = r;
  r = json_check_digits(r, end);
  *at = r;
  if (r == digits) return JSON_CHECK_NUMBER;
  if (*digits == '0' && r - digits > 1) {
    *at = digits + 1;
    return JSON_CHECK_NUMBER;
  }
  if (r < end && *r == '.') {
    digits = ++r;
    *at = r = json_check_digits(r, end);
    if (r == digits) return JSON_CHECK_NUMBER;
  }
  if (r < end && (*r == 'e' || *r == 'E')) {
    r++;
    if (r < end && (*r == '+' || *r == '-')) r++;
    digits = r;
    *at = r = json_check_digits(r, end);
    if (r == digits) return JSON_CHECK_NUMBER;
  }
  return 0;
}

/* At the first byte of a string, a number or a literal. */
FL_INLINE int json_check_scalar(const char **at, const char *end) {
  const char *r = *at;
  switch (*r) {
    case '"':
      ++*at;
      return json_check_string(at, end);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
      return json_check_number(at, end);
    case 't':
      if (end - r < 4 || memcmp(r, "true", 4) != 0) return JSON_CHECK_VALUE;
      *at = r + 4;
      return 0;
    case 'f':
      if (end - r < 5 || memcmp(r, "false", 5) != 0) return JSON_CHECK_VALUE;
      *at = r + 5;
      return 0;
    case 'n':
      if (end - r < 4 || memcmp(r, "null", 4) != 0) return JSON_CHECK_VALUE;
      *at = r + 4;
      return 0;
    default:
      return JSON_CHECK_VALUE;
  }
}

/* The name of a member and its colon. */
FL_INLINE int json_check_name(const char **at, const char *end) {
  int error;
  json_check_space(at, end);
  if (*at == end) return JSON_CHECK_END;
  if (**at != '"') return JSON_CHECK_NAME;
  ++*at;
  error = json_check_string(at, end);
  if (error) return error;
  json_check_space(at, end);
  if (*at == end) return JSON_CHECK_END;
  if (**at != ':') return JSON_CHECK_COLON;
  ++*at;
  return 0;
}

/* One value with white space around it, from *at to the end. */
FL_FUNC int json_check_text(const char **at, const char *end, unsigned max_depth) {
  uint32_t object[JSON_CHECK_DEEPEST / 32 + 1] = { 0 };   /* a bit for each open container: is it an object? */
  unsigned depth = 0;
  int error;
  for (;;) {
    json_check_space(at, end);
    if (*at == end) return JSON_CHECK_END;
    if (**at == '{' || **at == '[') {
      int is_object = **at == '{';
      if (depth >= max_depth) return JSON_CHECK_DEPTH;
      if (is_object) object[depth / 32] |= UINT32_C(1) << depth % 32;
      else object[depth / 32] &= ~(UINT32_C(1) << depth % 32);
      depth++;
      ++*at;
      json_check_space(at, end);
      if (*at == end) return JSON_CHECK_END;
      if (**at != (is_object ? '}' : ']')) {
        if (is_object && (error = json_check_name(at, end)) != 0) return error;
        continue;
      }
      depth--;
      ++*at;
    } else {
      error = json_check_scalar(at, end);
      if (error) return error;
    }
    /* A value has ended; so may any number of containers. */
    for (;;) {
      int in_object;
      json_check_space(at, end);
      if (!depth) return *at == end ? 0 : JSON_CHECK_AFTER;
      if (*at == end) return JSON_CHECK_END;
      in_object = object[(depth - 1) / 32] >> (depth - 1) % 32 & 1;
      if (**at == ',') break;
      if (**at != (in_object ? '}' : ']')) return in_object ? JSON_CHECK_OBJECT : JSON_CHECK_ARRAY;
      depth--;
      ++*at;
    }
    ++*at;
    if (object[(depth - 1) / 32] >> (depth - 1) % 32 & 1) {
      error = json_check_name(at, end);
      if (error) return error;
    }
  }
}

/* 0 if s[0..n) is one JSON value, else an error number, with the offset of the fault in *where.
** Containers may be nested max_depth deep, at most JSON_CHECK_DEEPEST. */
FL_FUNC int json_check(const char *s, size_t n, unsigned max_depth, size_t *where) {
  const char *at = s;
  int error;
  if (max_depth > JSON_CHECK_DEEPEST) max_depth = JSON_CHECK_DEEPEST;
  if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) error = JSON_CHECK_BOM;
  else error = json_check_text(&at, s + n, max_depth);
  if (error && where) *where = (size_t)(at - s);
  return error;
}

#endif
