/* SPDX-License-Identifier: MIT
** tokens.h -- tokens(source): iterates over the tokens of a text, without tables.
** Must hold: as documents.h. Only one piece, a token at its end, and a portion of events are in memory: the text may
** have any size. */
#pragma once

#include "../json/events.h"
#include "feed.h"

/* Strings that came twice are remembered: to find one here takes less time than Lua takes for its own table of strings
** (a name of 7 bytes 18 ns instead of 36). */
enum { TOKENS_RECENT_BITS = 7, TOKENS_RECENT = 1 << TOKENS_RECENT_BITS, TOKENS_NAME = 40, TOKENS_VALUE = 16 };

struct mod_tokens_recent {
  uint64_t first, last; /* of its bytes, which are all of them up to 16 */
  size_t n;
  int is_kept; /* it is in the table of the iterator */
  char text[TOKENS_NAME];
};

struct mod_tokens {
  struct mod_feed f; /* first, as feed.h says */
  struct json_events k;
  size_t next; /* the event to be returned next */
  int ended;   /* the value has ended */
  int failed;  /* the text has an error after the last event */
  int digits;  /* numbers have their digits */
  struct mod_tokens_recent recent[TOKENS_RECENT];
};

/* tokens(source [, options]) -> an iterator: kind, value, depth, and the digits of a number. The source is one of
** `documents`, with one value. */
FL_PRIVATE int mod_tokens(lua_State *L);
