/* SPDX-License-Identifier: MIT */
#include "options.h"

/* Reads a time in seconds into mod_binary_flags. */
static void mod_read_wait(struct mod_reader *r) {
  const lua_Number n = lua_tonumber(r->L, -1), most = MOD_WAIT_MOST;
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= 0 && n <= most)) mod_bad_option(r, "seconds, up to 86400");
  ((struct mod_binary *)r->into)->is.wait = (unsigned)(n * 1000) + 1;
}

static void mod_read_binary_canonical(struct mod_reader *r) {
  ((struct mod_binary *)r->into)->is.canonical = !lua_isboolean(r->L, -1) || lua_toboolean(r->L, -1);
}

static void mod_read_max_values(struct mod_reader *r) {
  struct mod_binary *const b = r->into;
  b->max_values = mod_read_amount(r), b->counts = 1;
}

FL_PRIVATE struct bin_keys *mod_read_keys_object(const struct mod_reader *r) {
  if (lua_isboolean(r->L, -1) && !lua_toboolean(r->L, -1)) return NULL;
  if (!view_test_keys(r->L, -1)) mod_bad_option(r, "an object that fleece.keys returned, or false");
  return &view_test_keys(r->L, -1)->keys;
}

static void mod_read_keys(struct mod_reader *r) {
  struct mod_binary *const b = r->into;
  b->is.codes = mod_read_keys_object(r) == NULL;
  if (b->is.codes) lua_pushnil(r->L);
}

static void mod_read_base(struct mod_reader *r) {
  const struct mod_doc *doc = view_test_doc(r->L, -1);
  if (!doc) mod_bad_option(r, "a document");
  if (!doc->doc.begin) view_closed_(r->L);
}

static void mod_read_path(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TSTRING && lua_type(r->L, -1) != LUA_TUSERDATA) mod_bad_option(r, "a path");
}

static void mod_read_json_pointer(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a JSON pointer");
}

/* Notes an option that mod_read_values_ reads. */
static void mod_note_value(struct mod_reader *r) { ((struct mod_binary *)r->into)->tells_values = 1; }

#define MOD_BINARY_ROW(name, kind, member, takers) MOD_OPTION(name, struct mod_binary, member, takers, MOD_IS_##kind)
static const struct mod_option mod_binary_rows[] = {MOD_BINARY_OPTIONS(MOD_BINARY_ROW){0}};

/* Returns where `b` has the stack index of the option's value, or NULL if the value need not be kept. */
static int *mod_kept_index(const struct mod_option *row, struct mod_binary *b) {
  return row->kind == MOD_KEPT ? (int *)(void *)((char *)b + row->at) : NULL;
}

/* Keeps the values that the options refer to in a codec's table `values`. */
static void mod_keep_binary_values(lua_State *L, struct mod_binary *b, int values) {
  b->is.kept = 0;
  for (const struct mod_option *row = mod_binary_rows; row->name; row++) {
    const int *const index = mod_kept_index(row, b);
    if (!index) continue;
    if (*index) lua_pushvalue(L, *index);
    else lua_pushnil(L);
    lua_rawseti(L, values, row->least);
    b->is.kept |= *index != 0;
  }
}

FL_PRIVATE_NOINLINE void mod_push_kept_values_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  compat_need_stack(L, arg + MOD_VALUE_LAST);
  if (lua_gettop(L) < arg) lua_settop(L, arg);
  for (const struct mod_option *row = mod_binary_rows; row->name; row++) {
    int *const index = mod_kept_index(row, b);
    if (!index || !(row->takers >> of & 1)) continue;
    lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), row->least);
    if (lua_isnil(L, -1)) lua_pop(L, 1);
    else *index = lua_gettop(L);
  }
}

FL_PRIVATE_NOINLINE void mod_read_binary_table_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  mod_read_rows(L, arg, of, mod_binary_rows, b);
}

FL_PRIVATE_NOINLINE void mod_read_values_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  b->values = mod_read_decode_options(L, arg, &o, of);
  if (o.drop_null && !codec->decode.drop_null) mod_unfit_option(L, arg, "null", "another value than \"nil\"");
  b->scalars = (unsigned char)(o.big | (o.null ? VIEW_HAS_NULL : 0));
}

FL_PRIVATE void mod_freeze_binary(lua_State *L, int arg, struct mod_codec *codec, int values) {
  struct mod_binary b;
  const int top = lua_gettop(L);
  mod_read_binary_options(L, arg, &b, MOD_OF_NEW);
  mod_keep_binary_values(L, &b, values);
  codec->binary = b.is;
  codec->max_values = b.max_values;
  lua_settop(L, top);
}

FL_PRIVATE const struct bin_keys *mod_keys_for(lua_State *L, const struct mod_binary *b, const struct bin_doc *base) {
  if (b->keys) return &view_test_keys(L, b->keys)->keys;
  return base ? base->keys : NULL;
}
