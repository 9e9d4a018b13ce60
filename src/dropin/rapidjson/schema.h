/* SPDX-License-Identifier: MIT
** schema.h -- lua-rapidjson's SchemaDocument and SchemaValidator.
** Must hold: a SchemaDocument is a document with another metatable, whose tree never changes. A SchemaValidator has one
** in its environment. No Lua function is called while a document is checked. */
#pragma once

#include "../../schema/schema.h"
#include "../../text/general.h"
#include "document.h"

FL_IDENTITY rapidjson_schema_key = 0, rapidjson_validator_key = 0; /* keys of the registry */

/* SchemaDocument([text, table or document]) -> schema */
FL_PRIVATE int rapidjson_schema(lua_State *L);

/* SchemaValidator(schema) -> validator */
FL_PRIVATE int rapidjson_validator(lua_State *L);

/* validator:validate(document) -> true; or false, message */
FL_PRIVATE int rapidjson_validate(lua_State *L);

static const luaL_Reg rapidjson_schema_methods[] = {{NULL, NULL}};

static const luaL_Reg rapidjson_validator_methods[] = {{"validate", rapidjson_validate}, {NULL, NULL}};
