/* SPDX-License-Identifier: MIT
** module.h -- the tables that require "fleece" and require "fleece.safe" return, and new().
** May call: base, text, json, layout, lua_*.
** Must hold: fleece.c exports the luaopen_* functions, nothing else. */
#ifndef FLEECE_MODULE_CORE_MODULE_H
#define FLEECE_MODULE_CORE_MODULE_H

#include "../binary/builder.h"
#include "../json/decode.h"
#include "../stream/documents.h"
#include "../stream/events.h"
#include "../json/encode.h"
#include "../files/file.h"
#include "../json/format.h"
#include "../stream/items.h"
#include "../stream/tokens.h"
#include "library.h"
#include "marks.h"
#include "../binary/pack.h"
#include "../stream/parser.h"
#include "../text/pick.h"
#include "../patch/patch.h"
#include "../text/edit.h"
#include "../query/query.h"
#include "../binary/unpack.h"
#include "../view/views.h"
#include "../stream/build.h"
#include "../stream/writer.h"

/* The module's table with the defaults. */
FL_PRIVATE int mod_open(lua_State *L, int safe);

#endif
