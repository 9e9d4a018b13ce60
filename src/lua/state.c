/* SPDX-License-Identifier: MIT */
#include "state.h"
#include "guard.h"

/* When Lua 5.1 and LuaJIT close a state, they unload shared objects before the finalizers of values that are older than
** the `require`. Such a finalizer that calls this module would jump to unmapped memory. Later versions unload last.
** Keeping the object until the process ends costs nothing. */
#if FLEECE_LUA_VERSION == 501 && defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#include <dlfcn.h>
/* glibc declares dladdr only if _GNU_SOURCE is defined before its first header. */
#if defined(__APPLE__) || (defined(__GLIBC__) ? defined(__USE_GNU) : defined(_GNU_SOURCE))
#define MOD_PINS 1
#ifdef __ELF__ /* a static host may lack them */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlclose
#endif
#endif
#endif

FL_PRIVATE void mod_pin(void) {
#ifdef MOD_PINS
  static const char here = 0;
  Dl_info object;
  void *handle;
#ifdef __ELF__
  if (!dladdr || !dlopen || !dlclose) return;
#endif
  if (!dladdr(&here, &object) || !object.dli_fname) return;
  handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle) dlclose(handle);
#endif
}

FL_PRIVATE void mod_free_heap(struct mod_state *m) {
  while (m->heap && m->heap_users == 0) {
    union heap_block *first = m->heap;
    m->heap = first->is.next;
    m->alloc(m->alloc_ud, first, sizeof *first + first->is.size, 0);
  }
}

FL_PRIVATE void mod_push_class(lua_State *L, const char *key, int safe, const char *name, const luaL_Reg *methods,
                               lua_CFunction gc) {
  compat_registry_get(L, key + safe);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 3);
  lua_newtable(L);
  for (; methods->name; methods++) {
    lua_pushcfunction(L, methods->func);
    if (safe) {
      lua_pushnil(L);
      mod_guard_function(L);
    }
    lua_setfield(L, -2, methods->name);
  }
  lua_setfield(L, -2, "__index");
  if (gc) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -1);
  compat_registry_set(L, key + safe);
}

FL_PRIVATE void mod_push_callable(lua_State *L, const char *name, const luaL_Reg *methods, int values, int own,
                                  int safe) {
  const int first = lua_gettop(L) - own + 1, metatable = first + own, index = metatable + 1;
  lua_createtable(L, 0, 4);
  lua_createtable(L, 0, 4);
  for (const luaL_Reg *f = methods; f->name; f++) {
    for (int i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, i == MOD_VALUES ? values : lua_upvalueindex(i));
    for (int i = 0; i < own; i++) lua_pushvalue(L, first + i);
    lua_pushcclosure(L, f->func, MOD_UPVALUES + own);
    if (safe) lua_pushnil(L), mod_guard_function(L);
    lua_setfield(L, f == methods ? metatable : index, f == methods ? "__call" : f->name);
  }
  lua_setfield(L, metatable, "__index");
  lua_pushstring(L, name);
  lua_setfield(L, metatable, "__name");
  lua_replace(L, first);
  lua_settop(L, first);
}

FL_IDENTITY heap_key = 0;

/* The argument of heap_take. */
struct heap_request {
  void *block; /* to be released, or NULL */
  size_t n;    /* bytes to allocate, or 0 */
  void *made;
};

/* Releases one userdata and allocates another, which lives until it is released. Runs protected. */
static int heap_take(lua_State *L) {
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

static int heap_call(lua_State *L, struct heap_request *r) {
  int fine;
  r->made = NULL;
  if (!lua_checkstack(L, 8)) return 0;
#if LUA_VERSION_NUM < 502
  lua_gc(L, LUA_GCSTOP, 0); /* until this finalizer ends, when Lua sets its threshold again */
#endif
  lua_pushcfunction(L, heap_take);
  lua_pushlightuserdata(L, r);
  fine = lua_pcall(L, 1, 0, 0) == 0;
  if (!fine) lua_pop(L, 1);
  return fine;
}

/* heap_alloc for a state that was finalized. */
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
    (void)heap_call(u->thread, &r); /* if that fails, the block is freed when the state is closed */
  }
  return made;
}

FL_PRIVATE void *heap_alloc(void *ud, void *block, size_t old_size, size_t n) {
  const struct heap_user *u = (const struct heap_user *)ud;
  struct mod_state *m = u->state;
  union heap_block *old = block ? (union heap_block *)block - 1 : NULL, *made;
  if (FL_UNLIKELY(m->finalized)) return heap_late_(u, block, old_size, n);
  if (n == 0) {
    if (!old) return NULL;
    *old->is.link = old->is.next;
    if (old->is.next) old->is.next->is.link = old->is.link;
    m->alloc(m->alloc_ud, old, sizeof *old + old_size, 0);
    return NULL;
  }
  if (n > SIZE_MAX - sizeof *old) return NULL;
  made = (union heap_block *)m->alloc(m->alloc_ud, old, old ? sizeof *old + old_size : 0, sizeof *old + n);
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

FL_PRIVATE struct mod_state *mod_state_of(lua_State *L) {
  compat_registry_get(L, &mod_state_key);
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  return m;
}
