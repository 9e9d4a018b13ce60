/* SPDX-License-Identifier: MIT */
#include "userdata.h"
#include "guard.h"

FL_PRIVATE void mod_push_class(lua_State *L, const char *key, int safe, const char *name, const luaL_Reg *methods,
                               lua_CFunction gc) {
  compat_registry_get(L, key + safe);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 3);
  lua_newtable(L);
  for (; methods->name; methods++) {
    lua_pushcfunction(L, methods->func);
    if (safe) {
      lua_pushnil(L);
      mod_guard_function(L);
    }
    lua_setfield(L, -2, methods->name);
  }
  lua_setfield(L, -2, "__index");
  if (gc) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -1);
  compat_registry_set(L, key + safe);
}
