/* SPDX-License-Identifier: MIT */
#include "options.h"

/* Reads null and undefined over those in the slots; false means nil. */
static void luajson_read_words(lua_State *L, int options, int base) {
  static const char *const names[] = {"null", "undefined"};
  int i;
  for (i = 0; i < 2; i++) {
    if (!luajson_option(L, options, "others", names[i])) continue;
    if (!lua_toboolean(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_replace(L, base + LUAJSON_SLOT_NULL + i);
  }
}

FL_PRIVATE void luajson_fill_set(unsigned char *set, const char *s, size_t n) {
  size_t i;
  memset(set, 0, 32);
  for (i = 0; i < n; i++) set[(unsigned char)s[i] / 8] |= (unsigned char)(1u << ((unsigned char)s[i] & 7));
}

/* Reads strings.badChars and strings.escapeCheck. A backslash begins an escape even if it is a bad character. */
static void luajson_read_sets(lua_State *L, int options, struct luajson_rules *r, int base) {
  size_t n;
  const char *s;
  if (luajson_option(L, options, "strings", "badChars")) {
    if (!(s = lua_tolstring(L, -1, &n))) luaL_error(L, "option 'strings.badChars' must be a string");
    luajson_fill_set(r->bad, s, n);
    r->bad['\\' / 8] &= (unsigned char)~(1u << ('\\' & 7));
    lua_pop(L, 1);
  }
  if (luajson_option(L, options, "strings", "escapeCheck")) {
    s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
    r->check_escapes = s != NULL;
    if (s) luajson_fill_set(r->escapes, s, n);
    else if (lua_toboolean(L, -1)) luajson_keep_match(L, "strings.escapeCheck", base + LUAJSON_SLOT_CHECK);
    lua_pop(L, 1);
  }
}

FL_PRIVATE void luajson_read_decode(lua_State *L, int options, struct luajson_rules *r, int base) {
  luaL_checktype(L, options, LUA_TTABLE);
#define X(id, group, name, normal, strict)                                                                      \
  if (luajson_read_flag(L, options, group, name, luajson_has(r, LUAJSON_##id))) r->flags |= 1u << LUAJSON_##id; \
  else r->flags &= ~(1u << LUAJSON_##id);
  LUAJSON_FLAGS(X)
#undef X
  luajson_read_sets(L, options, r, base);
  luajson_read_functions(L, options, r, base);
  luajson_read_words(L, options, base);
  if (!luajson_option(L, options, "object", "setObjectKey")) return;
  if (!lua_isfunction(L, -1)) luaL_error(L, "option 'object.setObjectKey' must be a function");
  if (lua_rawequal(L, -1, base + LUAJSON_SLOT_RAWSET)) lua_pop(L, 1);
  else lua_replace(L, base + LUAJSON_SLOT_SET);
}

/* Stores options[group][name] in the slot, unless it is nil. */
static int luajson_take(lua_State *L, int options, const char *group, const char *name, int slot) {
  if (!luajson_option(L, options, group, name)) return 0;
  lua_replace(L, slot);
  return 1;
}

/* The address of null or undefined of encode, which is in the slot; NULL: it has none. Strings and numbers have no
** effect, because LuaJSON handles these types first. */
static const void *luajson_read_word(lua_State *L, int slot, struct luajson_codec *to) {
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
static int luajson_is_set(const char *s, const char *end) {
  s += s < end && *s == '^';
  do {
    if (s < end && *s++ == '%') s++;
  } while (s < end && *s != ']');
  return s >= end;
}

static const char luajson_encode_set[] = "\\\"/%z\1-\037";

/* Reads the options of strings. The set has the bytes that string.gsub replaces; a processor needs it in any case. */
static void luajson_read_strings(lua_State *L, int options, struct luajson_codec *to, int base) {
  struct json_style *s = &to->codec.encode.style;
  const int top = lua_gettop(L);
  char bytes[256];
  size_t n, i;
  const char *set, *left;
  s->x_escapes = luajson_read_flag(L, options, "strings", "xEncode", 0) != 0;
  lua_pushliteral(L, "[");
  if (!luajson_option(L, options, "strings", "encodeSet"))
    lua_pushlstring(L, luajson_encode_set, sizeof luajson_encode_set - 1);
  if (!luajson_option(L, options, "strings", "encodeSetAppend") || !lua_toboolean(L, -1)) {
    lua_settop(L, top + 2);
    lua_pushliteral(L, "");
  }
  for (i = 2; i <= 3; i++)
    if (!lua_isstring(L, top + (int)i))
      luaL_error(L, "option 'strings.encodeSet%s' must be a string", i == 2 ? "" : "Append");
  lua_concat(L, 2);
  set = lua_tolstring(L, -1, &n);
  if (s->x_escapes || lua_toboolean(L, base + LUAJSON_SLOT_PROCESSOR) || n != sizeof luajson_encode_set - 1 ||
      memcmp(set, luajson_encode_set, n) != 0) {
    if (!luajson_is_set(set, set + n)) luaL_error(L, "option 'strings.encodeSet' must be one set of characters");
    s->escape = JSON_ESCAPE_SET;
    for (i = 0; i < 256; i++) bytes[i] = (char)i;
    lua_pushliteral(L, "]");
    lua_concat(L, 3);
    lua_pushvalue(L, base + LUAJSON_SLOT_GSUB);
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

FL_PRIVATE void luajson_set_special(lua_State *L, int base, struct luajson_special *lj) {
  static const char *const words[] = {"null", "undefined"};
  int value, word;
  memset(lj, 0, sizeof *lj);
  lj->pre_process = luajson_kept(L, base + LUAJSON_SLOT_PRE_PROCESS);
  lj->is_array = luajson_kept(L, base + LUAJSON_SLOT_IS_ARRAY);
  lj->own_arrays = !lua_isnil(L, base + LUAJSON_SLOT_IS_ARRAY);
  lj->processor = luajson_kept(L, base + LUAJSON_SLOT_PROCESSOR);
  lj->booleans[0] = "false", lj->booleans[1] = "true";
  for (word = 0; word < 2; word++) {
    const int at = base + LUAJSON_SLOT_NULL + word, type = lua_type(L, at);
    lj->types[word] = luaL_typename(L, at);
    if (type == LUA_TTABLE || type == LUA_TUSERDATA) *(word ? &lj->undefined : &lj->null) = at;
    if (type != LUA_TBOOLEAN || (word && !lua_toboolean(L, at))) continue;
    for (value = 0; value < 2; value++) lj->booleans[value] = NULL; /* LuaJSON does nothing else with booleans then */
  }
  for (word = 1; word >= 0 && !(lj->booleans[0] && lj->booleans[1]); word--)
    if (lua_isboolean(L, base + LUAJSON_SLOT_NULL + word))
      lj->booleans[lua_toboolean(L, base + LUAJSON_SLOT_NULL + word)] = words[word];
}

FL_PRIVATE void luajson_read_encode(lua_State *L, int options, struct luajson_codec *to, int base) {
  struct mod_options *o = &to->codec.encode;
  struct json_style *s = &o->style;
  int nan = s->invalid_numbers == JSON_NUMBERS_LITERAL || s->invalid_numbers == JSON_NUMBERS_NAN;
  int inf = s->invalid_numbers == JSON_NUMBERS_LITERAL || s->invalid_numbers == JSON_NUMBERS_INFINITIES;
  luaL_checktype(L, options, LUA_TTABLE);
  (void)luajson_group(L, options, "calls"); /* both without options, but tables */
  (void)luajson_group(L, options, "object");
  to->initial_object = luajson_read_flag(L, options, "", "initialObject", (int)to->initial_object) != 0;
  luajson_take(L, options, "", "output", base + LUAJSON_SLOT_OUTPUT);
  luajson_take(L, options, "", "preProcess", base + LUAJSON_SLOT_PRE_PROCESS);
  luajson_take(L, options, "strings", "processor", base + LUAJSON_SLOT_PROCESSOR);
  lua_getfield(L, lua_upvalueindex(LUAJSON_SLOT_MODES), "isArray");
  if (luajson_option(L, options, "array", "isArray") && !lua_rawequal(L, -1, -2))
    lua_replace(L, base + LUAJSON_SLOT_IS_ARRAY);
  lua_settop(L, base + LUAJSON_SLOT_VALUES);
  o->force_api = luajson_kept(L, base + LUAJSON_SLOT_PRE_PROCESS) || luajson_kept(L, base + LUAJSON_SLOT_PROCESSOR) ||
                 luajson_kept(L, base + LUAJSON_SLOT_OUTPUT) || !lua_isnil(L, base + LUAJSON_SLOT_IS_ARRAY);
  to->special = o->force_api & 1u;
  luajson_read_strings(L, options, to, base);
  nan = luajson_read_flag(L, options, "number", "nan", nan);
  inf = luajson_read_flag(L, options, "number", "inf", inf);
  s->invalid_numbers = nan   ? inf ? JSON_NUMBERS_LITERAL : JSON_NUMBERS_NAN
                       : inf ? JSON_NUMBERS_INFINITIES
                             : JSON_NUMBERS_ERROR;
  o->policy.writes_undefined = luajson_read_flag(L, options, "others", "allowUndefined", o->policy.writes_undefined) !=
                               0;
  luajson_take(L, options, "others", "null", base + LUAJSON_SLOT_NULL);
  luajson_take(L, options, "others", "undefined", base + LUAJSON_SLOT_UNDEFINED);
  o->policy.null = luajson_read_word(L, base + LUAJSON_SLOT_NULL, to);
  o->policy.undefined = luajson_read_word(L, base + LUAJSON_SLOT_UNDEFINED, to);
  o->policy.ops = to->special ? &luajson_special_ops : &luajson_ops;
}

FL_PRIVATE struct luajson_codec *luajson_push_function(lua_State *L, lua_CFunction f, int base) {
  struct luajson_codec *to;
  int i, first;
  compat_need_stack(L, MOD_UPVALUES + 4);
  first = lua_gettop(L) + 1;
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  to = (struct luajson_codec *)lua_newuserdata(L, sizeof *to);
  luajson_copy(to, luajson_upvalue(L));
  mod_settle_options(&to->codec.encode);
  lua_replace(L, first + MOD_CODEC - 1);
  lua_createtable(L, LUAJSON_SLOT_VALUES, 0);
  for (i = 1; i <= LUAJSON_SLOT_VALUES; i++) {
    lua_pushvalue(L, base + i);
    lua_rawseti(L, -2, i);
  }
  lua_replace(L, first + MOD_VALUES - 1);
  lua_pushcclosure(L, f, MOD_UPVALUES);
  return to;
}

/* ------------------------------------------------------------------------------------- the tables */

/* Sets table[group][name] to the value on top, which is popped. */
static void luajson_set_option(lua_State *L, int table, const char *group, const char *name) {
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

static const char luajson_bad[] = "\b\f\n\r\t\v";

static const char luajson_strict_escapes[] = "bfnrtv/\\\"u";

FL_PRIVATE void luajson_push_mode(lua_State *L, int is_strict, int util) {
  const int t = lua_gettop(L) + 1;
  lua_newtable(L);
#define X(id, group, name, normal, strict)         \
  lua_pushboolean(L, is_strict ? strict : normal); \
  luajson_set_option(L, t, group, name);
  LUAJSON_FLAGS(X)
#undef X
  lua_pushstring(L, is_strict ? luajson_bad : "");
  luajson_set_option(L, t, "strings", "badChars");
  lua_pushstring(L, is_strict ? luajson_strict_escapes : luajson_escapes);
  luajson_set_option(L, t, "strings", "escapeCheck");
  lua_pushboolean(L, 0);
  luajson_set_option(L, t, "strings", "additionalEscapes");
  if (is_strict) lua_getfield(L, util, "null");
  else lua_pushboolean(L, 0);
  luajson_set_option(L, t, "others", "null");
  if (is_strict) lua_getfield(L, util, "undefined");
  else lua_pushboolean(L, 0);
  luajson_set_option(L, t, "others", "undefined");
  lua_getglobal(L, "rawset");
  luajson_set_option(L, t, "object", "setObjectKey");
}

FL_PRIVATE void luajson_push_style(lua_State *L, int is_strict, int util) {
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
  luajson_set_option(L, t, "number", "nan");
  lua_pushboolean(L, !is_strict);
  luajson_set_option(L, t, "number", "inf");
  lua_pushboolean(L, !is_strict);
  luajson_set_option(L, t, "others", "allowUndefined");
  lua_getfield(L, util, "null");
  luajson_set_option(L, t, "others", "null");
  lua_getfield(L, util, "undefined");
  luajson_set_option(L, t, "others", "undefined");
  lua_getfield(L, util, "IsArray");
  luajson_set_option(L, t, "array", "isArray");
  lua_pushboolean(L, 0);
  luajson_set_option(L, t, "strings", "xEncode");
  lua_pushlstring(L, luajson_encode_set, sizeof luajson_encode_set - 1);
  luajson_set_option(L, t, "strings", "encodeSet");
}
