/* SPDX-License-Identifier: MIT
** lossless.h -- what decode's options order and numbers leave in a Lua state: orders of members, and exact numbers.
** Must hold: a Lua state pays for orders, in time and memory, from the first call on that asks for them. */
#pragma once

#include "../../lua/exact.h"
#include "state.h"

/* Pushes the book of orders, made at the first call; from then on the encoders look into it. */
FL_PRIVATE void mod_push_book(lua_State *L);

/* Has the table at the index an order? Then it was an object of a text, and is one unless its metatable says something
** else. */
FL_PRIVATE int mod_is_remembered(lua_State *L, const struct mod_state *m, int table);

/* Pushes the metatable of exact numbers, made at the first call. */
FL_PRIVATE void mod_push_exact_metatable(lua_State *L);

/* Pushes the number of this Lua that is nearest: the one that decode gives without numbers = "exact". */
FL_PRIVATE void mod_push_nearest(lua_State *L, const struct exact_number *x);

/* pairs(t), ipairs(t) for what is no document: in the order that was remembered, or as the global functions. */
FL_PRIVATE int mod_pairs_of_tables(lua_State *L);
FL_PRIVATE int mod_ipairs_of_tables(lua_State *L);

/* tonumber(v) -> a plain number: v itself, or the one nearest to an exact number; nil: v is no number */
FL_PRIVATE int mod_tonumber(lua_State *L);
