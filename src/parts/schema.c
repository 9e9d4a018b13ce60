/* SPDX-License-Identifier: MIT
** schema.c -- a part: the place of fleece.schema, empty so far. What fleece.rapidjson has of JSON Schema is in the part
** dropin. */

#include "lua_version.h"
