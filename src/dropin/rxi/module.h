/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.rxi": the functions of rxi's json.lua 0.1.2, presets of encode and decode.
** Must hold: a text is read by the one scanner; only what it refuses is read again, for the message. */
#pragma once

#include "fault.h"
#include "lenient.h"
#include "../shared/find_fault.h"
#include "../shared/place.h"
#include "../../module/library.h"
#include "tables.h"

FL_PRIVATE int rxi_open(lua_State *L);
