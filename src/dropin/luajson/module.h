/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.luajson": the functions of LuaJSON 1.3.4, presets of encode and decode.
** Must hold: what the functions share is in their upvalues; options are read at each call, or kept by the function
** that getDecoder and getEncoder return. JSON is read by the one scanner; only what it refuses, or what other options
** want, is read by LuaJSON's rules. */
#pragma once

#include "options.h"
#include "../shared/raw_unmixed_instances.h"

FL_PRIVATE int luajson_open(lua_State *L);
