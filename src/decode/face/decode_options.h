/* SPDX-License-Identifier: MIT
** decode_options.h -- the options of decoding, read like those of encoding.
** Must hold: values that Lua keeps (for null, metatables, a function) lie in one table: an upvalue of the codec's
** functions, or of this call; json_to_lua_options has a flag for each until mod_position_of_decode_values makes it an
** index. */
#pragma once

#include "../../lua/options/options.h"
#include "state.h"

/* Items of the table. */
enum {
  MOD_VALUE_NULL = 1,
  MOD_VALUE_ARRAYS,
  MOD_VALUE_OBJECTS,
  MOD_VALUE_INT64,
  MOD_VALUE_ORDER,
  MOD_VALUE_EXACT,
  MOD_VALUES_END, /* from here on: of codecs alone, for functions that do not decode */
  MOD_VALUE_DONE = MOD_VALUES_END,
  MOD_VALUE_KEYS,
  MOD_VALUE_BASE,
  MOD_VALUE_PATH,
  MOD_VALUE_POINTER,
  MOD_VALUE_LAST = MOD_VALUE_POINTER
};

FL_PRIVATE void mod_default_decode_options(struct json_to_lua_options *o);

/* The options of one call: those of argument `arg` over the codec's. Leaves a table on the stack. */
FL_PRIVATE_NOINLINE int mod_read_decode_options(lua_State *L, int arg, struct json_to_lua_options *o,
                                                enum mod_taker of);

/* Pushes the values that the options have flags for, and turns the flags into their indices. */
FL_PRIVATE_NOINLINE void mod_position_of_values_(lua_State *L, struct json_to_lua_options *o, int values);
