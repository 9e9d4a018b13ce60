/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, to Lua as JSON4Lua reads them: comments can stand before values.
** Must hold: as dropin/shared/loose.h. */
#pragma once

#include "../shared/loose.h"
#include "tokens.h"

/* Reads the value at p, or after white space and comments there. Returns the byte after the value, or NULL with the
** error. */
FL_PRIVATE_NOINLINE const char *json4lua_scan_(struct json_to_lua *k, const char *p);
