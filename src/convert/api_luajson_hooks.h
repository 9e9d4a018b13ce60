/* SPDX-License-Identifier: MIT
** api_luajson_hooks.h -- what a program gives LuaJSON's encode: functions that see each value, words of its own.
** May call: lua_*, convert/api_open.h.
** Must hold: only walks with an a->lj come here, and none of them is a raw one; as api_hook.h. */
#ifndef FLEECE_CONVERT_API_LUAJSON_HOOKS_H
#define FLEECE_CONVERT_API_LUAJSON_HOOKS_H

#include "api_open.h"

/* a == b by Lua's rules, for lua_pcall. */
FL_FUNC int api_lj_compare(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ));
#else
  lua_pushboolean(L, lua_equal(L, 1, 2));
#endif
  return 1;
}

/* Is the value on top equal to the one at the index, 0: none, which may have an __eq? */
FL_FUNC int api_lj_equals(struct api_walk *a, int index) {
  lua_State *L = a->L;
  int equal;
  if (!index || lua_type(L, -1) != lua_type(L, index)) return 0;
  api_need_stack(L, 6);
  lua_pushcfunction(L, api_lj_compare);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, index);
  if (!api_call(a, 2, 1)) return 0;
  equal = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return equal;
}

/* "undefined", or an error if it must not be. */
FL_FUNC const char *api_lj_undefined(struct api_walk *a) {
  if (a->walk->out.style->undefined_word) return "undefined";
  return api_fail(a, FL_ERROR_HOOK, "Invalid value: Unsupported 'Undefined' parameter");
}

/* The value on top, or what stands for it, takes its place; false: an error. */
FL_FUNC int api_lj_pre_process(struct api_walk *a, int is_key) {
  lua_State *L = a->L;
  if (!a->lj->pre_process) return 1;
  api_need_stack(L, 6);
  lua_pushvalue(L, a->lj->pre_process);
  lua_pushvalue(L, -2);
  lua_pushboolean(L, is_key);
  if (!api_call(a, 2, 1)) return 0;
  if (lua_isnil(L, -1)) lua_pop(L, 1);
  else lua_replace(L, -2);
  return 1;
}

/* What array.isArray says of the table: 1, 0; -1: it leaves open, -2: an error. */
FL_FUNC int api_lj_ask_array(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int says;
  if (!a->lj->is_array) return -1;
  lua_pushvalue(L, a->lj->is_array);
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 1)) return -2;
  says = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : -1;
  lua_pop(L, 1);
  return says;
}

/* processor, string, escapes -> the string's text in quotes, for lua_pcall. */
FL_FUNC int api_lj_process(lua_State *L) {
  lua_call(L, 2, 1);
  lua_pushliteral(L, "\"");
  lua_insert(L, -2);
  lua_pushliteral(L, "\"");
  lua_concat(L, 3);
  return 1;
}

/* Writes the string on top, which stays. The processor also gets the number of escapes, as from string.gsub. */
FL_FUNC char *api_lj_write_string(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  const size_t start = (size_t)(w - out->buffer.begin);
  size_t n, i, escapes = 0;
  const char *s = lua_tolstring(L, -1, &n);
  if (!(w = json_write_string(out, w, s, n, (int)out->style->escape)) || !a->lj->processor) return w;
  for (i = 0; i < n; i++) escapes += (size_t)text_in_set(out->style->set, s[i]);
  api_need_stack(L, 8);
  lua_pushcfunction(L, api_lj_process);
  lua_pushvalue(L, a->lj->processor);
  s = out->buffer.begin + start + 1;
  lua_pushlstring(L, s, (size_t)(w - s) - 1);
  lua_pushinteger(L, (lua_Integer)escapes);
  if (!api_call(a, 3, 1)) return NULL;
  if (!(s = lua_tolstring(L, -1, &n)))
    return api_fail(a, FL_ERROR_HOOK, "the processor of strings returned what is no string");
  w = json_write_raw(out, out->buffer.begin + start, s, n);
  lua_pop(L, 1);
  return w;
}

#endif
