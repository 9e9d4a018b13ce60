/* SPDX-License-Identifier: MIT
** api.h -- the public API of Lua 5.1 to 5.5 and LuaJIT under the names of the newest.
** Must hold: only this file maps old names to new ones. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include "../../base/def.h"

#ifndef LUA_FILEHANDLE
#define LUA_FILEHANDLE "FILE*"
#endif

#if LUA_VERSION_NUM < 502
#define lua_rawlen(L, i) lua_objlen(L, i)
#define lua_absindex(L, i) ((i) > 0 || (i) <= LUA_REGISTRYINDEX ? (i) : lua_gettop(L) + (i) + 1)
#endif

enum { API_TCDATA = 10 }; /* LuaJIT's lua_type of FFI values */

/* Returns whether a number is an integer; in Lua 5.1, 5.2 and LuaJIT all are doubles. */
FL_INLINE int compat_is_integer(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 503
  return lua_isinteger(L, index);
#else
  (void)L, (void)index;
  return 0;
#endif
}

FL_INLINE int64_t compat_to_integer(lua_State *L, int index) { return (int64_t)lua_tointeger(L, index); }

FL_INLINE void compat_push_integer(lua_State *L, int64_t i) {
#if LUA_VERSION_NUM >= 503
  lua_pushinteger(L, (lua_Integer)i);
#else
  lua_pushnumber(L, (lua_Number)i);
#endif
}

/* Pushes registry[key], where the key is the address `key` as a light userdata. */
FL_INLINE void compat_registry_get(lua_State *L, const void *key) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_rawget(L, LUA_REGISTRYINDEX);
}

/* registry[key] = the value on top, which is popped. */
FL_INLINE void compat_registry_set(lua_State *L, const void *key) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_insert(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

/* table[i] = the value at the index `value`, without metamethods. */
FL_INLINE void compat_set_item(lua_State *L, int table, int i, int value) {
  lua_pushvalue(L, value);
  lua_rawseti(L, table, i);
}

/* Pushes table[the value at the index `key`], without metamethods. */
FL_INLINE void compat_raw_get(lua_State *L, int table, int key) {
  lua_pushvalue(L, key);
  lua_rawget(L, table);
}

/* lua_copy of Lua 5.2 and later. */
FL_INLINE void compat_copy(lua_State *L, int from, int to) {
  lua_pushvalue(L, from);
  lua_replace(L, to);
}

/* Tries lua_checkstack once more, and raises an error if that fails. The error is "not enough memory" if even a block
** for the largest stack of this Lua cannot be allocated. */
FL_PRIVATE_NOINLINE void compat_no_stack_(lua_State *L, int n);

/* Makes room for n more values, or raises an error. luaL_checkstack does the same but formats its message: without
** memory for that Lua 5.5.0 raises some other value (luaL_error relies on lua_pushvfstring), and it calls both a stack
** overflow. */
FL_INLINE void compat_need_stack(lua_State *L, int n) {
  if (FL_UNLIKELY(!lua_checkstack(L, n))) compat_no_stack_(L, n);
}

/* Stores the functions into the table on top, which stays. */
FL_PRIVATE void compat_set_functions(lua_State *L, const luaL_Reg *functions);

/* Pushes table[name] without metamethods; the table is at `index`. */
FL_INLINE void compat_get_field(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  lua_pushstring(L, name);
  lua_rawget(L, index);
}
