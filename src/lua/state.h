/* SPDX-License-Identifier: MIT
** state.h -- what Fleece keeps per Lua state, which module/library.c creates; userdata with an environment, and their
** classes; an allocator for memory that objects hold outside Lua's heap: encoders, trees of changes, writers.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. No memory is left
** when the Lua state is closed. While a state is being closed, Lua (except LuaJIT) calls no finalizer of objects
** that another finalizer creates. Therefore the allocator's blocks are in a list, and the finalizer of the module's
** state frees them all. Objects created before that are dead afterwards; each use checks this (heap_is_dead).
** Objects created after it get their memory from Lua, as userdata in a table in the registry. Allocating those runs
** no Lua code, because no collection runs in the finalizers of a state that is being closed. */
#pragma once

#include "../base/def.h"
#include "../base/buffer.h"
#include "../layout/probe.h"
#include "../text/utf8.h"
#include "../layout/lua_compat/api.h"

/* Upvalues of every function of the module. */
enum {
  MOD_STATE = 1,
  MOD_CODEC,
  MOD_ANCHORS, /* a table: the metatables of marks, and what decoding remembers */
  MOD_PUSH,
  MOD_ORDER,
  MOD_ON_ERROR,
  MOD_NULL,         /* of encoding: see struct encode_policy */
  MOD_VALUES,       /* of decoding: see decode/face/decode.h */
  MOD_EMPTY_OBJECT, /* the mark of a decoded empty object */
  MOD_DOCUMENT,     /* the metatable of documents that hold a string, once one was created */
  MOD_UPVALUES = MOD_DOCUMENT
};

/* Precedes each block of heap_alloc. Must not have the alignment of long double: LuaJIT's allocator returns multiples
** of 8, and compilers would use instructions that require 16. */
union heap_block {
  struct {
    union heap_block *next, **link;
    size_t size;
  } is;
  double align;
};

/* Items of the table of anchors: the shapes, a holder, the book of orders, the metatables of exact numbers and of text
** views, the last key_order, the function `next`, and memory of queries of texts; after them the metatables of marks,
** each at its number. It has its final size from the start. The registry would not do: when Lua before 5.4 or LuaJIT
** runs out of memory while enlarging a table, it loses an item of the hash part. */
enum {
  MOD_ANCHOR_SHAPES = 1,
  MOD_ANCHOR_HOLDER,
  MOD_ANCHOR_BOOK,
  MOD_ANCHOR_EXACT,
  MOD_ANCHOR_TEXTS,
  MOD_ANCHOR_RANKS,
  MOD_ANCHOR_NEXT,
  MOD_ANCHOR_OUTLINE, /* two items */
  MOD_ANCHOR_MARKS = MOD_ANCHOR_OUTLINE + 2
};

struct encode_slice;
struct decode_slice;
struct document_slice;

struct mod_state {
  fl_alloc alloc; /* Lua's allocator */
  void *alloc_ud;
  int finalized;                    /* its finalizer has run, before others that may still call: keep nothing */
  union heap_block *heap;           /* blocks of heap_alloc; */
  int heap_users;                   /* calls that use some of them while finalizers may run */
  const luaL_Reg *const *functions; /* the module's lists of functions, for arguments.h; NULL if it was not opened */
  unsigned cpu;                     /* text_cpu() */
  text_utf8_fn utf8;
  struct probe_verdict verdict;
  /* What rooms keep, in the same block of memory. */
  struct encode_slice *encode;     /* encode/face/state.h */
  struct decode_slice *decode;     /* decode/face/decode.h */
  struct document_slice *document; /* document/state.h */
};

/* Keeps this shared object in the process once it is loaded. */
FL_PRIVATE void mod_pin(void);

/* Addresses serve as registry keys. */
FL_IDENTITY mod_state_key = 0, mod_anchor_key = 0;

/* Frees the blocks of heap_alloc, unless they are in use: then their user frees them. */
FL_PRIVATE void mod_free_heap(struct mod_state *m);

FL_INLINE void mod_use_heap(struct mod_state *m) { m->heap_users++; }

FL_INLINE void mod_leave_heap(struct mod_state *m) {
  m->heap_users--;
  if (FL_UNLIKELY(m->finalized)) mod_free_heap(m);
}

#if LUA_VERSION_NUM >= 504
#define mod_new_userdata(L, bytes) lua_newuserdatauv(L, bytes, 1)
#define mod_push_env(L, index) lua_getiuservalue(L, index, 1)
#define mod_set_env(L, index) lua_setiuservalue(L, index, 1)
#elif LUA_VERSION_NUM >= 502
#define mod_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define mod_push_env(L, index) lua_getuservalue(L, index)
#define mod_set_env(L, index) lua_setuservalue(L, index)
#else
#define mod_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define mod_push_env(L, index) lua_getfenv(L, index)
#define mod_set_env(L, index) lua_setfenv(L, index)
#endif

/* A key of the registry; also in the metatables of documents and their parts, to show that they belong to this copy of
** the object. */
FL_IDENTITY view_key = 0;

/* Returns the userdata at the index if it begins with `magic`, else NULL. (A light userdata has length 0.) */
FL_INLINE void *mod_test_userdata(lua_State *L, int index, const char *magic, size_t least) {
  void *p = lua_touserdata(L, index);
  return p && lua_rawlen(L, index) >= least && *(const char *const *)p == magic ? p : NULL;
}

/* Pushes a metatable for an object with upvalues of its own: the top `own` values, which are popped. Its methods have
** the upvalues of the running function, with the values of options at the index `values`, then these; the first is
** __call. `safe`: see mod_push_class. */
FL_PRIVATE void mod_push_callable(lua_State *L, const char *name, const luaL_Reg *methods, int values, int own,
                                  int safe);

/* Pushes the metatable under `key[safe]` of the registry, which the first call creates with methods, a name, and a
** finalizer unless `gc` is NULL. `safe`: for objects of fleece.safe, whose methods are guarded. */
FL_PRIVATE void mod_push_class(lua_State *L, const char *key, int safe, const char *name, const luaL_Reg *methods,
                               lua_CFunction gc);

/* An object that uses the allocator. */
struct heap_user {
  struct mod_state *state;
  lua_State *thread; /* the running thread */
  int late;          /* the object was created after the module's state was finalized */
};

/* The allocator; `ud` is a heap_user. */
FL_PRIVATE void *heap_alloc(void *ud, void *block, size_t old_size, size_t n);

/* Prepares an object for the allocator: `u` is part of the object, and the `ud` of heap_alloc. */
FL_INLINE void heap_begin(lua_State *L, struct heap_user *u, struct mod_state *m) {
  u->state = m;
  u->thread = L;
  u->late = m->finalized;
}

/* Returns whether the object has lost its memory, because the state was finalized after it was created. Each use of the
** object asks first, with the running Lua thread. */
FL_INLINE int heap_is_dead(lua_State *L, struct heap_user *u) {
  u->thread = L;
  return FL_UNLIKELY(u->state->finalized) && !u->late;
}

/* Returns the module's state, for functions without upvalues. */
FL_PRIVATE struct mod_state *mod_state_of(lua_State *L);
