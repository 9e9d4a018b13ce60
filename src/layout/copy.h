/* SPDX-License-Identifier: MIT
** copy.h -- copies of whole tables below the API.
** Must hold: writing is proven for this layout. `to` is what lua_createtable has just returned, with no allocation
** since. The metatable is the caller's. */
#pragma once

#include "lua_compat/api.h"

#ifndef FLEECE_LUA_VERSION
#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#endif

#include "layouts.h"

struct lay_copy {
  /* How many members the core must be asked for, so that a table gets as many nodes as this one. */
  size_t (*node_count)(const char *table);
  /* Copies a table whose keys are all interned strings, and of which no member was removed. False: it is another one,
  ** or `to` does not fit; nothing was written. */
  int (*members)(char *to, const char *from);
  /* Copies a table that has the items 1..n and nothing else, in its array part. False: the same. */
  int (*items)(char *to, const char *from, size_t n);
};

/* NULL: not for this layout. */
FL_PRIVATE const struct lay_copy *lay_copy_of(const struct lay_facts *facts);
