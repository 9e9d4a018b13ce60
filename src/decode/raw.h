/* SPDX-License-Identifier: MIT
** raw.h -- template: the scans of a text whose values are made below the API, for one layout.
** Must hold: raw_tables.h of the same layout is included before.
**
** Parameter, left defined: LAYOUT. */

#define LAY(name) FL_PASTE(LAYOUT, name)
#define JSON_TO_LUA_SLOT LAY(slot_bytes)

#define SCAN_NAME LAY(json_to_lua_scan)
#define SCAN_SINK struct json_to_lua
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#include "../json/grammar/scan_template.h"

#define SCAN_NAME LAY(json_to_lua_scan_part)
#define SCAN_SINK struct json_to_lua
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#define SCAN_PARTS 1
#include "../json/grammar/scan_template.h"

#include "raw_lossless.h"

#undef LAY
#undef JSON_TO_LUA_SLOT
