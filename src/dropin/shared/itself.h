/* SPDX-License-Identifier: MIT
** itself.h -- a function that returns itself: the null of LuaJSON and JSON4Lua.
** Must hold: each one that is made is another value. */
#pragma once

#include <lua.h>
#include "../../base/def.h"

/* Pushes a new one. */
FL_PRIVATE void dropin_push_itself(lua_State *L);
