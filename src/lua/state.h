/* SPDX-License-Identifier: MIT
** state.h -- what Fleece keeps per Lua state: the proven walk, its memory, the metatables it knows.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. */
#pragma once

#include "../document/from_json/json_to_binary.h"
#include "../decode/instances.h"
#include "../encode/order.h"
#include "../document/from_lua/instances.h"
#include "../encode/api/parts.h"
#include "../encode/raw/instances.h"
#include "../layout/probe.h"
#include "pin.h"

/* Upvalues of every function of the module. */
enum {
  MOD_STATE = 1,
  MOD_CODEC,
  MOD_ANCHORS, /* a table: the metatables of marks, and what decoding remembers */
  MOD_PUSH,
  MOD_ORDER,
  MOD_ON_ERROR,
  MOD_VALUES,       /* of decoding: see decode/face/decode_options.h */
  MOD_EMPTY_OBJECT, /* the mark that a decoded empty object gets */
  MOD_DOCUMENT,     /* the metatable of documents that hold a string, once there was one */
  MOD_UPVALUES = MOD_DOCUMENT
};

/* Places of the known metatables. Two are of libraries that the program has loaded (foreign_marks.h); from
** MOD_MARK_DROPIN on each stand-in has its own (dropin/shared/marks.h). */
enum { MOD_MARK_ARRAY, MOD_MARK_OBJECT, MOD_MARK_FOREIGN, MOD_MARK_DROPIN = MOD_MARK_FOREIGN + 2 };

/* The items of the table of anchors: a mark's metatable at its number + 1, after them the shapes, a holder, the book of
** orders, the metatable of exact numbers and that of views of texts. It has that size from the start. The registry's
** own items would not do: when memory ends while a Lua before 5.4 or LuaJIT makes a table larger, an item that was in
** the hash part is lost. */
enum {
  MOD_ANCHOR_SHAPES = KNOWN_METATABLES + 1,
  MOD_ANCHOR_HOLDER,
  MOD_ANCHOR_BOOK,
  MOD_ANCHOR_EXACT,
  MOD_ANCHOR_TEXTS,
  MOD_ANCHOR_LAST = MOD_ANCHOR_TEXTS
};

enum { MOD_SHAPES_PATIENCE = 32 }; /* calls that go on with full shapes */

/* Output memory that stays between two calls, in bytes: always; and after results in a row that needed more. A build
** may set both, as the sizes in base/buffer.h. */
#ifndef FLEECE_BUFFER_KEEP
#define FLEECE_BUFFER_KEEP (BUF_FIRST > 960 * 1024 ? BUF_FIRST : 960 * 1024)
#endif
#ifndef FLEECE_BUFFER_KEEP_LARGE
#define FLEECE_BUFFER_KEEP_LARGE (FLEECE_BUFFER_KEEP > 4 * 1024 * 1024 ? FLEECE_BUFFER_KEEP : 4 * 1024 * 1024)
#endif
enum { MOD_KEEP = FLEECE_BUFFER_KEEP, MOD_KEEP_LARGE = FLEECE_BUFFER_KEEP_LARGE, MOD_KEEP_IDLE = 16 };

/* Where a result begins in its block: where it is copied, away from its copy's place; where Lua may adopt the block
** itself (results.h), in front. */
enum { MOD_FRONT = LUA_VERSION_NUM >= 505 ? 0 : BUF_FRONT };

/* Maps of files that the state has at least before it looks which of them are garbage. A process of Linux has 65530
** if nobody has raised that (vm.max_map_count), for its memory too. */
enum { MOD_MAPS = 1000 };

enum { MOD_WRITE_TRIES = 4 }; /* of the proof of writing, while there is no memory for it */

enum { MOD_ROOM_TRIES = 16 }; /* other allocators may never lay blocks side by side */

struct mod_holder;

/* In front of each block of heap.h. Its alignment may not be that of long double: LuaJIT's allocator gives multiples of
** 8, and compilers would use instructions that want 16. */
union heap_block {
  struct {
    union heap_block *next, **link;
    size_t size;
  } is;
  double align;
};

struct mod_state {
  struct encode_state walk;  /* the memory of all walks; that of one that runs Lua code is in a holder meanwhile */
  struct mod_holder *holder; /* the one at MOD_ANCHOR_HOLDER, or NULL */
  int holder_used;           /* it has memory of a walk, or of one that Lua's own error has ended */
  int room_tries;            /* of luajit_reserve_heap; 0: no LuaJIT, or it was in vain so often in a row */
  int finalized;             /* its finalizer has run, before those of others, which may still call: nothing is kept */
  union heap_block *heap;    /* of heap.h; */
  int heap_users;            /* calls that use some of it while they may run finalizers */
  struct api_shared shared;  /* of all public-API walks */
  const luaL_Reg *const *functions; /* lists of the module's, for arguments.h; NULL: it was not opened */
  int large, idle;                  /* results above MOD_KEEP in a row, and results below since */
  size_t hint;                      /* what a result beyond MOD_KEEP needed last: the next buffer's first size */
  unsigned cpu;                     /* text_cpu() */
  encode_raw raw;                   /* NULL: the public API only, for both */
  pack_raw pack, pack_fast;
  struct bin_encoder binary[BIN_MODES];    /* one for each mode; no Lua code runs while one is in use */
  struct pack_keys *packed_keys[BIN_FAST]; /* for these; NULL: nothing was packed yet */
  struct pack_shapes *packed_shapes;       /* for the fast mode, in place of these; NULL: as above */
  struct probe_verdict verdict;
  enum encode_boxes boxes;
  struct known_metatables marks;
  const struct json_to_lua_decoder *decoder; /* NULL: the public API only, or not looked for yet: mod_find_decoder_ */
  int write_tries;                           /* how often it may be looked for */
  text_utf8_fn utf8;
  struct order_state order; /* of members; its slots are 0 until something was decoded with order = true */
  struct shapes *shapes;    /* what decoding remembers; NULL: nothing yet */
  int shapes_full;          /* calls that found it full */
  int views_texts;          /* the metatable at MOD_ANCHOR_TEXTS is there */
  size_t maps, maps_most;   /* of files, in documents that are not closed yet; how many may be before it is collected */
};

/* Addresses serve as registry keys; the arrays are never written. */
FL_IDENTITY mod_state_key = 0, mod_anchor_key = 0, mod_holder_key = 0, mod_raw_key = 0;

/* One table that the raw encoder writes. */
struct mod_pieces {
  struct mod_holder *holder;
  struct api_walk *a;
  struct encode_state *raw;
  struct mod_sink *sink;
  int table;    /* stack index of the table that is written */
  size_t outer; /* levels around it */
  int passed;   /* some of its text was passed to the sink; */
  char last;    /* the last byte before the pause: a comma or a bracket */
};

/* Owns the memory of a walk that runs Lua code, which may raise. */
struct mod_holder {
  struct encode_state walk; /* must come first: mod_holder_of */
  struct bin_encoder encoder;
  struct api_walk api;        /* not on the C stack, of which each hook that encodes takes some more */
  struct encode_state pieces; /* of the raw walks that write to a function: encode/face/pieces.h */
  struct json_style pieces_style;
  struct mod_pieces pieces_now;
  struct mod_state *state;
};

/* May a block of `capacity` bytes stay after a result of `used` bytes? A large one if results are large time
** and again, until MOD_KEEP_IDLE of them were not: fresh memory costs page faults, a tenth of a large result. */
FL_PRIVATE_NOINLINE int mod_should_keep_block(struct mod_state *m, size_t capacity, size_t used);

FL_INLINE void mod_free_encode_state(struct encode_state *c) {
  encode_trim(c, 0);
  buf_free(&c->out.buffer);
}

FL_PRIVATE void mod_free_keys(struct mod_state *m);

/* Frees the blocks of heap.h, unless they are in use: then who uses them does. */
FL_PRIVATE void mod_free_heap(struct mod_state *m);

FL_INLINE void mod_use_heap(struct mod_state *m) { m->heap_users++; }

FL_INLINE void mod_leave_heap(struct mod_state *m) {
  m->heap_users--;
  if (FL_UNLIKELY(m->finalized)) mod_free_heap(m);
}

FL_PRIVATE void mod_init_encode_state(lua_State *L, struct encode_state *c, const struct mod_state *m);

/* Has the walk met a boxed integer, and not known whether it may read it? Now it does. */
FL_PRIVATE int mod_learn_boxes(lua_State *L, struct mod_state *m, struct encode_state *c);

/* An encoder that borrows the buffer of a walk. */
FL_PRIVATE void mod_init_encoder(struct bin_encoder *e, const struct encode_state *c, enum bin_mode mode);

/* Proves writing when the first decode needs it: a state that only encodes is made in two thirds of the time. Returns
** the state's decoder. */
FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m);

/* The holder of a public-API walk. */
FL_INLINE struct mod_holder *mod_holder_of(struct encode_state *c) { return (struct mod_holder *)(void *)c; }

/* Pushes a holder with an empty walk. */
FL_PRIVATE struct mod_holder *mod_push_holder(lua_State *L, struct mod_state *m);

/* The walk of a call: the state's, or after its finalizer one of the call's own, whose holder is pushed. */
FL_INLINE struct encode_state *mod_encode_state_for_call(lua_State *L, struct mod_state *m) {
  return FL_UNLIKELY(m->finalized) ? &mod_push_holder(L, m)->walk : &m->walk;
}

/* Pushes a holder for the state's walk before it runs Lua code: the one at hand, or if an outer walk has that a new
** one. Should Lua itself raise, that one stays marked as used, and the next walk makes a new one in its place. */
FL_PRIVATE struct mod_holder *mod_take_holder(lua_State *L, struct mod_state *m);

/* The walk in a holder ran to its end: the state has it again, instead of what nested calls have left. */
FL_PRIVATE void mod_return_walk(struct mod_state *m, struct mod_holder *h);

/* Raises an error in a Lua that this object was not built for. */
FL_PRIVATE void mod_check_host(lua_State *L);

/* Pushes this Lua state's mod_state, made at the first call. */
FL_PRIVATE struct mod_state *mod_push_state(lua_State *L);
