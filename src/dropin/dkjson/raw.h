/* SPDX-License-Identifier: MIT
** raw.h -- dkjson's rules in the raw encoder: what metatables mean, and the table shape of each layout.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#pragma once

#include "../../encode/state.h"

static const struct encode_field_rule dkjson_fields[] = {
    ENCODE_FIELD("__tojson", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__pairs", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__jsonorder", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__jsontype", "object", ENCODE_EMPTY_OBJECT),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules dkjson_table_rules = {
    .fields = dkjson_fields,
    .known = {[ENCODE_OBJECT] = ENCODE_EMPTY_OBJECT, [ENCODE_NULL] = ENCODE_NULL},
    .errors = ENCODE_ERRORS_BARE,
    .inherits_fields = 1,
};

/* The table shape of a proven layout, or NULL. */
FL_PRIVATE const struct encode_shape *dkjson_shape_of(const struct lay_facts *facts);
