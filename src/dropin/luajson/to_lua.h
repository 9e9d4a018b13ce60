/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, or by options that JSON does not know, to Lua as LuaJSON reads them.
** Must hold: as decode/api.h. Of an array its items wait, of an object names and values. k->shape is a set
** of LUAJSON_HAS_x for the innermost container. LuaJSON reads all tokens before it looks at their order: an error of a
** token is reported first, wherever it is. */
#pragma once

#include "tokens.h"
#include "to_lua_hooks.h"

/* Reads the whole text and leaves its value on the stack; NULL: an error. */
FL_PRIVATE_NOINLINE const char *luajson_scan_(struct json_to_lua *k, const struct luajson_reader *r, const char *p);
