/* SPDX-License-Identifier: MIT
** events.h -- a text as a list of events, one for each token but commas and colons, in portions of bounded size.
** Must hold: events point into the text. A string or name that is not plain (it has escapes, or only a lenient grammar
** accepts it) is unescaped when it is asked for. The events before an error in the text are in the list. */
#pragma once

#include "../base/bits.h"
#include "grammar/scan.h"

/* HUGE: a number that no double holds. */
enum json_event_kind {
  JSON_EVENT_OBJECT,
  JSON_EVENT_ARRAY,
  JSON_EVENT_END,
  JSON_EVENT_KEY,
  JSON_EVENT_STRING,
  JSON_EVENT_NULL,
  JSON_EVENT_TRUE,
  JSON_EVENT_FALSE,
  JSON_EVENT_INTEGER,
  JSON_EVENT_DOUBLE,
  JSON_EVENT_HUGE
};

struct json_event {
  const char
      *s; /* a number: its digits, if n is not 0; a string: what it means, or its first byte if it is not plain */
  size_t n;
  union {
    int64_t i;
    double d;
  } is;
  uint32_t depth; /* containers around it; an end has the depth of its beginning */
  unsigned char kind, plain;
};

/* A portion ends with the first token after so many bytes, so it has fewer events than JSON_EVENTS. */
enum { JSON_EVENT_BYTES = 512, JSON_EVENTS = JSON_EVENT_BYTES + 8 };

struct json_events {
  struct json_scan scan;
  unsigned char *objects; /* a bit for each open container: is it an object? max_depth of them */
  size_t count;
  const char *number, *number_end; /* the number that was read last */
  int plain;                       /* the string that was read last is */
  struct json_event event[JSON_EVENTS];
};

/* Before the text. */
FL_PRIVATE void json_events_begin(struct json_events *k);

/* Continues at p, up to scan.stop or to a token that the text cuts, and makes the list anew. Returns the byte after the
** value. NULL: an error, or the scan has stopped at scan.at; with scan.cut the token there continues after the end. */
FL_PRIVATE const char *json_events_scan(struct json_events *k, const char *p);

/* What a string or name that is not plain means; valid until the scratch is used again. False: there is no memory. */
FL_PRIVATE int json_events_unescape(struct json_events *k, const struct json_event *e, struct json_string *out);
