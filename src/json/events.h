/* SPDX-License-Identifier: MIT
** events.h -- a text as lists of events, one for each token except commas and colons, in portions of bounded size.
** Must hold: events point into the text. A string or name that is not plain (it has escapes, or only a lenient grammar
** accepts it) is unescaped on demand. The events before an error are in the list. */
#pragma once

#include "grammar/scan.h"

/* HUGE: a number beyond double. */
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
  const char *s; /* a number: its digits, if n is not 0; a string: its contents, or if not plain its first byte */
  size_t n;
  union {
    int64_t i;
    double d;
  } is;
  uint32_t depth; /* containers around it; an end event has the depth of its begin event */
  unsigned char kind, plain;
};

/* A portion ends with the first token after JSON_EVENT_BYTES, so it has fewer events than JSON_EVENTS. */
enum { JSON_EVENT_BYTES = 512, JSON_EVENTS = JSON_EVENT_BYTES + 8 };

struct json_events {
  struct json_scan scan;
  unsigned char *objects; /* bits for max_depth open containers: 1 for an object */
  size_t count;
  const char *number, *number_end; /* the number read last */
  int plain;                       /* whether the string read last is plain */
  struct json_event event[JSON_EVENTS];
};

/* Prepares for a text. */
FL_PRIVATE void json_events_begin(struct json_events *k);

/* Continues at p and makes a new list, up to scan.stop or to a token that is incomplete. Returns the byte after the
** value. NULL after an error, or if the scan stopped at scan.at; with scan.cut the token there is incomplete. */
FL_PRIVATE const char *json_events_scan(struct json_events *k, const char *p);

/* Unescapes a string or name that is not plain; the result is valid until the scratch is used again. Returns 0 if out
** of memory. */
FL_PRIVATE int json_events_unescape(struct json_events *k, const struct json_event *e, struct json_string *out);
