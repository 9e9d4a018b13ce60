/* SPDX-License-Identifier: MIT */
#include "library.h"
#include "state.h"

FL_PRIVATE int mod_pairs_honours_meta(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  (void)L;
  return 1;
#else
  static const char source[] = "return pairs(setmetatable({}, { __pairs = function() return 1 end })) == 1";
  int asks = luaL_loadbuffer(L, source, sizeof source - 1, "=fleece") == 0 && lua_pcall(L, 0, 1, 0) == 0 &&
             lua_toboolean(L, -1);
  lua_pop(L, 1);
  return asks;
#endif
}

FL_PRIVATE struct mod_codec *mod_push_upvalues(lua_State *L, size_t size) {
  struct mod_state *m;
  struct mod_codec *codec;
  int i;
  mod_check_host(L);
  compat_need_stack(L, 3 * MOD_UPVALUES + 10);
  m = mod_push_state(L);
  codec = (struct mod_codec *)lua_newuserdata(L, size);
  memset(codec, 0, size);
  codec->state = m;
  compat_registry_get(L, &mod_anchor_key);
  lua_pushcfunction(L, mod_push_piece);
  for (i = MOD_PUSH; i < MOD_UPVALUES; i++) lua_pushnil(L); /* no values, no mark for empty objects */
  return codec;
}

FL_PRIVATE void mod_push_library(lua_State *L, int base, const luaL_Reg *functions) {
  const luaL_Reg *f = functions;
  int i;
  while (f->name) f++;
  lua_createtable(L, 0, (int)(f - functions) + 5);
  for (f = functions; f->name; f++) {
    for (i = 0; i < MOD_UPVALUES; i++) lua_pushvalue(L, base + i);
    lua_pushcclosure(L, f->func, MOD_UPVALUES);
    lua_setfield(L, -2, f->name);
  }
}

FL_PRIVATE void mod_set_string(lua_State *L, const char *name, const char *s) {
  lua_pushstring(L, s);
  lua_setfield(L, -2, name);
}
