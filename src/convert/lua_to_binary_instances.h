/* SPDX-License-Identifier: MIT
** lua_to_binary_instances.h -- the raw walks to binary of this build: one for each layout its Lua API may meet.
** May call: convert/lua_to_binary.h.  Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#ifndef FLEECE_CONVERT_LUA_TO_BINARY_INSTANCES_H
#define FLEECE_CONVERT_LUA_TO_BINARY_INSTANCES_H

#include "lua_to_json_instances.h"
#include "pack.h"

#if FLEECE_LUA_VERSION == 501
#define LAYOUT lua51
#include "lua_to_binary.h"
#undef LAYOUT
#define LAYOUT luajit
#include "lua_to_binary.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 502
#define LAYOUT lua52
#include "lua_to_binary.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 503
#define LAYOUT lua53
#include "lua_to_binary.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 504
#define LAYOUT lua54
#include "lua_to_binary.h"
#undef LAYOUT
#elif FLEECE_LUA_VERSION == 505
#define LAYOUT lua55
#include "lua_to_binary.h"
#undef LAYOUT
#endif

typedef enum walk_result (*pack_raw)(struct lua_to_binary *b, const char *root);

/* The raw walk of a proven layout, or NULL. */
FL_FUNC pack_raw pack_of_layout(const struct lay_facts *facts) {
#if FLEECE_LUA_VERSION == 501
  return facts == &lua51_facts ? lua51_pack : facts == &luajit_facts ? luajit_pack : NULL;
#elif FLEECE_LUA_VERSION == 502
  return facts == &lua52_facts ? lua52_pack : NULL;
#elif FLEECE_LUA_VERSION == 503
  return facts == &lua53_facts ? lua53_pack : NULL;
#elif FLEECE_LUA_VERSION == 504
  return facts == &lua54_facts ? lua54_pack : NULL;
#elif FLEECE_LUA_VERSION == 505
  return facts == &lua55_facts ? lua55_pack : NULL;
#else
  (void)facts;
  return NULL;
#endif
}

#endif
