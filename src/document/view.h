/* SPDX-License-Identifier: MIT
** view.h -- documents and views as userdata, and how their values are pushed.
** Must hold: a view's environment is that of its document, which references the bytes and the document, so both live as
** long as the view. A closed document has no bytes; every access tests this. A finalizer may close a document, so code
** that reads it after calling Lua, or anything that can collect, must pin it. Userdata are recognised by size and first
** word, an address that no other library has. */
#pragma once

#include "../lua/state.h"
#include "../binary/delta/errors.h"
#include "../binary/read/read.h"
#include "../decode/api.h"
#include "../layout/lua_compat/api.h"
#include "../lua/options/arguments.h"

/* Items of a document's environment. */
#if LUA_VERSION_NUM >= 504
enum { VIEW_ENV_BYTES = 1, VIEW_ENV_ROOT, VIEW_ENV_BASE, VIEW_ENV_KEYS, VIEW_ENV_VALUES, VIEW_ENV_FILE };
#else
enum { VIEW_ENV_BYTES = 1, VIEW_ENV_ROOT, VIEW_ENV_DOC, VIEW_ENV_BASE, VIEW_ENV_KEYS, VIEW_ENV_VALUES, VIEW_ENV_FILE };
#endif
enum { VIEW_ENV_TEXT = VIEW_ENV_ROOT }; /* of a document made from a text view, whose root is never asked for */

/* Our userdata begin with the address of one of these. */
FL_IDENTITY view_doc_magic = 0, view_magic = 0, view_text_magic = 0, view_data_magic = 0, view_keys_magic = 0;

/* In mod_doc.scalars, beside an enum json_to_lua_big: the environment has a value for null. */
enum { VIEW_HAS_NULL = 16 };

struct mod_doc {
  const char *magic;
  struct bin_doc doc; /* doc.begin == NULL: closed */
  void *map;          /* the mapping of a file, or NULL */
  size_t map_bytes;
  void (*release)(void *ud); /* called with release_ud once bytes of the host are not needed any more; NULL: others */
  void *release_ud;
  size_t *maps;          /* the number of mappings in this Lua state */
  struct mod_doc *base;  /* owner of doc.base; NULL once closed */
  size_t users;          /* open documents that use this one as base; it cannot be closed before them */
  int finalized;         /* its finalizer has run, so the last user frees its bytes */
  unsigned char scalars; /* what views return for null and for integers that are not exact here; 0: as usual */
  size_t pins;           /* see view_pin */
  /* Positions of its collections in the text that it was made from (text.h), or NULL. */
  const struct json_to_binary_place *places;
  size_t place_count;
};

struct mod_view {
  const char *magic;
  const struct mod_doc *owner;
  bin_value value;
};

/* A value of n bytes that are not text; the bytes follow. */
struct mod_data {
  const char *magic;
  size_t n;
};

struct mod_keys {
  const char *magic;
  struct bin_keys keys;
};

/* Closes a document: reading it is an error from now on. Frees its mapping unless it is pinned. Also frees its base if
** the base was finalized before, since finalizers run in any order. */
FL_PRIVATE void view_free_bytes(struct mod_doc *d);

/* From pin to unpin the bytes stay in place, and closing the document only affects others. The bytes are freed when the
** last reader unpins it, or, if an error ended a reader, when the document is collected. A reader that follows pointers
** needs a copy of d->doc. */
FL_INLINE void view_pin(const struct mod_doc *d) { ((struct mod_doc *)(uintptr_t)d)->pins++; }

FL_INLINE void view_unpin(const struct mod_doc *d) {
  struct mod_doc *m = (struct mod_doc *)(uintptr_t)d;
  FL_ASSERT(m->pins > 0);
  m->pins--;
  if (FL_UNLIKELY(!m->doc.begin)) view_free_bytes(m);
}

FL_INLINE struct mod_view *view_test(lua_State *L, int index) {
  return (struct mod_view *)mod_test_userdata(L, index, &view_magic, sizeof(struct mod_view));
}

FL_INLINE struct mod_doc *view_test_doc(lua_State *L, int index) {
  return (struct mod_doc *)mod_test_userdata(L, index, &view_doc_magic, sizeof(struct mod_doc));
}

FL_INLINE struct mod_data *view_test_data(lua_State *L, int index) {
  return (struct mod_data *)mod_test_userdata(L, index, &view_data_magic, sizeof(struct mod_data));
}

FL_INLINE struct mod_keys *view_test_keys(lua_State *L, int index) {
  return (struct mod_keys *)mod_test_userdata(L, index, &view_keys_magic, sizeof(struct mod_keys));
}

FL_PRIVATE_NOINLINE int view_closed_(lua_State *L);

/* Converts the text view at the index to a view of a document (text.h). NULL if it is not a text view. */
FL_PRIVATE_NOINLINE struct mod_view *view_settle_(lua_State *L, int index);

/* Returns the view at the index, whose document is open, or raises an error. */
FL_INLINE struct mod_view *view_check(lua_State *L, int index) {
  struct mod_view *v = view_test(L, index);
  if (FL_UNLIKELY(!v) && !(v = view_settle_(L, index))) mod_argument_error(L, index, "view expected");
  if (FL_UNLIKELY(!v->owner->doc.begin)) view_closed_(L);
  return v;
}

/* Gets the document and value of the view or document at the index. Returns 0 for other values. */
FL_PRIVATE int view_value_at(lua_State *L, int index, const struct mod_doc **owner, bin_value *value);

/* What a document needs besides its bytes. MOD_NEEDS_END: a finalizer, for a mapped file or a base. */
enum mod_needs { MOD_NEEDS_NOTHING, MOD_NEEDS_KEYS, MOD_NEEDS_VALUES, MOD_NEEDS_END };

/* The environment of a document: its user values in Luas that have several, else a table. Only a document that needs
** them has the last ones. */
#if LUA_VERSION_NUM >= 504
#define view_new_doc(L, bytes, needs)                             \
  lua_newuserdatauv(L, bytes,                                     \
                    needs == MOD_NEEDS_END      ? VIEW_ENV_FILE   \
                    : needs == MOD_NEEDS_VALUES ? VIEW_ENV_VALUES \
                    : needs                     ? VIEW_ENV_KEYS   \
                                                : VIEW_ENV_ROOT)
#define view_get_env(L, env, i) (void)lua_getiuservalue(L, env, i)
#define view_put_env(L, env, i) (void)lua_setiuservalue(L, env, i)
#define view_push_doc_env(L, index) lua_pushvalue(L, index)
FL_INLINE void view_make_env(lua_State *L) { lua_pushvalue(L, -1); }
#else
#define view_new_doc(L, bytes, needs) lua_newuserdata(L, bytes)
#define view_get_env(L, env, i) (void)lua_rawgeti(L, env, i)
#define view_put_env(L, env, i) lua_rawseti(L, env, i)
#define view_push_doc_env(L, index) mod_push_env(L, index)
FL_INLINE void view_make_env(lua_State *L) {
  lua_createtable(L, VIEW_ENV_DOC, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, VIEW_ENV_DOC);
  lua_pushvalue(L, -1);
  mod_set_env(L, -3);
}
#endif

FL_INLINE void view_push_env_of(lua_State *L, int index) {
  if (*(const char *const *)lua_touserdata(L, index) == &view_magic) mod_push_env(L, index);
  else view_push_doc_env(L, index);
}

/* Pushes a view without environment and metatable. */
FL_INLINE void view_new(lua_State *L, const struct mod_doc *owner, bin_value value) {
  struct mod_view *v = (struct mod_view *)mod_new_userdata(L, sizeof *v);
  FL_ASSERT(owner != NULL);
  v->magic = &view_magic;
  v->owner = owner;
  v->value = value;
}

/* Pushes a view of a collection. `env` and `metatable` are absolute stack indices, or indices of upvalues. */
FL_INLINE void view_push(lua_State *L, int env, int metatable, const struct mod_doc *owner, bin_value value) {
  view_new(L, owner, value);
  lua_pushvalue(L, env);
  mod_set_env(L, -2);
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
}

FL_INLINE void view_push_inside(lua_State *L, int index, int metatable, const struct mod_doc *owner, bin_value value) {
  view_new(L, owner, value);
  mod_push_env(L, index);
  mod_set_env(L, -2);
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
}

FL_IDENTITY view_data_key = 0, view_text_key = 0, view_doc_key = 0, view_doc_map_key = 0, view_keys_key = 0,
            view_metatables_key = 0;

/* Pushes a metatable. The first call creates all metatables by the function that view_register_metatables stored in the
** registry. */
FL_PRIVATE void view_push_metatable(lua_State *L, const void *key);

/* Pushes new data of n bytes. Returns where to write them. */
FL_PRIVATE char *view_push_data(lua_State *L, size_t n);
FL_PRIVATE_NOINLINE void view_push_data_of_(lua_State *L, const char *s, size_t n);

/* Pushes an integer, or the nearest double if Lua cannot represent it. */
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

/* Pushes a scalar; null becomes fleece.null, undefined nil. Strings are pinned before Lua 5.3 and in LuaJIT, whose
** lua_pushlstring may collect before it copies. */
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

/* Like view_push_scalar for a document with `scalars`. `env`: index of its environment. */
FL_PRIVATE_NOINLINE void view_push_by_options_(lua_State *L, int env, const struct mod_doc *owner, bin_value v);

/* Pushes the integer with this text, which is not exact as number of this Lua, as `scalars` says. The table of values
** is on top, and replaced. */
FL_PRIVATE void view_push_big(lua_State *L, unsigned scalars, const char *text, size_t n, const struct num_value *v);
