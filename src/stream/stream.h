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

/* parser:feed(piece) -> parser */
FL_PRIVATE int parser_feed(lua_State *L);

/* parser:step([bytes]) -> whether there is more to do */
FL_PRIVATE int parser_next(lua_State *L);

/* parser:finish() -> value */
FL_PRIVATE int parser_finish(lua_State *L);

/* parser:peek([options]) -> the value so far, "open" or "complete" */
FL_PRIVATE int parser_peek(lua_State *L);

/* parser:tail() -> the new part of the current string, whether it has ended */
FL_PRIVATE int parser_tail(lua_State *L);

static const luaL_Reg parser_methods[] = {{"feed", parser_feed}, {"step", parser_next}, {"finish", parser_finish},
                                          {"peek", parser_peek}, {"tail", parser_tail}, {NULL, NULL}};

/* parser([options]) -> a parser with the methods feed, step and finish. */
FL_PRIVATE int mod_parser(lua_State *L);

/* builder:object(), builder:array() -> builder */
FL_PRIVATE int mod_build_object(lua_State *L);
FL_PRIVATE int mod_build_array(lua_State *L);

/* builder:key(name) */
FL_PRIVATE int mod_build_key(lua_State *L);
FL_PRIVATE int mod_build_string(lua_State *L);

/* builder:number(x [, digits]): if `digits` are given they are written, and x may be nil */
FL_PRIVATE int mod_build_number(lua_State *L);
FL_PRIVATE int mod_build_boolean(lua_State *L);
FL_PRIVATE int mod_build_null(lua_State *L);

/* builder:value(v): any value that encode accepts */
FL_PRIVATE int mod_build_value(lua_State *L);

/* builder:close() ends the innermost container; close_array and close_object also test its kind */
FL_PRIVATE int mod_build_close(lua_State *L);
FL_PRIVATE int mod_build_close_array(lua_State *L);
FL_PRIVATE int mod_build_close_object(lua_State *L);

/* builder:finish() -> true, or without a sink the text */
FL_PRIVATE int mod_build_finish(lua_State *L);

/* clang-format off */
static const luaL_Reg mod_build_methods[] = {
    {"object", mod_build_object}, {"array", mod_build_array}, {"key", mod_build_key}, {"string", mod_build_string},
    {"number", mod_build_number}, {"boolean", mod_build_boolean}, {"null", mod_build_null}, {"value", mod_build_value},
    {"close", mod_build_close}, {"close_array", mod_build_close_array}, {"close_object", mod_build_close_object},
    {"finish", mod_build_finish}, {NULL, NULL}};
/* clang-format on */

/* builder([sink [, options]]) -> a builder. Sinks: as of `write`; nil: finish returns the text. */
FL_PRIVATE int mod_builder_new(lua_State *L);

/* writer:next([bytes]) -> the next piece, or nil at the end */
FL_PRIVATE int writer_next(lua_State *L);

static const luaL_Reg writer_methods[] = {{"next", writer_next}, {NULL, NULL}};

/* writer(value [, options]) -> a writer with the method next */
FL_PRIVATE int mod_writer(lua_State *L);
