/* SPDX-License-Identifier: MIT */
#include "functions.h"

/* Takes LPeg or nil, a function or a value that LPeg can make a pattern of, and whether it is the name of a call.
** Returns a function of text and position; nil: there is none. A function is used as by lpeg.P; a pattern gives its
** first capture, or the text that it matches. */
static const char luajson_matcher[] =
    "local lpeg, value, is_name = ...\n"
    "if is_name then\n"
    "  if not lpeg or lpeg.type(value) ~= 'pattern' then return nil end\n"
    "elseif type(value) == 'function' then\n"
    "  return function(text, place)\n"
    "    local behind, result = value(text, place)\n"
    "    return behind == true and place or behind, result or ''\n"
    "  end\n"
    "elseif not lpeg then\n"
    "  return nil\n"
    "end\n"
    "local pattern = is_name and value * '(' / function(name) return name end or lpeg.Cs(value)\n"
    "local match, places = lpeg.match, pattern * lpeg.Cp()\n"
    "return function(text, place)\n"
    "  local result, behind = match(places, text, place)\n"
    "  return behind, result\n"
    "end\n";

/* Replaces the value on top by such a function, or nil. */
static void luajson_make_match(lua_State *L, int is_name) {
  compat_need_stack(L, 6);
  if (luaL_loadbuffer(L, luajson_matcher, sizeof luajson_matcher - 1, "=fleece.luajson")) lua_error(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED"); /* package.loaded */
  lua_getfield(L, -1, "lpeg");
  lua_remove(L, -2);
  lua_pushvalue(L, -3);
  lua_remove(L, -4);
  lua_pushboolean(L, is_name);
  lua_call(L, 3, 1);
}

FL_PRIVATE void luajson_keep_match(lua_State *L, const char *option, int slot) {
  lua_pushvalue(L, -1);
  luajson_make_match(L, 0);
  if (lua_isnil(L, -1)) luaL_error(L, "option '%s' is a %s, but LPeg is not loaded", option, luaL_typename(L, -2));
  lua_replace(L, slot);
}

/* Pushes tostring(value) for the value at the index. */
static const char *luajson_shown(lua_State *L, int index) {
  lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), LUAJSON_SLOT_SHOW);
  lua_pushvalue(L, index);
  lua_call(L, 1, 1);
  return lua_tostring(L, -1);
}

/* Appends an entry of calls.defs to the list; its name and function are on top. Pops the function. */
static void luajson_add_call(lua_State *L, int list) {
  const int name = lua_gettop(L) - 1, n = (int)lua_rawlen(L, list);
  lua_pushvalue(L, name);
  if (lua_type(L, name) != LUA_TSTRING) luajson_make_match(L, 1);
  if (lua_isnil(L, -1))
    luaL_error(L, "Invalid functionCalls name: %s not a string or LPEG pattern", luajson_shown(L, name));
  if (!lua_isboolean(L, name + 1) && !lua_isfunction(L, name + 1))
    luaL_error(L, "Invalid functionCalls item: %s not a function", luajson_shown(L, name));
  lua_rawseti(L, list, n + 1);
  lua_rawseti(L, list, n + 2);
}

FL_PRIVATE void luajson_read_functions(lua_State *L, int options, struct luajson_rules *r, int base) {
  int slot;
  if (luajson_option(L, options, "strings", "decodeUnicode")) {
    if (!lua_isfunction(L, -1)) luaL_error(L, "option 'strings.decodeUnicode' must be a function");
    lua_replace(L, base + LUAJSON_SLOT_UNICODE);
  }
  if (luajson_option(L, options, "strings", "additionalEscapes")) {
    if (lua_toboolean(L, -1)) luajson_keep_match(L, "strings.additionalEscapes", base + LUAJSON_SLOT_MORE);
    lua_pop(L, 1);
  }
  if (luajson_option(L, options, "calls", "defs")) {
    const int defs = lua_gettop(L);
    if (lua_toboolean(L, defs) && !lua_istable(L, defs)) luaL_error(L, "option 'calls.defs' must be a table");
    lua_newtable(L);
    if (lua_istable(L, defs))
      for (lua_pushnil(L); lua_next(L, defs);) luajson_add_call(L, defs + 1);
    if (lua_rawlen(L, defs + 1) > 0) lua_replace(L, base + LUAJSON_SLOT_DEFS);
    lua_settop(L, defs - 1);
  }
  for (slot = LUAJSON_SLOT_UNICODE; slot <= LUAJSON_SLOT_DEFS; slot++)
    r->functions |= luajson_kept(L, base + slot) != 0;
  r->calls = luajson_has(r, LUAJSON_CALLS) || luajson_kept(L, base + LUAJSON_SLOT_DEFS);
}
