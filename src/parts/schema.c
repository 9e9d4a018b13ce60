/* SPDX-License-Identifier: MIT
** schema.c -- a part: the place of fleece.schema, empty so far. What fleece.rapidjson has of JSON Schema comes with dropin. */

#include "lua_version.h"
