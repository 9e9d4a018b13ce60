/* SPDX-License-Identifier: MIT
** to_lua_hooks.h -- tokens of LuaJSON's texts that a program's functions take part in: calls of names, escapes.
** Must hold: as decode/api.h. A function may do anything, also decode. It gets the text and a position in
** it, from 1. It returns the position after what it takes and a value, or false. dropin/luajson/functions.h makes such
** functions from what programs give. */
#pragma once

#include "tokens.h"
#include "../../decode/api.h"

/* A text's rules, and stack indices of Lua values; 0: none. */
struct luajson_reader {
  const struct luajson_rules *rules;
  int text, null, undefined;
  int set, init;            /* setObjectKey, InitArray */
  int unicode, check, more; /* decodeUnicode; escapeCheck and additionalEscapes, which get positions */
  int defs;                 /* a list of pairs: a name or a function of positions; the function to call or a boolean */
  int build_call;
  int denied; /* a slot for the name of LUAJSON_ERROR_DENIED */
};

/* As luajson_token, but a token that the program's functions took part in is on the stack, and its text is NULL. */
FL_PRIVATE const char *luajson_next_token(struct json_to_lua *k, const struct luajson_reader *r, const char *p,
                                          struct luajson_token *t);
