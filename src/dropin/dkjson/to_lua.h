/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, to Lua as dkjson reads them.
** May call: base, number, json, convert, lua_*.
** Must hold: as dropin/shared/loose.h. */
#ifndef FLEECE_DROPIN_DKJSON_TO_LUA_H
#define FLEECE_DROPIN_DKJSON_TO_LUA_H

#include "../shared/loose.h"
#include "tokens.h"

/* Reads the value at p, or after white space there. `assigned`: see dropin_loose_close. Returns the byte after the
** value, or NULL with the error. */
FL_PRIVATE_NOINLINE const char *dkjson_scan_(struct json_to_lua *k, const char *p, int assigned);

#endif
