/* SPDX-License-Identifier: MIT */
#include "itself.h"

static int dropin_itself(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

FL_PRIVATE void dropin_push_itself(lua_State *L) {
  lua_pushnil(L);
  lua_pushcclosure(L, dropin_itself, 1);
  lua_pushvalue(L, -1);
  lua_setupvalue(L, -2, 1);
}
