/* SPDX-License-Identifier: MIT
** itself.h -- a function that returns itself: the null of LuaJSON and JSON4Lua.
** May call: base, lua_*.  Must hold: each one that is made is another value. */
#ifndef FLEECE_DROPIN_SHARED_ITSELF_H
#define FLEECE_DROPIN_SHARED_ITSELF_H

#include <lua.h>

#include "../../base/def.h"

FL_FUNC int dropin_itself(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/* Pushes a new one. */
FL_FUNC void dropin_push_itself(lua_State *L) {
  lua_pushnil(L);
  lua_pushcclosure(L, dropin_itself, 1);
  lua_pushvalue(L, -1);
  lua_setupvalue(L, -2, 1);
}

#endif
