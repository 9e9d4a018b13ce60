/* SPDX-License-Identifier: MIT */
#include "marks.h"
#include "../../json/grammar/where.h"

FL_PRIVATE void mod_push_mark(lua_State *L, int place) {
  compat_registry_get(L, &mod_anchor_key);
  lua_rawgeti(L, -1, MOD_ANCHOR_MARKS + place);
  lua_remove(L, -2);
}

FL_PRIVATE void mod_set_mark(lua_State *L, struct mod_state *m, int place, enum table_class is) {
  FL_ASSERT(place >= MOD_MARK_DROPIN && place < KNOWN_METATABLES);
  m->encode->marks.metatable[place] = (const char *)lua_topointer(L, -1);
  m->encode->marks.mark[place] = is;
}

FL_PRIVATE int mod_make_mark(lua_State *L, struct mod_state *m, int place, enum table_class is) {
  mod_push_mark(L, place);
  if (!lua_isnil(L, -1)) return 0;
  lua_pop(L, 1);
  lua_newtable(L);
  compat_registry_get(L, &mod_anchor_key);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, MOD_ANCHOR_MARKS + place);
  lua_pop(L, 1);
  mod_set_mark(L, m, place, is);
  return 1;
}

/* Marks the table at 1, or a new one. A table with a metatable of its own keeps it: that is an error. */
static int mod_mark(lua_State *L, int place) {
  static const char *const words[] = {"array", "object"};
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  if (lua_type(L, 1) != LUA_TTABLE) mod_type_error(L, 1, "table");
  lua_settop(L, 1);
  if (lua_getmetatable(L, 1)) {
    const struct mod_state *m = (const struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
    const char *mt = (const char *)lua_topointer(L, -1);
    if (mt != m->encode->marks.metatable[MOD_MARK_ARRAY] && mt != m->encode->marks.metatable[MOD_MARK_OBJECT]) {
      compat_get_field(L, -1, "__jsontype"); /* the same mark, of another copy of this module */
      if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), words[place == MOD_MARK_OBJECT]) == 0)
        return lua_settop(L, 1), 1;
      mod_argument_error(L, 1, "table has a metatable; set __jsontype in it");
    }
    lua_pop(L, 1);
  }
  mod_push_mark(L, place);
  lua_setmetatable(L, 1);
  return 1;
}

FL_PRIVATE int mod_array(lua_State *L) { return mod_mark(L, MOD_MARK_ARRAY); }

FL_PRIVATE int mod_object(lua_State *L) { return mod_mark(L, MOD_MARK_OBJECT); }

/* A number as lua_pushfstring takes it. */
FL_FUNC int mod_shown(size_t n) { return n < INT32_MAX ? (int)n : INT32_MAX; }

FL_PRIVATE int mod_raw(lua_State *L) {
  size_t n, where = 0;
  const char *s = mod_check_string(L, 1, &n);
  int bad = json_check(s, n, API_CHECK_DEPTH, &where);
  if (bad) {
    const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
    struct json_where place;
    json_where(s, s + n, s + where, &place);
    lua_pushfstring(L, "not valid JSON: %s at line %d, column %d, byte %d", json_check_message(bad),
                    mod_shown(place.line), mod_shown(place.column), mod_shown(where + 1));
    if (!codec->encode.safe) return mod_argument_error(L, 1, lua_tostring(L, -1));
    (void)mod_raise(L, 1);
    lua_pushinteger(L, (lua_Integer)where + 1);
    return 3;
  }
  memcpy(lua_newuserdata(L, n), s, n);
  compat_registry_get(L, &mod_raw_key);
  lua_setmetatable(L, -2);
  return 1;
}

/* Of a raw value: __tostring and __tojson give its text, so that other encoders can use it too. */
static int mod_raw_text(lua_State *L) {
  const void *text = lua_touserdata(L, 1);
  int is_raw;
  if (!text || !lua_getmetatable(L, 1)) return mod_type_error(L, 1, "raw value");
  compat_registry_get(L, &mod_raw_key);
  is_raw = lua_rawequal(L, -1, -2);
  if (!is_raw) return mod_type_error(L, 1, "raw value");
  lua_pushlstring(L, (const char *)text, (size_t)lua_rawlen(L, 1));
  return 1;
}

FL_PRIVATE void mod_open_raw(lua_State *L, struct mod_state *m) {
  compat_registry_get(L, &mod_raw_key);
  if (lua_isnil(L, -1)) {
    lua_createtable(L, 0, 3);
    lua_pushcfunction(L, mod_raw_text);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__tostring");
    lua_setfield(L, -2, "__tojson");
    lua_pushliteral(L, "fleece.raw");
    lua_setfield(L, -2, "__metatable");
    m->encode->shared.raw_metatable = lua_topointer(L, -1);
    compat_registry_set(L, &mod_raw_key);
  }
  lua_pop(L, 1);
}
