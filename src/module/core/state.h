/* SPDX-License-Identifier: MIT
** state.h -- what Fleece keeps per Lua state: the proven walk, its memory, the metatables it knows.
** May call: base, text, binary, layout, convert, lua_*.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. */
#ifndef FLEECE_MODULE_CORE_STATE_H
#define FLEECE_MODULE_CORE_STATE_H

#include "../../convert/json_to_binary/json_to_binary.h"
#include "../../convert/json_to_lua/instances.h"
#include "../../convert/lua_to_binary/instances.h"
#include "../../convert/lua_to_json/api/parts.h"
#include "../../convert/lua_to_json/raw/instances.h"
#include "../../layout/probe.h"
#include "pin.h"

/* Upvalues of every function of the module. */
enum {
  MOD_STATE = 1,
  MOD_CODEC,
  MOD_ANCHORS, /* a table: the metatables of marks, and what decoding remembers */
  MOD_PUSH,
  MOD_ORDER,
  MOD_ON_ERROR,
  MOD_VALUES,       /* of decoding: see module/json/decode_options.h */
  MOD_EMPTY_OBJECT, /* the mark that a decoded empty object gets */
  MOD_DOCUMENT,     /* the metatable of documents that hold a string, once there was one */
  MOD_UPVALUES = MOD_DOCUMENT
};

/* Places of the known metatables. Two are of libraries that the program has loaded (foreign_marks.h); from
** MOD_MARK_DROPIN on each stand-in has its own (dropin/shared/marks.h). */
enum { MOD_MARK_ARRAY, MOD_MARK_OBJECT, MOD_MARK_FOREIGN, MOD_MARK_DROPIN = MOD_MARK_FOREIGN + 2 };

/* The items of the table of anchors: a mark's metatable at its number + 1, behind them the shapes and a holder. It
** has that size from the start. The registry's own items would not do: when memory ends while a Lua before 5.4 or
** LuaJIT makes a table larger, an item that was in the hash part is lost. */
enum { MOD_ANCHOR_SHAPES = KNOWN_METATABLES + 1, MOD_ANCHOR_HOLDER };

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
FL_STATIC_ASSERT(MOD_KEEP >= 0 && MOD_KEEP <= MOD_KEEP_LARGE, kept_memory_is_ordered);

/* Where a result begins in its block: where it is copied, away from its copy's place; where Lua may adopt the block
** itself (results.h), in front. */
enum { MOD_FRONT = LUA_VERSION_NUM >= 505 ? 0 : BUF_FRONT };

/* Maps of files that the state has at least before it looks which of them are garbage. A process of Linux has 65530
** if nobody has raised that (vm.max_map_count), for its memory too. */
enum { MOD_MAPS = 1000 };

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
  struct api_calls calls;
  const luaL_Reg *const *functions; /* lists of the module's, for arguments.h; NULL: it was not opened */
  int large, idle;                  /* results above MOD_KEEP in a row, and results below since */
  size_t hint;                      /* what a result beyond MOD_KEEP needed last: the next buffer's first size */
  unsigned cpu;                     /* text_cpu() */
  encode_raw raw;                   /* NULL: the public API only, for both */
  pack_raw pack;
  struct bin_encoder binary[2];     /* one for each mode; no Lua code runs while one is in use */
  struct pack_keys *packed_keys[2]; /* for these; NULL: nothing was packed yet */
  struct probe_verdict verdict;
  enum encode_boxes boxes;
  struct known_metatables marks;
  struct api_sentinels sentinels;
  const void *raw_metatable, *holder_metatable;
  const struct json_to_lua_decoder *decoder; /* NULL: the public API only */
  text_utf8_fn utf8;
  struct shapes *shapes;  /* what decoding remembers; NULL: nothing yet */
  int shapes_full;        /* calls that found it full */
  size_t maps, maps_most; /* of files, in documents that are not closed yet; how many may be before it is collected */
};

/* Addresses serve as registry keys; the arrays are never written. */
FL_IDENTITY mod_state_key = 0, mod_anchor_key = 0, mod_holder_key = 0, mod_raw_key = 0;

/* Owns the memory of a walk that runs Lua code, which may raise. */
struct mod_holder {
  struct encode_state walk;
  struct mod_state *state;
};

/* May a block of `capacity` bytes stay after a result of `used` bytes? A large one if results are large time
** and again, until MOD_KEEP_IDLE of them were not: fresh memory costs page faults, a tenth of a large result. */
FL_NOINLINE int mod_should_keep_block(struct mod_state *m, size_t capacity, size_t used) {
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

FL_INLINE void mod_free_encode_state(struct encode_state *c) {
  encode_trim(c, 0);
  buf_free(&c->out.buffer);
}

FL_FUNC void mod_free_keys(struct mod_state *m) {
  const struct buffer *b = &m->walk.out.buffer;
  int mode;
  for (mode = 0; mode < 2; mode++) {
    if (m->packed_keys[mode]) b->alloc(b->alloc_ud, m->packed_keys[mode], sizeof **m->packed_keys, 0);
    m->packed_keys[mode] = NULL;
  }
}

/* Frees the blocks of heap.h, unless they are in use: then who uses them does. */
FL_FUNC void mod_free_heap(struct mod_state *m) {
  const struct buffer *b = &m->walk.out.buffer;
  while (m->heap && m->heap_users == 0) {
    union heap_block *first = m->heap;
    m->heap = first->is.next;
    b->alloc(b->alloc_ud, first, sizeof *first + first->is.size, 0);
  }
}

FL_INLINE void mod_use_heap(struct mod_state *m) { m->heap_users++; }
FL_INLINE void mod_leave_heap(struct mod_state *m) {
  m->heap_users--;
  if (FL_UNLIKELY(m->finalized)) mod_free_heap(m);
}

FL_FUNC int mod_state_gc(lua_State *L) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, 1);
  mod_free_encode_state(&m->walk);
  mod_free_keys(m);
  bin_encoder_free(&m->binary[0]);
  bin_encoder_free(&m->binary[1]);
  m->finalized = 1;
  mod_free_heap(m);
  return 0;
}

/* At the end of all a holder's finalizer runs before the state's: it is not used after that. */
FL_FUNC int mod_holder_gc(lua_State *L) {
  struct mod_holder *h = (struct mod_holder *)lua_touserdata(L, 1);
  mod_free_encode_state(&h->walk);
  if (h->state->holder == h) h->state->holder = NULL;
  return 0;
}

FL_FUNC void mod_init_encode_state(lua_State *L, struct encode_state *c, const struct mod_state *m) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  encode_init(c, alloc, ud, m->cpu);
  c->out.buffer.front = MOD_FRONT;
  c->marks = &m->marks;
  c->null_word = m->verdict.null_word;
  c->boxes = m->boxes;
}

/* Has the walk met a boxed integer, and not known whether it may read it? Now it does. */
FL_FUNC int mod_learn_boxes(lua_State *L, struct mod_state *m, struct encode_state *c) {
  if (c->boxes != ENCODE_BOXES_MET) return 0;
  if (m->boxes == ENCODE_BOXES_UNKNOWN)
    m->boxes = probe_boxes(L, m->verdict.facts, PROBE_BOXES_ROOM) ? ENCODE_BOXES_PROVEN : ENCODE_BOXES_OTHER;
  c->boxes = m->walk.boxes = m->boxes;
  return 1;
}

/* Pushes a holder with an empty walk. */
FL_FUNC struct mod_holder *mod_push_holder(lua_State *L, struct mod_state *m) {
  struct mod_holder *h = (struct mod_holder *)lua_newuserdata(L, sizeof *h);
  mod_init_encode_state(L, &h->walk, m);
  h->state = m;
  compat_registry_get(L, &mod_holder_key);
  lua_setmetatable(L, -2);
  return h;
}

/* The walk of a call: the state's, or after its finalizer one of the call's own, whose holder is pushed. */
FL_INLINE struct encode_state *mod_encode_state_for_call(lua_State *L, struct mod_state *m) {
  return FL_UNLIKELY(m->finalized) ? &mod_push_holder(L, m)->walk : &m->walk;
}

/* Pushes a holder for the state's walk before it runs Lua code: the one at hand, or if an outer walk has that a new
** one. Should Lua itself raise, that one stays marked as used, and the next walk makes a new one in its place. */
FL_FUNC struct mod_holder *mod_take_holder(lua_State *L, struct mod_state *m) {
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

/* The walk in a holder ran to its end: the state has it again, instead of what nested calls have left. */
FL_FUNC void mod_return_walk(struct mod_state *m, struct mod_holder *h) {
  mod_free_encode_state(&m->walk);
  encode_move(&m->walk, &h->walk);
  if (m->holder == h) m->holder_used = 0;
}

/* Pushes a new metatable { __jsontype = type } and makes it the mark at `place`. */
FL_FUNC void mod_new_mark(lua_State *L, struct mod_state *m, int anchors, int place, const char *type,
                          enum table_class mark) {
  lua_newtable(L);
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__jsontype");
  m->marks.metatable[place] = (const char *)lua_topointer(L, -1);
  m->marks.mark[place] = mark;
  lua_rawseti(L, anchors, place + 1);
}

/* Raises an error in a Lua that this object was not built for. */
FL_FUNC void mod_check_host(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  luaL_checkversion(L);
#endif
  if (!probe_numbers(L)) luaL_error(L, "fleece was built for another number type than this Lua has");
}

/* Is this LuaJIT? Its library says so; a host that does not open that one has no answer. */
FL_FUNC int mod_is_luajit(lua_State *L) {
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

/* Pushes this Lua state's mod_state, made at the first call. */
FL_FUNC struct mod_state *mod_push_state(lua_State *L) {
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
  for (i = 0; i < 2; i++) {
    bin_encoder_init(&m->binary[i], m->walk.out.buffer.alloc, m->walk.out.buffer.alloc_ud, i);
    m->binary[i].out.front = MOD_FRONT; /* it borrows the walk's buffer */
  }
  lua_newtable(L);
  lua_pushcfunction(L, mod_state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_newtable(L);
  lua_pushcfunction(L, mod_holder_gc);
  lua_setfield(L, -2, "__gc");
  compat_registry_set(L, &mod_holder_key);
  lua_createtable(L, MOD_ANCHOR_HOLDER, 0);
  mod_new_mark(L, m, lua_gettop(L), MOD_MARK_ARRAY, "array", ENCODE_ARRAY);
  mod_new_mark(L, m, lua_gettop(L), MOD_MARK_OBJECT, "object", ENCODE_OBJECT);
  compat_registry_set(L, &mod_anchor_key);
  m->verdict = probe_layout(L);
  m->walk.null_word = m->verdict.null_word;
  m->decoder = m->verdict.write_failed ? NULL : json_to_lua_decoder_of(m->verdict.facts);
  m->utf8 = text_utf8_pick(m->cpu);
  m->raw = m->verdict.facts ? encode_of_layout(m->verdict.facts) : NULL;
  m->pack = m->verdict.facts ? pack_of_layout(m->verdict.facts) : NULL;
  lua_pushvalue(L, -1);
  compat_registry_set(L, &mod_state_key);
  return m;
}

#endif
