/* SPDX-License-Identifier: MIT
** userdata.h -- userdata with an environment, a value of Lua that belongs to one, and classes of them. */
#pragma once

#include "../layout/lua_compat/api.h"

#if LUA_VERSION_NUM >= 504
#define mod_new_userdata(L, bytes) lua_newuserdatauv(L, bytes, 1)
#define mod_push_env(L, index) lua_getiuservalue(L, index, 1)
#define mod_set_env(L, index) lua_setiuservalue(L, index, 1)
#elif LUA_VERSION_NUM >= 502
#define mod_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define mod_push_env(L, index) lua_getuservalue(L, index)
#define mod_set_env(L, index) lua_setuservalue(L, index)
#else
#define mod_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define mod_push_env(L, index) lua_getfenv(L, index)
#define mod_set_env(L, index) lua_setfenv(L, index)
#endif

/* A key of the registry, and of the metatables of documents and what belongs to them, which says that they are of this
** copy of the object. */
FL_IDENTITY view_key = 0;

/* The userdata at the index if it begins with `magic`, or NULL. (A light userdata has length 0.) */
FL_INLINE void *mod_test_userdata(lua_State *L, int index, const char *magic, size_t least) {
  void *p = lua_touserdata(L, index);
  return p && lua_rawlen(L, index) >= least && *(const char *const *)p == magic ? p : NULL;
}

/* Pushes the metatable under `key[safe]` of the registry, which the first call creates: with methods, a name, and a
** finalizer unless `gc` is NULL. `safe`: for objects of fleece.safe, so the methods are guarded. */
FL_PRIVATE void mod_push_class(lua_State *L, const char *key, int safe, const char *name, const luaL_Reg *methods,
                               lua_CFunction gc);
