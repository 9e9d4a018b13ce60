/* SPDX-License-Identifier: MIT
** order.h -- the order of members, remembered beside the tables that order = true has decoded.
** Must hold: nothing here keeps a table alive. A remembered table has a slot, which is found by the table's address.
** The slot has the table, weakly, and a list of its names. The collector clears the slot of a table before its
** memory is used again, so an address leads to the right table or to an empty slot. Lists contain only strings and
** numbers, so they keep no table alive either. A list never changes; tables with the same names share one. */
#pragma once

#include "../layout/lua_compat/api.h"
#include "order_slots.h"

struct encode_state;

/* Items of the book. */
enum { ORDER_TABLES = 1, ORDER_LISTS, ORDER_ADDRESSES, ORDER_RECENT, ORDER_STATE, ORDER_END };

enum { ORDER_SLOTS_FIRST = 16, ORDER_SLOTS_MOST = 1 << 28 };

/* Pushes a new book for the state. */
FL_PRIVATE void order_push_book(lua_State *L, struct order_state *o);

FL_PRIVATE struct order_state *order_state_of(lua_State *L, int book);

/* Pushes the list of the table at `table`. Returns 0, and pushes nothing, if it has none. Both indices are absolute. */
FL_PRIVATE int order_push_list(lua_State *L, int book, int table);

/* Returns whether the table has a list. */
FL_PRIVATE int order_has(lua_State *L, int book, int table);

/* Pops the list on top and makes it that of the table at `table`. */
FL_PRIVATE void order_remember(lua_State *L, int book, int table);

/* Pushes a list of all keys of a remembered table, in order: the remembered names that it still has, then new ones,
** sorted. That is remembered from then on. Keys that are not names come last. Returns 0, and pushes nothing, if the
** table is not remembered. */
FL_PRIVATE int order_push_keys(lua_State *L, int book, int table);

/* Pushes the latest list of names with this hash, or nil. */
FL_PRIVATE void order_push_recent(lua_State *L, int book, uint64_t hash);

/* Makes the list on top, which stays, the latest with this hash. */
FL_PRIVATE void order_set_recent(lua_State *L, int book, uint64_t hash);

/* After a raw walk that has ended with ENCODE_CHANGED: gives the tables that it has found changed their new lists, as
** order_push_keys does. Allocates only if `all`; else it leaves the tables whose new list is not a recent one, and
** returns whether there are none. */
FL_PRIVATE int order_update(lua_State *L, int book, struct encode_state *c, int all);
