/* SPDX-License-Identifier: MIT
** copy.h -- copies of whole tables below the API.
** Must hold: writing is proven for this layout. `to` is what lua_createtable has just returned, with no allocation
** since. The caller sets the metatable. */
#pragma once

#include "lua_compat/api.h"

#ifndef FLEECE_LUA_VERSION
#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#endif

#include "layouts.h"

struct lay_copy {
  /* How many members to request from the core for a table with as many nodes as this one. */
  size_t (*node_count)(const char *table);
  /* Copies a table whose keys are all interned strings, and of which no member was removed. Returns 0, and writes
  ** nothing, for other tables, or if `to` does not fit. */
  int (*members)(char *to, const char *from);
  /* Copies a table that has only the items 1..n, in its array part. Returns 0 like `members`. */
  int (*items)(char *to, const char *from, size_t n);
};

/* Returns NULL for some layouts. */
FL_PRIVATE const struct lay_copy *lay_copy_of(const struct lay_facts *facts);
