/* SPDX-License-Identifier: MIT
** view.h -- binary in Lua: documents, views of their values, and how a value is pushed.
** May call: lua_*, binary/check/errors.h, binary/read/read.h, layout/lua_compat/api.h, module/core/map.h.
** Must hold: a view's environment is its document's, which holds the bytes, and the document itself: what a view
** points to lives as long as the view. A document that was closed has no bytes; every access looks. What reads on
** after it has called anything that can collect, or Lua, pins the document: a finalizer may close it.
** Userdata are known by their size and first word, which no other library's share. */
#ifndef FLEECE_MODULE_VIEW_VIEW_H
#define FLEECE_MODULE_VIEW_VIEW_H

#include "../../binary/check/errors.h"
#include "../../binary/read/read.h"
#include "../../convert/json_to_lua/api.h"
#include "../../layout/lua_compat/api.h"
#include "../core/map.h"

FL_FUNC const char *mod_binary_message(enum bin_error error) {
  static const char *const messages[] = {
#define X(code, message) message,
      BIN_ERRORS(X)
#undef X
  };
  return messages[error];
}

/* Items of a document's environment. */
#if LUA_VERSION_NUM >= 504
enum { VIEW_ENV_BYTES = 1, VIEW_ENV_ROOT, VIEW_ENV_BASE, VIEW_ENV_KEYS };
#else
enum { VIEW_ENV_BYTES = 1, VIEW_ENV_ROOT, VIEW_ENV_DOC, VIEW_ENV_BASE, VIEW_ENV_KEYS };
#endif

/* The first words of our userdata are the addresses of these. */
static const char view_doc_magic = 0, view_magic = 0, view_data_magic = 0, view_keys_magic = 0;

struct mod_doc {
  const char *magic;
  struct bin_doc doc; /* doc.begin == NULL: closed */
  void *map;          /* of a file, map_bytes long; or NULL */
  size_t map_bytes;
  size_t *maps;         /* how many this Lua state has */
  struct mod_doc *base; /* the owner of doc.base; NULL once this one is closed */
  size_t users;         /* open documents that have it as their base: it cannot be closed, */
  int finalized;        /* and if its finalizer has run, the last of them gives its bytes back */
  size_t pins;          /* see view_pin */
};

struct mod_view {
  const char *magic;
  const struct mod_doc *owner;
  bin_value value;
};

/* A value of bytes that are no text. They follow. */
struct mod_data {
  const char *magic;
  size_t n;
};

struct mod_keys {
  const char *magic;
  struct bin_keys keys;
};

/* ------------------------------------------------------------------------------------- the end of a document */

/* Gives the bytes back, unless somebody reads them; what is read from then on is an error. Finalizers run in any
** order: one may come before that of a document whose base this is, and others read that document meanwhile. */
FL_FUNC void view_release(struct mod_doc *d) {
  while (d) {
    struct mod_doc *base = d->base;
    d->doc.begin = d->doc.end = NULL;
    d->doc.root = NULL;
    if (d->pins) return;
    if (d->map) {
      map_free(d->map, d->map_bytes);
      --*d->maps;
    }
    d->map = NULL;
    d->base = NULL;
    d = base && --base->users == 0 && base->finalized ? base : NULL;
  }
}

/* Between these the bytes stay where they are. Who closes the document meanwhile closes it for others; they are given
** back when the last reader is done, or, where an error has ended one, when the document is collected. A reader that
** follows pointers has a copy of d->doc. */
FL_INLINE void view_pin(const struct mod_doc *d) { ((struct mod_doc *)(uintptr_t)d)->pins++; }

FL_INLINE void view_unpin(const struct mod_doc *d) {
  struct mod_doc *m = (struct mod_doc *)(uintptr_t)d;
  m->pins--;
  if (FL_UNLIKELY(!m->doc.begin)) view_release(m);
}

/* ------------------------------------------------------------------------------------- what is at an index */

/* A light userdata has no length. */
FL_INLINE void *view_userdata(lua_State *L, int index, const char *magic, size_t least) {
  void *p = lua_touserdata(L, index);
  return p && lua_rawlen(L, index) >= least && *(const char *const *)p == magic ? p : NULL;
}

FL_INLINE struct mod_view *view_test(lua_State *L, int index) {
  return (struct mod_view *)view_userdata(L, index, &view_magic, sizeof(struct mod_view));
}
FL_INLINE struct mod_doc *view_test_doc(lua_State *L, int index) {
  return (struct mod_doc *)view_userdata(L, index, &view_doc_magic, sizeof(struct mod_doc));
}
FL_INLINE struct mod_data *view_test_data(lua_State *L, int index) {
  return (struct mod_data *)view_userdata(L, index, &view_data_magic, sizeof(struct mod_data));
}
FL_INLINE struct mod_keys *view_test_keys(lua_State *L, int index) {
  return (struct mod_keys *)view_userdata(L, index, &view_keys_magic, sizeof(struct mod_keys));
}

FL_NOINLINE int view_closed_(lua_State *L) { return luaL_error(L, "the document is closed"); }

/* The view at the index, of a document that is open. */
FL_INLINE struct mod_view *view_check(lua_State *L, int index) {
  struct mod_view *v = view_test(L, index);
  if (FL_UNLIKELY(!v)) luaL_argerror(L, index, "view expected");
  if (FL_UNLIKELY(!v->owner->doc.begin)) view_closed_(L);
  return v;
}

/* The document and value that the view or document at the index is; 0: it is neither. */
FL_FUNC int view_value_at(lua_State *L, int index, const struct mod_doc **owner, bin_value *value) {
  const struct mod_view *v = view_test(L, index);
  if (v) {
    *owner = v->owner;
    *value = v->value;
  } else {
    *owner = view_test_doc(L, index);
    if (!*owner) return 0;
    *value = (*owner)->doc.root;
  }
  if (FL_UNLIKELY(!(*owner)->doc.begin)) view_closed_(L);
  return 1;
}

/* ------------------------------------------------------------------------------------- userdata and environments */

#if LUA_VERSION_NUM >= 504
#define view_new_userdata(L, bytes) lua_newuserdatauv(L, bytes, 1)
#define view_push_env(L, index) lua_getiuservalue(L, index, 1)
#define view_set_env(L, index) lua_setiuservalue(L, index, 1)
#elif LUA_VERSION_NUM >= 502
#define view_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define view_push_env(L, index) lua_getuservalue(L, index)
#define view_set_env(L, index) lua_setuservalue(L, index)
#else
#define view_new_userdata(L, bytes) lua_newuserdata(L, bytes)
#define view_push_env(L, index) lua_getfenv(L, index)
#define view_set_env(L, index) lua_setfenv(L, index)
#endif

/* The environment of a document: its own user values where there can be several, the last two in few documents; else
** a table, in which no room is kept for those. */
#if LUA_VERSION_NUM >= 504
#define view_new_doc(L, bytes, needs) lua_newuserdatauv(L, bytes, needs ? VIEW_ENV_KEYS : VIEW_ENV_ROOT)
#define view_get_env(L, env, i) (void)lua_getiuservalue(L, env, i)
#define view_put_env(L, env, i) (void)lua_setiuservalue(L, env, i)
#define view_push_doc_env(L, index) lua_pushvalue(L, index)
FL_INLINE void view_make_env(lua_State *L) { lua_pushvalue(L, -1); }
#else
#define view_new_doc(L, bytes, needs) lua_newuserdata(L, bytes)
#define view_get_env(L, env, i) (void)lua_rawgeti(L, env, i)
#define view_put_env(L, env, i) lua_rawseti(L, env, i)
#define view_push_doc_env(L, index) view_push_env(L, index)
FL_INLINE void view_make_env(lua_State *L) {
  lua_createtable(L, VIEW_ENV_DOC, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, VIEW_ENV_DOC);
  lua_pushvalue(L, -1);
  view_set_env(L, -3);
}
#endif

/* Pushes the environment of the view or document at the index. */
FL_INLINE void view_push_env_of(lua_State *L, int index) {
  if (*(const char *const *)lua_touserdata(L, index) == &view_magic) view_push_env(L, index);
  else view_push_doc_env(L, index);
}

/* Pushes a view that has no environment and no metatable yet. */
FL_INLINE void view_new(lua_State *L, const struct mod_doc *owner, bin_value value) {
  struct mod_view *v = (struct mod_view *)view_new_userdata(L, sizeof *v);
  v->magic = &view_magic;
  v->owner = owner;
  v->value = value;
}

/* Pushes a view of a collection. `env` and `metatable` are stack indices, absolute, or of upvalues. */
FL_INLINE void view_push(lua_State *L, int env, int metatable, const struct mod_doc *owner, bin_value value) {
  view_new(L, owner, value);
  lua_pushvalue(L, env);
  view_set_env(L, -2);
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
}

/* The same of what is inside the view at `index`. */
FL_INLINE void view_push_inside(lua_State *L, int index, int metatable, const struct mod_doc *owner, bin_value value) {
  view_new(L, owner, value);
  view_push_env(L, index);
  view_set_env(L, -2);
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
}

static const char view_data_key = 0, view_key = 0, view_doc_key = 0, view_doc_map_key = 0, view_keys_key = 0,
                  view_maker_key = 0;

/* Pushes one of the metatables. The first call makes them all, by the function that module/core/module.h has left in
** the registry. */
FL_FUNC void view_push_metatable(lua_State *L, const void *key) {
  compat_registry_get(L, key);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  compat_registry_get(L, &view_maker_key);
  lua_call(L, 0, 0);
  compat_registry_get(L, key);
}

/* Pushes a new data value of n bytes, and answers where they go. */
FL_FUNC char *view_push_data(lua_State *L, size_t n) {
  struct mod_data *d = (struct mod_data *)lua_newuserdata(L, sizeof *d + n);
  d->magic = &view_data_magic;
  d->n = n;
  view_push_metatable(L, &view_data_key);
  lua_setmetatable(L, -2);
  return (char *)(d + 1);
}

FL_NOINLINE void view_push_data_of_(lua_State *L, const char *s, size_t n) { memcpy(view_push_data(L, n), s, n); }

/* ------------------------------------------------------------------------------------- values */

/* Pushes an integer: as one where Lua has it, else as the double nearest to it. */
FL_INLINE void view_push_integer(lua_State *L, bin_value v) {
  int is_big;
  const uint64_t n = bin_integer(v, &is_big);
#if LUA_VERSION_NUM >= 503
  if (FL_LIKELY(!is_big)) lua_pushinteger(L, (lua_Integer)n);
  else lua_pushnumber(L, (lua_Number)n);
#else
  lua_pushnumber(L, is_big ? (lua_Number)n : (lua_Number)(int64_t)n);
#endif
}

/* Pushes a value of the document's that is no collection. null is fleece.null; undefined is nil. Before Lua 5.3 and
** in LuaJIT lua_pushlstring collects before it copies. */
FL_INLINE void view_push_scalar(lua_State *L, const struct mod_doc *owner, bin_value v) {
  size_t n;
  const char *s;
  switch (bin_tag(v)) {
  case BIN_TAG_STRING:
    s = bin_bytes(v, &n);
    if (LUA_VERSION_NUM < 503) view_pin(owner);
    lua_pushlstring(L, s, n);
    if (LUA_VERSION_NUM < 503) view_unpin(owner);
    return;
  case BIN_TAG_FLOAT: lua_pushnumber(L, (lua_Number)bin_double(v)); return;
  case BIN_TAG_DATA:
    s = bin_bytes(v, &n);
    view_pin(owner);
    view_push_data_of_(L, s, n);
    view_unpin(owner);
    return;
  case BIN_TAG_SPECIAL:
    if (bin_type_of(v) == BIN_TYPE_BOOLEAN) lua_pushboolean(L, bin_is_true(v));
    else if (bin_type_of(v) == BIN_TYPE_NULL) lua_pushlightuserdata(L, NULL);
    else lua_pushnil(L);
    return;
  default: view_push_integer(L, v);
  }
}

#endif
