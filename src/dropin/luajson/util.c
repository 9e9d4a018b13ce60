/* SPDX-License-Identifier: MIT */
#include "util.h"

FL_PRIVATE int luajson_has_mark(lua_State *L, int table, int place) {
  int has;
  if (!lua_getmetatable(L, table)) return 0;
  mod_push_mark(L, place);
  has = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return has;
}

FL_PRIVATE int luajson_init_array(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable")) return luaL_error(L, "cannot change a protected metatable");
  mod_push_mark(L, LUAJSON_MARK_ARRAY);
  lua_setmetatable(L, 1);
  return 1;
}

/* IsArray(value) -> true, false, or nil if its keys decide */
static int luajson_is_array(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_istable(L, 1)) {
    lua_pushboolean(L, 0);
    return 1;
  }
  if (luajson_has_mark(L, 1, LUAJSON_MARK_ARRAY)) {
    lua_pushboolean(L, 1);
    return 1;
  }
  if (lua_getmetatable(L, 1)) {
    lua_getfield(L, 2, "__is_luajson_array");
    if (lua_toboolean(L, 3)) return 1;
  }
#if LUA_VERSION_NUM >= 502
  if (luaL_len(L, 1) != 0) return 0;
#else
  if (lua_objlen(L, 1) != 0) return 0;
#endif
  lua_pushboolean(L, 0);
  return 1;
}

/* buildCall(name, ...) -> a value that isCall and decodeCall recognize */
static int luajson_build_call_function(lua_State *L) {
  int n = lua_gettop(L) - 1, i;
  luaL_checkany(L, 1);
  compat_need_stack(L, 6);
  lua_createtable(L, n, 1);
  for (i = 1; i <= n; i++) {
    lua_pushvalue(L, 1 + i);
    lua_rawseti(L, -2, i);
  }
  lua_pushinteger(L, n);
  lua_setfield(L, -2, "n");
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "name");
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "parameters");
  mod_push_mark(L, LUAJSON_MARK_CALL);
  lua_setmetatable(L, -2);
  return 1;
}

static int luajson_is_call(lua_State *L) {
  lua_settop(L, 1);
  lua_pushboolean(L, luajson_has_mark(L, 1, LUAJSON_MARK_CALL));
  return 1;
}

/* decodeCall(call) -> name, parameters */
static int luajson_decode_call(lua_State *L) {
  lua_settop(L, 1);
  if (!luajson_has_mark(L, 1, LUAJSON_MARK_CALL)) {
    lua_pushnil(L);
    return 1;
  }
  lua_getfield(L, 1, "name");
  lua_getfield(L, 1, "parameters");
  return 2;
}

/* Sets the fields of the table at `from` in the one at `to`. */
static void luajson_merge_into(lua_State *L, int to, int from) {
  for (lua_pushnil(L); lua_next(L, from);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, to);
  }
}

/* merge(table, ...) -> table, with the fields of the others; nil and false among them are left out */
static int luajson_merge(lua_State *L) {
  const int n = lua_gettop(L);
  int i;
  if (n > 1) luaL_checktype(L, 1, LUA_TTABLE);
  compat_need_stack(L, 6);
  for (i = 2; i <= n; i++) {
    if (!lua_toboolean(L, i)) continue;
    luaL_checktype(L, i, LUA_TTABLE);
    luajson_merge_into(L, 1, i);
  }
  lua_settop(L, 1);
  return 1;
}

/* clone(table) -> a table with the same fields */
static int luajson_clone(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  luajson_merge_into(L, 2, 1);
  return 1;
}

/* doOptionMerge(options, nested, name, defaults, mode): merges the three into options[name] */
static int luajson_option_merge(lua_State *L) {
  int i;
  lua_settop(L, 5);
  luaL_checktype(L, 1, LUA_TTABLE);
  for (i = 4; i <= 5 && lua_toboolean(L, 2); i++) {
    if (!lua_toboolean(L, i)) continue;
    lua_pushvalue(L, 3);
    lua_gettable(L, i);
    lua_replace(L, i);
  }
  lua_pushvalue(L, 3);
  lua_gettable(L, 1);
  lua_newtable(L);
  for (i = 4; i <= 6; i++) {
    if (!lua_toboolean(L, i)) continue;
    luaL_checktype(L, i, LUA_TTABLE);
    luajson_merge_into(L, 7, i);
  }
  lua_pushvalue(L, 3);
  lua_pushvalue(L, 7);
  lua_settable(L, 1);
  return 0;
}

FL_PRIVATE int luajson_set_number(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1)); /* tonumber */
  lua_pushvalue(L, 2);
  lua_call(L, 1, 1);
  if (lua_isnil(L, 4)) lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_rawset(L, 1);
  lua_settop(L, 1);
  return 1;
}

/* printValue(value, name): prints a value for people to read */
/* clang-format off */
static const char luajson_print[] =
    "local type, print, tostring, pairs = type, print, tostring, pairs\n"
    "local function show(parsed, key, value, space)\n"
    "  if type(value) ~= 'table' then\n"
    "    if type(value) == 'string' then value = '[[' .. value .. ']]' end\n"
    "    print(space .. tostring(key) .. '=' .. tostring(value))\n"
    "  elseif parsed[value] ~= nil then\n"
    "    print(space .. tostring(key) .. '= <' .. tostring(parsed[value]) .. '>')\n"
    "  else\n"
    "    parsed[value] = key\n"
    "    print(space .. tostring(key) .. '= {')\n"
    "    for k, v in pairs(value) do show(parsed, k, v, space .. ' ') end\n"
    "  end\n"
    "end\n"
    "return function(value, name) show({}, name, value, '') end\n";

/* clang-format on */

static const luaL_Reg luajson_util_functions[] = {
    {"InitArray", luajson_init_array},
    {"IsArray", luajson_is_array},
    {"buildCall", luajson_build_call_function},
    {"isCall", luajson_is_call},
    {"decodeCall", luajson_decode_call},
    {"merge", luajson_merge},
    {"clone", luajson_clone},
    {"doOptionMerge", luajson_option_merge},
    {NULL, NULL},
};

FL_PRIVATE void luajson_push_util(lua_State *L, struct mod_state *m) {
  const luaL_Reg *f;
  mod_make_mark(L, m, LUAJSON_MARK_ARRAY, ENCODE_TAGGED_ARRAY);
  mod_make_mark(L, m, LUAJSON_MARK_CALL, ENCODE_CALL);
  lua_pop(L, 2);
  lua_createtable(L, 0, 12);
  for (f = luajson_util_functions; f->name; f++) {
    lua_pushcfunction(L, f->func);
    lua_setfield(L, -2, f->name);
  }
  if (luaL_loadbuffer(L, luajson_print, sizeof luajson_print - 1, "=printValue")) lua_error(L);
  lua_call(L, 0, 1);
  lua_setfield(L, -2, "printValue");
  dropin_push_itself(L); /* null() is null, and so undefined() */
  lua_setfield(L, -2, "null");
  dropin_push_itself(L);
  lua_setfield(L, -2, "undefined");
}
