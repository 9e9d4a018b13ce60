/* SPDX-License-Identifier: MIT
** stream.h -- the functions of this room, and the methods of what they return. */
#pragma once

#include "../layout/lua_compat/api.h"

/* documents(source [, options]) -> an iterator over the values of a string, a file, or a function that returns pieces,
** and nil or "" at the end */
FL_PRIVATE int mod_documents(lua_State *L);

/* items(source [, pointer [, options]]) -> an iterator over the items of the array, or the members of the object, that
** the JSON Pointer leads to in each document. Sources: as of `documents`. */
FL_PRIVATE int mod_items(lua_State *L);

/* tokens(source [, options]) -> an iterator: kind, value, depth, and the digits of a number. Sources: as of
** `documents`, with one value. */
FL_PRIVATE int mod_tokens(lua_State *L);

/* events(source [, options]) -> an iterator: value, name, id, "open" or "complete", time before a reconnection */
FL_PRIVATE int mod_events(lua_State *L);

/* parser([options]) -> a parser with the methods feed, step and finish. */
FL_PRIVATE int mod_parser(lua_State *L);

/* builder([sink [, options]]) -> a builder. Sinks: as of `write`; nil: finish returns the text. */
FL_PRIVATE int mod_builder_new(lua_State *L);

/* writer(value [, options]) -> a writer with the method next */
FL_PRIVATE int mod_writer(lua_State *L);

/* The methods of what they return. */
FL_TABLE const luaL_Reg parser_methods[6], mod_build_methods[13], writer_methods[2];
