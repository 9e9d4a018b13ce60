/* SPDX-License-Identifier: MIT
** order.c -- order(value, names): the members of new tables stand in the order of some names.
** Must hold: no recursion in C, which tables could nest too deep for; a circle ends it, since encode refuses those. */
#include "../encode/order.h"
#include "../lua/state.h"
#include "program.h"

/* Each open table has two slots: itself, and the key that lua_next is at. */
enum { PROGRAM_ORDER_SLOTS = 2, PROGRAM_ORDER_DEPTH = 10000 };

/* Gives the table at the index the order, if it has a name for a key and no order. */
static void program_order_table(lua_State *L, int book, int table, int names) {
  int is_object = 0;
  for (lua_pushnil(L); !is_object && lua_next(L, table); lua_pop(L, 1)) is_object = lua_type(L, -2) == LUA_TSTRING;
  lua_settop(L, table);
  if (!is_object || order_has(L, book, table)) return;
  lua_pushvalue(L, names);
  order_remember(L, book, table);
}

FL_PRIVATE int program_order(lua_State *L) {
  const void *tortoise = NULL; /* the open table at the last power of two of the depth: see encode/raw/loop.h */
  int depth = 0, power = 1, opens = 1;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  compat_registry_get(L, &mod_anchor_key);
  lua_rawgeti(L, 3, MOD_ANCHOR_BOOK);
  if (!lua_istable(L, 4) || !lua_istable(L, 1)) return 0;
  lua_pushvalue(L, 1);
  while (depth > 0 || opens) {
    if (opens) {
      const void *table = lua_topointer(L, -1);
      if (table == tortoise || depth == PROGRAM_ORDER_DEPTH || !lua_checkstack(L, 32)) return 0;
      if (++depth == 2 * power || depth == 1) tortoise = table, power = depth;
      program_order_table(L, 4, lua_gettop(L), 2);
      lua_pushnil(L);
    } else {
      lua_pop(L, 1);
    }
    if ((opens = lua_next(L, -2)) != 0) {
      opens = lua_istable(L, -1);
      continue;
    }
    lua_pop(L, 1);
    depth--;
    if (depth < power) power /= 2, tortoise = depth ? lua_topointer(L, 5 + PROGRAM_ORDER_SLOTS * (power - 1)) : NULL;
    if (depth == 0) break;
    lua_pushnil(L); /* in place of the table, so that each step pops one value */
  }
  return 0;
}
