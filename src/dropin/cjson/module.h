/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.cjson": the functions and settings of OpenResty's lua-cjson, presets of encode and
** decode.
** Must hold: settings belong to one instance; marks and sentinel to the Lua state, shared by all copies of this
** library in it. Argument errors are worded, and settings kept before them, as by lua-cjson. */
#pragma once

#include "fault.h"
#include "../shared/find_fault.h"
#include "../../module/library.h"
#include "../shared/marks.h"

FL_PRIVATE int cjson_open(lua_State *L);
FL_PRIVATE int cjson_open_safe(lua_State *L);
