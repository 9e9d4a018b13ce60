/* SPDX-License-Identifier: MIT
** pack.c -- a unit of the part document: Lua values to documents, and documents to them. */

#include "lua_version.h"

#include "../document/from_lua/fast.c"
#include "../document/from_lua/instances.c"
#include "../document/from_lua/api/walk.c"
#include "../document/to_lua/api.c"
#include "../document/to_lua/instances.c"
