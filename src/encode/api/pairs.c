/* SPDX-License-Identifier: MIT
** pairs.c -- the public-API walk lists the pairs of a table: its own, or those of __pairs. */
#include "walk.h"

enum { API_PAIRS_FIRST = 16 }; /* places of a new list of pairs */

FL_PRIVATE int api_list_raw(lua_State *L, int table) {
  int list, n = 0;
  lua_createtable(L, API_PAIRS_FIRST, 0);
  list = lua_gettop(L);
  lua_pushnil(L);
  for (; lua_next(L, table); n++) {
    lua_rawseti(L, list, 2 * n + 2);
    compat_set_item(L, list, 2 * n + 1, -1);
  }
  return n;
}

/* For lua_pcall: the list of what the iterator at 1 gives for the values at 2 and 3, and the number of pairs. */
static int api_iterate(lua_State *L) {
  enum { LIST = 4 };
  int n = 0;
  lua_settop(L, 3);
  lua_createtable(L, API_PAIRS_FIRST, 0);
  for (;; n++) {
    lua_settop(L, LIST);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2)) break;
    lua_rawseti(L, LIST, 2 * n + 2);
    compat_copy(L, -1, 3);
    lua_rawseti(L, LIST, 2 * n + 1);
  }
  lua_settop(L, LIST);
  lua_pushinteger(L, n);
  return 2;
}

/* Is the value at the index the function `next`? Lua 5.1 makes a second one for pairs, of the same C function; LuaJIT's
** is none. */
static int api_is_next(const struct api_walk *a, int at) {
  lua_State *L = a->L;
  if (!a->shared->next || !lua_iscfunction(L, at)) return 0;
  const lua_CFunction f = lua_tocfunction(L, at);
  return f ? f == a->shared->next_function : lua_topointer(L, at) == a->shared->next;
}

FL_PRIVATE int api_list_pairs(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int top = lua_gettop(L), n;
  compat_need_stack(L, 12);
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 3)) return -1;
  if (lua_isnil(L, top + 2) && lua_type(L, top + 1) == LUA_TTABLE && api_is_next(a, top)) {
    n = api_list_raw(L, top + 1);
    lua_replace(L, top);
  } else {
    lua_pushcfunction(L, api_iterate);
    lua_insert(L, top);
    if (!api_call(a, 3, 2)) return -1;
    n = (int)lua_tointeger(L, -1);
  }
  lua_settop(L, top);
  return n;
}
