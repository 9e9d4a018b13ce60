/* SPDX-License-Identifier: MIT
** options.h -- the options of fleece.luajson: reading them, and the tables of defaults that programs can read.
** May call: base, json, layout, module, lua_*.
** Must hold: options are checked before anything is encoded or decoded. */
#ifndef FLEECE_DROPIN_LUAJSON_OPTIONS_H
#define FLEECE_DROPIN_LUAJSON_OPTIONS_H

#include "functions.h"
#include "tables.h"
#include "util.h"

/* Reads null and undefined over those in the slots; false means nil. */
FL_FUNC void mod_lj_read_words(lua_State *L, int options, int base) {
  static const char *const names[] = {"null", "undefined"};
  int i;
  for (i = 0; i < 2; i++) {
    if (!mod_lj_option(L, options, "others", names[i])) continue;
    if (!lua_toboolean(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_replace(L, base + MOD_LJ_NULL + i);
  }
}

FL_FUNC void mod_lj_fill_set(unsigned char *set, const char *s, size_t n) {
  size_t i;
  memset(set, 0, 32);
  for (i = 0; i < n; i++) set[(unsigned char)s[i] / 8] |= (unsigned char)(1u << ((unsigned char)s[i] & 7));
}

/* Reads strings.badChars and strings.escapeCheck. A backslash begins an escape even if it is a bad character. */
FL_FUNC void mod_lj_read_sets(lua_State *L, int options, struct luajson_rules *r, int base) {
  size_t n;
  const char *s;
  if (mod_lj_option(L, options, "strings", "badChars")) {
    if (!(s = lua_tolstring(L, -1, &n))) luaL_error(L, "option 'strings.badChars' must be a string");
    mod_lj_fill_set(r->bad, s, n);
    r->bad['\\' / 8] &= (unsigned char)~(1u << ('\\' & 7));
    lua_pop(L, 1);
  }
  if (mod_lj_option(L, options, "strings", "escapeCheck")) {
    s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
    r->check_escapes = s != NULL;
    if (s) mod_lj_fill_set(r->escapes, s, n);
    else if (lua_toboolean(L, -1)) mod_lj_keep_match(L, "strings.escapeCheck", base + MOD_LJ_CHECK);
    lua_pop(L, 1);
  }
}

/* Reads the options of decoding over the rules and over the values in the slots after `base`. */
FL_FUNC void mod_lj_read_decode(lua_State *L, int options, struct luajson_rules *r, int base) {
  luaL_checktype(L, options, LUA_TTABLE);
#define X(id, group, name, normal, strict)                                                                \
  if (mod_lj_flag(L, options, group, name, luajson_has(r, LUAJSON_##id))) r->flags |= 1u << LUAJSON_##id; \
  else r->flags &= ~(1u << LUAJSON_##id);
  LUAJSON_FLAGS(X)
#undef X
  mod_lj_read_sets(L, options, r, base);
  mod_lj_read_functions(L, options, r, base);
  mod_lj_read_words(L, options, base);
  if (!mod_lj_option(L, options, "object", "setObjectKey")) return;
  if (!lua_isfunction(L, -1)) luaL_error(L, "option 'object.setObjectKey' must be a function");
  if (lua_rawequal(L, -1, base + MOD_LJ_RAWSET)) lua_pop(L, 1);
  else lua_replace(L, base + MOD_LJ_SET);
}

/* Stores options[group][name] in the slot, unless it is nil. */
FL_FUNC int mod_lj_take(lua_State *L, int options, const char *group, const char *name, int slot) {
  if (!mod_lj_option(L, options, group, name)) return 0;
  lua_replace(L, slot);
  return 1;
}

/* The address of null or undefined of encode, which is in the slot; NULL: it has none. Strings and numbers have no
** effect, because LuaJSON handles these types first. */
FL_FUNC const void *mod_lj_read_word(lua_State *L, int slot, struct mod_luajson *to) {
  switch (lua_type(L, slot)) {
  case LUA_TSTRING:
  case LUA_TNUMBER: return NULL;
  case LUA_TBOOLEAN:
  case LUA_TTABLE:
  case LUA_TUSERDATA: to->codec.encode.force_api = 1; /* fall through */
  default: to->special |= lua_type(L, slot) != LUA_TFUNCTION; return lua_topointer(L, slot);
  }
}

/* Is the text one set of a Lua pattern, without its brackets? */
FL_FUNC int mod_lj_is_set(const char *s, const char *end) {
  s += s < end && *s == '^';
  do {
    if (s < end && *s++ == '%') s++;
  } while (s < end && *s != ']');
  return s >= end;
}

static const char mod_lj_encode_set[] = "\\\"/%z\1-\037";

/* Reads the options of strings. The set has the bytes that string.gsub replaces; a processor needs it in any case. */
FL_FUNC void mod_lj_read_strings(lua_State *L, int options, struct mod_luajson *to, int base) {
  struct json_style *s = &to->codec.encode.style;
  const int top = lua_gettop(L);
  char bytes[256];
  size_t n, i;
  const char *set, *left;
  s->x_escapes = mod_lj_flag(L, options, "strings", "xEncode", 0) != 0;
  lua_pushliteral(L, "[");
  if (!mod_lj_option(L, options, "strings", "encodeSet"))
    lua_pushlstring(L, mod_lj_encode_set, sizeof mod_lj_encode_set - 1);
  if (!mod_lj_option(L, options, "strings", "encodeSetAppend") || !lua_toboolean(L, -1)) {
    lua_settop(L, top + 2);
    lua_pushliteral(L, "");
  }
  for (i = 2; i <= 3; i++)
    if (!lua_isstring(L, top + (int)i))
      luaL_error(L, "option 'strings.encodeSet%s' must be a string", i == 2 ? "" : "Append");
  lua_concat(L, 2);
  set = lua_tolstring(L, -1, &n);
  if (s->x_escapes || lua_toboolean(L, base + MOD_LJ_PROCESSOR) || n != sizeof mod_lj_encode_set - 1 ||
      memcmp(set, mod_lj_encode_set, n) != 0) {
    if (!mod_lj_is_set(set, set + n)) luaL_error(L, "option 'strings.encodeSet' must be one set of characters");
    s->escape = JSON_ESCAPE_SET;
    for (i = 0; i < 256; i++) bytes[i] = (char)i;
    lua_pushliteral(L, "]");
    lua_concat(L, 3);
    lua_pushvalue(L, base + MOD_LJ_GSUB);
    lua_insert(L, -2);
    lua_pushlstring(L, bytes, sizeof bytes);
    lua_insert(L, -2);
    lua_pushliteral(L, "");
    lua_call(L, 3, 1);
    left = luaL_checklstring(L, -1, &n);
    memset(to->set, 0xff, sizeof to->set);
    for (i = 0; i < n; i++) {
      const unsigned char c = (unsigned char)left[i];
      to->set[c / 8] ^= (unsigned char)(1u << (c & 7));
    }
  }
  lua_settop(L, top);
}

/* Sets what a walk needs of the functions and words in the slots. */
FL_FUNC void mod_lj_set_special(lua_State *L, int base, struct luajson_special *lj) {
  static const char *const words[] = {"null", "undefined"};
  int value, word;
  memset(lj, 0, sizeof *lj);
  lj->pre_process = mod_lj_kept(L, base + MOD_LJ_PRE_PROCESS);
  lj->is_array = mod_lj_kept(L, base + MOD_LJ_IS_ARRAY);
  lj->own_arrays = !lua_isnil(L, base + MOD_LJ_IS_ARRAY);
  lj->processor = mod_lj_kept(L, base + MOD_LJ_PROCESSOR);
  lj->booleans[0] = "false", lj->booleans[1] = "true";
  for (word = 0; word < 2; word++) {
    const int at = base + MOD_LJ_NULL + word, type = lua_type(L, at);
    lj->types[word] = luaL_typename(L, at);
    if (type == LUA_TTABLE || type == LUA_TUSERDATA) *(word ? &lj->undefined : &lj->null) = at;
    if (type != LUA_TBOOLEAN || (word && !lua_toboolean(L, at))) continue;
    for (value = 0; value < 2; value++) lj->booleans[value] = NULL; /* LuaJSON does nothing else with booleans then */
  }
  for (word = 1; word >= 0 && !(lj->booleans[0] && lj->booleans[1]); word--)
    if (lua_isboolean(L, base + MOD_LJ_NULL + word))
      lj->booleans[lua_toboolean(L, base + MOD_LJ_NULL + word)] = words[word];
}

/* Reads the options of encoding. */
FL_FUNC void mod_lj_read_encode(lua_State *L, int options, struct mod_luajson *to, int base) {
  struct mod_options *o = &to->codec.encode;
  struct json_style *s = &o->style;
  int nan = s->invalid_numbers == JSON_NUMBERS_LITERAL || s->invalid_numbers == JSON_NUMBERS_NAN;
  int inf = s->invalid_numbers == JSON_NUMBERS_LITERAL || s->invalid_numbers == JSON_NUMBERS_INFINITIES;
  luaL_checktype(L, options, LUA_TTABLE);
  (void)mod_lj_group(L, options, "calls"); /* both without options, but tables */
  (void)mod_lj_group(L, options, "object");
  to->initial_object = mod_lj_flag(L, options, "", "initialObject", (int)to->initial_object) != 0;
  mod_lj_take(L, options, "", "output", base + MOD_LJ_OUTPUT);
  mod_lj_take(L, options, "", "preProcess", base + MOD_LJ_PRE_PROCESS);
  mod_lj_take(L, options, "strings", "processor", base + MOD_LJ_PROCESSOR);
  lua_getfield(L, lua_upvalueindex(MOD_LJ_MODES), "isArray");
  if (mod_lj_option(L, options, "array", "isArray") && !lua_rawequal(L, -1, -2)) lua_replace(L, base + MOD_LJ_IS_ARRAY);
  lua_settop(L, base + MOD_LJ_VALUES);
  o->force_api = mod_lj_kept(L, base + MOD_LJ_PRE_PROCESS) || mod_lj_kept(L, base + MOD_LJ_PROCESSOR) ||
                 mod_lj_kept(L, base + MOD_LJ_OUTPUT) || !lua_isnil(L, base + MOD_LJ_IS_ARRAY);
  to->special = o->force_api;
  mod_lj_read_strings(L, options, to, base);
  nan = mod_lj_flag(L, options, "number", "nan", nan);
  inf = mod_lj_flag(L, options, "number", "inf", inf);
  s->invalid_numbers = nan   ? inf ? JSON_NUMBERS_LITERAL : JSON_NUMBERS_NAN
                       : inf ? JSON_NUMBERS_INFINITIES
                             : JSON_NUMBERS_ERROR;
  o->policy.writes_undefined = mod_lj_flag(L, options, "others", "allowUndefined", o->policy.writes_undefined) != 0;
  mod_lj_take(L, options, "others", "null", base + MOD_LJ_NULL);
  mod_lj_take(L, options, "others", "undefined", base + MOD_LJ_UNDEFINED);
  o->policy.null = mod_lj_read_word(L, base + MOD_LJ_NULL, to);
  o->policy.undefined = mod_lj_read_word(L, base + MOD_LJ_UNDEFINED, to);
  o->policy.ops = to->special ? &luajson_special_ops : &luajson_ops;
}

/* Pushes a function with the upvalues of the running one, except a new codec, which is returned, and the values after
** `base`. */
FL_FUNC struct mod_luajson *mod_lj_push_function(lua_State *L, lua_CFunction f, int base) {
  struct mod_luajson *to;
  int i, first;
  compat_need_stack(L, MOD_UPVALUES + 4);
  first = lua_gettop(L) + 1;
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  to = (struct mod_luajson *)lua_newuserdata(L, sizeof *to);
  mod_lj_copy(to, mod_lj_upvalue(L));
  mod_settle_options(&to->codec.encode);
  lua_replace(L, first + MOD_CODEC - 1);
  lua_createtable(L, MOD_LJ_VALUES, 0);
  for (i = 1; i <= MOD_LJ_VALUES; i++) {
    lua_pushvalue(L, base + i);
    lua_rawseti(L, -2, i);
  }
  lua_replace(L, first + MOD_VALUES - 1);
  lua_pushcclosure(L, f, MOD_UPVALUES);
  return to;
}

/* ------------------------------------------------------------------------------------- the tables */

/* Sets table[group][name] to the value on top, which is popped. */
FL_FUNC void mod_lj_set_option(lua_State *L, int table, const char *group, const char *name) {
  if (*group) {
    lua_getfield(L, table, group);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, table, group);
    }
  } else {
    lua_pushvalue(L, table);
  }
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static const char mod_lj_bad[] = "\b\f\n\r\t\v", mod_lj_escapes[] = "bfnrtv/\\\"xu'z";
static const char mod_lj_strict_escapes[] = "bfnrtv/\\\"u";

/* Pushes a table of decode's modes: strict, or simple, where null is nil. */
FL_FUNC void mod_lj_push_mode(lua_State *L, int is_strict, int util) {
  const int t = lua_gettop(L) + 1;
  lua_newtable(L);
#define X(id, group, name, normal, strict)         \
  lua_pushboolean(L, is_strict ? strict : normal); \
  mod_lj_set_option(L, t, group, name);
  LUAJSON_FLAGS(X)
#undef X
  lua_pushstring(L, is_strict ? mod_lj_bad : "");
  mod_lj_set_option(L, t, "strings", "badChars");
  lua_pushstring(L, is_strict ? mod_lj_strict_escapes : mod_lj_escapes);
  mod_lj_set_option(L, t, "strings", "escapeCheck");
  lua_pushboolean(L, 0);
  mod_lj_set_option(L, t, "strings", "additionalEscapes");
  if (is_strict) lua_getfield(L, util, "null");
  else lua_pushboolean(L, 0);
  mod_lj_set_option(L, t, "others", "null");
  if (is_strict) lua_getfield(L, util, "undefined");
  else lua_pushboolean(L, 0);
  mod_lj_set_option(L, t, "others", "undefined");
  lua_getglobal(L, "rawset");
  mod_lj_set_option(L, t, "object", "setObjectKey");
}

/* Pushes a table of encode's modes. */
FL_FUNC void mod_lj_push_style(lua_State *L, int is_strict, int util) {
  static const char *const groups[] = {"calls", "object"};
  const int t = lua_gettop(L) + 1;
  int i;
  lua_newtable(L);
  for (i = 0; i < 2; i++) {
    lua_newtable(L);
    lua_setfield(L, t, groups[i]);
  }
  if (is_strict) {
    lua_pushboolean(L, 1);
    lua_setfield(L, t, "initialObject");
  }
  lua_pushboolean(L, !is_strict);
  mod_lj_set_option(L, t, "number", "nan");
  lua_pushboolean(L, !is_strict);
  mod_lj_set_option(L, t, "number", "inf");
  lua_pushboolean(L, !is_strict);
  mod_lj_set_option(L, t, "others", "allowUndefined");
  lua_getfield(L, util, "null");
  mod_lj_set_option(L, t, "others", "null");
  lua_getfield(L, util, "undefined");
  mod_lj_set_option(L, t, "others", "undefined");
  lua_getfield(L, util, "IsArray");
  mod_lj_set_option(L, t, "array", "isArray");
  lua_pushboolean(L, 0);
  mod_lj_set_option(L, t, "strings", "xEncode");
  lua_pushlstring(L, mod_lj_encode_set, sizeof mod_lj_encode_set - 1);
  mod_lj_set_option(L, t, "strings", "encodeSet");
}

#endif
