/* SPDX-License-Identifier: MIT
** touch.c -- a lower bound for encoders that read Lua's tables in memory: reads every table, key and value once, copies
** the bytes of the strings and 8 bytes for each number into a buffer, and makes nothing of them.
** Use: touch(value) returns how many bytes that were. The value must be a plain tree of tables, less deep than the C
** stack, with less than 64 MB of strings; the Lua must have the layout, which nothing tests.
** Build: cc -O2 -shared -fPIC -DTOUCH=lua54 (luajit, lua51) -I<Lua's headers> -o touch.so bench/c/touch.c
** May call: the public API, layout.  Must hold: no tests of text, no numbers, no result. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#include "../../src/layout/layouts.h"

#define LAY(name) FL_PASTE(TOUCH, name)

enum { TOUCH_ROOM = 64 * 1024 * 1024 };

static char *touch_table(char *w, const char *t);

static inline char *touch_value(char *w, struct lay_value v) {
  if (LAY(is_string)(v)) {
    size_t n;
    const char *s = LAY(string)(v, &n);
    memcpy(w, s, n);
    return w + n;
  }
  if (LAY(is_table)(v)) return touch_table(w, LAY(pointer)(v));
  memcpy(w, &v.bits, sizeof v.bits);
  return w + sizeof v.bits;
}

static char *touch_table(char *w, const char *t) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t);
  const size_t items = LAY(array_size)(t), count = LAY(node_count)(t);
  size_t i;
  for (i = 0; i < items; i++)
    if (!LAY(array_is_nil)(array, i)) w = touch_value(w, LAY(array_item)(array, i));
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes);
    if (LAY(node_is_nil)(node)) continue;
    w = touch_value(w, LAY(node_key)(node));
    w = touch_value(w, LAY(node_value)(node));
  }
  return w;
}

static int touch(lua_State *L) {
  char *room = (char *)lua_touserdata(L, lua_upvalueindex(1));
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushnumber(L, (lua_Number)(touch_table(room, (const char *)lua_topointer(L, 1)) - room));
  return 1;
}

int luaopen_touch(lua_State *L) {
  lua_newuserdata(L, TOUCH_ROOM);
  lua_pushcclosure(L, touch, 1);
  return 1;
}
