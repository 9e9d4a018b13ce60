/* SPDX-License-Identifier: MIT
** arguments.h -- argument errors that name the function, even under pcall, where Lua does not know its name.
** May call: lua_*, module/core/state.h, layout.
** Must hold: functions of stand-ins keep the messages of Lua. */
#ifndef FLEECE_MODULE_CORE_ARGUMENTS_H
#define FLEECE_MODULE_CORE_ARGUMENTS_H

#include "state.h"

/* The name of a function or method of this module; NULL: it is not one of them. */
FL_FUNC const char *mod_function_name(lua_State *L, lua_CFunction f) {
  const struct mod_state *m;
  const luaL_Reg *const *list, *r;
  compat_registry_get(L, &mod_state_key);
  m = (const struct mod_state *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  for (list = m ? m->functions : NULL; list && *list; list++)
    for (r = *list; r->name; r++)
      if (r->func == f) return r->name;
  return NULL;
}

/* Raises "bad argument #ARG to 'NAME' (MESSAGE)", as luaL_argerror does. */
FL_NOINLINE int mod_argument_error(lua_State *L, int arg, const char *message) {
  lua_Debug ar;
  if (lua_getstack(L, 0, &ar) && lua_getinfo(L, "n", &ar) && !ar.name) {
    const char *name;
    lua_getinfo(L, "f", &ar);
    name = mod_function_name(L, lua_tocfunction(L, -1));
    lua_pop(L, 1);
    if (name) return luaL_error(L, "bad argument #%d to '%s' (%s)", arg, name, message);
  }
  return luaL_argerror(L, arg, message);
}

/* Raises that an argument has the wrong type. */
FL_NOINLINE int mod_type_error(lua_State *L, int arg, const char *expected) {
  const char *type = luaL_typename(L, arg);
#if LUA_VERSION_NUM >= 503
  if (luaL_getmetafield(L, arg, "__name") == LUA_TSTRING) type = lua_tostring(L, -1);
  else if (lua_type(L, arg) == LUA_TLIGHTUSERDATA) type = "light userdata";
#endif
  return mod_argument_error(L, arg, lua_pushfstring(L, "%s expected, got %s", expected, type));
}

/* As luaL_checklstring. */
FL_INLINE const char *mod_check_string(lua_State *L, int arg, size_t *n) {
  const char *s = lua_tolstring(L, arg, n);
  if (FL_UNLIKELY(!s)) mod_type_error(L, arg, "string");
  return s;
}

/* As luaL_checkany. */
FL_INLINE void mod_check_any(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) == LUA_TNONE)) mod_argument_error(L, arg, "value expected");
}

/* As luaL_checknumber. */
FL_INLINE lua_Number mod_check_number(lua_State *L, int arg) {
  if (FL_UNLIKELY(!lua_isnumber(L, arg))) mod_type_error(L, arg, "number");
  return lua_tonumber(L, arg);
}

/* As luaL_checktype. */
FL_INLINE void mod_check_type(lua_State *L, int arg, int type) {
  if (FL_UNLIKELY(lua_type(L, arg) != type)) mod_type_error(L, arg, lua_typename(L, type));
}

/* As luaL_optnumber. */
FL_INLINE lua_Number mod_optional_number(lua_State *L, int arg, lua_Number otherwise) {
  if (lua_isnoneornil(L, arg)) return otherwise;
  if (FL_UNLIKELY(!lua_isnumber(L, arg))) mod_type_error(L, arg, "number");
  return lua_tonumber(L, arg);
}

#endif
