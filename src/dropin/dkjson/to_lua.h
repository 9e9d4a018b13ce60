/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, to Lua as dkjson reads them.
** Must hold: as dropin/shared/loose.h. */
#pragma once

#include "../shared/loose.h"
#include "tokens.h"

/* Reads the value at p, or after white space there. `assigned`: see dropin_loose_close. Returns the byte after the
** value, or NULL with the error. */
FL_PRIVATE_NOINLINE const char *dkjson_scan_(struct json_to_lua *k, const char *p, int assigned);
