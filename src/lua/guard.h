/* SPDX-License-Identifier: MIT
** guard.h -- makes functions of fleece.safe return the errors that Lua raises at a limit of the host, such as memory.
** Must hold: argument errors are raised as if the guard were not there, with the position of its caller. */
#pragma once

#include "../base/def.h"
#include "../base/error.h"
#include "../layout/lua_compat/api.h"

/* Like lua_call with all results. Returns 0, with the message and the failure on top, at a limit of the host; raises
** other errors. */
FL_PRIVATE int mod_call_guarded(lua_State *L, int arguments);

/* Pops a function and a value (nil or false) above it. Pushes a function that does the same, but at a limit of the host
** returns the value, the message and the failure. */
FL_PRIVATE void mod_guard_function(lua_State *L);

/* Makes what guards need when there is no memory; before the first of them is used. */
FL_PRIVATE void mod_prepare_guards(lua_State *L);

/* Pushes the function at `index`, or what it guards, and returns it as a C function. */
FL_PRIVATE lua_CFunction mod_push_unguarded(lua_State *L, int index);

/* Returns whether the caller of the running function is its guard. */
FL_PRIVATE int mod_is_guarded(lua_State *L);

/* Like luaL_where(L, 1), but skips a guard. */
FL_PRIVATE void mod_where(lua_State *L);

/* Like luaL_error, with the position of mod_where. */
FL_PRIVATE_NOINLINE int mod_error(lua_State *L, const char *message);

/* What programs are told of an error besides its message; 0 or NULL: unknown. */
struct mod_failure {
  enum fl_kind kind;
  size_t byte, line, column; /* in the text, counted from 1 */
  const char *option;        /* the name of the option that allows more */
  int path;                  /* stack index of the path to a value */
};

/* Pushes the table of a failure: the third result of functions of fleece.safe. */
FL_PRIVATE_NOINLINE void mod_push_failure(lua_State *L, const struct mod_failure *failure);

/* Raises the message on top of the stack; if `safe`, returns nil and the message: for modules in place of other
** libraries. */
FL_PRIVATE_NOINLINE int mod_raise(lua_State *L, int safe);

/* Like mod_raise; if `safe`, the third result is the failure. */
FL_PRIVATE_NOINLINE int mod_raise_failure(lua_State *L, int safe, const struct mod_failure *failure);

/* The same for an error of which only the kind is known, or also the byte. */
FL_PRIVATE_NOINLINE int mod_raise_kind(lua_State *L, int safe, enum fl_kind kind);
FL_PRIVATE_NOINLINE int mod_raise_at(lua_State *L, int safe, enum fl_kind kind, size_t byte);
