/* SPDX-License-Identifier: MIT
** open.c -- the luaopen_ function of each module of list.h. */

#include "list.h"
#include "../layout/lua_compat/api.h"

/* Raises the error that a module was left out. */
FL_NOINLINE int dropin_missing(lua_State *L, const char *name, const char *library) {
  return luaL_error(L,
                    "%s is not in this build of Fleece, which was made with FLEECE_DROPINS=%s; build Fleece with "
                    "FLEECE_DROPINS=%s, or without FLEECE_DROPINS to have all",
                    name, DROPIN_TEXT, library);
}

#define DROPIN_OPEN_1(L, library, name, open) open(L)
#define DROPIN_OPEN_0(L, library, name, open) dropin_missing(L, name, library)
#define X(library, name, symbol, open)              \
  FLEECE_EXPORT int luaopen_##symbol(lua_State *L); \
  int luaopen_##symbol(lua_State *L) { return FL_PASTE(DROPIN_OPEN, DROPIN_HAS_##library)(L, #library, name, open); }
DROPIN_MODULES(X)
#undef X

/* Opens a module that is a Lua file, which require's own searcher finds. */
FL_NOINLINE int dropin_open_file(lua_State *L, const char *name) {
  lua_settop(L, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (lua_istable(L, -1)) lua_getfield(L, -1, "package");
  if (lua_istable(L, -1)) lua_getfield(L, -1, LUA_VERSION_NUM >= 502 ? "searchers" : "loaders");
  if (lua_istable(L, -1)) lua_rawgeti(L, -1, 2);
  if (!lua_isfunction(L, -1)) return luaL_error(L, "%s is a Lua file, and the package library is not open", name);
  lua_pushstring(L, name);
  lua_call(L, 1, 2);
  if (!lua_isfunction(L, -2)) { /* the searcher's words; before Lua 5.4 they begin with a new line */
    const char *where = lua_tostring(L, -2);
    return luaL_error(L,
                      where && *where == '\n' ? "%s is a Lua file of Fleece:%s" : "%s is a Lua file of Fleece:\n\t%s",
                      name, where);
  }
  lua_pushstring(L, name);
  lua_insert(L, -2);
  lua_call(L, 2, 1);
  return 1;
}

#define X(name, symbol)                             \
  FLEECE_EXPORT int luaopen_##symbol(lua_State *L); \
  int luaopen_##symbol(lua_State *L) { return dropin_open_file(L, name); }
DROPIN_FILES(X)
#undef X
