/* SPDX-License-Identifier: MIT
** open.h -- the public-API walk goes into a table: array or object, and how it is iterated.
** Must hold: the same decisions as encode_open and encode_list_ of the raw walk, for the same tables. */
#pragma once

#include "hooks.h"
#include "../sort.h"

/* What is known of a table's keys. */
struct api_keys {
  size_t count;
  double highest;
  int all_indexes;
};

/* What a level is written in, by its is_array. */
static const char api_brackets[][3] = {"{}", "[]"};

/* The array index that the key at `at` stands for, or 0; as encode_index. */
FL_INLINE double api_index(lua_State *L, int at) {
#if LUA_VERSION_NUM >= 503
  lua_Integer i = lua_isinteger(L, at) ? lua_tointeger(L, at) : 0;
  return i > 0 ? (double)i : 0;
#else
  double d;
  if (lua_type(L, at) != LUA_TNUMBER) return 0;
  d = lua_tonumber(L, at);
  return d >= 1 && d <= 9007199254740992.0 && d == (double)(int64_t)d ? d : 0;
#endif
}

FL_INLINE void api_count_key(lua_State *L, int at, struct api_keys *keys) {
  double index = api_index(L, at);
  keys->count++;
  if (index == 0) keys->all_indexes = 0;
  if (index > keys->highest) keys->highest = index;
}

/* Sorts the list of `n` pairs on top: first the names of `order` (name -> rank, or 0), in that order, then the
** others, by text if the style says so. Replaces it by a sorted one; false: out of memory. */
FL_PRIVATE int api_sort_list(struct api_walk *a, int n, int order);

/* Replaces a list of names at `names` by a table name -> rank. */
FL_PRIVATE void api_rank_names(lua_State *L, int names);

/* Opens the table at `table`, the top or below its hook's function; leaves the aux after it and says how to iterate.
** False: an error, whatever is on the stack above the table. __tojson is the caller's. */
FL_PRIVATE int api_open(struct api_walk *a, int table, const struct api_meta *meta, struct api_opened *f);
