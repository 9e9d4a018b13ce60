/* SPDX-License-Identifier: MIT
** items.h -- items(source, pointer): iterates over the values of one array or object of a document.
** Must hold: as documents.h. Only the current item, or a token at the end of a piece, and one piece are in memory: the
** document may have any size. */
#pragma once

#include "../json/index/seek.h"
#include "feed.h"

struct mod_items {
  struct mod_feed f; /* first, as feed.h says */
  struct json_seek k;
  size_t count; /* items of the list so far */
  int is_long;  /* the item that was found is longer than max_bytes */
};

/* items(source [, pointer [, options]]) -> an iterator over the items of the array, or the members of the object, that
** the JSON Pointer leads to in each document of the source, which is one of `documents`. */
FL_PRIVATE int mod_items(lua_State *L);
