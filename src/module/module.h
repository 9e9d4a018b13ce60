/* SPDX-License-Identifier: MIT
** module.h -- the tables that require "fleece" and require "fleece.safe" return, and new().
** Must hold: fleece.c exports only the luaopen_* functions. */
#pragma once

#include "../decode/face/decode.h"
#include "../encode/face/encode.h"
#include "../encode/face/marks.h"
#include "../files/file.h"
#include "../format/face/format.h"
#include "../places/edit.h"
#include "../places/pick.h"
#include "../stream/stream.h"
#include "library.h"
#include "../lua/parts.h"
#if PART_HAS_document
#include "../document/document.h"
#include "../document/options.h"
#endif
#if PART_HAS_query
#include "../patch/face/patch.h"
#include "../query/face/query.h"
#endif
#if PART_HAS_schema
#include "../schema/face/schema.h"
#endif

/* Pushes the module's table with default options. */
FL_PRIVATE int mod_open(lua_State *L, int safe);
