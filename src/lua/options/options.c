/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "../guard.h"

FL_PRIVATE void mod_read_name(struct mod_reader *r, int at) {
  lua_State *L = r->L;
  size_t n;
  if (lua_type(L, at) == LUA_TNUMBER) mod_argument_error(L, r->arg, "options expected, got a list");
  if (lua_type(L, at) != LUA_TSTRING) mod_argument_error(L, r->arg, "option names must be strings");
  r->name = lua_tolstring(L, at, &n);
  if (strlen(r->name) != n) mod_argument_error(L, r->arg, lua_pushfstring(L, "unknown option '%s'", r->name));
  if (r->names && !mod_is_word(r->name, r->names)) mod_unknown_option_(L, r->arg, r->name, r->names);
}

FL_PRIVATE int mod_bad_option(const struct mod_reader *r, const char *expected) {
  return mod_argument_error(r->L, r->arg, lua_pushfstring(r->L, "option '%s' must be %s", r->name, expected));
}

FL_PRIVATE int mod_read_boolean(const struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TBOOLEAN) mod_bad_option(r, "true or false");
  return lua_toboolean(r->L, -1);
}

FL_PRIVATE int mod_unfit_option(lua_State *L, int arg, const char *name, const char *value) {
  const char *message = lua_pushfstring(L, "option '%s' must be %s here", name, value);
  return lua_isnoneornil(L, arg) ? mod_error(L, message) : mod_argument_error(L, arg, message);
}

FL_PRIVATE int mod_read_integer(const struct mod_reader *r, int least, int most) {
  lua_Number n = lua_tonumber(r->L, -1);
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= least && n <= most) || n != (lua_Number)(int)n)
    mod_bad_option(r, lua_pushfstring(r->L, "a whole number from %d to %d", least, most));
  return (int)n;
}

FL_PRIVATE int mod_read_word(const struct mod_reader *r, const char *words) {
  const char *at, *value;
  size_t n = 0;
  int place;
  value = lua_type(r->L, -1) == LUA_TSTRING ? lua_tolstring(r->L, -1, &n) : NULL;
  place = value ? mod_find_word(value, n, words) : -1;
  if (place >= 0) return place;
  lua_pushliteral(r->L, "one of ");
  for (at = words;; at++) {
    size_t length = 0;
    while (at[length] && at[length] != '|') length++;
    lua_pushliteral(r->L, "\"");
    lua_pushlstring(r->L, at, length);
    lua_pushstring(r->L, at[length] ? "\", " : "\"");
    lua_concat(r->L, 4);
    at += length;
    if (!*at) break;
  }
  return mod_bad_option(r, lua_tostring(r->L, -1));
}
