/* SPDX-License-Identifier: MIT
** raw.c -- a unit of the part core: Lua tables to text below the API.
** Must hold: with FLEECE_LUA_VERSION it is compiled without Lua's headers; Lua 5.1 and LuaJIT use the same object. */

#include "../base/def.h"
#ifndef FLEECE_LUA_VERSION
#include "lua_version.h"
#endif

FL_HOT_BEGIN
#include "../encode/raw/empty_slots.c"
#include "../encode/raw/instances.c"
FL_HOT_END
