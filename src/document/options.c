/* SPDX-License-Identifier: MIT */
#include "options.h"

/* The value on top as a limit. */
static lua_Number mod_read_amount(const struct mod_reader *r) {
  const lua_Number n = lua_tonumber(r->L, -1), most = sizeof(size_t) > 4 ? 9007199254740992.0 : 2147483647.0;
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= 1 && n <= most) || n != (lua_Number)(uint64_t)n)
    mod_bad_option(r, "a whole number from 1 on");
  return n;
}

/* The value on top, seconds, as mod_binary_flags has it. */
static unsigned mod_read_wait(const struct mod_reader *r) {
  const lua_Number n = lua_tonumber(r->L, -1), most = MOD_WAIT_MOST;
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= 0 && n <= most)) mod_bad_option(r, "seconds, up to 86400");
  return (unsigned)(n * 1000) + 1;
}

FL_PRIVATE int mod_read_binary_option(const struct mod_reader *r, struct mod_binary *b) {
  lua_State *L = r->L;
#define IS(word) (strcmp(r->name, word) == 0)
  if (IS("trusted")) b->is.trusted = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("mode")) b->is.mode = (unsigned)mod_read_word(r, MOD_MODES) & 3u;
  else if (IS("canonical")) b->is.canonical = lua_type(L, -1) == LUA_TBOOLEAN ? (unsigned)mod_read_boolean(r) & 1u : 1;
  else if (IS("json5")) b->is.json5 = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("map")) b->is.in_memory = !mod_read_boolean(r);
  else if (IS("check_utf8")) b->is.utf8 = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("max_depth")) b->max_depth = (uint32_t)mod_read_integer(r, 1, MOD_DEPTH_LIMIT);
  else if (IS("max_values")) b->counts = 1, b->max_values = (uint64_t)mod_read_amount(r);
  else if (IS("max_bytes")) b->max_bytes = (size_t)mod_read_amount(r);
  else if (IS("frame")) b->is.framed = (unsigned)mod_read_word(r, MOD_FRAMES) & 1u;
  else if (IS("verify")) b->is.unverified = !mod_read_boolean(r);
  else if (IS("recover")) b->is.recover = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("in_place")) b->is.in_place = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("sync")) b->is.sync = (unsigned)mod_read_word(r, MOD_SYNCS) & 3u;
  else if (IS("wait")) b->is.wait = mod_read_wait(r);
  else if (IS("keys")) {
    b->keys = 0;
    b->is.codes = (unsigned)mod_is_no_keys(L) & 1u;
    if (b->is.codes) return 0;
    if (!view_test_keys(L, -1)) mod_bad_option(r, "an object that fleece.keys returned, or false");
    return b->keys = lua_gettop(L);
  } else if (IS("base")) {
    const struct mod_doc *doc = view_test_doc(L, -1);
    if (!doc) mod_bad_option(r, "a document");
    if (!doc->doc.begin) view_closed_(L);
    return b->base = lua_gettop(L);
  } else if (IS("path")) {
    if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TUSERDATA) mod_bad_option(r, "a path");
    return b->path = lua_gettop(L);
  } else if (IS("pointer")) {
    if (lua_type(L, -1) != LUA_TSTRING) mod_bad_option(r, "a JSON pointer");
    return b->pointer = lua_gettop(L);
  }
#undef IS
  return 0;
}

/* Where a codec keeps them, and the members that get their stack indices. */
struct mod_kept_value {
  const char *name;
  int place;
  size_t member;
};

static const struct mod_kept_value mod_kept_values[] = {
    {"keys", MOD_VALUE_KEYS, offsetof(struct mod_binary, keys)},
    {"base", MOD_VALUE_BASE, offsetof(struct mod_binary, base)},
    {"path", MOD_VALUE_PATH, offsetof(struct mod_binary, path)},
    {"pointer", MOD_VALUE_POINTER, offsetof(struct mod_binary, pointer)},
};

enum { MOD_KEPT_VALUES = sizeof mod_kept_values / sizeof *mod_kept_values };

static int *mod_kept_index(struct mod_binary *b, int i) {
  return (int *)(void *)((char *)b + mod_kept_values[i].member);
}

FL_PRIVATE void mod_keep_binary_values(lua_State *L, struct mod_binary *b, int values) {
  int i;
  b->is.kept = 0;
  for (i = 0; i < MOD_KEPT_VALUES; i++) {
    const int index = *mod_kept_index(b, i);
    if (index) lua_pushvalue(L, index);
    else lua_pushnil(L);
    lua_rawseti(L, values, mod_kept_values[i].place);
    b->is.kept |= index != 0;
  }
}

FL_PRIVATE_NOINLINE void mod_push_kept_values_(lua_State *L, int arg, struct mod_binary *b, const char *names) {
  int i;
  compat_need_stack(L, arg + MOD_KEPT_VALUES);
  if (lua_gettop(L) < arg) lua_settop(L, arg);
  for (i = 0; i < MOD_KEPT_VALUES; i++) {
    if (!mod_is_word(mod_kept_values[i].name, names)) continue;
    lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), mod_kept_values[i].place);
    if (lua_isnil(L, -1)) lua_pop(L, 1);
    else *mod_kept_index(b, i) = lua_gettop(L);
  }
}

FL_PRIVATE_NOINLINE void mod_read_binary_table_(lua_State *L, int arg, struct mod_binary *b, const char *names) {
  struct mod_reader r;
  int key;
  mod_begin_reader(&r, L, arg, names);
  compat_need_stack(L, 12);
  lua_pushnil(L);
  key = lua_gettop(L);
  while (lua_next(L, arg)) {
    mod_read_name(&r, key);
    if (!mod_read_binary_option(&r, b)) {
      lua_settop(L, key);
      continue;
    }
    lua_pushvalue(L, key); /* the value stays below its key */
    lua_remove(L, key);
    if (b->keys == key + 1) b->keys = key;
    if (b->base == key + 1) b->base = key;
    if (b->path == key + 1) b->path = key;
    if (b->pointer == key + 1) b->pointer = key;
    key++;
  }
}

FL_PRIVATE void mod_freeze_binary(lua_State *L, int arg, struct mod_codec *codec, int values) {
  struct mod_binary b;
  const int top = lua_gettop(L);
  mod_read_binary_options(L, arg, &b, mod_names_new);
  mod_keep_binary_values(L, &b, values);
  codec->binary = b.is;
  codec->max_values = b.max_values;
  lua_settop(L, top);
}

FL_PRIVATE const struct bin_keys *mod_keys_for(lua_State *L, const struct mod_binary *b, const struct bin_doc *base) {
  if (b->keys) return &view_test_keys(L, b->keys)->keys;
  return base ? base->keys : NULL;
}
