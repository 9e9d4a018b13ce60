/* SPDX-License-Identifier: MIT */
#include "loose.h"

/* The kind of an array that may have names. */
#define DROPIN_LOOSE_ARRAY SCAN_OTHER

FL_PRIVATE const char *dropin_loose_string(struct json_scan *j, const char *p, int unclosed, int bad_unicode,
                                           struct json_string *out) {
  const char *open = p, *q = p + 1;
  char *w;
  FL_ASSERT(j->bad_text == JSON_BAD_PASS); /* json_unescape_unicode takes any four digits */
  while (q < j->end && *q != *open) q += 1 + (*q == '\\');
  if (q >= j->end) return json_scan_error(j, unclosed, open);
  if (!(w = json_scratch(j, (size_t)(q - p)))) return NULL;
  for (p++; p < q;) {
    if (*p != '\\') {
      *w++ = *p++;
    } else if (p[1] == 'u' && json_check_hex(p + 2, j->end) >= 0) {
      w = json_unescape_unicode(j, w, &p);
    } else if (p[1] == 'u' && bad_unicode) {
      return json_scan_error(j, bad_unicode, p);
    } else {
      const char plain = text_short_escape(p[1]);
      *w++ = plain ? plain : p[1];
      p += 2;
    }
  }
  json_set_scratch_string(j, w, out);
  return q + 1;
}

FL_PRIVATE const char *dropin_loose_open(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  FL_ASSERT(*p == '{' || *p == '[');
  if (j->depth == j->max_depth) return json_scan_error(j, JSON_CHECK_DEPTH, p);
  j->depth++;
  json_to_lua_begin_container(k, *p == '{' ? SCAN_OBJECT : DROPIN_LOOSE_ARRAY, 0);
  k->frame->flushed = (size_t)(p - j->begin);
  return p + 1;
}

FL_PRIVATE void dropin_loose_close(struct json_to_lua *k, int assigned) {
  lua_State *L = k->L;
  const int is_array = k->frame->kind == DROPIN_LOOSE_ARRAY;
  const size_t start = k->frame->start, n = (k->spilled + json_to_lua_on_stack(k) - start) / 2;
  lua_Integer items = 0;
  size_t i;
  FL_ASSERT(k->scan.depth > 0 && k->frame->kind != SCAN_ROOT);
  k->scan.depth--;
  lua_createtable(L, is_array ? json_to_lua_count(n) : 0, is_array ? 0 : json_to_lua_count(n));
  if (assigned) json_to_lua_set_result_metatable(k, is_array, n);
  for (i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + 2 * i);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushinteger(L, ++items);
    }
    json_to_lua_push_waiting(k, start + 2 * i + 1);
    if (assigned) lua_settable(L, -3);
    else lua_rawset(L, -3);
  }
  if (!assigned) json_to_lua_set_result_metatable(k, is_array, n);
  json_to_lua_collapse(k, start);
  (void)json_to_lua_close(k);
}

FL_PRIVATE void dropin_loose_begin(struct json_to_lua *k) {
  json_to_lua_reserve(k, 1);
  lua_pushnil(k->L);
  k->shape = 0;
}

FL_PRIVATE int dropin_loose_name(struct json_to_lua *k) {
  if (lua_isnil(k->L, -1)) return 0;
  lua_replace(k->L, -2);
  k->shape = 1;
  return 1;
}
