/* SPDX-License-Identifier: MIT
** parser.h -- parser(options): decodes a text that is fed piece by piece, in steps.
** Must hold: between two steps all Lua values are in the parser's environment, and all memory is userdata, so nothing
** must be freed. A piece is not copied, except for a token at its end that is incomplete. A step runs protected; what
** it raises becomes the parser's error. */
#pragma once

#include "../decode/parts.h"
#include "../decode/face/decode.h"
#include "../encode/face/steps.h"

/* Items of the environment, after those of the decoder. */
enum {
  PARSER_VALUES = JSON_TO_LUA_STORE_END, /* of the options */
  PARSER_STATE,                          /* anchors the mod_state */
  PARSER_PIECES,                         /* a list of the pieces that were fed */
  PARSER_PIECE,                          /* the current piece */
  PARSER_CARRY,                          /* the memory for an incomplete token */
  PARSER_PLACE,                          /* a value that is not finished was stored into this table, */
  PARSER_KEY,                            /* under this key, */
  PARSER_BEFORE,                         /* where this was before; without a table, it is the value of the text */
  PARSER_REST,                           /* of the string of which parser:tail() has returned something; it has ended */
  PARSER_ERROR,                          /* the message of a parser that has failed, or what it raised */
  PARSER_END
};

struct mod_parser {
  struct mod_steps steps;
  struct json_to_lua k;
  struct json_to_lua_options flags; /* with flags instead of indices */
  struct json_to_lua_options o;     /* of this step */
  struct mod_state *state;
  int last;   /* no piece will follow */
  int full;   /* because max_bytes were fed, and more follows */
  int begun;  /* a byte order mark was looked for */
  int opened; /* the value has begun, */
  int done;   /* and ended */
  size_t budget;
  /* The text for the scan: the rest of a piece, or a carried token. */
  const char *at;                  /* where to continue: scan.begin; NULL: there is no text */
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
  size_t told;    /* bytes of it that parser:tail() has returned, with what is before them; 0: none */
  char quote;     /* of that string */
  int rest;       /* it has ended, and what was not returned of it waits */
  int placed;     /* a value that is not finished is in its table */
  int unfinished; /* of this call of parser:peek(): such values count; */
  int ended;      /* the carried token is the whole value of the text, and has ended */
  size_t error_byte;
};

FL_INLINE int parser_is_wide(const struct mod_parser *p) { return (p->o.grammar & JSON_WIDE_SPACE) != 0; }

/* The parser that is argument 1. */
FL_PRIVATE struct mod_parser *parser_check(lua_State *L);

/* Begins a step, which runs protected, of the parser at 1: its environment is at 2, and its decode on the stack. */
FL_PRIVATE struct mod_parser *parser_resume(lua_State *L);

/* Reads up to about `budget` bytes. False: an error, whose message is stored. */
FL_PRIVATE int parser_read(struct mod_parser *p, lua_State *L, int env, size_t budget);

/* Ends a call of a parser that has failed. */
FL_PRIVATE_NOINLINE int parser_raise_(struct mod_parser *p, lua_State *L);

/* Takes the value that is not finished out of its table again. */
FL_PRIVATE_NOINLINE void parser_take_back_(struct mod_parser *p, lua_State *L, int env);

/* The carried token is complete, a string of which parser:tail() has returned something: keeps the rest of it. */
FL_PRIVATE_NOINLINE void parser_keep_rest_(struct mod_parser *p, lua_State *L, int env);
