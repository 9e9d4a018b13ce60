/* SPDX-License-Identifier: MIT
** lua_to_json_instances.h -- the raw walks of this build: one for each layout its Lua API may meet.
** May call: convert/lua_to_json.h.  Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_INSTANCES_H
#define FLEECE_CONVERT_LUA_TO_JSON_INSTANCES_H

#if FLEECE_LUA_VERSION == 501
#include "../layout/lua51.h"
#define LAYOUT lua51
#include "lua_to_json.h"
#undef LAYOUT
#include "../layout/luajit.h"
#define LAYOUT luajit
#include "lua_to_json.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 502
#include "../layout/lua52.h"
#define LAYOUT lua52
#include "lua_to_json.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 503
#include "../layout/lua53.h"
#define LAYOUT lua53
#include "lua_to_json.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 504
#include "../layout/lua54.h"
#define LAYOUT lua54
#include "lua_to_json.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 505
#include "../layout/lua55.h"
#define LAYOUT lua55
#include "lua_to_json.h"
#undef LAYOUT
#endif

typedef enum walk_result (*walk_raw)(struct walk *c, const char *root, enum walk_speed speed);

/* The raw walk of a proven layout, or NULL. */
FL_FUNC walk_raw walk_of_layout(const struct lay_facts *facts) {
#if FLEECE_LUA_VERSION == 501
  return facts == &lua51_facts ? lua51_walk : facts == &luajit_facts ? luajit_walk : NULL;
#elif FLEECE_LUA_VERSION == 502
  return facts == &lua52_facts ? lua52_walk : NULL;
#elif FLEECE_LUA_VERSION == 503
  return facts == &lua53_facts ? lua53_walk : NULL;
#elif FLEECE_LUA_VERSION == 504
  return facts == &lua54_facts ? lua54_walk : NULL;
#elif FLEECE_LUA_VERSION == 505
  return facts == &lua55_facts ? lua55_walk : NULL;
#else
  (void)facts;
  return NULL;
#endif
}

#endif
