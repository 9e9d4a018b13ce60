/* SPDX-License-Identifier: MIT
** instances.h -- the raw walks to binary of this build: one for each layout its Lua API may meet.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#pragma once

#include "../../encode/raw/instances.h"
#include "../../binary/encode/end.h"
#include "fast.h"

typedef enum encode_result (*pack_raw)(struct lua_to_binary *b, const char *root);

/* Returns the raw walk of a proven layout, or NULL. */
FL_PRIVATE pack_raw pack_of_layout(const struct lay_facts *facts);

/* Like pack_of_layout, for the fast mode. */
FL_PRIVATE pack_raw pack_fast_of_layout(const struct lay_facts *facts);
