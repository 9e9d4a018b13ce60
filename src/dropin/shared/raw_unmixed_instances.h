/* SPDX-License-Identifier: MIT
** raw_unmixed_instances.h -- the table shapes of LuaJSON and JSON4Lua for each layout of this build.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#pragma once

#include "../../encode/state.h"

/* They ask __is_luajson_array; the public-API encoder knows which of them. */
static const struct encode_field_rule dropin_unmixed_fields[] = {
    ENCODE_FIELD("__pairs", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__len", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__is_luajson_array", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};

/* The table shape of a proven layout, or NULL. `n_is_length`: tables with a name `n` first are left to Lua. */
FL_PRIVATE const struct encode_shape *dropin_unmixed_shape_of(const struct lay_facts *facts, int n_is_length);
