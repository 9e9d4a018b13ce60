/* SPDX-License-Identifier: MIT
** json_to_lua_instances.h -- the decoders of this build, of text and binary: one for each layout its Lua API may
** meet.
** May call: convert/json_to_lua.h, convert/binary_to_lua.h and their templates.  Must hold: nothing of its own. */
#ifndef FLEECE_CONVERT_JSON_TO_LUA_INSTANCES_H
#define FLEECE_CONVERT_JSON_TO_LUA_INSTANCES_H

#include "../layout/probe.h"
#include "binary_to_lua.h"
#include "json_to_lua_parts.h"

#define JL_DECODER(layout)                     \
  static const struct jl_decoder layout##_decoder = { \
      layout##_jl_scan, layout##_jl_scan_part, layout##_jl_take, layout##_jl_give, layout##_jl_grow, \
      layout##_jl_unpack, layout##_jl_pour};

#if LUA_VERSION_NUM == 501
#define LAYOUT lua51
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
#define LAYOUT luajit
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
JL_DECODER(lua51)
JL_DECODER(luajit)
#elif LUA_VERSION_NUM == 502
#define LAYOUT lua52
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
JL_DECODER(lua52)
#elif LUA_VERSION_NUM == 503
#define LAYOUT lua53
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
JL_DECODER(lua53)
#elif LUA_VERSION_NUM == 504
#define LAYOUT lua54
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
JL_DECODER(lua54)
#elif LUA_VERSION_NUM == 505
#define LAYOUT lua55
#include "json_to_lua_raw.h"
#include "binary_to_lua_raw.h"
#undef LAYOUT
JL_DECODER(lua55)
#endif

/* The decoder of a proven layout, or NULL. */
FL_FUNC const struct jl_decoder *jl_decoder_of(const struct lay_facts *facts) {
#define JL_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return &layout##_decoder;
  PROBE_LAYOUTS(JL_OF)
#undef JL_OF
  (void)facts;
  return NULL;
}

#endif
