/* SPDX-License-Identifier: MIT
** where.h -- a place in a text, for people: line, column, and the text around it.
** Must hold: reads only [begin, end); linear. */
#pragma once

#include "../../base/def.h"
#include "../../text/general.h"
#include "../../text/quote.h"

/* Bytes of a line that are shown before a place, and from it on. */
enum { JSON_WHERE_BEFORE = 24, JSON_WHERE_AFTER = 16 };

/* Is this a byte of a character, but not its first? */
FL_INLINE int json_is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* May the byte stand in a message? A control character ends what is shown. */
FL_INLINE int json_where_shows(char c) { return (unsigned char)c >= 0x20 && c != 0x7f; }

struct json_where {
  size_t line, column;   /* from 1; columns count characters */
  const char *from, *to; /* the excerpt: of the same line, whole characters, no control bytes; may be empty */
};

/* Counts line ends in [p, end), and in *columns the characters after the last one. False: there are carriage returns,
** and nothing is counted. Texts that are read in parts are counted as they are read: this is ten times faster than
** json_where. */
FL_PRIVATE int json_count_lines(const char *p, const char *end, size_t *lines, size_t *columns);

/* The line, column and excerpt of the byte `at`. */
FL_PRIVATE void json_where(const char *begin, const char *end, const char *at, struct json_where *out);
