/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include "../lua/guard.h"

/* reader:next() -> what the iterator returns; nil, message [, byte]: an error */
static int mod_reader_next(lua_State *L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushlightuserdata(L, (void *)(uintptr_t)&mod_reader_key);
  if (FL_LIKELY(mod_call_guarded(L, 1))) return lua_gettop(L);
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

FL_PRIVATE int mod_return_reader(lua_State *L, int safe) {
  const int iterator = lua_gettop(L);
  if (!safe) return 1;
  compat_need_stack(L, 6);
  (void)lua_newuserdata(L, 0);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, iterator);
  lua_setfield(L, -2, "__call"); /* by a `for`; what it passes is ignored */
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, iterator);
  lua_pushcclosure(L, mod_reader_next, 1);
  lua_setfield(L, -2, "next");
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "fleece.reader");
  lua_setfield(L, -2, "__name");
  lua_setmetatable(L, -2);
  return 1;
}
