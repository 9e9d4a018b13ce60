/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.dkjson": the functions of dkjson 2.8, presets of encode and decode.
** Must hold: the options are those of the two codecs here, which nobody changes: `encode` writes no white space,
** `json` indents. JSON is read by the one scanner; only what it refuses is read again by loose rules. */
#pragma once

#include "to_lua.h"
#include "../shared/place.h"
#include "../../module/library.h"
#include "raw.h"
#include "tables.h"
#include "../shared/marks.h"

FL_PRIVATE int dkjson_open(lua_State *L);
