/* SPDX-License-Identifier: MIT
** marks.h -- values that say how they are encoded: fleece.array, fleece.object, fleece.raw; and what decode's options
** order and numbers leave in a Lua state: orders of members, and exact numbers.
** Must hold: raw text is checked before it becomes a value. A Lua state pays for orders, in time and memory, only
** from the first call that asks for them. */
#pragma once

#include "../../lua/exact.h"
#include "state.h"

/* Pushes the metatable of a mark. */
FL_PRIVATE void mod_push_mark(lua_State *L, int place);

/* Makes the metatable on top, which stays, the known one of a place. Its owner keeps it alive. */
FL_PRIVATE void mod_set_mark(lua_State *L, struct mod_state *m, int place, enum table_class is);

/* Pushes the metatable of a mark, which the first call creates and anchors. Returns whether it is new, an empty
** table. */
FL_PRIVATE int mod_make_mark(lua_State *L, struct mod_state *m, int place, enum table_class is);

/* array([t]) -> t, which is then encoded as an array */
FL_PRIVATE int mod_array(lua_State *L);

/* object([t]) -> t, which is then encoded as an object */
FL_PRIVATE int mod_object(lua_State *L);

/* raw(text) -> a value that is encoded as `text`, which must be one JSON value; fleece.safe returns nil and a message
** if it is not */
FL_PRIVATE int mod_raw(lua_State *L);
FL_PRIVATE void mod_open_raw(lua_State *L, struct mod_state *m);

/* Pushes the book of orders, which the first call creates; from then on the encoders look into it. */
FL_PRIVATE void mod_push_book(lua_State *L);

/* Returns whether the table at the index has an order. Then it was an object in a text, and is one unless its metatable
** says otherwise. */
FL_PRIVATE int mod_is_remembered(lua_State *L, const struct mod_state *m, int table);

/* Pushes the metatable of exact numbers, which the first call creates. */
FL_PRIVATE void mod_push_exact_metatable(lua_State *L);

/* Pushes the nearest number of this Lua, which decode returns without numbers = "exact". */
FL_PRIVATE void mod_push_nearest(lua_State *L, const struct exact_number *x);

/* pairs(t), ipairs(t) for values that are not documents: in the remembered order, or like the global functions */
FL_PRIVATE int mod_pairs_of_tables(lua_State *L);
FL_PRIVATE int mod_ipairs_of_tables(lua_State *L);

/* tonumber(v) -> a plain number: v itself, or the one nearest to an exact number; nil if v is not a number */
FL_PRIVATE int mod_tonumber(lua_State *L);
