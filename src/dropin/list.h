/* SPDX-License-Identifier: MIT
** list.h -- the stand-ins for other libraries: which exist, which modules they provide, which of them this build has.
** Must hold: a stand-in is its folder, its lines in this file, and its indices in shared/lua.h. To remove one, delete
** these; README.md lists what else names it.
** The macro FLEECE_DROPINS chooses: -DFLEECE_DROPINS=cjson+dkjson or -DFLEECE_DROPINS=none; all without it. A
** stand-in that is left out is still exported and registered: its module raises an error that says what to do. Those
** that are Lua files are always there: their words change nothing. */
#pragma once

#include "../base/def.h"

/* X(library, name, symbol, open): a module of the stand-in for `library`, which is the folder's name; require "name"
** calls luaopen_symbol, and that calls open. */
#define DROPIN_MODULES(X)                                           \
  X(cjson, "fleece.cjson", fleece_cjson, cjson_open)                \
  X(cjson, "fleece.cjson.safe", fleece_cjson_safe, cjson_open_safe) \
  X(dkjson, "fleece.dkjson", fleece_dkjson, dkjson_open)            \
  X(rxi, "fleece.rxi", fleece_rxi, rxi_open)                        \
  X(rapidjson, "fleece.rapidjson", fleece_rapidjson, rapidjson_open)

/* X(name, symbol): a module that is a Lua file in lua/fleece, which luaopen_symbol finds on package.path. */
#define DROPIN_FILES(X) X("fleece.luajson", fleece_luajson) X("fleece.json4lua", fleece_json4lua)

#ifndef FLEECE_DROPINS
/* clang-format off */
#define FLEECE_DROPINS cjson+dkjson+rxi+rapidjson
/* clang-format on */
#endif

/* The words of FLEECE_DROPINS are bits in the conditions below, and text elsewhere. */
#define cjson 1
#define dkjson 2
#define rxi 4
#define rapidjson 8
#define luajson 16
#define json4lua 32
#define none 64

#if (FLEECE_DROPINS) & cjson
#define DROPIN_HAS_cjson 1
#else
#define DROPIN_HAS_cjson 0
#endif
#if (FLEECE_DROPINS) & dkjson
#define DROPIN_HAS_dkjson 1
#else
#define DROPIN_HAS_dkjson 0
#endif
#if (FLEECE_DROPINS) & rxi
#define DROPIN_HAS_rxi 1
#else
#define DROPIN_HAS_rxi 0
#endif
#if (FLEECE_DROPINS) & rapidjson
#define DROPIN_HAS_rapidjson 1
#else
#define DROPIN_HAS_rapidjson 0
#endif
#if (FLEECE_DROPINS) & none
#define DROPIN_HAS_none 1
#else
#define DROPIN_HAS_none 0
#endif

enum { DROPIN_CHOSEN = FLEECE_DROPINS }; /* an unknown word does not compile */

#undef cjson
#undef dkjson
#undef rxi
#undef rapidjson
#undef luajson
#undef json4lua
#undef none

/* The open functions that this build has. */
struct lua_State;
#define DROPIN_DECLARE_1(open) FL_PRIVATE int open(struct lua_State *L);
#define DROPIN_DECLARE_0(open)
#define X(library, name, symbol, open) FL_PASTE(DROPIN_DECLARE, DROPIN_HAS_##library)(open)
DROPIN_MODULES(X)
#undef X

#define DROPIN_TEXT_OF(words) #words
#define DROPIN_TEXT_(words) DROPIN_TEXT_OF(words)
#define DROPIN_TEXT DROPIN_TEXT_(FLEECE_DROPINS)

/* No word may occur twice, or its bit would be that of another. */
FL_STATIC_ASSERT(sizeof DROPIN_TEXT ==
                     (DROPIN_CHOSEN & 1) * sizeof "cjson" + (DROPIN_CHOSEN >> 1 & 1) * sizeof "dkjson" +
                         (DROPIN_CHOSEN >> 2 & 1) * sizeof "rxi" + (DROPIN_CHOSEN >> 3 & 1) * sizeof "rapidjson" +
                         (DROPIN_CHOSEN >> 4 & 1) * sizeof "luajson" + (DROPIN_CHOSEN >> 5 & 1) * sizeof "json4lua" +
                         (DROPIN_CHOSEN >> 6 & 1) * sizeof "none",
                 FLEECE_DROPINS_has_known_words_joined_by_plus);
