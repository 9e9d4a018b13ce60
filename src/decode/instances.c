/* SPDX-License-Identifier: MIT
** instances.c -- the decoders of this build: one for each layout that its Lua API may meet.
** Must hold: as api.h. */
#include "../layout/layouts.h"
#include "lossless.h"

#ifndef JSON_TO_LUA_TABLES /* once per unit of compilation */
#define JSON_TO_LUA_TABLES
#define PASTE "../decode/raw_tables.h"
#include "../layout/each.h"
#endif
#define PASTE "../decode/raw.h"
#include "../layout/each.h"

#define JSON_TO_LUA_DECODER(layout, kilobytes)                                                                         \
  static const struct json_to_lua_decoder layout##_lossless_decoder = {layout##_json_to_lua_lossless_scan,             \
                                                                       layout##_json_to_lua_lossless_scan_part,        \
                                                                       layout##_json_to_lua_lossless_take,             \
                                                                       layout##_json_to_lua_give,                      \
                                                                       layout##_json_to_lua_grow,                      \
                                                                       layout##_json_to_lua_flush,                     \
                                                                       NULL};                                          \
  static const struct json_to_lua_decoder layout##_decoder = {                                                         \
      layout##_json_to_lua_scan, layout##_json_to_lua_scan_part, layout##_json_to_lua_take, layout##_json_to_lua_give, \
      layout##_json_to_lua_grow, layout##_json_to_lua_flush,     &layout##_lossless_decoder};
LAYOUTS(JSON_TO_LUA_DECODER)
#undef JSON_TO_LUA_DECODER

FL_PRIVATE const struct json_to_lua_decoder *json_to_lua_decoder_of(const struct lay_facts *facts) {
#define JSON_TO_LUA_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return &layout##_decoder;
  LAYOUTS(JSON_TO_LUA_OF)
#undef JSON_TO_LUA_OF
  (void)facts;
  return NULL;
}
