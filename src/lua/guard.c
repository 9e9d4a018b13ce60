/* SPDX-License-Identifier: MIT */
#include "guard.h"

/* Ends of Lua's messages about limits of the host, as far as they are ordinary errors. LuaJIT also limits the length of
** a userdata. */
static const char *const mod_limits[] = {"not enough memory", "stack overflow", "length overflow", "block too big",
                                         "table overflow"};

/* Returns whether the error on top is about a limit of the host: memory, the stack, the length of a string. */
static int mod_is_limit_error(lua_State *L) {
  size_t n, length, i;
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
  for (i = 0; message && i < sizeof mod_limits / sizeof *mod_limits; i++) {
    length = strlen(mod_limits[i]);
    if (n >= length && memcmp(message + n - length, mod_limits[i], length) == 0) return 1;
  }
  return 0;
}

FL_PRIVATE int mod_call_guarded(lua_State *L, int arguments) {
  const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  if (FL_LIKELY(!status)) return 1;
  return status == LUA_ERRMEM || mod_is_limit_error(L) ? 0 : lua_error(L);
}

/* A function of fleece.safe. Upvalues: the function to call, and the value to return before a message. */
static int mod_guard(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (FL_LIKELY(mod_call_guarded(L, lua_gettop(L) - 1))) return lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, -2);
  return 2;
}

FL_PRIVATE void mod_guard_function(lua_State *L) { lua_pushcclosure(L, mod_guard, 2); }

FL_PRIVATE lua_CFunction mod_push_unguarded(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != mod_guard) lua_pushvalue(L, index);
  else lua_getupvalue(L, index, 1);
  return lua_tocfunction(L, -1);
}

FL_PRIVATE int mod_is_guarded(lua_State *L) {
  lua_Debug caller;
  if (!lua_getstack(L, 1, &caller) || !lua_getinfo(L, "f", &caller)) return 0;
  const int guarded = lua_tocfunction(L, -1) == mod_guard;
  lua_pop(L, 1);
  return guarded;
}

FL_PRIVATE void mod_where(lua_State *L) { luaL_where(L, 1 + mod_is_guarded(L)); }

FL_PRIVATE_NOINLINE int mod_error(lua_State *L, const char *message) {
  mod_where(L);
  lua_pushstring(L, message);
  lua_concat(L, 2);
  return lua_error(L);
}

FL_PRIVATE_NOINLINE int mod_raise(lua_State *L, int safe) {
  if (safe) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    mod_where(L);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

FL_PRIVATE_NOINLINE int mod_raise_at(lua_State *L, int safe, size_t byte) {
  const int results = mod_raise(L, safe);
  lua_pushinteger(L, (lua_Integer)byte);
  return results + 1;
}
