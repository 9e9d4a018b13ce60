/* SPDX-License-Identifier: MIT
** arguments.h -- argument errors that name the function, even under pcall, where Lua does not know its name.
** Must hold: functions of stand-ins keep Lua's messages. */
#pragma once

#include "../state.h"

/* Raises "bad argument #ARG to 'NAME' (MESSAGE)" like luaL_argerror; for a metamethod, whose caller knows no arguments,
** only MESSAGE. */
FL_PRIVATE_NOINLINE int mod_argument_error(lua_State *L, int arg, const char *message);

/* Raises an error: the argument has the wrong type. */
FL_PRIVATE_NOINLINE int mod_type_error(lua_State *L, int arg, const char *expected);

/* Raises an error: the option's value does not suit this function. `arg`: the argument that contains it, or 0 for the
** codec; then the message begins with the function's name. */
FL_PRIVATE int mod_unfit_option(lua_State *L, int arg, const char *name, const char *value);

/* Like luaL_checklstring, for texts, paths and names; a number stands for its digits, as in Lua's own functions. */
FL_INLINE const char *mod_check_string(lua_State *L, int arg, size_t *n) {
  const char *s = lua_tolstring(L, arg, n);
  if (FL_UNLIKELY(!s)) mod_type_error(L, arg, "string");
  return s;
}

/* Checks a string of bytes. Refuses numbers, since no document is one. */
FL_INLINE const char *mod_check_bytes(lua_State *L, int arg, size_t *n) {
  if (FL_UNLIKELY(lua_type(L, arg) != LUA_TSTRING)) mod_type_error(L, arg, "string");
  return lua_tolstring(L, arg, n);
}

/* Like luaL_checkany. */
FL_INLINE void mod_check_any(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) == LUA_TNONE)) mod_argument_error(L, arg, "value expected");
}

enum { MOD_POINTER_SHOWN = 64 }; /* longest part of a pointer in a message, in bytes */

/* Raises an error: the argument is not a JSON pointer. */
FL_PRIVATE_NOINLINE int mod_pointer_error(lua_State *L, int arg, const char *s, size_t n);

/* Like mod_check_any(L, 1), for a source. If it is nil and a message, as from io.open, raises that message. */
FL_PRIVATE void mod_check_source(lua_State *L);

/* Like luaL_checknumber. */
FL_INLINE lua_Number mod_check_number(lua_State *L, int arg) {
  if (FL_UNLIKELY(!lua_isnumber(L, arg))) mod_type_error(L, arg, "number");
  return lua_tonumber(L, arg);
}

/* Like luaL_checktype. */
FL_INLINE void mod_check_type(lua_State *L, int arg, int type) {
  if (FL_UNLIKELY(lua_type(L, arg) != type)) mod_type_error(L, arg, lua_typename(L, type));
}

/* Like luaL_optnumber. */
FL_INLINE lua_Number mod_optional_number(lua_State *L, int arg, lua_Number otherwise) {
  if (lua_isnoneornil(L, arg)) return otherwise;
  if (FL_UNLIKELY(!lua_isnumber(L, arg))) mod_type_error(L, arg, "number");
  return lua_tonumber(L, arg);
}
