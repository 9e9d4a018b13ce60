/* SPDX-License-Identifier: MIT
** build.h -- builder(sink, options): writes a JSON text value by value.
** Must hold: the text's memory belongs to the builder's userdata, see lua/state.h. A call that is refused
** leaves the builder unchanged. While the sink or an encoder runs, which may call Lua, it takes no other call. */
#pragma once

#include "../json/write/build.h"
#include "../lua/state.h"
#include "../decode/face/decode.h"
#include "../encode/face/width.h"

enum mod_build_status { BUILD_OPEN, BUILD_BUSY, BUILD_FAILED, BUILD_FINISHED };

struct mod_build {
  const char *magic;
  enum mod_build_status status;
  int thrown; /* FAILED: the error object is the sink's own */
  struct json_build b;
  struct encode_state text, lines; /* without lines; laid out, with `indent` */
  struct json_fold fold;           /* fold.out is NULL without `indent` */
  struct json_style style;         /* of `lines` */
  struct mod_options o;            /* without lines */
  char indent[JSON_INDENT_LIMIT];
  struct mod_codec *codec; /* of the encoder in the environment, which writes values of other types */
  struct mod_state *state;
  struct heap_user user;
  int has_sink, unique;
};

/* builder:object(), builder:array() -> builder */
FL_PRIVATE int mod_build_object(lua_State *L);
FL_PRIVATE int mod_build_array(lua_State *L);

/* builder:key(name) */
FL_PRIVATE int mod_build_key(lua_State *L);
FL_PRIVATE int mod_build_string(lua_State *L);

/* builder:number(x [, digits]): with digits these are written, and x may be nil */
FL_PRIVATE int mod_build_number(lua_State *L);
FL_PRIVATE int mod_build_boolean(lua_State *L);
FL_PRIVATE int mod_build_null(lua_State *L);

/* builder:value(v): all that encode takes */
FL_PRIVATE int mod_build_value(lua_State *L);

/* builder:close() ends the innermost container; close_array, close_object test its kind */
FL_PRIVATE int mod_build_close(lua_State *L);
FL_PRIVATE int mod_build_close_array(lua_State *L);
FL_PRIVATE int mod_build_close_object(lua_State *L);

/* builder:finish() -> true; without a sink the text */
FL_PRIVATE int mod_build_finish(lua_State *L);

static const luaL_Reg mod_build_methods[] = {{"object", mod_build_object},
                                             {"array", mod_build_array},
                                             {"key", mod_build_key},
                                             {"string", mod_build_string},
                                             {"number", mod_build_number},
                                             {"boolean", mod_build_boolean},
                                             {"null", mod_build_null},
                                             {"value", mod_build_value},
                                             {"close", mod_build_close},
                                             {"close_array", mod_build_close_array},
                                             {"close_object", mod_build_close_object},
                                             {"finish", mod_build_finish},
                                             {NULL, NULL}};

/* builder([sink [, options]]) -> a builder. The sink is one of `write`; nil: finish returns the text. */
FL_PRIVATE int mod_builder_new(lua_State *L);
