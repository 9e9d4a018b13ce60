/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.dkjson": the functions of dkjson 2.8, presets of encode and decode.
** May call: base, json, layout, convert, module, lua_*.
** Must hold: the options are those of the two codecs here, which nobody changes: `encode` writes no white space,
** `json` indents. JSON is read by the one scanner; only what it refuses is read again by loose rules. */
#ifndef FLEECE_DROPIN_DKJSON_MODULE_H
#define FLEECE_DROPIN_DKJSON_MODULE_H

#include "to_lua.h"
#include "../shared/place.h"
#include "../../module/library.h"
#include "raw.h"
#include "tables.h"
#include "../shared/marks.h"

FL_PRIVATE int dkjson_open(lua_State *L);

#endif
