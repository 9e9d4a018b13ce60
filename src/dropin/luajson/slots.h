/* SPDX-License-Identifier: MIT
** slots.h -- what a function of fleece.luajson keeps between calls; reading options.
** Must hold: the kept values have the order of the slots, in the upvalue and on the stack. */
#pragma once

#include "to_lua.h"
#include "../../module/library.h"

/* The codec of a function, and its rules for decoding. */
struct luajson_codec {
  struct mod_codec codec;
  struct luajson_rules rules;
  unsigned char set[32];       /* for style.set of the codec */
  unsigned initial_object : 1; /* an option of encoding */
  unsigned special : 1;        /* the slots have more than functions for null and undefined */
};

FL_PRIVATE void luajson_copy(struct luajson_codec *to, const struct luajson_codec *from);

/* Two more upvalues, in places that this module does not need otherwise. */
enum { LUAJSON_SLOT_UTIL = MOD_ORDER, LUAJSON_SLOT_MODES = MOD_ON_ERROR };

/* Items of the table in the upvalue MOD_VALUES: the Lua values that encoding and decoding keep. The stack slots of a
** call have the same order. Most calls of decode need only the first ones. */
enum {
  LUAJSON_SLOT_NULL = 1,
  LUAJSON_SLOT_UNDEFINED,
  LUAJSON_SLOT_SET,
  LUAJSON_SLOT_USUAL = LUAJSON_SLOT_SET,
  LUAJSON_SLOT_RAWSET, /* functions of Lua, as they were when the module was loaded: rawset, */
  LUAJSON_SLOT_GSUB,   /* string.gsub, */
  LUAJSON_SLOT_SHOW,   /* and tostring */
  LUAJSON_SLOT_PRE_PROCESS,
  LUAJSON_SLOT_IS_ARRAY, /* nil: IsArray is called; false: no function is */
  LUAJSON_SLOT_PROCESSOR,
  LUAJSON_SLOT_OUTPUT,
  LUAJSON_SLOT_COMPOSITE, /* from what the output returned, for one call, */
  LUAJSON_SLOT_STATE,     /* and the state that its parts share */
  LUAJSON_SLOT_UNICODE,
  LUAJSON_SLOT_CHECK,
  LUAJSON_SLOT_MORE,
  LUAJSON_SLOT_DEFS,
  LUAJSON_SLOT_VALUES = LUAJSON_SLOT_DEFS
};

FL_PRIVATE const struct luajson_codec *luajson_upvalue(lua_State *L);

/* Pushes the first n kept values. Returns the index of the slot before them. */
FL_INLINE int luajson_push_values(lua_State *L, int n) {
  const int base = lua_gettop(L);
  int i;
  compat_need_stack(L, LUAJSON_SLOT_VALUES + 20);
  for (i = 1; i <= n; i++) lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), i);
  return base;
}

/* The index of a kept value, 0 if it is nil or false. */
FL_INLINE int luajson_kept(lua_State *L, int slot) { return lua_toboolean(L, slot) ? slot : 0; }

/* Pushes options[group], or options if group is "". False, and pushes nothing, if it is nil or false. */
FL_PRIVATE int luajson_group(lua_State *L, int options, const char *group);

/* Pushes options[group][name]. False, and pushes nothing, if it is nil. */
FL_PRIVATE int luajson_option(lua_State *L, int options, const char *group, const char *name);

/* Reads a flag over *value. */
FL_PRIVATE int luajson_read_flag(lua_State *L, int options, const char *group, const char *name, int value);
