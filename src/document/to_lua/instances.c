/* SPDX-License-Identifier: MIT */
#include "instances.h"
#include "../../layout/layouts.h"

#ifndef JSON_TO_LUA_TABLES /* once in a unit */
#define JSON_TO_LUA_TABLES
#define PASTE "../decode/raw_tables.h"
#include "../../layout/each.h"
#endif
#define PASTE "../document/to_lua/raw.h"
#include "../../layout/each.h"

FL_PRIVATE unpack_raw unpack_of_layout(const struct lay_facts *facts) {
#define UNPACK_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return layout##_json_to_lua_unpack;
  LAYOUTS(UNPACK_OF)
#undef UNPACK_OF
  (void)facts;
  return NULL;
}
