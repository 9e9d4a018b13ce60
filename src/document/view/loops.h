/* SPDX-License-Identifier: MIT
** loops.h -- loops over views on LuaJIT: the iterator is in Lua, so that it is compiled with the loop, and C gives it a
** batch of values at a time. A call of a C function at each step would leave the compiled code.
** Must hold: a loop yields the same values and errors as with read.c's iterators. So a document whose scalars may raise
** errors has no such loops, and closing a document ends its loops at their next step. Lua programs see the table of a
** loop and may change it: what C reads from it is tested. */
#pragma once

#include "read.h"

#if LUA_VERSION_NUM < 502 /* LuaJIT has the API of Lua 5.1 */

/* Adds the iterators to the metatable of views, on LuaJIT. */
FL_PRIVATE void view_add_loops(lua_State *L);

/* Pushes the three values of a generic `for` over the view at 1, the only value on the stack. Returns 0, and pushes
** nothing, if it has no such loop. */
FL_PRIVATE int view_begin_loop(lua_State *L);

/* Ends the loops over the document at the index, which is closed. */
FL_PRIVATE void view_end_loops(lua_State *L, int index);

#else
#define view_add_loops(L) ((void)(L))
#define view_begin_loop(L) 0
#define view_end_loops(L, index) ((void)(L))
#endif
