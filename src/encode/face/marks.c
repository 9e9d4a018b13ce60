/* SPDX-License-Identifier: MIT */
#include "marks.h"
#include "encode.h"
#include "../../json/grammar/where.h"
#include "../../number/compare.h"
#include "../../number/integer.h"
#include "../../lua/options/arguments.h"

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

/* Marks the table at 1, or a new one. It is an error if the table has its own metatable. */
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
      compat_get_field(L, -1, "__jsontype"); /* the same mark of another copy of this module */
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

/* Converts a number for lua_pushfstring. */
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
    const struct mod_failure failure = {json_check_kind(bad), where + 1, place.line, place.column, NULL, 0};
    return mod_raise_failure(L, 1, &failure);
  }
  memcpy(lua_newuserdata(L, n), s, n);
  compat_registry_get(L, &mod_raw_key);
  lua_setmetatable(L, -2);
  return 1;
}

/* __tostring and __tojson of a raw value: return its text, so that other encoders can use it, too. */
static int mod_raw_text(lua_State *L) {
  const void *text = lua_touserdata(L, 1);
  if (!text || !lua_getmetatable(L, 1)) return mod_type_error(L, 1, "raw value");
  compat_registry_get(L, &mod_raw_key);
  const int is_raw = lua_rawequal(L, -1, -2);
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

FL_PRIVATE void mod_push_book(lua_State *L) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  compat_need_stack(L, 6);
  lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_BOOK);
  if (lua_istable(L, -1)) return;
  lua_pop(L, 1);
  order_push_book(L, &m->encode->order);
  lua_pushvalue(L, -1);
  lua_rawseti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_BOOK);
}

FL_PRIVATE int mod_is_remembered(lua_State *L, const struct mod_state *m, int table) {
  const int top = lua_gettop(L);
  if (FL_LIKELY(!m->encode->order.used)) return 0;
  compat_need_stack(L, 6);
  compat_registry_get(L, &mod_anchor_key);
  lua_rawgeti(L, -1, MOD_ANCHOR_BOOK);
  const int is = order_has(L, top + 2, table);
  lua_settop(L, top);
  return is;
}

/* Upvalues of an iterator: a list of keys, and how many were taken. */
static int mod_next_ordered(lua_State *L) {
  const int n = (int)lua_rawlen(L, lua_upvalueindex(1));
  int i = (int)lua_tointeger(L, lua_upvalueindex(2));
  mod_check_type(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  while (i < n) {
    lua_rawgeti(L, lua_upvalueindex(1), ++i);
    compat_raw_get(L, 1, -1);
    if (lua_isnil(L, -1)) { /* removed meanwhile */
      lua_settop(L, 1);
      continue;
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
  }
  return lua_pushnil(L), 1;
}

/* Pushes the three values of a generic `for` over the value at 1, if it is a table with an order. */
static int mod_ordered_pairs(lua_State *L) {
  const struct mod_state *m = (const struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  if (!m->encode->order.used || lua_type(L, 1) != LUA_TTABLE) return 0;
  lua_settop(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs")) return lua_settop(L, 1), 0;
  lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_BOOK);
  const int book = lua_gettop(L);
  if (!order_push_keys(L, book, 1)) return lua_settop(L, 1), 0;
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, mod_next_ordered, 2);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int mod_call_global(lua_State *L, const char *name) {
  mod_check_any(L, 1);
  lua_settop(L, 1);
  lua_getglobal(L, name);
  lua_insert(L, 1);
  lua_call(L, 1, 3);
  return 3;
}

FL_PRIVATE int mod_pairs_of_tables(lua_State *L) { return mod_ordered_pairs(L) ? 3 : mod_call_global(L, "pairs"); }

FL_PRIVATE int mod_ipairs_of_tables(lua_State *L) { return mod_call_global(L, "ipairs"); }

static const struct exact_number *mod_check_exact(lua_State *L, int index) {
  const struct exact_number *x = exact_test(L, index);
  if (!x) mod_type_error(L, index, "exact number");
  return x;
}

FL_PRIVATE void mod_push_nearest(lua_State *L, const struct exact_number *x) {
  struct num_value v = {0, 0, NUM_BAD};
  (void)num_read(x->text, x->text + x->n, &v);
  if (v.kind != NUM_INTEGER) lua_pushnumber(L, v.d);
  else compat_push_integer(L, v.i);
}

FL_PRIVATE int mod_tonumber(lua_State *L) {
  const struct exact_number *x = exact_test(L, 1);
  mod_check_any(L, 1);
  lua_settop(L, 1);
  if (x) mod_push_nearest(L, x);
  else if (lua_type(L, 1) != LUA_TNUMBER) lua_pushnil(L);
  return 1;
}

static int mod_exact_number(lua_State *L) {
  mod_push_nearest(L, mod_check_exact(L, 1));
  return 1;
}

static int mod_exact_text(lua_State *L) {
  const struct exact_number *x = mod_check_exact(L, 1);
  lua_pushlstring(L, x->text, x->n);
  return 1;
}

/* Compares an exact number with a number or exact number at the other index. Sets *fails if the other is NaN. */
static int mod_compare_exact(lua_State *L, const struct exact_number *x, int other, int *fails) {
  const struct exact_number *y = exact_test(L, other);
  char digits[NUM_ROOM];
  *fails = 0;
  if (y) return num_compare_texts(x->text, x->n, y->text, y->n);
  if (lua_type(L, other) != LUA_TNUMBER)
    return luaL_error(L, "attempt to compare a number with a %s value", luaL_typename(L, other));
  if (compat_is_integer(L, other))
    return num_compare_texts(x->text, x->n, digits,
                             (size_t)(num_write_i64(digits, compat_to_integer(L, other)) - digits));
  if ((*fails = lua_tonumber(L, other) != lua_tonumber(L, other)) != 0) return 0;
  return num_compare_double(x->text, x->n, lua_tonumber(L, other));
}

/* Compares the values at 1 and 2, at least one of which is an exact number. */
static int mod_compare_numbers(lua_State *L, int *fails) {
  const struct exact_number *x = exact_test(L, 1);
  return x ? mod_compare_exact(L, x, 2, fails) : -mod_compare_exact(L, mod_check_exact(L, 2), 1, fails);
}

static int mod_exact_eq(lua_State *L) {
  const struct exact_number *x = exact_test(L, 1), *y = exact_test(L, 2);
  lua_pushboolean(L, x && y && num_compare_texts(x->text, x->n, y->text, y->n) == 0);
  return 1;
}

static int mod_exact_lt(lua_State *L) {
  int fails;
  const int order = mod_compare_numbers(L, &fails);
  lua_pushboolean(L, !fails && order < 0);
  return 1;
}

static int mod_exact_le(lua_State *L) {
  int fails;
  const int order = mod_compare_numbers(L, &fails);
  lua_pushboolean(L, !fails && order <= 0);
  return 1;
}

FL_PRIVATE void mod_push_exact_metatable(lua_State *L) {
  static const luaL_Reg functions[] = {{"__tostring", mod_exact_text}, {"__tojson", mod_exact_text},
                                       {"__eq", mod_exact_eq},         {"__lt", mod_exact_lt},
                                       {"__le", mod_exact_le},         {NULL, NULL}};
  compat_need_stack(L, 6);
  lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_EXACT);
  if (lua_istable(L, -1)) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 8);
  compat_set_functions(L, functions);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, mod_exact_number);
  lua_setfield(L, -2, "number");
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "fleece.number");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, "fleece.number");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_rawseti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_EXACT);
}
