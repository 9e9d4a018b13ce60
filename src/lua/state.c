/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_STATIC_ASSERT(MOD_KEEP >= 0 && MOD_KEEP <= MOD_KEEP_LARGE, kept_memory_is_ordered);

FL_PRIVATE_NOINLINE int mod_should_keep_block(struct mod_state *m, size_t capacity, size_t used) {
  if (capacity <= MOD_KEEP) return !m->finalized;
  if (capacity > MOD_KEEP_LARGE) return 0;
  if (used > MOD_KEEP / 2) {
    m->idle = 0;
    return ++m->large > 1;
  }
  if (m->large > 1 && ++m->idle < MOD_KEEP_IDLE) return 1;
  m->large = m->idle = 0;
  return 0;
}

FL_PRIVATE void mod_free_keys(struct mod_state *m) {
  const struct buffer *b = &m->walk.out.buffer;
  int mode;
  for (mode = 0; mode < BIN_FAST; mode++) {
    if (m->packed_keys[mode]) b->alloc(b->alloc_ud, m->packed_keys[mode], sizeof **m->packed_keys, 0);
    m->packed_keys[mode] = NULL;
  }
  if (m->packed_shapes) pack_free_shapes(m->packed_shapes, b->alloc, b->alloc_ud);
  m->packed_shapes = NULL;
}

FL_PRIVATE void mod_free_heap(struct mod_state *m) {
  const struct buffer *b = &m->walk.out.buffer;
  while (m->heap && m->heap_users == 0) {
    union heap_block *first = m->heap;
    m->heap = first->is.next;
    b->alloc(b->alloc_ud, first, sizeof *first + first->is.size, 0);
  }
}

static int mod_state_gc(lua_State *L) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, 1);
  int mode;
  mod_free_encode_state(&m->walk);
  mod_free_keys(m);
  for (mode = 0; mode < BIN_MODES; mode++) bin_encoder_free(&m->binary[mode]);
  m->finalized = 1;
  mod_free_heap(m);
  return 0;
}

/* At the end of all a holder's finalizer runs before the state's: it is not used after that. */
static int mod_holder_gc(lua_State *L) {
  struct mod_holder *h = (struct mod_holder *)lua_touserdata(L, 1);
  mod_free_encode_state(&h->walk);
  mod_free_encode_state(&h->pieces);
  bin_encoder_free(&h->encoder);
  if (h->state->holder == h) h->state->holder = NULL;
  return 0;
}

FL_PRIVATE void mod_init_encode_state(lua_State *L, struct encode_state *c, const struct mod_state *m) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  encode_init(c, alloc, ud, m->cpu);
  c->out.buffer.front = MOD_FRONT;
  c->marks = &m->marks;
  c->null_word = m->verdict.null_word;
  c->boxes = m->boxes;
  c->orders = &m->order;
}

FL_PRIVATE int mod_learn_boxes(lua_State *L, struct mod_state *m, struct encode_state *c) {
  if (c->boxes != ENCODE_BOXES_MET) return 0;
  if (m->boxes == ENCODE_BOXES_UNKNOWN)
    m->boxes = probe_boxes(L, m->verdict.facts, PROBE_BOXES_ROOM) ? ENCODE_BOXES_PROVEN : ENCODE_BOXES_OTHER;
  c->boxes = m->walk.boxes = m->boxes;
  return 1;
}

FL_PRIVATE void mod_init_encoder(struct bin_encoder *e, const struct encode_state *c, enum bin_mode mode) {
  bin_encoder_init(e, c->out.buffer.alloc, c->out.buffer.alloc_ud, mode);
  e->out.front = c->out.buffer.front;
}

FL_PRIVATE struct mod_holder *mod_push_holder(lua_State *L, struct mod_state *m) {
  struct mod_holder *h = (struct mod_holder *)lua_newuserdata(L, sizeof *h);
  mod_init_encode_state(L, &h->walk, m);
  mod_init_encode_state(L, &h->pieces, m);
  mod_init_encoder(&h->encoder, &h->walk, BIN_COMPACT);
  h->state = m;
  compat_registry_get(L, &mod_holder_key);
  lua_setmetatable(L, -2);
  return h;
}

FL_PRIVATE struct mod_holder *mod_take_holder(lua_State *L, struct mod_state *m) {
  if (FL_LIKELY(m->holder != NULL) && FL_LIKELY(!m->holder_used)) {
    lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_HOLDER);
  } else {
    struct mod_holder *h = mod_push_holder(L, m); /* may run finalizers that encode */
    lua_pushvalue(L, -1);
    lua_rawseti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_HOLDER);
    m->holder = h;
  }
  m->holder_used = 1;
  return m->holder;
}

FL_PRIVATE void mod_return_walk(struct mod_state *m, struct mod_holder *h) {
  mod_free_encode_state(&m->walk);
  encode_move(&m->walk, &h->walk);
  if (m->holder == h) m->holder_used = 0;
}

FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m) {
  if (m->write_tries == 0) return m->decoder;
  probe_writing(L, &m->verdict);
  if (!m->verdict.write_failed) m->decoder = json_to_lua_decoder_of(m->verdict.facts);
  m->write_tries = m->verdict.write_failed && strcmp(m->verdict.write_failed, "memory") == 0 ? m->write_tries - 1 : 0;
  return m->decoder;
}

/* Pushes a new metatable { __jsontype = type } and makes it the mark at `place`. */
static void mod_new_mark(lua_State *L, struct mod_state *m, int anchors, int place, const char *type,
                         enum table_class mark) {
  lua_newtable(L);
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__jsontype");
  m->marks.metatable[place] = (const char *)lua_topointer(L, -1);
  m->marks.mark[place] = mark;
  lua_rawseti(L, anchors, place + 1);
}

FL_PRIVATE void mod_check_host(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  luaL_checkversion(L);
#endif
  if (!probe_numbers(L)) luaL_error(L, "fleece was built for another number type than this Lua has");
}

/* Is this LuaJIT? Its library says so; a host that does not open that one has no answer. */
static int mod_is_luajit(lua_State *L) {
  int is = 0;
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (lua_istable(L, -1)) {
    compat_get_field(L, -1, "jit");
    is = lua_istable(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return is;
}

FL_PRIVATE struct mod_state *mod_push_state(lua_State *L) {
  struct mod_state *m;
  int i;
  compat_registry_get(L, &mod_state_key);
  m = (struct mod_state *)lua_touserdata(L, -1);
  if (m) return m;
  mod_pin();
  lua_pop(L, 1);
  m = (struct mod_state *)lua_newuserdata(L, sizeof *m);
  memset(m, 0, sizeof *m);
  m->maps_most = MOD_MAPS;
  m->cpu = text_cpu();
  m->room_tries = mod_is_luajit(L) ? MOD_ROOM_TRIES : 0;
  mod_init_encode_state(L, &m->walk, m);
  for (i = 0; i < BIN_MODES; i++) mod_init_encoder(&m->binary[i], &m->walk, (enum bin_mode)i);
  lua_newtable(L);
  lua_pushcfunction(L, mod_state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_newtable(L);
  lua_pushcfunction(L, mod_holder_gc);
  lua_setfield(L, -2, "__gc");
  compat_registry_set(L, &mod_holder_key);
  lua_createtable(L, MOD_ANCHOR_LAST, 0);
  mod_new_mark(L, m, lua_gettop(L), MOD_MARK_ARRAY, "array", ENCODE_ARRAY);
  mod_new_mark(L, m, lua_gettop(L), MOD_MARK_OBJECT, "object", ENCODE_OBJECT);
  compat_registry_set(L, &mod_anchor_key);
  m->verdict = probe_layout(L);
  m->walk.null_word = m->verdict.null_word;
  m->write_tries = m->verdict.facts ? MOD_WRITE_TRIES : 0;
  m->utf8 = text_utf8_pick(m->cpu);
  m->raw = m->verdict.facts ? encode_of_layout(m->verdict.facts) : NULL;
  m->pack = m->verdict.facts ? pack_of_layout(m->verdict.facts) : NULL;
  m->pack_fast = m->verdict.facts ? pack_fast_of_layout(m->verdict.facts) : NULL;
  lua_pushvalue(L, -1);
  compat_registry_set(L, &mod_state_key);
  return m;
}
