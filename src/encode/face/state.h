/* SPDX-License-Identifier: MIT
** state.h -- what encode keeps per Lua state: memory of walks, the raw encoder of this layout, known metatables.
** Must hold: memory belongs to the state, or to a holder while Lua code may run. */
#pragma once

#include "../../lua/state.h"
#include "../../binary/encode/encode.h"
#include "../api/walk.h"
#include "../order.h"
#include "../raw/instances.h"

/* Indices of the known metatables. Two are of libraries that the program may load (foreign_marks.c); from
** MOD_MARK_DROPIN on each stand-in has its own (dropin/shared/lua.h). */
enum { MOD_MARK_ARRAY, MOD_MARK_OBJECT, MOD_MARK_FOREIGN, MOD_MARK_DROPIN = MOD_MARK_FOREIGN + 2 };

/* Output memory that stays between two calls, in bytes: always; and after results in a row that needed more. A build
** may set both, like the sizes in base/buffer.h. */
#ifndef FLEECE_BUFFER_KEEP
#define FLEECE_BUFFER_KEEP (BUF_FIRST > 960 * 1024 ? BUF_FIRST : 960 * 1024)
#endif
#ifndef FLEECE_BUFFER_KEEP_LARGE
#define FLEECE_BUFFER_KEEP_LARGE (FLEECE_BUFFER_KEEP > 4 * 1024 * 1024 ? FLEECE_BUFFER_KEEP : 4 * 1024 * 1024)
#endif
enum { MOD_KEEP = FLEECE_BUFFER_KEEP, MOD_KEEP_LARGE = FLEECE_BUFFER_KEEP_LARGE, MOD_KEEP_IDLE = 16 };

/* Where a result begins in its block: if it is copied, at an offset for fast copying; if Lua may adopt the block itself
** (encode.c), at the front. */
enum { MOD_FRONT = LUA_VERSION_NUM >= 505 ? 0 : BUF_FRONT };

enum { MOD_ROOM_TRIES = 16 }; /* other allocators may never place blocks side by side */

struct mod_holder;

/* Encode's slice of the state. */
struct encode_slice {
  struct encode_state walk;  /* the memory of all walks; that of a walk that runs Lua code is in a holder meanwhile */
  struct mod_holder *holder; /* the one at MOD_ANCHOR_HOLDER, or NULL */
  int holder_used;           /* it has memory of a running walk, or of one that Lua's own error has ended */
  int room_tries;            /* of luajit_reserve_heap; 0 without LuaJIT, or after that many failures in a row */
  struct api_shared shared;  /* of all public-API walks */
  int large, idle;           /* results above MOD_KEEP in a row, and results below it since */
  size_t hint;               /* what the last result beyond MOD_KEEP needed: the next buffer's first size */
  encode_raw raw;            /* both NULL: only the public API */
  enum encode_boxes boxes;
  struct known_metatables marks;
  struct order_state order; /* of members; its slots are 0 until something was decoded with order = true */
};

FL_IDENTITY mod_holder_key = 0, mod_raw_key = 0;

/* What face/mixed.c knows of a call. */
struct mod_mixed {
  const struct mod_sink *sink; /* NULL: the raw encoder writes to the text of the walk; else to a buffer of its own */
  size_t lost;                 /* bytes that raw walks wrote in vain */
  const void *hook;            /* the metatable at which the last one has paused */
};

/* Owns the memory of a walk that runs Lua code, which may raise. */
struct mod_holder {
  struct encode_state walk; /* first: see mod_holder_of */
  struct bin_encoder encoder;
  struct api_walk api;     /* not on the C stack, of which each hook that encodes takes some more */
  struct encode_state raw; /* of raw walks within the public-API walk: face/mixed.c */
  struct json_style raw_style;
  struct mod_mixed mixed;
  struct mod_state *state;
};

/* Returns whether to keep a block of `capacity` bytes after a result of `used` bytes. A large one is kept after two
** large results in a row, until MOD_KEEP_IDLE of them were not: fresh memory costs page faults, a tenth of a large
** result. */
FL_PRIVATE_NOINLINE int mod_should_keep_block(struct mod_state *m, size_t capacity, size_t used);

/* Keeps a detached block for the next call if mod_should_keep_block allows it; else stores only its size. */
FL_PRIVATE void mod_keep_buffer(struct mod_state *m, struct buffer *b, size_t used);

/* LuaJIT's allocator (lj_alloc.c) maps each block of 128 KB or more separately if no free block fits, and unmaps it
** when it is freed. So each long text gets fresh pages, which cost more than writing the text: 600 us of 720 for 1 MB.
** Smaller blocks stay with the allocator; adjacent ones merge when they are freed. The merged block holds the text, and
** after its collection the next one. Measured: twitter.json 365 to 131 us, a text of 1.5 MB 1100 to 280. The peak of
** the process is the same; what stays allocated is at most what waited for collection, as with malloc in the other
** Luas. With 2 MB or more free at its end the allocator returns memory, so nothing would be gained there. */
enum {
  MOD_MAPPED_FROM = 128 * 1024 - 64,
  MOD_MAPPED_TO = 1792 * 1024,
  LJ_MERGE_BLOCK = 120 * 1024, /* size of the smaller blocks; with its own data the allocator maps 128 KB for each */
  MOD_BESIDE_GAP = 16 * 1024,
  MOD_BESIDE_MOST = 256, /* limit for their number; the first ones may fill free places elsewhere */
  MOD_STRING_HEAD = 64,  /* more than a string needs besides its bytes */
  MOD_LEAST_PAGE = 4096
};

/* Tries to give LuaJIT's allocator a free block that is large enough for a string of n bytes. May fail without harm. */
FL_PRIVATE_NOINLINE void mod_make_room_(struct mod_state *m, size_t n);

FL_FUNC void luajit_reserve_heap(struct mod_state *m, size_t n) {
  if (m->encode->room_tries && n >= MOD_MAPPED_FROM && n <= MOD_MAPPED_TO) mod_make_room_(m, n);
}

FL_SHARED void mod_free_encode_state(struct encode_state *c) {
  encode_trim(c, 0);
  buf_free(&c->out.buffer);
}

FL_PRIVATE void mod_init_encode_state(lua_State *L, struct encode_state *c, const struct mod_state *m);

/* If the walk stopped at a boxed integer of unknown layout, tests that layout. Returns whether it did. */
FL_PRIVATE int mod_learn_boxes(lua_State *L, struct mod_state *m, struct encode_state *c);

/* Initializes an encoder that borrows the buffer of a walk. */
FL_PRIVATE void mod_init_encoder(struct bin_encoder *e, const struct encode_state *c, enum bin_mode mode);

FL_FUNC struct mod_holder *mod_holder_of(struct encode_state *c) { return (struct mod_holder *)(void *)c; }

/* Pushes a holder with an empty walk. */
FL_PRIVATE struct mod_holder *mod_push_holder(lua_State *L, struct mod_state *m);

/* Returns the walk of a call: the state's, or, after the state's finalizer, one in a holder that is pushed. */
FL_FUNC struct encode_state *mod_encode_state_for_call(lua_State *L, struct mod_state *m) {
  return FL_UNLIKELY(m->finalized) ? &mod_push_holder(L, m)->walk : &m->encode->walk;
}

/* Pushes a holder for the state's walk before it runs Lua code: the cached one, or a new one if an outer walk uses
** that. If Lua itself raises an error, it stays marked as used, and the next walk creates a new one in its place. */
FL_PRIVATE struct mod_holder *mod_take_holder(lua_State *L, struct mod_state *m);

/* Returns the walk in a holder, which ran to its end, to the state, in place of what nested calls have left. */
FL_PRIVATE void mod_return_walk(struct mod_state *m, struct mod_holder *h);

/* Initializes the slice of a new state, whose anchors are at the index. */
FL_PRIVATE void mod_open_encode(lua_State *L, struct mod_state *m, int anchors);

/* Finds the marks of the libraries loaded by now (foreign_marks.c). Returns whether a metatable is new. */
FL_PRIVATE int mod_refresh_marks(lua_State *L, void *owner);
