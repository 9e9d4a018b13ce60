/* SPDX-License-Identifier: MIT */
#include "decode_options.h"
#include "../../encode/face/marks.h"
#include "../../lua/options/hints.h"
#include "../../encode/face/lossless.h"

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

/* Reads an option of mod_text_options that sets the grammar; false: it is none of them. */
static int mod_read_grammar(const struct mod_reader *r, struct json_to_lua_options *o) {
  const struct mod_text_option *option = mod_text_options;
  while (strcmp(r->name, option->name) != 0 || !option->grammar[1])
    if (++option == mod_text_options + MOD_TEXT_OPTIONS) return 0;
  o->grammar &= ~(unsigned)(option->grammar[1] | option->grammar[2]);
  o->grammar |= option->grammar[option->words ? mod_read_word(r, option->words) : mod_read_boolean(r)];
  return 1;
}

/* From the first use on this Lua state's encoders look whether a table has an order. */
static void mod_read_order(const struct mod_reader *r, struct json_to_lua_options *o) {
  o->order = mod_read_boolean(r);
  if (!o->order) return;
  mod_push_book(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_ORDER);
}

static void mod_read_numbers(const struct mod_reader *r, struct json_to_lua_options *o) {
  o->exact = mod_read_word(r, "lua|exact");
  if (!o->exact) return;
  mod_push_exact_metatable(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_EXACT);
}

/* Reads one option that decoding knows; false: it does not. The value is on top. */
static int mod_read_decode_option(const struct mod_reader *r, struct json_to_lua_options *o) {
#define IS(word) (strcmp(r->name, word) == 0)
  if (mod_read_grammar(r, o)) return 1;
  if (IS("null")) {
    int usual = lua_islightuserdata(r->L, -1) && lua_touserdata(r->L, -1) == NULL;
    o->drop_null = lua_type(r->L, -1) == LUA_TSTRING && strcmp(lua_tostring(r->L, -1), "nil") == 0;
    o->null = !usual && !o->drop_null && mod_keep_value(r, MOD_VALUE_NULL);
  } else if (IS("arrays")) {
    o->arrays = mod_read_metatable(r, MOD_VALUE_ARRAYS, MOD_MARK_ARRAY);
  } else if (IS("objects")) {
    o->objects = mod_read_metatable(r, MOD_VALUE_OBJECTS, MOD_MARK_OBJECT);
    o->plain_objects = (unsigned)!o->objects & (unsigned)(lua_type(r->L, -1) == LUA_TSTRING);
  } else if (IS("big_numbers")) {
    static const unsigned char policies[] = {JSON_TO_LUA_BIG_DOUBLE, JSON_TO_LUA_BIG_STRING, JSON_TO_LUA_BIG_ERROR,
                                             JSON_TO_LUA_BIG_INT64};
    o->big = (enum json_to_lua_big)policies[mod_read_word(r, "double|string|error|int64")];
    o->int64 = o->big == JSON_TO_LUA_BIG_INT64;
    if (o->int64) {
      mod_push_int64(r);
      lua_rawseti(r->L, r->values, MOD_VALUE_INT64);
    }
  } else if (IS("duplicates")) o->duplicates = (enum json_to_lua_duplicates)mod_read_word(r, "last|first|error");
  else if (IS("invalid_utf8")) o->bad_text = (enum json_bad_text)mod_read_word(r, "error|replace|escape|pass");
  else if (IS("max_depth")) o->max_depth = (uint32_t)mod_read_integer(r, 1, MOD_DEPTH_LIMIT);
  else if (IS("max_bytes")) o->max_bytes = (size_t)mod_read_integer(r, 1, INT32_MAX);
  else if (IS("order")) mod_read_order(r, o);
  else if (IS("numbers")) mod_read_numbers(r, o);
  else if (IS("numeric_keys")) o->numeric_keys = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("lines")) o->lines = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("colors")) o->colors = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("partial")) o->partial = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("raw")) o->raw = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("closed")) o->closed = (unsigned)mod_read_boolean(r) & 1u;
  else if (r->names && IS("digits")) o->no_digits = (unsigned)!mod_read_boolean(r);
  else if (r->names && IS("max_steps")) o->max_steps = (uint32_t)mod_read_integer(r, 1, INT32_MAX);
  else if (r->names && IS("done")) {
    if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a string");
    return mod_keep_value(r, MOD_VALUE_DONE);
  } else if (r->names && IS("unfinished")) o->unfinished = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("layout")) o->layout_api = mod_read_word(r, MOD_LAYOUTS) == 1;
  else return 0;
#undef IS
  return 1;
}

/* Reads the table at `arg` over the options `o`; `values` is the table for what Lua keeps, `names`: see mod_reader. */
static void mod_read_decode_table(lua_State *L, int arg, struct json_to_lua_options *o, int values, const char *names) {
  struct mod_reader r;
  mod_begin_reader(&r, L, arg, names);
  r.values = values;
  compat_need_stack(L, 16);
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    int top = lua_gettop(L);
    mod_read_name(&r, -2);
    if (!mod_read_decode_option(&r, o) && !names) mod_unknown_option_(L, arg, r.name, mod_names_decode);
    lua_settop(L, top - 1);
  }
  o->force_api = o->layout_api || o->order || o->exact;
}

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
                                                const char *names) {
  mod_copy_values(L, lua_upvalueindex(MOD_VALUES), names && mod_is_word("done", names));
  mod_read_decode_table(L, arg, o, lua_gettop(L), names);
  return lua_gettop(L);
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
