/* SPDX-License-Identifier: MIT
** state.h -- the state of a scan: the text, what it may hold beyond RFC 8259, how far the scan is, its error.
** Must hold: a text is [begin, end), and *end is readable and 0: a look at the next byte needs no test, and no loop
** runs past the end. Nothing further is read, except within the page (text/page_read.h). */
#pragma once

#include "../../base/def.h"
#include "../../number/parse.h"
#include "../../text/utf8.h"
#include "check_errors.h"

/* What a text may hold beyond RFC 8259. */
enum json_grammar {
  JSON_COMMENTS = 1,        /* // and C's comments */
  JSON_TRAILING_COMMAS = 2, /* [1,] and {"a":1,} */
  JSON_JSON5 = 4,           /* all of JSON5 1.0.0; includes the above */
  JSON_NAN_LITERALS = 8,    /* NaN, Infinity, -Infinity are numbers, */
  JSON_NAN_NULL = 32,       /* or null */
  JSON_BOM = 16,            /* a byte order mark before the text */
  JSON_LINE_FEEDS = 64,     /* with comments: only a line feed ends one that begins with // */
  JSON_RULES = 128,         /* json_scan.rules are asked where strict JSON ends; */
  JSON_ODD_ZEROS = 256,     /* with rules: they read 007 and 0x1f, which strict JSON would take for 0 */
  JSON_OPEN_END = 512,      /* of scans in parts: no more of the text is there, but it may go on: see parts.h */
  JSON_RULES_BIT = 0x10000, /* the first bit that rules may give a meaning of their own */
  JSON_WIDE_SPACE = JSON_COMMENTS | JSON_JSON5 /* these have more white space */
};

/* What becomes of bytes that are not UTF-8 and of surrogates without their other half. From PASS on such bytes stay as
** they are; so do all surrogates (PASS), only second halves (LOW), or none (BYTES): the others are errors. */
enum json_bad_text { JSON_BAD_ERROR, JSON_BAD_REPLACE, JSON_BAD_ESCAPE, JSON_BAD_PASS, JSON_BAD_LOW, JSON_BAD_BYTES };

/* What a value lies in. STOP: the sink ends the scan. */
enum scan_container {
  SCAN_ROOT,
  SCAN_ARRAY,
  SCAN_OBJECT,
  SCAN_STOP,
  SCAN_OTHER /* from here on: kinds that a reader with a grammar of its own gives a meaning */
};

/* What comes next where a scan stopped: parts.h. */
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
  unsigned grammar; /* of enum json_grammar; 0: RFC 8259 */
  enum json_bad_text bad_text;
  uint32_t depth, max_depth; /* open containers, and how many may be open */
  int error;                 /* of check_errors.h; its place is `at` */
  /* Scans in parts, see parts.h. These four fill a gap, so that the sinks' fields stay near. */
  unsigned char whole;        /* no token continues after the end */
  unsigned char cut;          /* result: the token at `at` continues after the end */
  unsigned char expected, in; /* where to continue, an enum json_expected, and in which container */
  const char *at;             /* of the error; before one, where the value that is being read begins */
  /* Memory for a string that differs from its text. `grow` returns at least n bytes and keeps no contents, or NULL; it
  ** may also leave the scan by an error of its own. */
  char *scratch;
  size_t room;
  char *(*grow)(void *owner, size_t n);
  void *owner;
  const char *stop;               /* scans in parts: a value or name that begins here or later is another part's */
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

/* How texts of another grammar are read where strict JSON ends. Both functions return the byte after what they read,
** or NULL with the error. */
struct json_rules {
  /* A string from its first byte on, whatever the strict reader has found in it. NULL: as lenient.h reads it. */
  const char *(*string)(struct json_scan *j, const char *p, struct json_string *out);
  /* A value that strict JSON does not have. `out` is zeroed, and its kind is a number. */
  const char *(*value)(struct json_scan *j, const char *p, struct json_lenient_value *out);
};

/* Notes the error and returns NULL. */
FL_INLINE const char *json_scan_error(struct json_scan *j, int error, const char *at) {
  j->error = error;
  j->at = at;
  return NULL;
}

/* The same, but where the text ends, that is the error. */
FL_PRIVATE_NOINLINE const char *json_scan_unexpected(struct json_scan *j, int error, const char *at);
