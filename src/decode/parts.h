/* SPDX-License-Identifier: MIT
** parts.h -- a decode that is done in parts: its state between two parts.
** Must hold: between two parts nothing of a decode is on a Lua stack. All waiting values are in the spill table,
** which the store, a table, keeps alive together with the memory. A part costs what it reads plus JSON_TO_LUA_UNPARK
** values: each value moves to the spill table or to its container once, except the last JSON_TO_LUA_UNPARK, which
** return to the stack for each part. */
#pragma once

#include "api.h"

/* Items of the store, in their order on the stack from `anchors` on. */
enum json_to_lua_store {
  JSON_TO_LUA_STORE_SHAPES = 1,
  JSON_TO_LUA_STORE_SPILL,
  JSON_TO_LUA_STORE_FRAMES,
  JSON_TO_LUA_STORE_SCRATCH,
  JSON_TO_LUA_STORE_EMPTY,
  JSON_TO_LUA_STORE_END
};

/* Restores the decode on the stack of L, where the store is at index `store`. */
FL_PRIVATE void json_to_lua_unpark(struct json_to_lua *k, lua_State *L, int store);

/* Saves the decode from the stack into the store. */
FL_PRIVATE void json_to_lua_park(struct json_to_lua *k, int store);

/* Reads a part of the text from p on, like a decoder's scan_part. */
FL_PRIVATE const char *json_to_lua_scan_part(struct json_to_lua *k, const char *p);

/* Drops the name on top, which will get no value; the innermost container is an object. */
FL_PRIVATE void json_to_lua_drop_name(struct json_to_lua *k);

/* Tables that can be seen while they are filled: those of the final result. Of equal names only the last is kept, and
** no order is remembered: `duplicates` is JSON_TO_LUA_LAST. */

/* Gives each open container its table, with all values that have ended, and stores it into its parent's table.
** Afterwards all waiting values are in the spill table. Takes time for the values since the last call and for the open
** containers. */
FL_PRIVATE void json_to_lua_make_live(struct json_to_lua *k);

/* After json_to_lua_make_live: pushes the table of the innermost container, and the key of the value expected there. */
FL_PRIVATE void json_to_lua_push_place(struct json_to_lua *k);
