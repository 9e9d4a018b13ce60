/* SPDX-License-Identifier: MIT
** open.h -- the table that require "fleece.rapidjson" returns.
** May call: base, json, layout, module, lua_*.
** Must hold: all functions have the upvalues of lua/state.h. */
#ifndef FLEECE_DROPIN_RAPIDJSON_OPEN_H
#define FLEECE_DROPIN_RAPIDJSON_OPEN_H

#include "../../module/library.h"
#include "raw.h"
#include "schema.h"
#include "tables.h"

FL_PRIVATE int rapidjson_open(lua_State *L);

#endif
