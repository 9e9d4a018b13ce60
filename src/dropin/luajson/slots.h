/* SPDX-License-Identifier: MIT
** slots.h -- what a function of fleece.luajson keeps between calls, and looking an option up.
** May call: base, layout, module, lua_*.
** Must hold: kept values lie in the order of the slots, in the upvalue and on the stack. */
#ifndef FLEECE_DROPIN_LUAJSON_SLOTS_H
#define FLEECE_DROPIN_LUAJSON_SLOTS_H

#include "to_lua.h"
#include "../../module/core/library.h"

/* The codec of a function, and its rules of decoding. */
struct mod_luajson {
  struct mod_codec codec;
  struct luajson_rules rules;
  unsigned char set[32];       /* of the codec's style, by options of encode; */
  unsigned initial_object : 1; /* these too; */
  unsigned special : 1;        /* and whether its slots have more than functions for null and undefined */
};

FL_FUNC void mod_lj_copy(struct mod_luajson *to, const struct mod_luajson *from) {
  *to = *from;
  to->codec.encode.style.set = to->set;
}

/* More upvalues, in places that presets of encode and decode do not need. */
enum { MOD_LJ_UTIL = MOD_ORDER, MOD_LJ_MODES = MOD_ON_ERROR };

/* Items of the table in the upvalue MOD_VALUES: what decoding and encoding keep of Lua. The stack slots of a call
** have the same order; most calls of decode need the first few alone. */
enum {
  MOD_LJ_NULL = 1,
  MOD_LJ_UNDEFINED,
  MOD_LJ_SET,
  MOD_LJ_USUAL = MOD_LJ_SET,
  MOD_LJ_RAWSET, /* Lua's own, */
  MOD_LJ_GSUB,   /* and string.gsub */
  MOD_LJ_PRE_PROCESS,
  MOD_LJ_IS_ARRAY, /* nil: IsArray; false: nothing is asked */
  MOD_LJ_PROCESSOR,
  MOD_LJ_OUTPUT,
  MOD_LJ_COMPOSITE, /* of what the output returned, for one call, */
  MOD_LJ_STATE,     /* and what its parts share */
  MOD_LJ_UNICODE,
  MOD_LJ_CHECK,
  MOD_LJ_MORE,
  MOD_LJ_DEFS,
  MOD_LJ_VALUES = MOD_LJ_DEFS
};

FL_FUNC const struct mod_luajson *mod_lj_upvalue(lua_State *L) {
  return (const struct mod_luajson *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
}

/* Pushes the first n kept values; answers the index of the slot before them. */
FL_INLINE int mod_lj_push_values(lua_State *L, int n) {
  const int base = lua_gettop(L);
  int i;
  compat_need_stack(L, MOD_LJ_VALUES + 20);
  for (i = 1; i <= n; i++) lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), i);
  return base;
}

/* The index of a kept value that is there, else 0. */
FL_INLINE int mod_lj_kept(lua_State *L, int slot) { return lua_toboolean(L, slot) ? slot : 0; }

/* ------------------------------------------------------------------------------------- options */

/* Pushes what the table at an index has of that name: LuaJSON copies tables of options, so that what
** they inherit does not count. */
FL_FUNC void mod_lj_own(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
}

/* Pushes options[group], or with "" options; false: it is nil or false, and nothing was pushed. */
FL_FUNC int mod_lj_group(lua_State *L, int options, const char *group) {
  if (!*group) lua_pushvalue(L, options);
  else mod_lj_own(L, options, group);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "option '%s' must be a table, not a %s", group, luaL_typename(L, -1));
  return 1;
}

/* Pushes options[group][name]; false: it is nil, and nothing was pushed. */
FL_FUNC int mod_lj_option(lua_State *L, int options, const char *group, const char *name) {
  if (!mod_lj_group(L, options, group)) return 0;
  mod_lj_own(L, lua_gettop(L), name);
  lua_remove(L, -2);
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* Reads a flag over *value. */
FL_FUNC int mod_lj_flag(lua_State *L, int options, const char *group, const char *name, int value) {
  if (!mod_lj_option(L, options, group, name)) return value;
  value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

#endif
