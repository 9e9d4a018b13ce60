/* SPDX-License-Identifier: MIT
** parser.h -- parser(options): decodes a text that is fed piece by piece, in steps.
** Must hold: between two steps all Lua values are in the parser's environment, and all memory is userdata, so
** nothing must be freed. Of a piece that is not short only an incomplete token at its end is copied. A step runs
** protected; what it raises becomes the parser's error. */
#pragma once

#include "../decode/parts.h"
#include "../decode/face/decode.h"
#include "../encode/face/steps.h"

/* Items of the environment, after those of the decoder. */
enum {
  PARSER_VALUES = JSON_TO_LUA_STORE_END, /* of the options */
  PARSER_STATE,                          /* anchors the mod_state */
  PARSER_PIECES,                         /* a list of the pieces that were fed, before the joined ones */
  PARSER_PIECE,                          /* the current piece, or several short ones */
  PARSER_CARRY,                          /* the memory for an incomplete token */
  PARSER_PLACE,                          /* the table that an unfinished value was stored into, */
  PARSER_KEY,                            /* its key there, */
  PARSER_BEFORE,                         /* and the previous value; without a table, it is the value of the text */
  PARSER_REST,                           /* the unreturned rest of a string of parser:tail() that has ended */
  PARSER_ERROR,                          /* the message of a parser that has failed, or what it raised */
  PARSER_END
};

struct mod_parser {
  struct mod_steps steps;
  struct json_to_lua k;
  struct json_to_lua_options flags; /* with flags instead of indices */
  struct json_to_lua_options o;     /* of this step */
  int last;                         /* no piece will follow */
  int full;                         /* because max_bytes were fed, and more follows */
  int begun;                        /* a byte order mark was looked for */
  int opened;                       /* the value has begun, */
  int done;                         /* and ended */
  size_t budget;
  /* The text for the scan: the rest of a piece, or a carried token. */
  const char *at;                  /* where to continue: scan.begin; NULL if there is no text */
  int carried;                     /* it is the carried token */
  int final;                       /* nothing follows it */
  struct mod_stream_position base; /* of its beginning */
  /* The current piece. */
  const char *piece, *end; /* its rest, without what was carried */
  /* in texts with comments: the end of what is complete; the end of what was scanned for that */
  const char *safe, *seen;
  /* pieces removed from the list, and all pieces; with JSON_TO_LUA_UNIQUE they stay in the list */
  size_t taken, pieces;
  size_t fed; /* bytes fed so far */
  /* The carried token, which was incomplete at the end of a piece. */
  struct json_part part;
  char *carry;
  size_t length, room;
  size_t told;                /* bytes of it that parser:tail() has returned, with what is before them, or 0 */
  char quote;                 /* of that string */
  int rest;                   /* it has ended, and its unreturned rest waits */
  int placed;                 /* an unfinished value is in its table */
  int unfinished;             /* for this call of parser:peek(): such values count; */
  int ended;                  /* the carried token is the whole value of the text, and has ended */
  struct mod_failure failure; /* of the error, without its message */
  size_t joined;
  char join[2048]; /* the first `joined` bytes: short pieces after those of the list */
};

FL_INLINE int parser_is_wide(const struct mod_parser *p) { return (p->o.grammar & JSON_WIDE_SPACE) != 0; }

/* Returns the parser that is argument 1. */
FL_PRIVATE struct mod_parser *parser_check(lua_State *L);

/* Begins a step of the parser at 1, which runs protected: pushes its environment at 2, then its decode. */
FL_PRIVATE struct mod_parser *parser_resume(lua_State *L);

/* Reads up to about `budget` bytes. Returns 0 after an error, whose message is stored. */
FL_PRIVATE int parser_read(struct mod_parser *p, lua_State *L, int env, size_t budget);

/* Ends a call of a parser that has failed. */
FL_PRIVATE_NOINLINE int parser_raise_(struct mod_parser *p, lua_State *L);

/* Takes the unfinished value out of its table again. */
FL_PRIVATE_NOINLINE void parser_take_back_(struct mod_parser *p, lua_State *L, int env);

/* Keeps the rest of the carried token, a complete string of which parser:tail() has returned a part. */
FL_PRIVATE_NOINLINE void parser_keep_rest_(struct mod_parser *p, lua_State *L, int env);

/* parser:peek([options]) -> the value so far, "open" or "complete" */
FL_PRIVATE int parser_peek(lua_State *L);

/* parser:tail() -> the new part of the current string, whether it has ended */
FL_PRIVATE int parser_tail(lua_State *L);
