/* SPDX-License-Identifier: MIT
** schema.c -- a part: the place of fleece.schema, empty so far. What stand-ins have of JSON Schema is in the part
** dropin. */

#include "lua_version.h"
