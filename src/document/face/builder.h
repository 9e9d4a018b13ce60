/* SPDX-License-Identifier: MIT
** builder.h -- fleece.encoder(): writes a document value by value.
** Must hold: the encoder's memory belongs to its userdata, see lua/state.h. A call in the wrong order raises an
** error and leaves the encoder unchanged. */
#pragma once

#include "../../binary/encode/checked.h"
#include "../../binary/encode/end.h"
#include "binary.h"
#include "../../lua/state.h"

FL_PRIVATE int builder_null(lua_State *L);
FL_PRIVATE int builder_undefined(lua_State *L);
FL_PRIVATE int builder_boolean(lua_State *L);

/* encoder:integer(n), encoder:unsigned(n): n a number or a string of digits */
FL_PRIVATE int builder_integer(lua_State *L);
FL_PRIVATE int builder_unsigned(lua_State *L);
FL_PRIVATE int builder_double(lua_State *L);

/* encoder:float(x): rounds x to 32 bits */
FL_PRIVATE int builder_float(lua_State *L);
FL_PRIVATE int builder_string(lua_State *L);
FL_PRIVATE int builder_data(lua_State *L);
FL_PRIVATE int builder_array(lua_State *L);
FL_PRIVATE int builder_dict(lua_State *L);

/* encoder:key(name) */
FL_PRIVATE int builder_put_key(lua_State *L);

/* encoder:close() ends the innermost collection; close_array, close_dict test its kind */
FL_PRIVATE int builder_close(lua_State *L);
FL_PRIVATE int builder_close_array(lua_State *L);
FL_PRIVATE int builder_close_dict(lua_State *L);

/* encoder:value(v): a scalar, data, a view, document or mutable view. */
FL_PRIVATE int builder_put_any(lua_State *L);

/* encoder:json(text): puts the value of a JSON text, or with the encoder's option `lines` all its documents as items of
** the open array. After an error the encoder must be reset, because part of the text was written. */
FL_PRIVATE int builder_json(lua_State *L);

/* encoder:finish() -> bytes; the encoder is empty again */
FL_PRIVATE int builder_finish(lua_State *L);

/* encoder:reset() */
FL_PRIVATE int builder_reset(lua_State *L);

/* The methods; module/module.h also finds the names of functions here. */
static const luaL_Reg builder_methods[] = {{"null", builder_null},
                                           {"undefined", builder_undefined},
                                           {"boolean", builder_boolean},
                                           {"integer", builder_integer},
                                           {"unsigned", builder_unsigned},
                                           {"double", builder_double},
                                           {"float", builder_float},
                                           {"string", builder_string},
                                           {"data", builder_data},
                                           {"array", builder_array},
                                           {"dict", builder_dict},
                                           {"key", builder_put_key},
                                           {"close", builder_close},
                                           {"close_array", builder_close_array},
                                           {"close_dict", builder_close_dict},
                                           {"value", builder_put_any},
                                           {"json", builder_json},
                                           {"finish", builder_finish},
                                           {"reset", builder_reset},
                                           {NULL, NULL}};

/* encoder([options]) -> an encoder. Options: mode, keys, and for encoder:json those of from_json */
FL_PRIVATE int mod_encoder(lua_State *L);
