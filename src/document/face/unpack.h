/* SPDX-License-Identifier: MIT
** unpack.h -- unpack: a binary document to a Lua value.
** Must hold: the document stays on the Lua stack. It is checked before it is read. No Lua is called while the check
** holds memory. */
#pragma once

#include "../../binary/check/check.h"
#include "../options.h"
#include "../../decode/face/decode.h"
#include "pack.h"

#define MOD_JSON_HINT " (this looks like JSON: see fleece.from_json)"

/* May these two or more bytes, which are not a document, be JSON text? They must begin like a value, without control
** characters except for white space. */
FL_PRIVATE_NOINLINE int mod_may_be_json(const uint8_t *p, const uint8_t *end);

/* Does the value of an open document have at most max_values values? They are counted only if this call has the
** option. */
FL_PRIVATE int mod_is_within_max_values(lua_State *L, const struct mod_binary *b, const struct bin_doc *doc,
                                        bin_value v, enum bin_error *error);
