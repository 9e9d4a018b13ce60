/* SPDX-License-Identifier: MIT
** calls.c -- an iterator that does nothing: what a loop over n items costs if each is a call of a C function.
** Use: `for i, value in calls(n) do ... end`, where calls is what luaopen_calls returns; bench/binary/views.lua compiles it.
** May call: the public API of Lua. */
#include <lauxlib.h>
#include <lua.h>

static int next_item(lua_State *L) {
  const lua_Integer i = lua_tointeger(L, 2) + 1;
  if (i > lua_tointeger(L, 1)) return 0;
  lua_pushinteger(L, i);
  lua_pushinteger(L, i);
  return 2;
}

static int calls(lua_State *L) {
  lua_pushcfunction(L, next_item);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

int luaopen_calls(lua_State *L) {
  lua_pushcfunction(L, calls);
  return 1;
}
