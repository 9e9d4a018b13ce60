/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.json4lua": the functions of JSON4Lua 1.0.1, presets of encode and decode.
** Must hold: JSON is read by the one scanner; only what it refuses is read again by JSON4Lua's rules. */
#pragma once

#include "tables.h"
#include "to_lua.h"
#include "../../module/library.h"
#include "../shared/raw_unmixed_instances.h"
#include "../../encode/face/marks.h"
#include "../shared/itself.h"

FL_PRIVATE int json4lua_open(lua_State *L);
