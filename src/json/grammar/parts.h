/* SPDX-License-Identifier: MIT
** parts.h -- a text that comes in pieces: where does the token end that the end of a piece has cut?
** May call: base.
** Must hold: each byte is looked at once, so that a token in many pieces takes linear time; needs no memory. What is
** read before the cut token is read as in the whole text, and its errors are the same. */
#ifndef FLEECE_JSON_GRAMMAR_PARTS_H
#define FLEECE_JSON_GRAMMAR_PARTS_H

#include "characters.h"
#include "state.h"

enum json_part_in {
  PART_BEGIN,
  PART_STRING,
  PART_ESCAPE,
  PART_WORD,
  PART_SPACE, /* for callers; no function here enters it */
  PART_BOM,
  PART_SLASH,
  PART_LINE,
  PART_COMMENT,
  PART_STAR
};

struct json_part {
  enum json_part_in in; /* BEGIN: in no token; for json_safe_end, in none that may hold a bracket or comma */
  char quote;
  unsigned char matched; /* see json5_ends_line */
  size_t length;         /* of a word so far */
};

FL_INLINE int json_is_number_byte(char c) {
  return json_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* In a strict text: the byte after the token that s is in or that begins at p; NULL: it continues after the end. A
** control character ends a string: it is an error there. */
FL_PRIVATE const char *json_token_end(struct json_part *s, const char *p, const char *end);

/* The scan of a part has failed, or reached the end, at a token where this was expected: only because the token
** continues after the end? Then more input is needed. */
FL_PRIVATE_NOINLINE int json_is_cut(const struct json_scan *j, const char *token, enum json_expected expected);

/* In a comment: the byte after it; NULL: it does not end in this text. */
FL_PRIVATE const char *json_comment_end(struct json_part *s, const char *p, const char *end, int json5);

/* In a text with comments: the byte after the first bracket, comma or colon outside of strings and comments; NULL:
** there is none. */
FL_PRIVATE const char *json_safe_end(struct json_part *s, const char *p, const char *end, int json5);

#endif
