/* SPDX-License-Identifier: MIT */
#include "results.h"
#include "../../lua/guard.h"

/* Would the allocator map a block of this size on its own? Such a block begins 16 bytes after the start of a page.
** Other blocks may do so too; then mod_make_room_ allocates without need, which costs a microsecond or two. */
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
    uintptr_t at;
    if (!(block[count] = (char *)b->alloc(b->alloc_ud, NULL, 0, LJ_MERGE_BLOCK))) break;
    at = (uintptr_t)block[count++];
    if (at >= high && at - high < MOD_BESIDE_GAP) high = at + LJ_MERGE_BLOCK;
    else if (at + LJ_MERGE_BLOCK <= low && low - at - LJ_MERGE_BLOCK < MOD_BESIDE_GAP) low = at;
    else low = at, high = at + LJ_MERGE_BLOCK;
  }
  while (count > 0) b->alloc(b->alloc_ud, block[--count], LJ_MERGE_BLOCK, 0);
  m->encode->room_tries = high - low < size ? m->encode->room_tries - 1 : MOD_ROOM_TRIES;
}

FL_PRIVATE int mod_push_piece(lua_State *L) {
  const struct mod_piece *piece = (const struct mod_piece *)lua_touserdata(L, 1);
  lua_pushlstring(L, piece->bytes, piece->n);
  return 1;
}

#if LUA_VERSION_NUM >= 505
/* Makes the block itself the string. Lua frees it through the same allocator, as n + 1 bytes. The collector does not
** count these bytes, so a step of that size is requested. */
static int mod_adopt(lua_State *L, struct buffer *b, size_t n) {
  char *block = (char *)b->alloc(b->alloc_ud, b->begin, buf_capacity(b), n + 1);
  if (!block) return 0;
  block[n] = 0;
  lua_pushexternalstring(L, block, n, b->alloc, b->alloc_ud);
  if (lua_gc(L, LUA_GCISRUNNING)) lua_gc(L, LUA_GCSTEP, n);
  return 1;
}
#endif

FL_PRIVATE void mod_keep_buffer(struct mod_state *m, struct buffer *b, size_t used) {
  struct buffer *kept = &m->encode->walk.out.buffer;
  m->encode->hint = used + used / 16 + BUF_FIRST;
  if (!kept->begin && mod_should_keep_block(m, buf_capacity(b), used)) kept->begin = b->begin, kept->end = b->end;
  else buf_free(b);
}

FL_PRIVATE_NOINLINE void mod_push_long_(lua_State *L, struct mod_state *m, size_t n) {
  struct buffer detached = m->encode->walk.out.buffer;
  struct mod_piece piece;
  int status;
  m->encode->walk.out.buffer.begin = m->encode->walk.out.buffer.end = NULL;
#if LUA_VERSION_NUM >= 505
  m->encode->hint = n + n / 16 + BUF_FIRST;
  if (n >= MOD_EXTERNAL && mod_adopt(L, &detached, n)) return;
#endif
  luajit_reserve_heap(m, n);
  piece.bytes = detached.begin, piece.n = n;
  lua_pushvalue(L, lua_upvalueindex(MOD_PUSH));
  lua_pushlightuserdata(L, &piece);
  status = lua_pcall(L, 1, 1, 0);
  mod_keep_buffer(m, &detached, n);
  if (status) lua_error(L);
  mod_let_collect(L, n);
}

FL_PRIVATE_NOINLINE void mod_push_short(lua_State *L, const char *bytes, size_t n) {
  char copy[MOD_SMALL];
  memcpy(copy, bytes, n);
  lua_pushlstring(L, copy, n);
}
