/* SPDX-License-Identifier: MIT
** util.h -- json.util of LuaJSON: null, marks of arrays and calls, and its other functions.
** Must hold: each Lua state has its own metatables, anchored with the marks. */
#pragma once

#include "../shared/itself.h"
#include "../shared/marks.h"

FL_PRIVATE int luajson_has_mark(lua_State *L, int table, int place);

/* InitArray(table) -> table, which is encoded as an array. Like setmetatable, it refuses protected metatables. */
FL_PRIVATE int luajson_init_array(lua_State *L);

/* setObjectKeyForceNumber(table, key, value): a key that tonumber accepts becomes a number */
FL_PRIVATE int luajson_set_number(lua_State *L);

/* Pushes the table json.util. */
FL_PRIVATE void luajson_push_util(lua_State *L, struct mod_state *m);
