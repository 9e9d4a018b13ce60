/* SPDX-License-Identifier: MIT
** options.h -- the options of fleece.luajson: reading them, and the tables of defaults that programs can read.
** Must hold: options are checked before anything is encoded or decoded. */
#pragma once

#include "functions.h"
#include "tables.h"
#include "util.h"

/* The characters that a text may escape, unless the options are strict. */
static const char luajson_escapes[] = "bfnrtv/\\\"xu'z";

FL_PRIVATE void luajson_fill_set(unsigned char *set, const char *s, size_t n);

/* Reads the options of decoding over the rules and over the values in the slots after `base`. */
FL_PRIVATE void luajson_read_decode(lua_State *L, int options, struct luajson_rules *r, int base);

/* Sets what a walk needs of the functions and words in the slots. */
FL_PRIVATE void luajson_set_special(lua_State *L, int base, struct luajson_special *lj);

/* Reads the options of encoding. */
FL_PRIVATE void luajson_read_encode(lua_State *L, int options, struct luajson_codec *to, int base);

/* Pushes a function with the upvalues of the running one, except a new codec, which is returned, and the values after
** `base`. */
FL_PRIVATE struct luajson_codec *luajson_push_function(lua_State *L, lua_CFunction f, int base);

/* Pushes a table of decode's modes: strict, or simple, where null is nil. */
FL_PRIVATE void luajson_push_mode(lua_State *L, int is_strict, int util);

/* Pushes a table of encode's modes. */
FL_PRIVATE void luajson_push_style(lua_State *L, int is_strict, int util);
