/* SPDX-License-Identifier: MIT */
#include "keys.h"

FL_PRIVATE char *api_key_text(lua_State *L, int at, char *w) {
  if (compat_is_integer(L, at)) return num_write_i64(w, compat_to_integer(L, at));
  return json_write_key_text(w, lua_tonumber(L, at));
}

FL_PRIVATE int api_push_number_key(lua_State *L, const char *name, size_t n) {
  char text[JSON_NUMBER_ROOM + 8], digits[JSON_NUMBER_ROOM + 8];
  struct num_value v;
  if (n == 0 || n >= sizeof text || !(*name == '-' || (*name >= '0' && *name <= '9'))) return 0;
  memcpy(text, name, n);
  text[n] = 0;
  if (num_read(text, text + n, &v) != text + n || v.kind == NUM_BAD || v.kind == NUM_HUGE) return 0;
  if (v.kind == NUM_INTEGER) compat_push_integer(L, v.i);
  else lua_pushnumber(L, (lua_Number)v.d);
  if ((size_t)(api_key_text(L, -1, digits) - digits) == n && memcmp(digits, text, n) == 0) return 1;
  lua_pop(L, 1);
  return 0;
}

FL_PRIVATE int api_push_same_name(lua_State *L, int key) {
  char digits[JSON_NUMBER_ROOM + 8];
  size_t n;
  if (lua_type(L, key) == LUA_TNUMBER) {
    lua_pushlstring(L, digits, (size_t)(api_key_text(L, key, digits) - digits));
    return 1;
  }
  const char *s = lua_type(L, key) == LUA_TSTRING ? lua_tolstring(L, key, &n) : NULL;
  return s && api_push_number_key(L, s, n);
}
