/* SPDX-License-Identifier: MIT
** split.h -- where does a document of a stream end? The stream may come in pieces; each byte is looked at once.
** Must hold: the end of a valid document is exact. An invalid document ends somewhere, and the reader finds its error.
** Needs no memory at any depth. */
#pragma once

#include "../tokens/lenient.h"

enum json_split_in { SPLIT_TEXT, SPLIT_STRING, SPLIT_ESCAPE, SPLIT_SLASH, SPLIT_LINE, SPLIT_COMMENT, SPLIT_STAR };

enum json_split_kind {
  SPLIT_NOTHING,
  SPLIT_ODD, /* so far only bytes that may begin a white space character of JSON5 */
  SPLIT_WORD,
  SPLIT_QUOTED,
  SPLIT_NESTED,
  SPLIT_LONG /* not a document but a comment of more than `most` bytes */
};

struct json_split {
  enum json_split_in in;
  enum json_split_kind kind; /* of the document; NOTHING: it has not begun */
  char quote;
  unsigned char in_list; /* the documents are the values of a list: a comma ends a number or word, and a
                                record separator is wrong */
  unsigned char matched; /* see json5_ends_line */
  unsigned char odds;    /* of ODD: how many bytes, and which */
  char odd[3];
  size_t depth;
  size_t comment, most; /* bytes of the comment so far; how many one before a document may have, 0: any */
  size_t fed, start;    /* bytes looked at before this piece; where the document began, in all of them */
};

/* May the byte stand between documents? White space, or the record separator of RFC 7464. */
FL_INLINE int json_split_is_space(char c) { return json_is_blank(c) || c == 0x1e; }

/* Looks at [p, end). Returns the byte after the document; NULL: more is needed. A comment ends a number or word before
** its slash, which may be the last byte of the previous piece: then the result is p - 1. */
FL_PRIVATE const char *json_split(struct json_split *s, const char *p, const char *end, int json5, int comments);
