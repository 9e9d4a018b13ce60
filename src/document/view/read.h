/* SPDX-License-Identifier: MIT
** read.h -- reads through views: index, length, pairs, get, paths, pointers, type.
** Must hold: each result is a scalar, or a view that shares the environment of the view it comes from. */
#pragma once

#include "way.h"

/* Pushes a value, or nil for NULL. `env` and `metatable`: indices, for a view. */
FL_INLINE void view_push_value(lua_State *L, int env, int metatable, const struct mod_doc *owner, bin_value v) {
  if (FL_UNLIKELY(!v)) lua_pushnil(L);
  else if (bin_is_collection(v)) view_push(L, env, metatable, owner, v);
  else if (FL_UNLIKELY(owner->scalars)) view_push_by_options_(L, env, owner, v);
  else view_push_scalar(L, owner, v);
}

/* Like view_push_value, with the environment of a view or document at `index` of the same document. */
FL_PRIVATE void view_push_from(lua_State *L, int index, const struct mod_doc *owner, bin_value v);

/* Pushes the root of a document with this environment; a view of it is created only once. */
FL_PRIVATE void view_push_root(lua_State *L, int env, const struct mod_doc *doc);

/* Returns item `i`, from 1, of an array. NULL if there is none, or v is not an array. */
FL_INLINE bin_value view_item(const struct bin_doc *d, bin_value v, lua_Number i) {
  /* limits: items of an array; values of size_t */
  const lua_Number most = sizeof(size_t) > 4 ? 4294969342.0 : 4294967295.0;
  if (FL_UNLIKELY(bin_tag(v) != BIN_TAG_ARRAY) || FL_UNLIKELY(!(i >= 1 && i <= most))) return NULL;
  return i == (lua_Number)(size_t)i ? bin_array_get(d, v, (size_t)i - 1) : NULL;
}

/* Returns the value of a collection under the key at index `key`: a name of a dict or an index of an array. */
FL_INLINE bin_value view_lookup(lua_State *L, const struct bin_doc *d, bin_value v, int key) {
  size_t n;
  const char *s;
  switch (lua_type(L, key)) {
  case LUA_TSTRING:
    if (bin_tag(v) != BIN_TAG_DICT) return NULL;
    s = lua_tolstring(L, key, &n);
    return bin_dict_get(d, v, s, n);
  case LUA_TNUMBER: return view_item(d, v, lua_tonumber(L, key));
  default: return NULL;
  }
}

/* Upvalues of metamethods: the metatable of views, and the table of methods. */
enum { VIEW_UP_METATABLE = 1, VIEW_UP_METHODS };

/* All methods begin with one of a few letters, so other names need no look-up. */
FL_INLINE int view_may_be_method(const char *s) {
  return *s == 'g' || *s == 'p' || *s == 't' || *s == 'w' || *s == 'm';
}

/* view.name, view[i]. Methods hide members of the same name; use view:get for those. */
FL_PRIVATE int view_index(lua_State *L);

/* #view: the number of items or pairs. */
FL_PRIVATE int view_len(lua_State *L);
FL_PRIVATE int view_newindex(lua_State *L);

/* "fleece.array: 0x..." */
FL_PRIVATE int view_tostring(lua_State *L);

/* Returns the three values of a generic `for` over the value at 1. The upvalues of `next` are on top. */
FL_PRIVATE int view_return_iterator(lua_State *L, lua_CFunction next, int upvalues, int is_dict);

/* view:pairs() -> three values for a generic `for`: an array's items by index, or a dict's pairs. */
FL_PRIVATE int view_pairs(lua_State *L);
FL_PRIVATE int view_ipairs(lua_State *L);

/* Replaces the document at 1 by a view of its root, which must be a collection. */
FL_PRIVATE void view_doc_to_root(lua_State *L);

/* view:walk([enter [, options]]) -> iterator of value, path, pointer. enter(view, path, pointer) returns false to skip
** the members of a collection. Options: max_values. */
FL_PRIVATE int view_walk(lua_State *L);

/* view:pointer(text) -> the value that the JSON pointer (RFC 6901) leads to, or nil */
FL_PRIVATE int view_pointer(lua_State *L);

/* p(view) */
FL_PRIVATE int view_path_call(lua_State *L);
FL_PRIVATE int view_path_tostring(lua_State *L);
