/* SPDX-License-Identifier: MIT
** heap.h -- an allocator for memory that objects hold outside of Lua's heap: encoders, trees of changes, writers.
** Must hold: no memory is left when the Lua state is closed. While a state is being closed, Lua (except LuaJIT) calls
** no finalizer of objects that another finalizer creates. Therefore the blocks are in a list, and the finalizer of
** the module's state frees them all. Objects created before that are dead afterwards; each use checks (heap_is_dead).
** Objects created after it get their memory from Lua, as userdata that a table in the registry holds. Allocating
** those runs no Lua code, because no collection runs in the finalizers of a state that is being closed. */
#pragma once

#include "state.h"

/* An object that uses the allocator. */
struct heap_user {
  struct mod_state *state;
  lua_State *thread; /* the running one */
  int late;          /* the object was created after the module's state was finalized */
};

/* The allocator; `ud` is a heap_user. */
FL_PRIVATE void *heap_alloc(void *ud, void *block, size_t old_size, size_t n);

/* Prepares an object for the allocator: `u` is a part of the object, and the `ud` of heap_alloc. */
FL_INLINE void heap_begin(lua_State *L, struct heap_user *u, struct mod_state *m) {
  u->state = m;
  u->thread = L;
  u->late = m->finalized;
}

/* Has the object lost its memory, because the state was finalized after it was created? Each use of the object asks
** first, with the running Lua thread. */
FL_INLINE int heap_is_dead(lua_State *L, struct heap_user *u) {
  u->thread = L;
  return FL_UNLIKELY(u->state->finalized) && !u->late;
}

/* The module's state, for functions without upvalues. */
FL_PRIVATE struct mod_state *mod_state_of(lua_State *L);
