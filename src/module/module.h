/* SPDX-License-Identifier: MIT
** module.h -- the tables that require "fleece" and require "fleece.safe" return, and new().
** Must hold: fleece.c exports the luaopen_* functions, nothing else. */
#pragma once

#include "../document/builder.h"
#include "../decode/face/decode.h"
#include "../stream/documents.h"
#include "../stream/events.h"
#include "../encode/face/encode.h"
#include "../files/file.h"
#include "../format/face/format.h"
#include "../stream/items.h"
#include "../stream/tokens.h"
#include "library.h"
#include "../encode/face/marks.h"
#include "../document/pack.h"
#include "../stream/parser.h"
#include "../places/pick.h"
#include "../patch/face/patch.h"
#include "../places/edit.h"
#include "../query/face/query.h"
#include "../document/unpack.h"
#include "../document/view/views.h"
#include "../stream/build.h"
#include "../stream/writer.h"

/* The module's table with the defaults. */
FL_PRIVATE int mod_open(lua_State *L, int safe);
