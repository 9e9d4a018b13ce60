/* SPDX-License-Identifier: MIT
** slots.h -- what a function of fleece.luajson keeps between calls; reading options.
** May call: base, layout, module, lua_*.
** Must hold: the kept values have the order of the slots, in the upvalue and on the stack. */
#ifndef FLEECE_DROPIN_LUAJSON_SLOTS_H
#define FLEECE_DROPIN_LUAJSON_SLOTS_H

#include "to_lua.h"
#include "../../module/core/library.h"

/* The codec of a function, and its rules for decoding. */
struct mod_luajson {
  struct mod_codec codec;
  struct luajson_rules rules;
  unsigned char set[32];       /* for style.set of the codec */
  unsigned initial_object : 1; /* an option of encoding */
  unsigned special : 1;        /* the slots have more than functions for null and undefined */
};

FL_FUNC void mod_lj_copy(struct mod_luajson *to, const struct mod_luajson *from) {
  *to = *from;
  to->codec.encode.style.set = to->set;
}

/* Two more upvalues, in places that this module does not need otherwise. */
enum { MOD_LJ_UTIL = MOD_ORDER, MOD_LJ_MODES = MOD_ON_ERROR };

/* Items of the table in the upvalue MOD_VALUES: the Lua values that encoding and decoding keep. The stack slots of a
** call have the same order. Most calls of decode need only the first ones. */
enum {
  MOD_LJ_NULL = 1,
  MOD_LJ_UNDEFINED,
  MOD_LJ_SET,
  MOD_LJ_USUAL = MOD_LJ_SET,
  MOD_LJ_RAWSET, /* the function of Lua, */
  MOD_LJ_GSUB,   /* and string.gsub */
  MOD_LJ_PRE_PROCESS,
  MOD_LJ_IS_ARRAY, /* nil: IsArray is called; false: no function is */
  MOD_LJ_PROCESSOR,
  MOD_LJ_OUTPUT,
  MOD_LJ_COMPOSITE, /* from what the output returned, for one call, */
  MOD_LJ_STATE,     /* and the state that its parts share */
  MOD_LJ_UNICODE,
  MOD_LJ_CHECK,
  MOD_LJ_MORE,
  MOD_LJ_DEFS,
  MOD_LJ_VALUES = MOD_LJ_DEFS
};

FL_FUNC const struct mod_luajson *mod_lj_upvalue(lua_State *L) {
  return (const struct mod_luajson *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
}

/* Pushes the first n kept values. Returns the index of the slot before them. */
FL_INLINE int mod_lj_push_values(lua_State *L, int n) {
  const int base = lua_gettop(L);
  int i;
  compat_need_stack(L, MOD_LJ_VALUES + 20);
  for (i = 1; i <= n; i++) lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), i);
  return base;
}

/* The index of a kept value, 0 if it is nil or false. */
FL_INLINE int mod_lj_kept(lua_State *L, int slot) { return lua_toboolean(L, slot) ? slot : 0; }

/* ------------------------------------------------------------------------------------- options */

/* Pushes the field of the table at an index, without metamethods: LuaJSON copies tables of options, so inherited
** fields do not count. */
FL_FUNC void mod_lj_own(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
}

/* Pushes options[group], or options if group is "". False, and pushes nothing, if it is nil or false. */
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

/* Pushes options[group][name]. False, and pushes nothing, if it is nil. */
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
