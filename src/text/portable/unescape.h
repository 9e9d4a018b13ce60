/* SPDX-License-Identifier: MIT
** unescape.h -- the tables of escapes, and reading strings with escapes byte by byte, which text/unescape.c uses where
** blocks cannot be read, and is tested against.
** Must hold: as text/unescape.h, but no byte after `end` is read. */
#pragma once

#include "../utf8.h"

/* clang-format off */
#define TEXT_ROW(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define TEXT_ROWS4(x) TEXT_ROW(x), TEXT_ROW(x), TEXT_ROW(x), TEXT_ROW(x)
#define TEXT_ROWS8(x) TEXT_ROWS4(x), TEXT_ROWS4(x)

/* The byte that a backslash and this character mean, or 0 if it is not a short escape. */
FL_ONE_OBJECT const char text_short_escapes[256] = {
  TEXT_ROW(0), TEXT_ROW(0),
  0, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '/',
  TEXT_ROW(0), TEXT_ROW(0),
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '\\', 0, 0, 0,
  0, 0, '\b', 0, 0, 0, '\f', 0, 0, 0, 0, 0, 0, 0, '\n', 0,
  0, 0, '\r', 0, '\t', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  TEXT_ROWS8(0)
};

/* The value of a hexadecimal digit, or -1. */
FL_ONE_OBJECT const signed char text_hex_digits[256] = {
  TEXT_ROW(-1), TEXT_ROW(-1), TEXT_ROW(-1),
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
  -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  TEXT_ROW(-1),
  -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  TEXT_ROW(-1),
  TEXT_ROWS8(-1)
};
#undef TEXT_ROW
#undef TEXT_ROWS8
#undef TEXT_ROWS4
/* clang-format on */

FL_INLINE char text_short_escape(char c) { return text_short_escapes[(unsigned char)c]; }
FL_INLINE int text_hex_digit(char c) { return text_hex_digits[(unsigned char)c]; }

/* Returns four hexadecimal digits at p as a number, or less than 0 if one is not a digit. */
FL_INLINE int text_hex4(const char *p) {
  return (int)((uint32_t)text_hex_digit(p[0]) << 12 | (uint32_t)text_hex_digit(p[1]) << 8 |
               (uint32_t)text_hex_digit(p[2]) << 4 | (uint32_t)text_hex_digit(p[3]));
}

/* Returns whether an escape \u begins at p. Reads two bytes. */
FL_INLINE int text_is_unit(const char *p) { return fl_load16(p) == fl_load16("\\u"); }

/* Reads the character of the \uXXXX, or of the surrogate pair, at *p, and moves *p past it. Returns less than 0 if it
** is invalid, half of a pair, or not complete before `close`. */
FL_INLINE int32_t text_read_unit(const char **p, const char *close) {
  const char *r = *p;
  int c, low;
  if (close - r < 6 || (c = text_hex4(r + 2)) < 0) return -1;
  if (FL_LIKELY((c & 0xf800) != 0xd800)) {
    *p = r + 6;
    return c;
  }
  if (c >= 0xdc00 || close - r < 12 || !text_is_unit(r + 6)) return -1;
  low = text_hex4(r + 8);
  if ((low & ~0x3ff) != 0xdc00) return -1;
  *p = r + 12;
  return 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
}

FL_FUNC const char *text_string_end_bytes(const char *p, const char *end, uint64_t *high) {
  while (p < end && (unsigned char)*p >= 0x20 && *p != '"') {
    *high |= (unsigned char)*p & 0x80;
    if (*p++ == '\\' && p < end) *high |= (unsigned char)*p++ & 0x80;
  }
  return p;
}

FL_FUNC const char *text_check_escapes_bytes(const char *p, const char *end, uint64_t *high) {
  while (p < end && (unsigned char)*p >= 0x20 && *p != '"') {
    *high |= (unsigned char)*p & 0x80;
    if (*p != '\\') p++;
    else if (end - p >= 2 && text_short_escape(p[1])) p += 2;
    else if (end - p < 2 || p[1] != 'u' || text_read_unit(&p, end) < 0) break;
  }
  return p;
}

FL_FUNC char *text_unescape_bytes(char *w, const char **at, const char *close) {
  const char *p = *at;
  while (p < close) {
    int32_t c;
    if (*p != '\\') {
      *w++ = *p++;
    } else if (text_short_escape(p[1])) {
      *w++ = text_short_escape(p[1]);
      p += 2;
    } else {
      if (p[1] != 'u' || (c = text_read_unit(&p, close)) < 0) break;
      w = text_put_utf8(w, (uint32_t)c);
    }
  }
  *at = p;
  return w;
}
