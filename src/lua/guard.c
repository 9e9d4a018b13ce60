/* SPDX-License-Identifier: MIT */
#include "guard.h"

/* Ends of Lua's messages about limits of the host, as far as they are ordinary errors: it tells them apart in no other
** way. LuaJIT also limits the length of a userdata. */
static const char *const mod_limits[] = {"not enough memory", "stack overflow", "length overflow", "block too big",
                                         "table overflow"};

/* Keys of the registry: the failures of limits of the host, which are made before, because there is no memory then. */
FL_IDENTITY mod_limits_keys[2] = {0, 0};

/* Returns which limit of the host the error on top is about, from 1 (memory): the stack, the length of a string. Or
** 0. */
static int mod_limit_error(lua_State *L) {
  size_t n, length, i;
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
  for (i = 0; message && i < sizeof mod_limits / sizeof *mod_limits; i++) {
    length = strlen(mod_limits[i]);
    if (n >= length && memcmp(message + n - length, mod_limits[i], length) == 0) return (int)i + 1;
  }
  return 0;
}

FL_PRIVATE int mod_call_guarded(lua_State *L, int arguments) {
  const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  if (FL_LIKELY(!status)) return 1;
  const int limit = status == LUA_ERRMEM ? 1 : mod_limit_error(L);
  if (!limit) return lua_error(L);
  compat_registry_get(L, &mod_limits_keys[limit > 1]);
  return 0;
}

/* A function of fleece.safe. Upvalues: the function to call, and the value to return before a message. */
static int mod_guard(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (FL_LIKELY(mod_call_guarded(L, lua_gettop(L) - 1))) return lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, -3);
  return 3;
}

FL_PRIVATE void mod_prepare_guards(lua_State *L) {
  for (int i = 0; i < 2; i++) {
    compat_registry_get(L, &mod_limits_keys[i]);
    if (lua_isnil(L, -1)) {
      const struct mod_failure failure = {i ? FL_KIND_LIMIT : FL_KIND_MEMORY, 0, 0, 0, NULL, 0};
      mod_push_failure(L, &failure);
      compat_registry_set(L, &mod_limits_keys[i]);
    }
    lua_pop(L, 1);
  }
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

static void mod_set_position(lua_State *L, const char *name, size_t n) {
  if (n == 0) return;
  lua_pushinteger(L, (lua_Integer)n);
  lua_setfield(L, -2, name);
}

FL_PRIVATE_NOINLINE void mod_push_failure(lua_State *L, const struct mod_failure *failure) {
  static const char *const words[] = {
#define X(name, word) word,
      FL_KINDS(X)
#undef X
  };
  compat_need_stack(L, 4);
  lua_createtable(L, 0, 4);
  lua_pushstring(L, words[failure->kind]);
  lua_setfield(L, -2, "kind");
  mod_set_position(L, "byte", failure->byte);
  mod_set_position(L, "line", failure->line);
  mod_set_position(L, "column", failure->column);
  if (failure->option) lua_pushstring(L, failure->option), lua_setfield(L, -2, "option");
  if (failure->path) lua_pushvalue(L, failure->path), lua_setfield(L, -2, "path");
}

FL_PRIVATE_NOINLINE int mod_raise_failure(lua_State *L, int safe, const struct mod_failure *failure) {
  if (!safe) return mod_raise(L, 0);
  lua_pushnil(L);
  lua_insert(L, -2);
  mod_push_failure(L, failure);
  return 3;
}

FL_PRIVATE_NOINLINE int mod_raise_kind(lua_State *L, int safe, enum fl_kind kind) {
  return mod_raise_at(L, safe, kind, 0);
}

FL_PRIVATE_NOINLINE int mod_raise_at(lua_State *L, int safe, enum fl_kind kind, size_t byte) {
  const struct mod_failure failure = {kind, byte, 0, 0, NULL, 0};
  return mod_raise_failure(L, safe, &failure);
}
