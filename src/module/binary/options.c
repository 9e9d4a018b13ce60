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
  else if (IS("json5")) b->json5 = mod_read_boolean(r);
  else if (IS("map")) b->is.in_memory = !mod_read_boolean(r);
  else if (IS("check_utf8")) b->is.utf8 = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("max_depth")) b->max_depth = (uint32_t)mod_read_integer(r, 1, MOD_DEPTH_LIMIT);
  else if (IS("max_values")) b->counts = 1, b->max_values = (uint64_t)mod_read_amount(r);
  else if (IS("max_bytes")) b->max_bytes = (size_t)mod_read_amount(r);
  else if (IS("frame")) b->is.framed = (unsigned)mod_read_word(r, MOD_FRAMES) & 1u;
  else if (IS("verify")) b->is.unverified = !mod_read_boolean(r);
  else if (IS("recover")) b->is.recover = (unsigned)mod_read_boolean(r) & 1u;
  else if (IS("sync")) b->is.sync = (unsigned)mod_read_word(r, MOD_SYNCS) & 3u;
  else if (IS("wait")) b->is.wait = mod_read_wait(r);
  else if (IS("keys")) {
    if (mod_is_no_keys(L)) return b->codes = 1, 0;
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

FL_PRIVATE const struct bin_keys *mod_keys_for(lua_State *L, const struct mod_binary *b, const struct bin_doc *base) {
  if (b->keys) return &view_test_keys(L, b->keys)->keys;
  return base ? base->keys : NULL;
}
