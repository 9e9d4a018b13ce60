/* SPDX-License-Identifier: MIT
** raw.h -- rapidjson's rules in the raw encoder: what metatables mean, and the table shape of each layout.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#pragma once

#include "../../encode/state.h"

/* A string that is not "array" says object. No known metatable counts. */
static const struct encode_field_rule rapidjson_fields[] = {
    ENCODE_FIELD("__jsontype", "array", ENCODE_ARRAY),
    ENCODE_FIELD("__jsontype", "", ENCODE_OBJECT),
    ENCODE_FIELD("__jsontype", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules rapidjson_table_rules = {
    .fields = rapidjson_fields,
    .keys = ENCODE_KEYS_SKIPPED,
    .errors = ENCODE_ERRORS_BARE,
    .inherits_fields = 1,
};

/* The table shape of a proven layout, or NULL. */
FL_PRIVATE const struct encode_shape *rapidjson_shape_of(const struct lay_facts *facts);
