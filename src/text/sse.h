/* SPDX-License-Identifier: MIT
** sse.h -- the lines of server-sent events, from text that comes in pieces. WHATWG HTML, section 9.2.6.
** Must hold: needs no memory, reads each byte once, and may be cut anywhere. It returns the values of fields in
** parts, as they are in the pieces. */
#pragma once

#include "../base/def.h"

enum text_sse_field { TEXT_SSE_DATA, TEXT_SSE_EVENT, TEXT_SSE_ID, TEXT_SSE_RETRY, TEXT_SSE_OTHER };

/* What text_sse_next has found. */
enum text_sse_kind {
  TEXT_SSE_NOTHING, /* the piece is at its end */
  TEXT_SSE_BEGIN,   /* a field begins: its value is empty so far */
  TEXT_SSE_PART,    /* a part of its value */
  TEXT_SSE_END,     /* its line has ended */
  TEXT_SSE_BLANK    /* an empty line: the event has ended */
};

enum text_sse_in { TEXT_SSE_START, TEXT_SSE_NAME, TEXT_SSE_COLON, TEXT_SSE_VALUE, TEXT_SSE_COMMENT, TEXT_SSE_LAST };

struct text_sse {
  enum text_sse_in in;
  enum text_sse_field field;
  unsigned char mark;    /* bytes of a byte order mark so far; from 3 on none is expected */
  unsigned char cr;      /* the last byte was a carriage return, so a line feed does not end another line */
  unsigned char matches; /* a bit for each field whose name begins with the bytes so far */
  unsigned char length;  /* of the name so far, up to a limit */
};

/* Finds the next thing in [*p, end), and moves *p past it. A part is in *s and *n. */
FL_PRIVATE enum text_sse_kind text_sse_next(struct text_sse *t, const char **p, const char *end, const char **s,
                                            size_t *n);
