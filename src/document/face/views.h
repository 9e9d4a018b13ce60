/* SPDX-License-Identifier: MIT
** views.h -- methods of documents, views and keys. */
#pragma once

#include "../view.h"

/* view == view: compares contents, numbers by value */
FL_PRIVATE int view_eq(lua_State *L);

/* doc:append(fn [, options]) -> a document of the new state. fn(m) changes the root, m, as in amend. */
FL_PRIVATE int view_doc_append(lua_State *L);

/* Pushes an empty object for shared keys. */
FL_PRIVATE struct mod_keys *view_push_keys(lua_State *L);

/* keys:save() -> their state as bytes */
FL_PRIVATE int view_keys_save(lua_State *L);
