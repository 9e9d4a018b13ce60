/* SPDX-License-Identifier: MIT
** marks.h -- fleece.array, fleece.object, fleece.raw: values that say how they are to be encoded.
** Must hold: raw text is checked before it becomes a value. */
#pragma once

#include "encode.h"

/* Pushes the metatable of a mark. */
FL_PRIVATE void mod_push_mark(lua_State *L, int place);

/* The metatable on top, which stays, is from now on the known one of a place. Its owner keeps it alive. */
FL_PRIVATE void mod_set_mark(lua_State *L, struct mod_state *m, int place, enum table_class is);

/* Pushes the metatable of a mark, made and anchored at the first call. True: it is new, an empty table. */
FL_PRIVATE int mod_make_mark(lua_State *L, struct mod_state *m, int place, enum table_class is);

/* array([t]) -> t, to be encoded as an array. */
FL_PRIVATE int mod_array(lua_State *L);

/* object([t]) -> t, to be encoded as an object. */
FL_PRIVATE int mod_object(lua_State *L);

/* raw(text) -> a value that is encoded as `text`, which must be one JSON value; fleece.safe returns
** nil, message when it is not. */
FL_PRIVATE int mod_raw(lua_State *L);
FL_PRIVATE void mod_open_raw(lua_State *L, struct mod_state *m);
