/* SPDX-License-Identifier: MIT
** functions.h -- a program's functions and LPeg patterns, in the form that dropin/luajson/to_lua_hooks.h calls.
** Must hold: LPeg is used if the program has loaded it; it is never loaded here. */
#pragma once

#include "slots.h"

/* Stores a function for the value on top, which stays, in the slot. */
FL_PRIVATE void luajson_keep_match(lua_State *L, const char *option, int slot);

/* Reads the options of decode that are functions, and sets the flags of the rules for them. */
FL_PRIVATE void luajson_read_functions(lua_State *L, int options, struct luajson_rules *r, int base);
