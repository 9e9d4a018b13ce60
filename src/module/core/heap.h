/* SPDX-License-Identifier: MIT
** heap.h -- an allocator for what objects hold outside of Lua: encoders, trees of changes, writers.
** May call: lua_*, the host's allocator, module/core/state.h, layout.
** Must hold: nothing is left when the Lua state is closed. Lua calls no finalizer of an object that another finalizer
** makes meanwhile (but for LuaJIT). So the blocks are in a list, which the finalizer of the module's state frees; what
** was made before is dead then, and every use looks (heap_is_dead). Finalizers that come later get memory that is
** Lua's own: userdata, which a table in the registry holds. No collection runs in a finalizer of a state that is being
** closed, so that taking them runs no Lua. */
#ifndef FLEECE_MODULE_CORE_HEAP_H
#define FLEECE_MODULE_CORE_HEAP_H

#include "state.h"

static const char heap_key = 0;

/* Who uses the allocator: an object. */
struct heap_user {
  struct mod_state *state;
  lua_State *thread; /* that runs */
  int late;          /* made after the state was over */
};

/* What heap_take needs. */
struct heap_request {
  void *block; /* to be given back, or NULL */
  size_t n;    /* to be made, or 0 */
  void *made;
};

/* Makes a userdata that lives until it is given back, and gives one back; runs protected. */
FL_FUNC int heap_take(lua_State *L) {
  struct heap_request *r = (struct heap_request *)lua_touserdata(L, 1);
  compat_registry_get(L, &heap_key);
  if (lua_isnil(L, -1)) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    compat_registry_set(L, &heap_key);
    lua_replace(L, -2);
  }
  if (r->block) {
    lua_pushlightuserdata(L, r->block);
    lua_pushnil(L);
    lua_rawset(L, -3);
  }
  if (r->n) {
    void *made = lua_newuserdata(L, r->n);
    lua_pushlightuserdata(L, made);
    lua_insert(L, -2);
    lua_rawset(L, -3);
    r->made = made;
  }
  return 0;
}

FL_FUNC int heap_call(lua_State *L, struct heap_request *r) {
  int fine;
  r->made = NULL;
  if (!lua_checkstack(L, 8)) return 0;
#if LUA_VERSION_NUM < 502
  lua_gc(L, LUA_GCSTOP, 0); /* until this finalizer ends: then Lua sets its threshold again */
#endif
  lua_pushcfunction(L, heap_take);
  lua_pushlightuserdata(L, r);
  fine = lua_pcall(L, 1, 0, 0) == 0;
  if (!fine) lua_pop(L, 1);
  return fine;
}

/* An fl_alloc where the state is over. */
FL_NOINLINE void *heap_late_(const struct heap_user *u, void *block, size_t old_size, size_t n) {
  struct heap_request r;
  void *made = NULL;
  r.block = NULL;
  r.n = n;
  if (n) {
    if (!heap_call(u->thread, &r)) return NULL;
    made = r.made;
    if (block) memcpy(made, block, old_size < n ? old_size : n);
  }
  if (block) {
    r.block = block;
    r.n = 0;
    (void)heap_call(u->thread, &r); /* where that fails, the end of the state frees it */
  }
  return made;
}

/* The allocator; `ud` is a heap_user. */
FL_FUNC void *heap_alloc(void *ud, void *block, size_t old_size, size_t n) {
  const struct heap_user *u = (const struct heap_user *)ud;
  struct mod_state *m = u->state;
  const struct buffer *raw = &m->walk.out.buffer;
  union heap_block *old = block ? (union heap_block *)block - 1 : NULL, *made;
  if (FL_UNLIKELY(m->finalized)) return heap_late_(u, block, old_size, n);
  if (n == 0) {
    if (!old) return NULL;
    *old->is.link = old->is.next;
    if (old->is.next) old->is.next->is.link = old->is.link;
    raw->alloc(raw->alloc_ud, old, sizeof *old + old_size, 0);
    return NULL;
  }
  if (n > SIZE_MAX - sizeof *old) return NULL;
  made = (union heap_block *)raw->alloc(raw->alloc_ud, old, old ? sizeof *old + old_size : 0, sizeof *old + n);
  if (!made) return NULL;
  made->is.size = n;
  if (!old) {
    made->is.next = m->heap;
    made->is.link = &m->heap;
  }
  *made->is.link = made;
  if (made->is.next) made->is.next->is.link = &made->is.next;
  return made + 1;
}

/* Begins the use of the allocator by an object: `u` is a part of it, and the `ud` of the allocator. */
FL_INLINE void heap_begin(lua_State *L, struct heap_user *u, struct mod_state *m) {
  u->state = m;
  u->thread = L;
  u->late = m->finalized;
}

/* Is the object's memory gone, because it was made before the state was over? Each use asks first, in the Lua thread
** that it runs in. */
FL_INLINE int heap_is_dead(lua_State *L, struct heap_user *u) {
  u->thread = L;
  return FL_UNLIKELY(u->state->finalized) && !u->late;
}

/* The module's state, for functions that have no upvalues. */
FL_FUNC struct mod_state *mod_state_of(lua_State *L) {
  struct mod_state *m;
  compat_registry_get(L, &mod_state_key);
  m = (struct mod_state *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  return m;
}

#endif
