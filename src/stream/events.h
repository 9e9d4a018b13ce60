/* SPDX-License-Identifier: MIT
** events.h -- events(source): iterates over server-sent events whose data is JSON.
** Must hold: as documents.h, with the data of one event instead of a document. Memory is that of one piece and of the
** fields of one event, which max_bytes bounds; each byte is looked at once before the data is decoded. */
#pragma once

#include "../text/sse.h"
#include "documents.h"

/* A value that is collected, in a userdata that is an upvalue. */
struct mod_event_field {
  char *s;
  size_t n, room;
};

struct mod_events {
  struct mod_documents s; /* first, because documents.h expects it at MOD_DOCUMENTS */
  struct text_sse lines;
  struct mod_event_field data, name, id;
  int has_data, bad_retry;
  size_t count;                /* events so far */
  lua_Number retry, new_retry; /* milliseconds; -1: none */
};

/* events(source [, options]) -> an iterator: value, name, id, "open" or "complete", time before a reconnection. */
FL_PRIVATE int mod_events(lua_State *L);
