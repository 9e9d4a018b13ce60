/* SPDX-License-Identifier: MIT
** lua_to_json_instances.h -- the raw walks of this build: one for each layout its Lua API may meet.
** May call: convert/lua_to_json.h, layout.  Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_INSTANCES_H
#define FLEECE_CONVERT_LUA_TO_JSON_INSTANCES_H

#include "../layout/layouts.h"

#define PASTE "../convert/lua_to_json.h"
#include "../layout/each.h"

typedef enum walk_result (*walk_raw)(struct walk *c, const char *root, enum walk_speed speed);

/* The raw walk of a proven layout, or NULL. */
FL_FUNC walk_raw walk_of_layout(const struct lay_facts *facts) {
#define WALK_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return layout##_walk;
  LAYOUTS(WALK_OF)
#undef WALK_OF
  (void)facts;
  return NULL;
}

#endif
