/* SPDX-License-Identifier: MIT
** mutable.h -- mutable views: view:mutable(), and doc:amend, which writes only changes.
** Must hold: the tree of layers is in a userdata. Every mutable view keeps it and the document alive. A value that is
** assigned is packed first, so it is copied. */
#pragma once

#include "../../encode/face/marks.h"
#include "unpack.h"
#include "../view/read.h"

FL_IDENTITY mutable_key = 0;

/* view:mutable() -> a mutable view; changing it does not change the document */
FL_PRIVATE int view_mutable(lua_State *L);

/* m.name, m[i]. Same upvalues as view_index. */
FL_PRIVATE int mutable_get(lua_State *L);

/* m.name = value, m[i] = value (i up to #m + 1). nil removes; later items of an array move up. */
FL_PRIVATE int mutable_set(lua_State *L);

FL_PRIVATE int mutable_len(lua_State *L);
FL_PRIVATE int mutable_tostring(lua_State *L);
FL_PRIVATE int mutable_eq(lua_State *L);

/* Replaces a mutable view at the index by its bytes, which need no shared keys. Returns 1 if done, 0 for other values,
** -1 after an error if fleece.safe's three results, nil, a message and a failure, are pushed. The calling function must
** have the upvalues of the module's functions. */
FL_PRIVATE int mutable_to_bytes(lua_State *L, int index);

/* Returns the three values of a generic `for` over the mutable view at 1: the items of an array as they are when
** reached, or the members of a dict when the loop begins, except those removed meanwhile. */
FL_PRIVATE int mutable_pairs(lua_State *L);
FL_PRIVATE int mutable_ipairs(lua_State *L);

/* The settings of amend and append. */
struct mutable_amendment {
  int reuse, is_extern;
  size_t front; /* bytes reserved for a frame before the amendment, zeros */
  uint32_t max_depth;
  uint64_t max_values;
  uint64_t values; /* result: an upper bound of the values of the changed document */
};

/* Reads the options of amend or append, if any. */
FL_PRIVATE void mutable_read_options(lua_State *L, int arg, enum mod_taker of, struct mutable_amendment *a);

/* Calls the function at 2 with a mutable view of the root of the document at 1, and pushes the view. */
FL_PRIVATE const struct mod_mutable *mutable_call(lua_State *L);

/* Pushes the bytes that add the changes of the mutable view at `index` to the document at 1. */
FL_PRIVATE int mutable_push_amendment(lua_State *L, int index, struct mutable_amendment *a);

/* doc:amend(fn [, options]) -> bytes that, appended to the document's, make the changed document. fn(m) changes the
** root, m. Options: reuse_strings: point to strings of the document; extern: the bytes are a separate document, to open
** with base = doc; max_depth: levels, not counting collections of the document that are pointed to. */
FL_PRIVATE int view_doc_amend(lua_State *L);
