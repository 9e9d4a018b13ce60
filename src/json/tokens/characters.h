/* SPDX-License-Identifier: MIT
** characters.h -- white space, digits, letters and words of JSON and of texts like it, byte by byte.
** Must hold: functions without an `end` stop at the 0 after the text. For code that is not hot: scan.h has the fast
** ways over white space and strings. */
#pragma once

#include "../../base/def.h"

/* White space of JSON, and of C. */
FL_INLINE int json_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

FL_INLINE int json_is_c_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

FL_INLINE int json_is_digit(char c) { return (unsigned char)(c - '0') < 10; }

FL_INLINE int json_is_letter(char c) { return (unsigned char)((c | 0x20) - 'a') < 26; }

FL_INLINE const char *json_skip_blanks(const char *p) {
  while (json_is_blank(*p)) p++;
  return p;
}

FL_INLINE const char *json_skip_digits(const char *p) {
  while (json_is_digit(*p)) p++;
  return p;
}

/* Does [p, end) begin with this text? */
FL_INLINE int json_starts(const char *p, const char *end, const char *with) {
  const size_t n = strlen(with);
  return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

/* The literals of JSON, and one that some readers of other texts know. */
enum json_literal {
  JSON_LITERAL_TRUE,
  JSON_LITERAL_FALSE,
  JSON_LITERAL_NULL,
  JSON_LITERAL_UNDEFINED,
  JSON_LITERAL_NONE
};

/* The literal with which [*p, end) begins; *p moves past it. */
FL_PRIVATE enum json_literal json_read_literal(const char **p, const char *end);

/* The byte after the end of a comment, from its first byte after the opening on; NULL: it has no end. */
FL_PRIVATE const char *json_comment_close(const char *p, const char *end);

/* Has one more byte of a text completed U+2028 or U+2029, which end lines in JSON5? *matched counts the bytes of one
** that have come, from 0. */
FL_INLINE int json5_ends_line(unsigned char *matched, char c) {
  const unsigned char u = (unsigned char)c;
  if (*matched == 2 && (u == 0xa8 || u == 0xa9)) *matched = 3;
  else *matched = u == 0xe2 ? 1 : *matched == 1 && u == 0x80 ? 2 : 0;
  return *matched == 3;
}

/* Does the value before p end with its last byte, whatever follows? Numbers and words do not. */
FL_INLINE int json_value_is_closed(const char *p) {
  return p[-1] == '"' || p[-1] == '\'' || p[-1] == ']' || p[-1] == '}';
}
