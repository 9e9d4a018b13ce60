/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, to Lua as dkjson reads them: commas are optional, any value can be a
** name, arrays can have names and objects items.
** May call: base, number, json, convert, lua_*.
** Must hold: as convert/json_to_lua/api.h. Of each element of a container its key waits and its value; the key of an
** item is nil. k->shape is 1 where the value that is read has a name. */
#ifndef FLEECE_DROPIN_DKJSON_TO_LUA_H
#define FLEECE_DROPIN_DKJSON_TO_LUA_H

#include "grammar.h"
#include "../../convert/json_to_lua/api.h"

/* Ends the innermost container. */
FL_FUNC void json_to_lua_build_loose(struct json_to_lua *k) {
  lua_State *L = k->L;
  const int is_array = k->frame->kind == DROPIN_LOOSE_ARRAY;
  size_t start = k->frame->start, n = (k->spilled + json_to_lua_on_stack(k) - start) / 2, i;
  lua_Integer items = 0;
  lua_createtable(L, is_array ? json_to_lua_count(n) : 0, is_array ? 0 : json_to_lua_count(n));
  if (k->o->assigned) json_to_lua_set_result_metatable(k, is_array, n);
  for (i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + 2 * i);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushinteger(L, ++items);
    }
    json_to_lua_push_waiting(k, start + 2 * i + 1);
    if (k->o->assigned) lua_settable(L, -3);
    else lua_rawset(L, -3);
  }
  if (!k->o->assigned) json_to_lua_set_result_metatable(k, is_array, n);
  json_to_lua_collapse(k, start);
}

/* Opens the container whose bracket is p. Behind the bracket, or NULL. */
FL_FUNC const char *json_to_lua_open_loose(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  if (j->depth == j->max_depth) return json_scan_error(j, JSON_CHECK_DEPTH, p);
  j->depth++;
  json_to_lua_begin_container(k, *p == '{' ? SCAN_OBJECT : DROPIN_LOOSE_ARRAY, 0);
  k->frame->poured = (size_t)(p - j->begin);
  return p + 1;
}

/* Does the innermost container end with this byte? */
FL_INLINE int json_to_lua_closes_loose(const struct json_to_lua *k, char c) {
  return c == (k->frame->kind == SCAN_OBJECT ? '}' : ']');
}

/* The innermost container ends: its table takes the place of its elements. */
FL_FUNC void json_to_lua_close_loose(struct json_to_lua *k) {
  k->scan.depth--;
  json_to_lua_build_loose(k);
  json_to_lua_close(k);
}

/* An element of the innermost container begins, so far without a name. */
FL_FUNC void json_to_lua_begin_loose(struct json_to_lua *k) {
  json_to_lua_reserve(k, 1);
  lua_pushnil(k->L);
  k->shape = 0;
}

/* The value on top is the name of one that follows. False: it is nil. */
FL_FUNC int json_to_lua_name_loose(struct json_to_lua *k) {
  if (lua_isnil(k->L, -1)) return 0;
  lua_replace(k->L, -2);
  k->shape = 1;
  return 1;
}

/* Is the number that json_loose_number has just read one for this Lua too? LuaJIT's tonumber takes no exponent from
** 1048576 on, others take any. The digit and exponent alone are asked for: a point would be the locale's. */
FL_FUNC int json_to_lua_is_number_loose(struct json_to_lua *k) {
  const char *e = k->scan.scratch;
  int is_number;
  while (*e && *e != 'e' && *e != 'E') e++;
  if (!*e || strlen(e) < sizeof "e1048576" - 1) return 1;
  lua_pushstring(k->L, e - 1);
  is_number = lua_isnumber(k->L, -1);
  lua_pop(k->L, 1);
  return is_number;
}

/* At a byte that begins no container: pushes the value. */
FL_FUNC const char *json_to_lua_push_loose(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_string string;
  struct num_value number;
  enum json_loose_word word;
  const char *q;
  if (*p == '"') {
    if ((q = json_loose_string(j, p, LOOSE_STRING, 0, &string)) != NULL) json_to_lua_api_string(k, string.s, string.n);
    return q;
  }
  if ((q = json_loose_number(j, p, &number)) != NULL && json_to_lua_is_number_loose(k)) {
    json_to_lua_api_parsed(k, p, (size_t)(q - p), &number);
    return q;
  }
  if (!(q = json_loose_word(p, &word))) return json_scan_error(j, LOOSE_VALUE, p);
  if (word == LOOSE_WORD_NULL) json_to_lua_api_null(k);
  else json_to_lua_api_boolean(k, word == LOOSE_WORD_TRUE);
  return q;
}

/* The text ends in the innermost container. */
FL_FUNC const char *json_to_lua_loose_end(struct json_to_lua *k) {
  return json_scan_error(&k->scan, k->frame->kind == SCAN_OBJECT ? LOOSE_OBJECT : LOOSE_ARRAY,
                         k->scan.begin + k->frame->poured);
}

/* Reads the value at or behind p; answers the byte behind it, or NULL. */
FL_NOINLINE const char *json_to_lua_scan_loose(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  if (!(p = json_loose_space(j, p))) return json_scan_error(j, LOOSE_END, j->end);

value:
  if (*p == '{' || *p == '[') {
    if (!(p = json_to_lua_open_loose(k, p))) return NULL;
    goto item;
  }
  if (!(p = json_to_lua_push_loose(k, p))) return NULL;

next:
  if (k->frame->kind == SCAN_ROOT) return p;
  if (!(p = json_loose_space(j, p))) return json_to_lua_loose_end(k);
  if (*p == ':' && !k->shape) {
    if (!json_to_lua_name_loose(k)) return json_scan_error(j, LOOSE_NIL, p);
    if (!(p = json_loose_space(j, p + 1))) return json_to_lua_loose_end(k);
    goto value;
  }
  if (*p == ',') p++;

item:
  if (!(p = json_loose_space(j, p))) return json_to_lua_loose_end(k);
  if (!json_to_lua_closes_loose(k, *p)) {
    json_to_lua_begin_loose(k);
    goto value;
  }
  p++;
  json_to_lua_close_loose(k);
  goto next;
}

#endif
