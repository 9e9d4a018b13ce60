/* SPDX-License-Identifier: MIT */
#include "slots.h"

FL_PRIVATE void luajson_copy(struct luajson_codec *to, const struct luajson_codec *from) {
  *to = *from;
  to->codec.encode.style.set = to->set;
}

FL_PRIVATE const struct luajson_codec *luajson_upvalue(lua_State *L) {
  return (const struct luajson_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
}

/* ------------------------------------------------------------------------------------- options */

/* Pushes the field of the table at an index, without metamethods: LuaJSON copies tables of options, so inherited
** fields do not count. */
static void luajson_own(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
}

FL_PRIVATE int luajson_group(lua_State *L, int options, const char *group) {
  if (!*group) lua_pushvalue(L, options);
  else luajson_own(L, options, group);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "option '%s' must be a table, not a %s", group, luaL_typename(L, -1));
  return 1;
}

FL_PRIVATE int luajson_option(lua_State *L, int options, const char *group, const char *name) {
  if (!luajson_group(L, options, group)) return 0;
  luajson_own(L, lua_gettop(L), name);
  lua_remove(L, -2);
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

FL_PRIVATE int luajson_read_flag(lua_State *L, int options, const char *group, const char *name, int value) {
  if (!luajson_option(L, options, group, name)) return value;
  value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}
