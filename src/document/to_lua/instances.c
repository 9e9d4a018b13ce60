/* SPDX-License-Identifier: MIT
** instances.c -- unpacking below the API: one function for each layout that the Lua API of this build may meet. */
#include "api.h"
#include "../../layout/layouts.h"

#ifndef JSON_TO_LUA_TABLES /* once per unit of compilation */
#define JSON_TO_LUA_TABLES
#define PASTE "../decode/raw_tables.h"
#include "../../layout/each.h"
#endif
#define PASTE "../document/to_lua/raw.h"
#include "../../layout/each.h"

FL_PRIVATE unpack_raw unpack_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, json_to_lua_unpack); }
