/* SPDX-License-Identifier: MIT
** parts.h -- a public-API walk that is done in parts: its levels between two of them.
** May call: lua_*, convert/lua_to_json/api/walk.h.
** Must hold: between two parts nothing of a walk is on a Lua stack: each open table is in the spill table with the
** key it is at, and what happens to it meanwhile is what happens to a table between two calls of `next`. A part
** costs what it writes and its open levels, API_LEVELS at most: the others are in the spill table anyway. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_PARTS_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_PARTS_H

#include "walk.h"

/* The number of the level whose pair is the n-th on the stack. */
FL_INLINE size_t api_level_at(const struct api_walk *a, size_t n) { return n < API_LEVELS ? n : a->depth; }

FL_INLINE size_t api_levels_on_stack(const struct api_walk *a) { return a->depth < API_LEVELS ? a->depth : API_LEVELS; }

/* Takes the levels, which end the stack, off it. */
FL_FUNC void api_park(struct api_walk *a) {
  lua_State *L = a->L;
  size_t n, i;
  if (lua_isnil(L, a->spill)) {
    lua_newtable(L);
    lua_replace(L, a->spill);
  }
  for (n = 1; n <= api_levels_on_stack(a); n++) {
    for (i = 0; i < 2; i++) {
      lua_pushvalue(L, a->levels + (int)(2 * (n - 1) + i));
      lua_rawseti(L, a->spill, (int)(2 * api_level_at(a, n) - 1 + i));
    }
  }
  for (i = 2 * a->depth + 1; i <= 2 * a->stored; i++) { /* closed since */
    lua_pushnil(L);
    lua_rawseti(L, a->spill, (int)i);
  }
  a->stored = a->depth;
  lua_settop(L, a->levels - 1);
}

/* Brings the levels to the stack of a->L. */
FL_FUNC void api_unpark(struct api_walk *a) {
  size_t n;
  a->calls->count++; /* whatever happened to the tables meanwhile */
  for (n = 1; n <= api_levels_on_stack(a); n++) {
    lua_rawgeti(a->L, a->spill, (int)(2 * api_level_at(a, n) - 1));
    lua_rawgeti(a->L, a->spill, (int)(2 * api_level_at(a, n)));
  }
}

#endif
