/* SPDX-License-Identifier: MIT
** guard.h -- functions of fleece.safe return what Lua itself raises where memory or another limit of the host ends.
** Must hold: errors of arguments are raised as if the guard were not there, with the place of its caller. */
#pragma once

#include "../base/def.h"
#include "../layout/lua_compat/api.h"

/* Calls as lua_call with all results. Returns 0, with the message on top, if a limit of the host was reached; other
** errors are raised. */
FL_PRIVATE int mod_call_guarded(lua_State *L, int arguments);

/* Pops a function and a value above it. Pushes a function that does the same, but where a limit of the host is reached
** returns the value, which is nil or false, and the message. */
FL_PRIVATE void mod_guard_function(lua_State *L);

/* Pushes the function at `index`, or what it guards. Returns it as a C function. */
FL_PRIVATE lua_CFunction mod_push_unguarded(lua_State *L, int index);

/* Is the caller of the running function its guard? */
FL_PRIVATE int mod_is_guarded(lua_State *L);

/* As luaL_where(L, 1), but of the caller of a guard. */
FL_PRIVATE void mod_where(lua_State *L);

/* As luaL_error, with the place of mod_where. */
FL_PRIVATE_NOINLINE int mod_error(lua_State *L, const char *message);

/* Raises the message on top of the stack; if `safe`, returns nil and the message. */
FL_PRIVATE_NOINLINE int mod_raise(lua_State *L, int safe);

/* The same for a text that is wrong at a byte, from 1, which is a third result. */
FL_PRIVATE_NOINLINE int mod_raise_at(lua_State *L, int safe, size_t byte);
