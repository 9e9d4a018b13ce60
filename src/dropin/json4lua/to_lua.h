/* SPDX-License-Identifier: MIT
** to_lua.h -- texts that are not JSON, to Lua as JSON4Lua reads them: commas are optional, any value can be
** a name, comments stand before values.
** May call: base, number, json, convert.
** Must hold: as dropin/dkjson/to_lua.h, whose waiting values these are. */
#ifndef FLEECE_DROPIN_JSON4LUA_TO_LUA_H
#define FLEECE_DROPIN_JSON4LUA_TO_LUA_H

#include "tokens.h"
#include "../dkjson/to_lua.h"

/* At a byte that begins no container: pushes the value. */
FL_FUNC const char *json_to_lua_push_json4lua(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_string string;
  struct num_value number;
  const char *q;
  if (*p == '"' || *p == '\'') {
    q = json_loose_string(j, p, JSON4LUA_STRING, JSON4LUA_ESCAPE, &string);
    if (q) json_to_lua_api_string(k, string.s, string.n);
    return q;
  }
  if (json4lua_is_number(*p)) {
    if (!(q = json4lua_number(j, p, &number))) return NULL;
    json_to_lua_api_parsed(k, p, (size_t)(q - p), &number);
    return q;
  }
  if (json_starts(p, j->end, "null")) json_to_lua_api_null(k);
  else if (json_starts(p, j->end, "true") || json_starts(p, j->end, "false")) json_to_lua_api_boolean(k, *p == 't');
  else return json_scan_error(j, JSON4LUA_WORD, p);
  return p + 4 + (*p == 'f');
}

/* Reads the value at or behind p; answers the byte behind it, or NULL. */
FL_NOINLINE const char *json_to_lua_scan_json4lua(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;

value:
  if (!(p = json4lua_begin(j, p))) return NULL;
  if (*p == '{' || *p == '[') {
    if (!(p = json_to_lua_open_loose(k, p))) return NULL;
    goto item;
  }
  if (!(p = json_to_lua_push_json4lua(k, p))) return NULL;

next:
  if (k->frame->kind == SCAN_ROOT) return p;
  if (k->frame->kind == SCAN_OBJECT && !k->shape) {
    if (*(p = json4lua_space(p)) != ':')
      return json_scan_error(j, p == j->end ? JSON4LUA_END_MEMBER : JSON4LUA_COLON, p);
    if (!json_to_lua_name_loose(k)) return json_scan_error(j, JSON4LUA_NIL, p);
    p = json4lua_space(p + 1);
    if (p == j->end) return json_scan_error(j, JSON4LUA_END_MEMBER, p);
    goto value;
  }

item:
  p = json4lua_space(p);
  if (!json_to_lua_closes_loose(k, *p)) {
    if (*p == ',') p = json4lua_space(p + 1);
    if (p == j->end)
      return json_scan_error(j, k->frame->kind == SCAN_OBJECT ? JSON4LUA_END_OBJECT : JSON4LUA_END_ARRAY, p);
    json_to_lua_begin_loose(k);
    goto value;
  }
  p++;
  json_to_lua_close_loose(k);
  goto next;
}

#endif
