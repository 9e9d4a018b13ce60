/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_STATIC_ASSERT(MOD_KEEP >= 0 && MOD_KEEP <= MOD_KEEP_LARGE, kept_memory_is_ordered);

FL_PRIVATE_NOINLINE int mod_should_keep_block(struct mod_state *m, size_t capacity, size_t used) {
  if (capacity <= MOD_KEEP) return !m->finalized;
  if (capacity > MOD_KEEP_LARGE) return 0;
  if (used > MOD_KEEP / 2) {
    m->encode->idle = 0;
    return ++m->encode->large > 1;
  }
  if (m->encode->large > 1 && ++m->encode->idle < MOD_KEEP_IDLE) return 1;
  m->encode->large = m->encode->idle = 0;
  return 0;
}

FL_PRIVATE void mod_keep_buffer(struct mod_state *m, struct buffer *b, size_t used) {
  struct buffer *kept = &m->encode->walk.out.buffer;
  m->encode->hint = used + used / 16 + BUF_FIRST;
  if (!kept->begin && mod_should_keep_block(m, buf_capacity(b), used)) kept->begin = b->begin, kept->end = b->end;
  else buf_free(b);
}

/* Returns whether the allocator would map a block of this size separately. Such a block begins 16 bytes after the start
** of a page. Other blocks may do so, too; then mod_make_room_ allocates in vain, which costs a microsecond or two. */
static int mod_would_map(const struct buffer *b, size_t size) {
  char *block = (char *)b->alloc(b->alloc_ud, NULL, 0, size);
  if (!block) return 0;
  b->alloc(b->alloc_ud, block, size, 0);
  return (uintptr_t)block % MOD_LEAST_PAGE == 16;
}

FL_PRIVATE_NOINLINE void mod_make_room_(struct mod_state *m, size_t n) {
  const struct buffer *b = &m->encode->walk.out.buffer;
  char *block[MOD_BESIDE_MOST];
  uintptr_t low = 0, high = 0; /* the last adjacent blocks */
  const size_t size = n + MOD_STRING_HEAD;
  int count = 0;
  if (!mod_would_map(b, size)) return;
  while (count < MOD_BESIDE_MOST && high - low < size) {
    if (!(block[count] = (char *)b->alloc(b->alloc_ud, NULL, 0, LJ_MERGE_BLOCK))) break;
    const uintptr_t at = (uintptr_t)block[count++];
    if (at >= high && at - high < MOD_BESIDE_GAP) high = at + LJ_MERGE_BLOCK;
    else if (at + LJ_MERGE_BLOCK <= low && low - at - LJ_MERGE_BLOCK < MOD_BESIDE_GAP) low = at;
    else low = at, high = at + LJ_MERGE_BLOCK;
  }
  while (count > 0) b->alloc(b->alloc_ud, block[--count], LJ_MERGE_BLOCK, 0);
  m->encode->room_tries = high - low < size ? m->encode->room_tries - 1 : MOD_ROOM_TRIES;
}

FL_PRIVATE void mod_init_encode_state(lua_State *L, struct encode_state *c, const struct mod_state *m) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  memset(c, 0, sizeof *c);
  buf_init(&c->out.buffer, alloc, ud);
  json_out_cpu(&c->out, m->cpu);
  c->out.buffer.front = MOD_FRONT;
  c->marks = &m->encode->marks;
  c->null_word = m->verdict.null_word;
  c->boxes = m->encode->boxes;
  c->orders = &m->encode->order;
}

FL_PRIVATE int mod_learn_boxes(lua_State *L, struct mod_state *m, struct encode_state *c) {
  if (c->boxes != ENCODE_BOXES_MET) return 0;
  if (m->encode->boxes == ENCODE_BOXES_UNKNOWN)
    m->encode->boxes = probe_boxes(L, m->verdict.facts, PROBE_BOXES_ROOM) ? ENCODE_BOXES_PROVEN : ENCODE_BOXES_OTHER;
  c->boxes = m->encode->walk.boxes = m->encode->boxes;
  return 1;
}

FL_PRIVATE void mod_init_encoder(struct bin_encoder *e, const struct encode_state *c, enum bin_mode mode) {
  bin_encoder_init(e, c->out.buffer.alloc, c->out.buffer.alloc_ud, mode);
  e->out.front = c->out.buffer.front;
}

/* When the state closes, a holder's finalizer runs before the state's; it is not used after that. */
static int mod_holder_gc(lua_State *L) {
  struct mod_holder *h = (struct mod_holder *)lua_touserdata(L, 1);
  mod_free_encode_state(&h->walk);
  mod_free_encode_state(&h->raw);
  bin_encoder_free(&h->encoder);
  if (h->state->encode->holder == h) h->state->encode->holder = NULL;
  return 0;
}

FL_PRIVATE struct mod_holder *mod_push_holder(lua_State *L, struct mod_state *m) {
  struct mod_holder *h = (struct mod_holder *)lua_newuserdata(L, sizeof *h);
  mod_init_encode_state(L, &h->walk, m);
  mod_init_encode_state(L, &h->raw, m);
  h->raw.pauses = 1;
  mod_init_encoder(&h->encoder, &h->walk, BIN_COMPACT);
  h->state = m;
  compat_registry_get(L, &mod_holder_key);
  lua_setmetatable(L, -2);
  return h;
}

FL_PRIVATE struct mod_holder *mod_take_holder(lua_State *L, struct mod_state *m) {
  if (FL_LIKELY(m->encode->holder != NULL) && FL_LIKELY(!m->encode->holder_used)) {
    lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_HOLDER);
  } else {
    struct mod_holder *h = mod_push_holder(L, m); /* may run finalizers that encode */
    lua_pushvalue(L, -1);
    lua_rawseti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_HOLDER);
    m->encode->holder = h;
  }
  m->encode->holder_used = 1;
  return m->encode->holder;
}

FL_PRIVATE void mod_return_walk(struct mod_state *m, struct mod_holder *h) {
  mod_free_encode_state(&m->encode->walk);
  encode_move(&m->encode->walk, &h->walk);
  if (m->encode->holder == h) m->encode->holder_used = 0;
}

/* Pushes a new metatable { __jsontype = type } and makes it the mark at `place`. */
static void mod_new_mark(lua_State *L, struct mod_state *m, int anchors, int place, const char *type,
                         enum table_class mark) {
  lua_newtable(L);
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__jsontype");
  m->encode->marks.metatable[place] = (const char *)lua_topointer(L, -1);
  m->encode->marks.mark[place] = mark;
  lua_rawseti(L, anchors, MOD_ANCHOR_MARKS + place);
}

/* Returns whether this is LuaJIT, by its library; false if the host does not open that. */
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

/* Remembers the global function `next`: what it gives can be had without a call. */
static void mod_learn_next(lua_State *L, struct mod_state *m, int anchors) {
  static const char *const names[] = {"_G", "next"};
  const int top = lua_gettop(L);
  int i;
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  for (i = 0; i < 2 && lua_istable(L, -1); i++) compat_get_field(L, -1, names[i]);
  if (i == 2 && lua_iscfunction(L, -1)) {
    m->encode->shared.next = lua_topointer(L, -1);
    m->encode->shared.next_function = lua_tocfunction(L, -1);
    lua_rawseti(L, anchors, MOD_ANCHOR_NEXT);
  }
  lua_settop(L, top);
}

FL_PRIVATE void mod_open_encode(lua_State *L, struct mod_state *m, int anchors) {
  m->encode->room_tries = mod_is_luajit(L) ? MOD_ROOM_TRIES : 0;
  mod_init_encode_state(L, &m->encode->walk, m);
  m->encode->walk.pauses = 1;
  lua_newtable(L);
  lua_pushcfunction(L, mod_holder_gc);
  lua_setfield(L, -2, "__gc");
  compat_registry_set(L, &mod_holder_key);
  mod_new_mark(L, m, anchors, MOD_MARK_ARRAY, "array", ENCODE_ARRAY);
  mod_new_mark(L, m, anchors, MOD_MARK_OBJECT, "object", ENCODE_OBJECT);
  mod_learn_next(L, m, anchors);
  m->encode->raw = m->verdict.facts ? encode_of_layout(m->verdict.facts) : NULL;
}
