/* SPDX-License-Identifier: MIT
** open.h -- the table that require "fleece.rapidjson" returns.
** Must hold: all functions have the upvalues of lua/state.h. */
#pragma once

#include "../../module/library.h"
#include "raw.h"
#include "schema.h"
#include "tables.h"

FL_PRIVATE int rapidjson_open(lua_State *L);
