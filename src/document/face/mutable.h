/* SPDX-License-Identifier: MIT
** mutable.h -- mutable views: view:mutable(), and doc:amend, which writes only what has changed.
** Must hold: the tree of layers is in a userdata. Every mutable view keeps this and the document alive. A value that is
** put in is packed first, so it is a copy. */
#pragma once

#include "../state.h"
#include "../../encode/face/marks.h"
#include "unpack.h"
#include "../view/read.h"

FL_IDENTITY mutable_key = 0;

/* view:mutable() -> a mutable view, which can be changed; the document does not change */
FL_PRIVATE int view_mutable(lua_State *L);

/* m.name, m[i]. Upvalues as view_index. */
FL_PRIVATE int mutable_get(lua_State *L);

/* m.name = value, m[i] = value (i up to #m + 1); nil removes, and later items of an array move up. */
FL_PRIVATE int mutable_set(lua_State *L);

FL_PRIVATE int mutable_len(lua_State *L);
FL_PRIVATE int mutable_tostring(lua_State *L);
FL_PRIVATE int mutable_eq(lua_State *L);

/* Replaces a mutable view at the index by its bytes, which need no keys. 1: done; 0: it is another value; -1: the two
** results of fleece.safe, nil and a message, are pushed. For functions with the upvalues of the module's functions. */
FL_PRIVATE int mutable_to_bytes(lua_State *L, int index);

/* The three values of a generic `for` over the mutable view at 1: an array's items as they are when they are reached,
** or a dict's present members that are not removed meanwhile. */
FL_PRIVATE int mutable_pairs(lua_State *L);
FL_PRIVATE int mutable_ipairs(lua_State *L);

/* What amend and append need of their options. */
struct mutable_amendment {
  int reuse, is_extern;
  size_t front; /* bytes before the amendment, which are zeros: room for a frame */
  uint32_t max_depth;
  uint64_t max_values;
};

/* Reads the options of amend or append, which may be missing. */
FL_PRIVATE void mutable_read_options(lua_State *L, int arg, enum mod_taker of, struct mutable_amendment *a);

/* Calls fn, at 2, with a mutable view of the root of the document at 1, and pushes the view. */
FL_PRIVATE const struct mod_mutable *mutable_call(lua_State *L);

/* Pushes the bytes that amend the document at 1 by what was changed in the mutable view at `index`. */
FL_PRIVATE int mutable_push_amendment(lua_State *L, int index, const struct mutable_amendment *a);

/* doc:amend(fn [, options]) -> bytes to append to the document's: together they are the changed document. fn(m) changes
** the root, m. Options: reuse_strings: points to strings of the document; extern: the bytes are a separate document to
** open with base = doc; max_depth: levels, not counting collections of the document that are pointed to. */
FL_PRIVATE int view_doc_amend(lua_State *L);
