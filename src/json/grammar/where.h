/* SPDX-License-Identifier: MIT
** where.h -- a place in a text, for people: line, column, and the text around it.
** Must hold: reads only [begin, end); linear. */
#pragma once

#include "../../base/def.h"
#include "../../text/general.h"
#include "../../text/quote.h"

/* Limits of the excerpt: bytes before the place, and from it on. */
enum { JSON_WHERE_BEFORE = 24, JSON_WHERE_AFTER = 16 };

/* Returns whether the byte continues a character. */
FL_INLINE int json_is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Returns whether a message may contain the byte. A control character ends the excerpt. */
FL_INLINE int json_where_shows(char c) { return (unsigned char)c >= 0x20 && c != 0x7f; }

struct json_where {
  size_t line, column;   /* from 1; columns count characters */
  const char *from, *to; /* the excerpt, maybe empty: from the same line, whole characters, no control bytes */
};

/* Counts line ends in [p, end), and in *columns the characters after the last. Returns 0, and counts nothing, if there
** are carriage returns. Ten times faster than json_where, for texts that are counted while they are read in parts. */
FL_PRIVATE int json_count_lines(const char *p, const char *end, size_t *lines, size_t *columns);

/* Finds line, column and excerpt of the byte `at`. */
FL_PRIVATE void json_where(const char *begin, const char *end, const char *at, struct json_where *out);
