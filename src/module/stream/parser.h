/* SPDX-License-Identifier: MIT
** parser.h -- parser(options): decodes a text that is fed piece by piece, in steps.
** May call: base, json, layout, convert, lua_*.
** Must hold: between two steps all Lua values are in the parser's environment, and all memory is userdata, so nothing
** must be freed. A piece is not copied, except for a token at its end that is incomplete. A step runs protected; what
** it raises becomes the parser's error. */
#ifndef FLEECE_MODULE_STREAM_PARSER_H
#define FLEECE_MODULE_STREAM_PARSER_H

#include "../../convert/json_to_lua/parts.h"
#include "../json/decode.h"
#include "../json/steps.h"

struct mod_parser {
  struct mod_steps steps;
  struct json_to_lua k;
  struct json_to_lua_options flags; /* with flags instead of indices */
  struct json_to_lua_options o;     /* of this step */
  struct mod_state *state;
  int last;   /* no piece will follow */
  int begun;  /* a byte order mark was looked for */
  int opened; /* the value has begun, */
  int done;   /* and ended */
  size_t budget;
  /* The text for the scan: the rest of a piece, or a carried token. */
  const char *at;                  /* where to continue: scan.begin; NULL: there is no text */
  const char *shown;               /* its beginning, for messages */
  int carried;                     /* it is the carried token */
  int final;                       /* nothing follows it */
  struct mod_stream_position base; /* of its beginning */
  /* The current piece. */
  const char *piece, *end; /* its rest, without what was carried */
  const char *safe, *seen; /* in texts with comments: the end of what is complete; of what was scanned for that */
  size_t taken, pieces;    /* pieces removed from the list, and all; with JSON_TO_LUA_UNIQUE they stay in the list */
  size_t fed;              /* bytes */
  /* The carried token: it was incomplete at the end of a piece. */
  struct json_part part;
  char *carry;
  size_t length, room;
  size_t error_byte;
};

/* ------------------------------------------------------------------------------------- methods */

/* parser:feed(piece) -> parser */
FL_PRIVATE int parser_feed(lua_State *L);

/* parser:step([bytes]) -> is there more to do? */
FL_PRIVATE int parser_next(lua_State *L);

/* parser:finish() -> value */
FL_PRIVATE int parser_finish(lua_State *L);

static const luaL_Reg parser_methods[] = {
    {"feed", parser_feed}, {"step", parser_next}, {"finish", parser_finish}, {NULL, NULL}};

/* parser([options]) -> a parser with the methods feed, step and finish. */
FL_PRIVATE int mod_parser(lua_State *L);

#endif
