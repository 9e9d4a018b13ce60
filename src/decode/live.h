/* SPDX-License-Identifier: MIT
** live.h -- tables that can be seen while they are filled: those of the open containers of a decode in parts.
** Must hold: it takes time for the values that have come since the last call and for the open containers. The tables
** are those that the decode will end with. Names are stored once, the last of equal ones, and no order is remembered:
** `duplicates` is JSON_TO_LUA_LAST. */
#pragma once

#include "api.h"

/* Gives each open container its table, with all values that have ended, and stores it into the table around it. All
** waiting values are in the spill table afterwards. */
FL_PRIVATE void json_to_lua_make_live(struct json_to_lua *k);

/* After json_to_lua_make_live: pushes the table of the innermost container, and the key of the value that is expected
** there. */
FL_PRIVATE void json_to_lua_push_place(struct json_to_lua *k);
