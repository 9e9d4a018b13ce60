/* SPDX-License-Identifier: MIT
** tokens.h -- the tokens of RFC 8259, byte by byte: white space, words, strings and escapes; the errors of a text; and
** the state of a scan: the text, what it may contain beyond RFC 8259, the position, the error.
** Must hold: a text is [begin, end), and *end is readable and 0, so looking at the next byte needs no test, and no loop
** runs past the end. Functions without an `end` stop at that 0. Nothing beyond it is read, except within the page
** (text/page_read.h). For code that is not hot; scan.h has the fast functions for white space and strings. */
#pragma once

#include "../../base/def.h"
#include "../../base/error.h"
#include "../../text/portable/quote.h"
#include "../../text/unescape.h"
#include "../../text/utf8.h"
#include "../../number/parse.h"

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

FL_INLINE int json_starts(const char *p, const char *end, const char *with) {
  const size_t n = strlen(with);
  return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

/* The literals of JSON, and one of other texts. */
enum json_literal {
  JSON_LITERAL_TRUE,
  JSON_LITERAL_FALSE,
  JSON_LITERAL_NULL,
  JSON_LITERAL_UNDEFINED,
  JSON_LITERAL_NONE
};

/* Returns the literal at the beginning of [*p, end), and moves *p past it. */
FL_PRIVATE enum json_literal json_read_literal(const char **p, const char *end);

/* Returns the byte after the end of a comment, from its first byte after the opening on, or NULL if it has no end. */
FL_PRIVATE const char *json_comment_close(const char *p, const char *end);

/* Returns whether the byte c completes U+2028 or U+2029, which end lines in JSON5. *matched counts the bytes of one so
** far; begin with 0. */
FL_INLINE int json5_ends_line(unsigned char *matched, char c) {
  const unsigned char u = (unsigned char)c;
  if (*matched == 2 && (u == 0xa8 || u == 0xa9)) *matched = 3;
  else *matched = u == 0xe2 ? 1 : *matched == 1 && u == 0x80 ? 2 : 0;
  return *matched == 3;
}

/* Returns whether the value before p ends with its last byte, whatever follows, unlike numbers and words. */
FL_INLINE int json_value_is_closed(const char *p) {
  return p[-1] == '"' || p[-1] == '\'' || p[-1] == ']' || p[-1] == '}';
}

/* Errors of a JSON text: X(NAME, kind, message), from 1. The messages fit into "not valid JSON: ... at byte N". */
#define JSON_CHECK_ERRORS(X)                              \
  X(END, SYNTAX, "unexpected end")                        \
  X(VALUE, SYNTAX, "expected a value")                    \
  X(NUMBER, SYNTAX, "invalid number")                     \
  X(NAME, SYNTAX, "expected a string as name")            \
  X(COLON, SYNTAX, "expected ':'")                        \
  X(OBJECT, SYNTAX, "expected ',' or '}'")                \
  X(ARRAY, SYNTAX, "expected ',' or ']'")                 \
  X(CONTROL, SYNTAX, "control character in string")       \
  X(ESCAPE, SYNTAX, "invalid escape")                     \
  X(SURROGATE, UTF8, "unpaired surrogate")                \
  X(UTF8, UTF8, "invalid UTF-8")                          \
  X(DEPTH, DEPTH, "nesting too deep")                     \
  X(AFTER, SYNTAX, "text after the value")                \
  X(BOM, SYNTAX, "byte order mark")                       \
  X(EMPTY, SYNTAX, "empty text")                          \
  X(HUGE, NUMBER, "number too large")                     \
  X(INEXACT, NUMBER, "number not exact")                  \
  X(UNSAFE, NUMBER, "integer beyond 2^53 - 1")            \
  X(NAN, NUMBER, "a number cannot be NaN")                \
  X(DUPLICATE, DUPLICATE, "duplicate name")               \
  X(LENGTH, LENGTH, "text too long")                      \
  X(VALUES, LIMIT, "too many values")                     \
  X(COMMENT, SYNTAX, "unterminated comment")              \
  X(MEMORY, MEMORY, "not enough memory")                  \
  X(NO_LIST, CHANGE, "no array or object at the pointer") \
  X(NOWHERE, CHANGE, "nothing at the pointer")

enum {
  JSON_CHECK_OK,
#define JSON_CHECK_NAME(name, kind, message) JSON_CHECK_##name,
  JSON_CHECK_ERRORS(JSON_CHECK_NAME)
#undef JSON_CHECK_NAME
      JSON_CHECK_COUNT
};

/* Returns the message of an error number, or NULL. */
FL_PRIVATE const char *json_check_message(int error);
FL_PRIVATE enum fl_kind json_check_kind(int error);

/* Returns four hexadecimal digits as a number, or less than 0 if they are invalid or missing. */
FL_INLINE int json_check_hex(const char *r, const char *end) { return end - r < 4 ? -1 : text_hex4(r); }

/* json_check_escape and json_check_string move *at past what they read, or to the error: an escape's backslash, or the
** end if something is missing. */

/* Checks the escape at a backslash. */
FL_PRIVATE int json_check_escape(const char **at, const char *end);

/* Checks a string from the byte after the opening quote to the byte after the closing one. */
FL_PRIVATE int json_check_string(const char **at, const char *end);

/* What a text may contain beyond RFC 8259. */
enum json_grammar {
  JSON_COMMENTS = 1,        /* // and C's comments */
  JSON_TRAILING_COMMAS = 2, /* [1,] and {"a":1,} */
  JSON_JSON5 = 4,           /* all of JSON5 1.0.0; includes the above */
  JSON_NAN_LITERALS = 8,    /* NaN, Infinity, -Infinity are numbers, */
  JSON_NAN_NULL = 32,       /* or null */
  JSON_BOM = 16,            /* a byte order mark before the text */
  JSON_LINE_FEEDS = 64,     /* with comments: only a line feed ends a // comment */
  JSON_RULES = 128,         /* ask json_scan.rules where strict JSON ends; */
  JSON_ODD_ZEROS = 256,     /* with rules: these read 007 and 0x1f, where strict JSON would stop after the 0 */
  JSON_OPEN_END = 512,      /* in scans of parts: the rest of the text is not available yet: see scan.h */
  JSON_RULES_BIT = 0x10000, /* from this bit on rules may define their own */
  JSON_WIDE_SPACE = JSON_COMMENTS | JSON_JSON5 /* grammars with more white space */
};

/* What becomes of bytes that are not UTF-8, and of surrogates without their other half. From PASS on such bytes are
** kept; PASS keeps all surrogates, LOW only low ones, BYTES none: the others are errors. */
enum json_bad_text { JSON_BAD_ERROR, JSON_BAD_REPLACE, JSON_BAD_ESCAPE, JSON_BAD_PASS, JSON_BAD_LOW, JSON_BAD_BYTES };

/* What contains a value. STOP: the sink ends the scan. */
enum scan_container {
  SCAN_ROOT,
  SCAN_ARRAY,
  SCAN_OBJECT,
  SCAN_STOP,
  SCAN_OTHER /* from here on kinds that a reader with its own grammar defines */
};

/* What a scan expects where it stopped. */
enum json_expected {
  JSON_EXPECT_VALUE,
  JSON_EXPECT_FIRST_ITEM,
  JSON_EXPECT_NAME,
  JSON_EXPECT_FIRST_NAME,
  JSON_EXPECT_COLON,
  JSON_EXPECT_NEXT
};

struct json_rules;

struct json_scan {
  const char *begin, *end;
  text_utf8_fn utf8;
  unsigned grammar; /* of enum json_grammar; 0 for RFC 8259 */
  enum json_bad_text bad_text;
  uint32_t depth, max_depth; /* open containers, and their limit */
  int error;                 /* a JSON_CHECK_; its position is `at` */
  /* For scans in parts, see scan.h. These four bytes fill a gap, so that the sinks' fields stay close. */
  unsigned char whole;        /* no token continues after the end */
  unsigned char cut;          /* result: the token at `at` is incomplete */
  unsigned char expected, in; /* where to continue, an enum json_expected, and in which container */
  const char *at;             /* of the error; without one, where the current value begins */
  /* Memory for a string that differs from its text. `grow` returns at least n bytes, without keeping contents, or NULL;
  ** it may also raise an error of its own. */
  char *scratch;
  size_t room;
  char *(*grow)(void *owner, size_t n);
  void *owner;
  const char *stop;               /* scans in parts: stop before a value or name that begins here or later */
  const struct json_rules *rules; /* valid if `grammar` has JSON_RULES */
};

/* A string: in the text or in the scratch. */
struct json_string {
  const char *s;
  size_t n;
};

/* A value that only lenient grammars have. */
enum json_lenient_kind { JSON_LENIENT_STRING, JSON_LENIENT_NUMBER, JSON_LENIENT_NULL };

struct json_lenient_value {
  enum json_lenient_kind kind;
  struct json_string string;
  struct num_value number;
};

/* How texts of another grammar are read where strict JSON ends. Both functions return the byte after what they read, or
** NULL with an error. */
struct json_rules {
  /* Reads a string from its first byte on, whatever the strict reader has found in it. NULL: strings are read as
  ** lenient.h does. */
  const char *(*string)(struct json_scan *j, const char *p, struct json_string *out);
  /* Reads a value that strict JSON lacks. `out` is zeroed, with the kind of a number. */
  const char *(*value)(struct json_scan *j, const char *p, struct json_lenient_value *out);
};

/* Records the error and returns NULL. */
FL_INLINE const char *json_scan_error(struct json_scan *j, int error, const char *at) {
  j->error = error;
  j->at = at;
  return NULL;
}

/* Like json_scan_error; but at the end of the text the error is that. */
FL_PRIVATE_NOINLINE const char *json_scan_unexpected(struct json_scan *j, int error, const char *at);

/* Returns scratch memory for n bytes, or NULL after an error. */
FL_PRIVATE char *json_scratch(struct json_scan *j, size_t n);

/* Makes what was written to the scratch, up to w, the string. */
FL_INLINE void json_set_scratch_string(const struct json_scan *j, const char *w, struct json_string *out) {
  FL_ASSERT(w >= j->scratch && (size_t)(w - j->scratch) + TEXT_UNESCAPE_MARGIN <= j->room);
  out->s = j->scratch;
  out->n = (size_t)(w - j->scratch);
}

/* Appends the character of the \uXXXX escape whose backslash is at *at, and moves *at past it. Two surrogates make one
** character. NULL after an error. */
FL_PRIVATE char *json_unescape_unicode(struct json_scan *j, char *w, const char **at);
