/* SPDX-License-Identifier: MIT
** split.h -- finds the end of a document in a stream, which may come in pieces; each byte is read once.
** Must hold: the end of a valid document is exact. An invalid one ends somewhere, and its reader finds the error. Needs
** no memory at any depth. */
#pragma once

#include "../tokens/lenient.h"

enum json_split_in { SPLIT_TEXT, SPLIT_STRING, SPLIT_ESCAPE, SPLIT_SLASH, SPLIT_LINE, SPLIT_COMMENT, SPLIT_STAR };

enum json_split_kind {
  SPLIT_NOTHING,
  SPLIT_ODD, /* so far only bytes that may begin a JSON5 white space character */
  SPLIT_WORD,
  SPLIT_QUOTED,
  SPLIT_NESTED,
  SPLIT_LONG /* not a document, but a comment of more than `most` bytes */
};

struct json_split {
  enum json_split_in in;
  enum json_split_kind kind; /* of the document; NOTHING before its beginning */
  char quote;
  /* documents are items of a list: a comma ends a word, record separators are invalid */
  unsigned char in_list;
  unsigned char matched; /* see json5_ends_line */
  unsigned char odds;    /* with ODD: number of bytes, and which */
  char odd[3];
  size_t depth;
  size_t comment, most; /* length of the comment so far; limit for one before a document, or 0 */
  size_t fed, start;    /* bytes in earlier pieces; offset in the stream at which the document began */
};

/* Returns whether the byte may stand between documents: white space, or RFC 7464's record separator. */
FL_INLINE int json_split_is_space(char c) { return json_is_blank(c) || c == 0x1e; }

/* Reads [p, end). Returns the byte after the document, or NULL if more input is needed. A comment ends a number or word
** before its slash, which may be the last byte of the previous piece: then the result is p - 1. */
FL_PRIVATE const char *json_split(struct json_split *s, const char *p, const char *end, int json5, int comments);
