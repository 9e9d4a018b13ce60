/* SPDX-License-Identifier: MIT
** tokens.h -- tokens(source): iterates over the tokens of a text, without tables.
** May call: base, json, layout, convert, lua_*.
** Must hold: as documents.h. Only one piece, a token at its end, and a portion of events are in memory: the text may
** have any size. */
#ifndef FLEECE_MODULE_STREAM_TOKENS_H
#define FLEECE_MODULE_STREAM_TOKENS_H

#include "../../json/grammar/events.h"
#include "feed.h"

struct mod_tokens {
  struct mod_feed f; /* first, as feed.h says */
  struct json_events k;
  size_t next; /* the event to be returned next */
  int ended;   /* the value has ended */
  int failed;  /* the text has an error after the last event */
};

/* tokens(source [, options]) -> an iterator: kind, value, depth, and the digits of a number. The source is one of
** `documents`, with one value. */
FL_PRIVATE int mod_tokens(lua_State *L);

#endif
