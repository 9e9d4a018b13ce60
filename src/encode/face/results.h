/* SPDX-License-Identifier: MIT
** results.h -- turns the bytes that a call wrote into a Lua string.
** Must hold: the bytes are copied or the buffer is detached before the string is created, because that may run
** finalizers, which may encode. */
#pragma once

#include "../../lua/guard.h"
#include "state.h"

enum {
  MOD_SMALL = 2048,    /* bytes; up to here a copy on the C stack is cheaper than a protected call */
  MOD_EXTERNAL = 16384 /* Lua 5.5 adopts results from here on instead of copying them */
};

/* ---------------------------------------------------------------------------- Lua 5.1 and LuaJIT */

/* In Lua 5.1 and LuaJIT an allocation of any size causes one small step of the collector (lgc.c, luaC_step: 1 KB of
** the debt); the rest is left to later allocations. A program that creates little except long texts makes too few of
** them: 420 texts of canada.json left 810 MB of garbage. So there is one small allocation for each 16 KB of a text.
** Then it is 80 MB. On 5.1 it takes 9 to 25 % less time, because memory is reused while it is in the cache; on LuaJIT
** 2 to 6 % more. It is not lua_gc, because a collector that was stopped must stay stopped. */
enum { MOD_COLLECT_PER = 16384 };

FL_FUNC void mod_let_collect(lua_State *L, size_t n) {
#if LUA_VERSION_NUM < 502
  for (; n >= MOD_COLLECT_PER; n -= MOD_COLLECT_PER) {
    lua_pushliteral(L, "");
    lua_pop(L, 1);
  }
#else
  (void)L, (void)n;
#endif
}

/* LuaJIT's allocator (lj_alloc.c) maps each block of 128 KB or more by itself if no free block fits, and unmaps it when
** it is freed. So each long text gets fresh pages, which cost more than writing the text: 600 us of 720 for 1 MB.
** Smaller blocks stay with the allocator; adjacent ones merge when they are freed. The merged block holds the text,
** and after its collection the next one. Measured: twitter.json 365 to 131 us, a text of 1.5 MB 1100 to 280. The peak
** of the process is the same; what stays allocated is at most what waited for collection, as with malloc in the other
** Luas. With 2 MB or more free at its end the allocator returns memory, so nothing would be gained there. */
enum {
  MOD_MAPPED_FROM = 128 * 1024 - 64,
  MOD_MAPPED_TO = 1792 * 1024,
  LJ_MERGE_BLOCK = 120 * 1024, /* size of the smaller blocks; with its own data the allocator maps 128 KB for each */
  MOD_BESIDE_GAP = 16 * 1024,
  MOD_BESIDE_MOST = 256, /* how many at most; the first ones may fill free places elsewhere */
  MOD_STRING_HEAD = 64,  /* more than what a string needs in addition to its bytes */
  MOD_LEAST_PAGE = 4096
};

/* Lets LuaJIT's allocator get a free block that is large enough for a string of n bytes. It may fail without harm. */
FL_PRIVATE_NOINLINE void mod_make_room_(struct mod_state *m, size_t n);

FL_FUNC void luajit_reserve_heap(struct mod_state *m, size_t n) {
  if (m->encode->room_tries && n >= MOD_MAPPED_FROM && n <= MOD_MAPPED_TO) mod_make_room_(m, n);
}

/* ------------------------------------------------------------------------------------- results */

struct mod_piece {
  const char *bytes;
  size_t n;
};

/* Pushes a mod_piece as a string; runs protected. */
FL_PRIVATE int mod_push_piece(lua_State *L);

/* Keeps a detached block for the next call if mod_should_keep_block allows it; otherwise only its size is stored. */
FL_PRIVATE void mod_keep_buffer(struct mod_state *m, struct buffer *b, size_t used);

/* Pushes a long result. The detached buffer is kept or freed even if finalizers encode meanwhile. */
FL_PRIVATE_NOINLINE void mod_push_long_(lua_State *L, struct mod_state *m, size_t n);

/* Pushes a short result. Not inlined, so that the copy takes C stack only while the string is created. */
FL_PRIVATE_NOINLINE void mod_push_short(lua_State *L, const char *bytes, size_t n);

/* Pushes the output, which ends at `end`. */
FL_FUNC void mod_push_result(lua_State *L, struct mod_state *m, struct encode_state *c, const char *end) {
  size_t n = (size_t)(end - c->out.buffer.begin);
  if (FL_UNLIKELY(c != &m->encode->walk)) { /* a nested call: the holder owns the buffer */
    lua_pushlstring(L, c->out.buffer.begin, n);
    mod_free_encode_state(c);
  } else if (FL_LIKELY(n <= MOD_SMALL)) {
    mod_push_short(L, c->out.buffer.begin, n);
  } else {
    mod_push_long_(L, m, n);
  }
}
