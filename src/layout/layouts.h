/* SPDX-License-Identifier: MIT
** layouts.h -- the layouts that this build supports: all with the version number of Lua's headers.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. A new Lua is one more block here.
**
** LAYOUTS(X)   X(layout, KiB of memory for its proof): PUC Lua needs up to 30, LuaJIT 33, or 28 with its FFI. LuaJIT's
**              lua_newstate, which needs 13, crashes in some releases when memory is refused, so LuaJIT gets more.
** LAYOUT_1..3  the same names, for each.h
** LAYOUT_PICK  LAYOUT_PICK(found, encode) is &lua54_encode if `found` are the facts of lua54, and so on; else NULL */
#pragma once

#if FLEECE_LUA_VERSION == 501
#include "lua51.h"
#include "luajit_now.h"
#include "luajit_early.h"
#define LAYOUTS(X) X(lua51, 48) X(luajit, 80) X(luajit_early, 80)
#define LAYOUT_1 lua51
#define LAYOUT_2 luajit
#define LAYOUT_3 luajit_early
#elif FLEECE_LUA_VERSION == 502
#include "lua52.h"
#define LAYOUTS(X) X(lua52, 48)
#define LAYOUT_1 lua52
#elif FLEECE_LUA_VERSION == 503
#include "lua53.h"
#define LAYOUTS(X) X(lua53, 48)
#define LAYOUT_1 lua53
#elif FLEECE_LUA_VERSION == 504
#include "lua54.h"
#define LAYOUTS(X) X(lua54, 48)
#define LAYOUT_1 lua54
#elif FLEECE_LUA_VERSION == 505
#include "lua55.h"
#define LAYOUTS(X) X(lua55, 48)
#define LAYOUT_1 lua55
#else
#define LAYOUTS(X)
#endif

#if defined(LAYOUT_3)
#define LAYOUT_PICK(found, name)                                       \
  ((found) == &FL_PASTE(LAYOUT_1, facts)   ? &FL_PASTE(LAYOUT_1, name) \
   : (found) == &FL_PASTE(LAYOUT_2, facts) ? &FL_PASTE(LAYOUT_2, name) \
   : (found) == &FL_PASTE(LAYOUT_3, facts) ? &FL_PASTE(LAYOUT_3, name) \
                                           : NULL)
#elif defined(LAYOUT_1)
#define LAYOUT_PICK(found, name) ((found) == &FL_PASTE(LAYOUT_1, facts) ? &FL_PASTE(LAYOUT_1, name) : NULL)
#else
#define LAYOUT_PICK(found, name) ((void)(found), NULL)
#endif
