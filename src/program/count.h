/* SPDX-License-Identifier: MIT
** count.h -- counter(document): counts the values of a document by type, for the program's stat.
** Must hold: as document/view.h. Lua runs between steps; a step calls it only to allocate. All memory is userdata
** that the closure holds. A value counts once for each visit. No recursion. */
#pragma once

#include "../binary/encode/pool.h"
#include "../document/view.h"

/* counter(document) -> a function that continues to count at each call */
FL_PRIVATE int program_counter(lua_State *L);
