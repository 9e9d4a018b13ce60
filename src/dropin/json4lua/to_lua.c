/* SPDX-License-Identifier: MIT */
#include "to_lua.h"

/* Pushes the value at p, which is not a container. Returns the byte after it, or NULL with the error. */
static const char *json4lua_push(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_string string;
  struct num_value number;
  const char *q;
  if (*p == '"' || *p == '\'') {
    q = dropin_loose_string(j, p, JSON4LUA_STRING, JSON4LUA_ESCAPE, &string);
    if (q) json_to_lua_api_string(k, string.s, string.n);
    return q;
  }
  if (json4lua_is_number(*p)) {
    if (!(q = json4lua_number(j, p, &number))) return NULL;
    json_to_lua_api_parsed(k, p, (size_t)(q - p), &number);
    return q;
  }
  q = p;
  switch (json_read_literal(&q, j->end)) {
  case JSON_LITERAL_NULL: json_to_lua_api_null(k); return q;
  case JSON_LITERAL_TRUE: json_to_lua_api_boolean(k, 1); return q;
  case JSON_LITERAL_FALSE: json_to_lua_api_boolean(k, 0); return q;
  default: return json_scan_error(j, JSON4LUA_WORD, p);
  }
}

FL_PRIVATE_NOINLINE const char *json4lua_scan_(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;

value:
  if (!(p = json4lua_begin(j, p))) return NULL;
  if (*p == '{' || *p == '[') {
    if (!(p = dropin_loose_open(k, p))) return NULL;
    goto item;
  }
  if (!(p = json4lua_push(k, p))) return NULL;

next:
  if (k->frame->kind == SCAN_ROOT) return p;
  if (k->frame->kind == SCAN_OBJECT && !k->shape) {
    if (*(p = json_skip_blanks(p)) != ':')
      return json_scan_error(j, p == j->end ? JSON4LUA_END_MEMBER : JSON4LUA_COLON, p);
    if (!dropin_loose_name(k)) return json_scan_error(j, JSON4LUA_NIL, p);
    p = json_skip_blanks(p + 1);
    if (p == j->end) return json_scan_error(j, JSON4LUA_END_MEMBER, p);
    goto value;
  }

item:
  p = json_skip_blanks(p);
  if (!dropin_loose_closes(k, *p)) {
    if (*p == ',') p = json_skip_blanks(p + 1);
    if (p == j->end)
      return json_scan_error(j, k->frame->kind == SCAN_OBJECT ? JSON4LUA_END_OBJECT : JSON4LUA_END_ARRAY, p);
    dropin_loose_begin(k);
    goto value;
  }
  p++;
  dropin_loose_close(k, 0);
  goto next;
}
