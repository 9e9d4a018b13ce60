/* SPDX-License-Identifier: MIT
** guard.h -- makes functions of fleece.safe return the errors that Lua raises at a limit of the host, such as memory.
** Must hold: argument errors are raised as if the guard were not there, with the position of its caller. */
#pragma once

#include "../base/def.h"
#include "../layout/lua_compat/api.h"

/* Like lua_call with all results. Returns 0, with the message on top, at a limit of the host; raises other errors. */
FL_PRIVATE int mod_call_guarded(lua_State *L, int arguments);

/* Pops a function and a value (nil or false) above it. Pushes a function that does the same, but at a limit of the host
** returns the value and the message. */
FL_PRIVATE void mod_guard_function(lua_State *L);

/* Pushes the function at `index`, or what it guards, and returns it as a C function. */
FL_PRIVATE lua_CFunction mod_push_unguarded(lua_State *L, int index);

/* Returns whether the caller of the running function is its guard. */
FL_PRIVATE int mod_is_guarded(lua_State *L);

/* Like luaL_where(L, 1), but skips a guard. */
FL_PRIVATE void mod_where(lua_State *L);

/* Like luaL_error, with the position of mod_where. */
FL_PRIVATE_NOINLINE int mod_error(lua_State *L, const char *message);

/* Raises the message on top of the stack; if `safe`, returns nil and the message. */
FL_PRIVATE_NOINLINE int mod_raise(lua_State *L, int safe);

/* Like mod_raise for a text that is invalid at a byte, counted from 1, which is the third result. */
FL_PRIVATE_NOINLINE int mod_raise_at(lua_State *L, int safe, size_t byte);
