/* SPDX-License-Identifier: MIT
** itself.h -- a function that returns itself: the null of LuaJSON and JSON4Lua.
** May call: base, lua_*.  Must hold: each one that is made is another value. */
#ifndef FLEECE_DROPIN_SHARED_ITSELF_H
#define FLEECE_DROPIN_SHARED_ITSELF_H

#include <lua.h>
#include "../../base/def.h"

/* Pushes a new one. */
FL_PRIVATE void dropin_push_itself(lua_State *L);

#endif
