/* SPDX-License-Identifier: MIT */
#include "decode_options.h"
#include "../../encode/face/marks.h"

FL_PRIVATE void mod_default_decode_options(struct json_to_lua_options *o) {
  memset(o, 0, sizeof *o);
  o->max_depth = MOD_DEPTH;
}

/* Pushes a function text, number -> int64_t or uint64_t cdata; the number if it is neither's. LuaJIT only. */
static void mod_push_int64(const struct mod_reader *r) {
  static const char source[] =
      "local ffi = require 'ffi'\n"
      "local int64, uint64 = ffi.typeof 'int64_t', ffi.typeof 'uint64_t'\n"
      "return function(text, number)\n"
      "  local sign, digits = text:match '^([-+]?)(%d+)$'\n"
      "  local base, most = 10, '18446744073709551615'\n"
      "  if not digits then\n" /* JSON5 */
      "    sign, digits = text:match '^([-+]?)0[xX]0*(%x+)$'\n"
      "    base, most = 16, 'ffffffffffffffff'\n"
      "  end\n"
      "  if not digits or #digits > #most or #digits == #most and digits:lower() > most then return number end\n"
      "  local n = uint64(0)\n"
      "  for i = 1, #digits do n = n * base + tonumber(digits:sub(i, i), 16) end\n"
      "  if sign ~= '-' then return n < 2ULL ^ 63 and int64(n) or n end\n"
      "  if n > 9223372036854775808ULL then return number end\n"
      "  return -int64(n)\n"
      "end\n";
  lua_getglobal(r->L, "jit");
  if (!lua_istable(r->L, -1) || luaL_loadbuffer(r->L, source, sizeof source - 1, "=fleece") != 0 ||
      lua_pcall(r->L, 0, 1, 0) != 0)
    mod_bad_option(r, "another word here: \"int64\" needs LuaJIT and its ffi");
  lua_remove(r->L, -2);
}

/* Keeps the value on top, a copy, as item `place` of the values. */
static int mod_keep_value(const struct mod_reader *r, int place) {
  lua_pushvalue(r->L, -1);
  lua_rawseti(r->L, r->values, place);
  return 1;
}

static void mod_read_null(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  const int usual = lua_islightuserdata(r->L, -1) && lua_touserdata(r->L, -1) == NULL;
  o->drop_null = lua_type(r->L, -1) == LUA_TSTRING && strcmp(lua_tostring(r->L, -1), "nil") == 0;
  o->null = !usual && !o->drop_null && mod_keep_value(r, MOD_VALUE_NULL);
}

/* Reads arrays or objects: a metatable, or "marked": that of the mark; "plain" or false: none. */
static int mod_read_metatable(const struct mod_reader *r, int place, int mark) {
  if (lua_isboolean(r->L, -1) && !lua_toboolean(r->L, -1)) return 0;
  if (lua_type(r->L, -1) == LUA_TSTRING) {
    size_t n;
    const char *word = lua_tolstring(r->L, -1, &n);
    const int is_marked = mod_find_word(word, n, "plain|marked");
    if (is_marked == 0) return 0;
    if (is_marked == 1) mod_push_mark(r->L, mark);
  }
  if (!lua_istable(r->L, -1)) mod_bad_option(r, "a metatable, \"marked\" or \"plain\"");
  return mod_keep_value(r, place);
}

static void mod_read_arrays(struct mod_reader *r) {
  ((struct json_to_lua_options *)r->into)->arrays = mod_read_metatable(r, MOD_VALUE_ARRAYS, MOD_MARK_ARRAY);
}

static void mod_read_objects(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->objects = mod_read_metatable(r, MOD_VALUE_OBJECTS, MOD_MARK_OBJECT);
  o->plain_objects = (unsigned)!o->objects & (unsigned)(lua_type(r->L, -1) == LUA_TSTRING);
}

static void mod_read_big_numbers(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->big = (enum json_to_lua_big)mod_read_word(r, "double|string|error|int64");
  o->int64 = o->big == JSON_TO_LUA_BIG_INT64;
  if (!o->int64) return;
  mod_push_int64(r);
  lua_rawseti(r->L, r->values, MOD_VALUE_INT64);
}

/* From the first use on this Lua state's encoders look whether a table has an order. */
static void mod_read_order(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->order = mod_read_boolean(r);
  if (!o->order) return;
  mod_push_book(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_ORDER);
}

static void mod_read_numbers(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->exact = mod_read_word(r, "lua|exact");
  if (!o->exact) return;
  mod_push_exact_metatable(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_EXACT);
}

static void mod_read_decode_layout(struct mod_reader *r) {
  ((struct json_to_lua_options *)r->into)->layout_api = mod_read_word(r, MOD_LAYOUTS) == MOD_LAYOUT_API;
}

static void mod_read_done(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a string");
  mod_keep_value(r, MOD_VALUE_DONE);
}

#define MOD_DECODE_ROW(name, kind, member, takers) \
  MOD_OPTION(name, struct json_to_lua_options, member, takers, MOD_IS_##kind)
#define MOD_HINTED_ROW(name, kind, member, takers, value, grammar, errors) \
  MOD_OPTION(name, struct json_to_lua_options, member, takers, MOD_IS_##kind)
static const struct mod_option mod_decode_rows[] = {MOD_DECODE_OPTIONS(MOD_DECODE_ROW, MOD_HINTED_ROW){0}};

/* Pushes a table with the same values. `all`: also those of codecs. */
static void mod_copy_values(lua_State *L, int values, int all) {
  const int last = all ? MOD_VALUE_LAST : MOD_VALUES_END - 1;
  int i;
  lua_createtable(L, last, 0);
  for (i = 1; i <= last && lua_istable(L, values); i++) {
    lua_rawgeti(L, values, i);
    lua_rawseti(L, -2, i);
  }
}

FL_PRIVATE_NOINLINE int mod_read_decode_options(lua_State *L, int arg, struct json_to_lua_options *o,
                                                enum mod_taker of) {
  struct mod_reader r;
  mod_copy_values(L, lua_upvalueindex(MOD_VALUES), of == MOD_OF_EVENTS || of == MOD_OF_NEW);
  mod_begin_reader(&r, L, arg, of, mod_decode_rows, o);
  r.values = lua_gettop(L);
  mod_read_table(&r);
  o->force_api = o->layout_api || o->order || o->exact;
  return r.values;
}

FL_PRIVATE_NOINLINE void mod_position_of_values_(lua_State *L, struct json_to_lua_options *o, int values) {
  int *const fields[] = {&o->null, &o->arrays, &o->objects, &o->int64, &o->order, &o->exact};
  int i;
  compat_need_stack(L, MOD_VALUES_END);
  values = values > 0 ? lua_absindex(L, values) : values;
  for (i = 0; i < MOD_VALUES_END - 1; i++) {
    if (!*fields[i]) continue;
    lua_rawgeti(L, values, i + 1);
    *fields[i] = lua_gettop(L);
  }
}
