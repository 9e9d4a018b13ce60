/* SPDX-License-Identifier: MIT
** api.c -- the public API of Lua 5.1 to 5.5 and LuaJIT under the names of the newest.
** May call: lua_*.  Must hold: as api.h. */
#include "api.h"

FL_PRIVATE_NOINLINE int compat_no_stack_(lua_State *L) {
  lua_pushliteral(L, "stack overflow");
  return lua_error(L);
}
