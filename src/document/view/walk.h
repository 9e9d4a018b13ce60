/* SPDX-License-Identifier: MIT
** walk.h -- view:walk: iterates over every value under a view, with its path and pointer.
** Must hold: the queued collections and their paths are in a Lua table; the position in the current one is in a
** userdata. No recursion. */
#pragma once

#include "step.h"

/* view:walk([enter [, options]]) -> iterator of value, path, pointer. enter(view, path, pointer) returns false to skip
** the members of a collection. Options: max_values. */
FL_PRIVATE int view_walk(lua_State *L);
