/* SPDX-License-Identifier: MIT
** items.h -- items(source, pointer): iterates over the values of one array or object of a document.
** May call: base, json, layout, convert, lua_*.
** Must hold: as documents.h. Only the current item, or a token at the end of a piece, and one piece are in memory: the
** document may have any size. */
#ifndef FLEECE_MODULE_STREAM_ITEMS_H
#define FLEECE_MODULE_STREAM_ITEMS_H

#include "../../json/index/seek.h"
#include "documents.h"

struct mod_items {
  struct mod_documents s; /* first, because documents.h expects it at MOD_DOCUMENTS */
  struct json_seek k;
  lua_State *L; /* of this call */
  int inside;   /* a document has begun */
  size_t count; /* items of the list so far */
  /* For the rest of the text, which is not consumed: */
  int waits;             /* it begins with a token that continues after it */
  size_t looked, safe;   /* bytes that were scanned; that are complete, in grammars with comments */
  struct json_part part; /* the token or comment in which they end */
  int in_comment;        /* outside the list, a comment continues after the text */
  struct json_part skip; /* the state of that comment */
};

/* items(source [, pointer [, options]]) -> an iterator over the items of the array, or the members of the object, that
** the JSON Pointer leads to in each document of the source, which is one of `documents`. */
FL_PRIVATE int mod_items(lua_State *L);

#endif
