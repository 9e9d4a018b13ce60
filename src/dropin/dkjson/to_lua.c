/* SPDX-License-Identifier: MIT */
#include "to_lua.h"

/* Does this Lua, too, read the number that dkjson_number has just read? LuaJIT's tonumber takes no exponent from
** 1048576 on, others take any. Only the last digit and the exponent are passed to it: a point would depend on the
** locale. */
static int dkjson_is_lua_number(struct json_to_lua *k) {
  const char *e = k->scan.scratch;
  int is_number;
  while (*e && *e != 'e' && *e != 'E') e++;
  if (!*e || strlen(e) < sizeof "e1048576" - 1) return 1;
  lua_pushstring(k->L, e - 1);
  is_number = lua_isnumber(k->L, -1);
  lua_pop(k->L, 1);
  return is_number;
}

/* Pushes the value at p, which is not a container. Returns the byte after it, or NULL with the error. */
static const char *dkjson_push(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_string string;
  struct num_value number;
  enum json_literal word;
  const char *q;
  if (*p == '"') {
    if ((q = dropin_loose_string(j, p, DKJSON_STRING, 0, &string)) != NULL)
      json_to_lua_api_string(k, string.s, string.n);
    return q;
  }
  if ((q = dkjson_number(j, p, &number)) != NULL && dkjson_is_lua_number(k)) {
    json_to_lua_api_parsed(k, p, (size_t)(q - p), &number);
    return q;
  }
  if (!(q = dkjson_word(j, p, &word))) return json_scan_error(j, DKJSON_VALUE, p);
  if (word == JSON_LITERAL_NULL) json_to_lua_api_null(k);
  else json_to_lua_api_boolean(k, word == JSON_LITERAL_TRUE);
  return q;
}

/* The text ends in the innermost container. */
static const char *dkjson_unclosed(struct json_to_lua *k) {
  return json_scan_error(&k->scan, k->frame->kind == SCAN_OBJECT ? DKJSON_OBJECT : DKJSON_ARRAY,
                         k->scan.begin + k->frame->flushed);
}

FL_PRIVATE_NOINLINE const char *dkjson_scan_(struct json_to_lua *k, const char *p, int assigned) {
  struct json_scan *j = &k->scan;
  if (!(p = dkjson_space(j, p))) return json_scan_error(j, DKJSON_END, j->end);

value:
  if (*p == '{' || *p == '[') {
    if (!(p = dropin_loose_open(k, p))) return NULL;
    goto item;
  }
  if (!(p = dkjson_push(k, p))) return NULL;

next:
  if (k->frame->kind == SCAN_ROOT) return p;
  if (!(p = dkjson_space(j, p))) return dkjson_unclosed(k);
  if (*p == ':' && !k->shape) {
    if (!dropin_loose_name(k)) return json_scan_error(j, DKJSON_NIL, p);
    if (!(p = dkjson_space(j, p + 1))) return dkjson_unclosed(k);
    goto value;
  }
  if (*p == ',') p++;

item:
  if (!(p = dkjson_space(j, p))) return dkjson_unclosed(k);
  if (!dropin_loose_closes(k, *p)) {
    dropin_loose_begin(k);
    goto value;
  }
  p++;
  dropin_loose_close(k, assigned);
  goto next;
}
