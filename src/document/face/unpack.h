/* SPDX-License-Identifier: MIT
** unpack.h -- unpack: converts a binary document to a Lua value.
** Must hold: the document stays on the Lua stack and is checked before it is read. While the check holds memory no Lua
** is called. */
#pragma once

#include "../options.h"
#include "pack.h"

#define MOD_JSON_HINT " (this looks like JSON: see fleece.from_json)"

/* Returns whether two or more bytes that are not a document could be JSON text: they begin like a value and have no
** control characters except white space. */
FL_PRIVATE_NOINLINE int mod_may_be_json(const uint8_t *p, const uint8_t *end);

/* Returns whether the value of an open document has at most max_values values. Counts them only if this call has the
** option. */
FL_PRIVATE int mod_is_within_max_values(lua_State *L, const struct mod_binary *b, const struct bin_doc *doc,
                                        bin_value v, enum bin_error *error);
