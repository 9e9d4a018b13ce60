/* SPDX-License-Identifier: MIT
** parts.h -- a text that comes in pieces: where does the token end that the end of a piece has cut? And a text of which
** only the beginning is there (JSON_OPEN_END): is that the beginning of a valid text, and where is it cut?
** Must hold: each byte is looked at once, so that a token in many pieces takes linear time; needs no memory. What is
** read before the cut token is read as in the whole text, and its errors are the same. */
#pragma once

#include "../tokens/tokens.h"

enum json_part_in {
  PART_BEGIN,
  PART_STRING,
  PART_ESCAPE,
  PART_NUMBER,
  PART_WORD,
  PART_SPACE, /* for callers; no function here enters it */
  PART_BOM,
  PART_SLASH,
  PART_LINE,
  PART_COMMENT,
  PART_STAR
};

struct json_part {
  enum json_part_in in;  /* BEGIN: in no token; for json_safe_end, in none that may hold a bracket or comma */
  char quote;            /* of a string; of a word its first letter */
  unsigned char matched; /* see json5_ends_line; of a number: an enum part_number */
  size_t length;         /* of a word so far */
};

FL_INLINE int json_is_number_byte(char c) {
  return json_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* In a strict text: the byte after the token that s is in or that begins at p; NULL: it continues after the end. A
** control character ends a string: it is an error there. The byte that makes a number or word wrong is a part of it, so
** that the scan tells the same of it, however the text was cut. */
FL_PRIVATE const char *json_token_end(struct json_part *s, const char *p, const char *end);

/* The scan of a part has failed, or reached the end, at a token where this was expected: only because the token
** continues after the end? Then more input is needed. */
FL_PRIVATE_NOINLINE int json_is_cut(const struct json_scan *j, const char *token, enum json_expected expected);

/* The same with where to continue: at the token, or after a comment or white space that the end of the text has cut.
** NULL: the text is wrong. */
FL_PRIVATE_NOINLINE const char *json_cut_at(const struct json_scan *j, const char *token, enum json_expected expected);

/* Does [p, end), the rest of a text of which only the beginning is there, begin something that is no value: a comment,
** or white space of several bytes? */
FL_PRIVATE int json_is_cut_space(const struct json_scan *j, const char *p, const char *end);

/* Could more digits follow the value before q, with which the text ends, because only its beginning is there? */
FL_PRIVATE int json_is_open_number(const struct json_scan *j, const char *q);

/* In a string that the text cuts, from p on, which is not within a character or escape: the end of what is complete. An
** escape that means half of a character is not, while the other half may follow. */
FL_PRIVATE const char *json_string_so_far(const char *p, const char *end, int json5);

/* The end of the number with which [p, end), the beginning of one, begins; p: there is none. */
FL_PRIVATE const char *json_number_so_far(const char *p, const char *end);

/* In a comment: the byte after it; NULL: it does not end in this text. */
FL_PRIVATE const char *json_comment_end(struct json_part *s, const char *p, const char *end, int json5);

/* In a text with comments: the byte after the first bracket, comma or colon outside of strings and comments; NULL:
** there is none. */
FL_PRIVATE const char *json_safe_end(struct json_part *s, const char *p, const char *end, int json5);
