/* SPDX-License-Identifier: MIT */
#include "library.h"
#include "../lua/parts.h"
#if PART_HAS_document
#include "../document/state.h"
#endif

/* The state and its slices are one block. */
struct module_state {
  struct mod_state state; /* first */
  struct encode_slice encode;
  struct decode_slice decode;
#if PART_HAS_document
  struct document_slice document;
#endif
};

static int mod_state_gc(lua_State *L) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, 1);
  mod_free_encode_state(&m->encode->walk);
#if PART_HAS_document
  mod_close_documents(m);
#endif
  m->finalized = 1;
  mod_free_heap(m);
  return 0;
}

FL_PRIVATE void mod_check_host(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  luaL_checkversion(L);
#endif
  if (!probe_numbers(L)) luaL_error(L, "fleece was built for another number type than this Lua has");
}

/* Pushes this Lua state's mod_state, which the first call creates. */
static struct mod_state *mod_push_state(lua_State *L) {
  struct mod_state *m;
  struct module_state *all;
  compat_registry_get(L, &mod_state_key);
  m = (struct mod_state *)lua_touserdata(L, -1);
  if (m) return m;
  mod_pin();
  lua_pop(L, 1);
  all = (struct module_state *)lua_newuserdata(L, sizeof *all);
  memset(all, 0, sizeof *all);
  m = &all->state;
  m->encode = &all->encode, m->decode = &all->decode;
  m->alloc = lua_getallocf(L, &m->alloc_ud);
  m->cpu = text_cpu();
  m->utf8 = text_utf8_pick(m->cpu);
  m->verdict = probe_layout(L);
  m->decode->write_tries = m->verdict.facts ? MOD_WRITE_TRIES : 0;
  lua_createtable(L, MOD_ANCHOR_MARKS + KNOWN_METATABLES - 1, 0);
  mod_open_encode(L, m, lua_gettop(L));
  compat_registry_set(L, &mod_anchor_key);
#if PART_HAS_document
  m->document = &all->document;
  mod_open_documents(m);
#endif
  lua_newtable(L);
  lua_pushcfunction(L, mod_state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  compat_registry_set(L, &mod_state_key);
  return m;
}

FL_PRIVATE int mod_pairs_honours_meta(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  (void)L;
  return 1;
#else
  static const char source[] = "return pairs(setmetatable({}, { __pairs = function() return 1 end })) == 1";
  int asks = luaL_loadbuffer(L, source, sizeof source - 1, "=fleece") == 0 && lua_pcall(L, 0, 1, 0) == 0 &&
             lua_toboolean(L, -1);
  lua_pop(L, 1);
  return asks;
#endif
}

FL_PRIVATE struct mod_codec *mod_push_upvalues(lua_State *L, size_t size) {
  mod_check_host(L);
  compat_need_stack(L, 3 * MOD_UPVALUES + 10);
  struct mod_state *m = mod_push_state(L);
  struct mod_codec *codec = (struct mod_codec *)lua_newuserdata(L, size);
  memset(codec, 0, size);
  codec->state = m;
  compat_registry_get(L, &mod_anchor_key);
  lua_pushcfunction(L, mod_push_piece);
  for (int i = MOD_PUSH; i < MOD_UPVALUES; i++) lua_pushnil(L); /* no values, no mark for empty objects */
  return codec;
}

FL_PRIVATE void mod_push_library(lua_State *L, int base, const luaL_Reg *functions) {
  const luaL_Reg *f = functions;
  while (f->name) f++;
  lua_createtable(L, 0, (int)(f - functions) + 5);
  for (f = functions; f->name; f++) {
    for (int i = 0; i < MOD_UPVALUES; i++) lua_pushvalue(L, base + i);
    lua_pushcclosure(L, f->func, MOD_UPVALUES);
    lua_setfield(L, -2, f->name);
  }
}

FL_PRIVATE void mod_set_string(lua_State *L, const char *name, const char *s) {
  lua_pushstring(L, s);
  lua_setfield(L, -2, name);
}
