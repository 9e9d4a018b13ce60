/* SPDX-License-Identifier: MIT
** verdict.c -- a Lua module that only runs the proof: require "verdict" gives the layout's name and the reason. */
#include <lua.h>

#include "layout/lua_compat/api.c"
#include "layout/arena.c"
#include "layout/probe.c"

int luaopen_verdict(lua_State *L);
int luaopen_verdict(lua_State *L) {
  struct probe_verdict v;
  lua_pushlightuserdata(L, NULL);
  lua_pop(L, 1);
  v = probe_layout(L);
  probe_writing(L, &v);
  lua_createtable(L, 0, 6);
  lua_pushstring(L, v.facts != NULL ? v.facts->name : "api");
  lua_setfield(L, -2, "layout");
  lua_pushstring(L, v.failed);
  lua_setfield(L, -2, "reason");
  lua_pushstring(L, v.facts != NULL && v.write_failed == NULL ? v.facts->name : "api");
  lua_setfield(L, -2, "decode");
  lua_pushstring(L, v.write_failed);
  lua_setfield(L, -2, "write_reason");
  lua_pushboolean(L, v.facts != NULL && probe_boxes(L, v.facts, PROBE_BOXES_ROOM));
  lua_setfield(L, -2, "int64_cdata");
  return 1;
}
