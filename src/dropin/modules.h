/* SPDX-License-Identifier: MIT
** modules.h -- the stand-ins that this build has, and the luaopen_ function of each module of list.h.
** Must hold: fleece.c includes it last. Nothing else of the library knows a stand-in. */
#pragma once

#include "../module/module.h"
#include "list.h"

#ifndef FLEECE_APART
#if !DROPIN_HAS_none
#include "shared/place.c"
#include "shared/itself.c"
#include "shared/loose.c"
#include "shared/strtod.c"
#include "shared/fault.c"
#include "shared/find_fault.c"
#include "shared/raw_unmixed_instances.c"
#include "shared/tables.c"
#endif
#endif

#if DROPIN_HAS_cjson
#include "cjson/module.h"
#ifndef FLEECE_APART
#include "cjson/fault.c"
#include "cjson/lenient.c"
#include "cjson/module.c"
#endif
#endif

#if DROPIN_HAS_dkjson
#include "dkjson/module.h"
#ifndef FLEECE_APART
#include "dkjson/tokens.c"
#include "dkjson/to_lua.c"
#include "dkjson/raw.c"
#include "dkjson/tables.c"
#include "dkjson/module.c"
#endif
#endif

#if DROPIN_HAS_rxi
#include "rxi/module.h"
#ifndef FLEECE_APART
#include "rxi/fault.c"
#include "rxi/lenient.c"
#include "rxi/tables.c"
#include "rxi/module.c"
#endif
#endif

#if DROPIN_HAS_rapidjson
#include "rapidjson/open.h"
#ifndef FLEECE_APART
#include "rapidjson/fault.c"
#include "rapidjson/raw.c"
#include "rapidjson/tables.c"
#include "rapidjson/document.c"
#include "rapidjson/schema.c"
#include "rapidjson/module.c"
#include "rapidjson/open.c"
#endif
#endif

#if DROPIN_HAS_luajson
#include "luajson/module.h"
#ifndef FLEECE_APART
#include "luajson/tokens.c"
#include "luajson/slots.c"
#include "luajson/options.c"
#include "luajson/table_hooks.c"
#include "luajson/tables.c"
#include "luajson/to_lua_hooks.c"
#include "luajson/to_lua.c"
#include "luajson/util.c"
#include "luajson/functions.c"
#include "luajson/module.c"
#endif
#endif

#if DROPIN_HAS_json4lua
#include "json4lua/module.h"
#ifndef FLEECE_APART
#include "json4lua/tokens.c"
#include "json4lua/to_lua.c"
#include "json4lua/tables.c"
#include "json4lua/module.c"
#endif
#endif

/* Raises that a module was left out. */
FL_NOINLINE int dropin_missing(lua_State *L, const char *name, const char *library) {
  return luaL_error(L,
                    "%s is not in this build of Fleece, which was made with FLEECE_DROPINS=%s; build Fleece with "
                    "FLEECE_DROPINS=%s, or without FLEECE_DROPINS to have all",
                    name, DROPIN_TEXT, library);
}

#define DROPIN_OPEN_1(L, library, name, open) open(L)
#define DROPIN_OPEN_0(L, library, name, open) dropin_missing(L, name, library)
#define X(library, name, symbol, open)              \
  FLEECE_EXPORT int luaopen_##symbol(lua_State *L); \
  int luaopen_##symbol(lua_State *L) { return FL_PASTE(DROPIN_OPEN, DROPIN_HAS_##library)(L, #library, name, open); }
DROPIN_MODULES(X)
#undef X
