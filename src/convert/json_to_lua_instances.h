/* SPDX-License-Identifier: MIT
** json_to_lua_instances.h -- the decoders of this build, of text and binary: one for each layout its Lua API may
** meet.
** May call: layout, convert/json_to_lua.h, convert/binary_to_lua.h and their templates.
** Must hold: nothing of its own. */
#ifndef FLEECE_CONVERT_JSON_TO_LUA_INSTANCES_H
#define FLEECE_CONVERT_JSON_TO_LUA_INSTANCES_H

#include "../layout/probe.h"
#include "binary_to_lua.h"
#include "json_to_lua_parts.h"

#define PASTE "../convert/json_to_lua_raw.h"
#include "../layout/each.h"
#define PASTE "../convert/binary_to_lua_raw.h"
#include "../layout/each.h"

#define JL_DECODER(layout, kilobytes)                                                                             \
  static const struct jl_decoder layout##_decoder = {layout##_jl_scan, layout##_jl_scan_part, layout##_jl_take,   \
                                                     layout##_jl_give, layout##_jl_grow,      layout##_jl_unpack, \
                                                     layout##_jl_pour};
LAYOUTS(JL_DECODER)
#undef JL_DECODER

/* The decoder of a proven layout, or NULL. */
FL_FUNC const struct jl_decoder *jl_decoder_of(const struct lay_facts *facts) {
#define JL_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return &layout##_decoder;
  LAYOUTS(JL_OF)
#undef JL_OF
  (void)facts;
  return NULL;
}

#endif
