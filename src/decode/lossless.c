/* SPDX-License-Identifier: MIT */
#include "lossless.h"
#include "../encode/order.h"

FL_PRIVATE void json_to_lua_lossless_pass(struct json_to_lua *k) { (void)k; }

FL_PRIVATE int json_to_lua_lossless_flush(lua_State *L, int table, size_t done, size_t n) {
  (void)L, (void)table, (void)done, (void)n;
  return 0;
}

static int json_to_lua_lossless_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  if (!k->o->exact) return json_to_lua_api_big(k, text, n, v);
  const int is_strict = !k->scan.grammar;
  if (!is_strict && n > 0 && *text == '+') text++, n--;
  if (!is_strict && !exact_is_number(text, n)) { /* only in JSON5: see json_to_lua_lossless_odd_number_ */
    if ((text[1 + (*text == '-')] | 0x20) == 'x')
      return json_scan_error(&k->scan, JSON_CHECK_INEXACT, k->scan.at) != NULL;
    text = k->scan.scratch;
    n = strlen(text);
  }
  json_to_lua_reserve(k, 1);
  exact_push(k->L, k->o->exact, text, n);
  return 1;
}

static int json_to_lua_lossless_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
#if LUA_VERSION_NUM < 503
  const size_t sign = *text == '+';
  if (k->o->exact && !exact_is_plain_integer(i, text + sign, n - sign)) {
    struct num_value v;
    v.i = i, v.d = (double)i, v.kind = NUM_BIG;
    if (num_is_exact(i) && !exact_is_number(text + sign, n - sign)) return json_to_lua_api_double(k, v.d);
    return json_to_lua_lossless_big(k, text, n, &v);
  }
#endif
  return json_to_lua_api_integer(k, i, text, n);
}

FL_NOINLINE const char *json_to_lua_lossless_reread_(const char *p, const char *end, struct num_value *v) {
  return exact_parse(p, end, v, 1);
}

/* Handles a number in JSON5, where json_to_lua_lossless_parse may not have seen it. One that only JSON5 can spell keeps
** the digits that json_lenient_decimal has written into the scratch. A hexadecimal one that is not an integer is -0,
** here "-0", too. */
FL_NOINLINE int json_to_lua_lossless_odd_number_(struct json_to_lua *k, double d) {
  const char *p = k->scan.at, *end = p;
  struct num_value v;
  if (d > DBL_MAX || d < -DBL_MAX || d != d) return json_to_lua_api_double(k, d);
  v.kind = NUM_BAD;
  if (*p == '-' || json_is_digit(*p)) end = json_to_lua_lossless_reread_(p, k->scan.end, &v);
  if (v.kind == NUM_BAD) {
    p = k->scan.scratch;
    end = json_to_lua_lossless_reread_(p, p + strlen(p), &v);
  }
  if (v.kind == NUM_BIG && num_bits(v.d) == num_bits(d)) return json_to_lua_lossless_big(k, p, (size_t)(end - p), &v);
  return json_to_lua_api_double(k, d);
}

FL_PRIVATE int json_to_lua_lossless_number(struct json_to_lua *k, const char *text, size_t n,
                                           const struct num_value *v) {
  if (v->kind == NUM_INTEGER) return json_to_lua_lossless_integer(k, v->i, text, n);
  if (v->kind != NUM_DOUBLE) return json_to_lua_lossless_big(k, text, n, v);
  if (FL_UNLIKELY(k->scan.grammar & JSON_JSON5) && k->o->exact) return json_to_lua_lossless_odd_number_(k, v->d);
  return json_to_lua_api_double(k, v->d);
}

/* Returns a hash of the n names of the innermost object, whose pairs begin at `start`. */
static uint64_t json_to_lua_hash_names(struct json_to_lua *k, size_t start, size_t n) {
  lua_State *L = k->L;
  uint64_t hash = order_hash_begin(n);
  for (size_t i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + k->stride * i);
    hash = order_hash_add(hash, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL);
    lua_pop(L, 1);
  }
  return hash;
}

/* Returns whether the list on top has exactly these names. */
static int json_to_lua_is_list_of(struct json_to_lua *k, size_t start, size_t n) {
  lua_State *L = k->L;
  const int list = lua_gettop(L);
  if (!lua_istable(L, list) || (size_t)lua_rawlen(L, list) != n) return 0;
  for (size_t i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + k->stride * i);
    lua_rawgeti(L, list, (int)i + 1);
    const int same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    if (!same) return 0;
  }
  return 1;
}

/* Pushes a new list of the names, each once, at its first position. */
static void json_to_lua_push_new_list(struct json_to_lua *k, size_t start, size_t n) {
  lua_State *L = k->L;
  int count = 0, set;
  lua_createtable(L, json_to_lua_count(n), 0);
  lua_createtable(L, 0, json_to_lua_count(n));
  set = lua_gettop(L);
  for (size_t i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + k->stride * i);
    compat_raw_get(L, set, -1);
    const int known = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (!known) {
      lua_pushvalue(L, -1);
      lua_rawseti(L, set - 1, ++count);
      lua_pushboolean(L, 1);
      lua_rawset(L, set);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* Pushes the list of names of the innermost object, whose pairs wait. */
static void json_to_lua_push_list(struct json_to_lua *k, size_t start, size_t n) {
  const uint64_t hash = n <= ORDER_RECENT_NAMES ? json_to_lua_hash_names(k, start, n) : 0;
  if (n <= ORDER_RECENT_NAMES) {
    order_push_recent(k->L, k->o->order, hash);
    if (json_to_lua_is_list_of(k, start, n)) return;
    lua_pop(k->L, 1);
  }
  json_to_lua_push_new_list(k, start, n);
  if (n <= ORDER_RECENT_NAMES) order_set_recent(k->L, k->o->order, hash);
}

/* Pushes a new list of the names of the shape, each once, at its first position. */
static void json_to_lua_push_names(struct json_to_lua *k, unsigned shape) {
  const struct shapes *h = k->shapes;
  unsigned name[SHAPES_LONGEST], n = h->shape[shape].count, i, j;
  int count = 0;
  for (i = n; i > 0; shape = h->shape[shape].parent) name[--i] = h->shape[shape].name;
  lua_createtable(k->L, (int)n, 0);
  for (i = 0; i < n; i++) {
    for (j = 0; name[j] != name[i]; j++) {}
    if (j < i) continue;
    lua_rawgeti(k->L, k->anchors, (int)name[i] + 1);
    lua_rawseti(k->L, -2, ++count);
  }
}

FL_PRIVATE void json_to_lua_take_lists(struct json_to_lua *k) {
  lua_State *L = k->L;
  if (!k->o->order) return;
  k->orders = order_state_of(L, k->o->order);
  lua_rawgeti(L, k->anchors, json_to_lua_shape_lists(k));
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, SHAPES_PER_NAME * (int)k->shapes->room, 0);
    compat_set_item(L, k->anchors, json_to_lua_shape_lists(k), -1);
  }
  k->shape_lists = (const char *)lua_topointer(L, -1);
  lua_pop(L, 1);
}

FL_PRIVATE void json_to_lua_remember_order(struct json_to_lua *k, unsigned shape) {
  lua_State *L = k->L;
  const int table = lua_gettop(L);
  compat_need_stack(L, 16);
  lua_rawgeti(L, k->anchors, json_to_lua_shape_lists(k));
  lua_rawgeti(L, -1, (int)shape + 1);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    json_to_lua_push_names(k, shape);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (int)shape + 1);
  }
  order_remember(L, k->o->order, table);
  lua_settop(L, table);
}

FL_PRIVATE enum scan_container json_to_lua_lossless_close(struct json_to_lua *k, enum scan_container kind) {
  const size_t start = k->frame->start, n = (k->spilled + json_to_lua_on_stack(k) - start) / k->stride;
  if (kind == SCAN_ARRAY) return json_to_lua_api_close(k, kind);
  if (!json_to_lua_push_pairs(k, start)) return SCAN_STOP;
  if (k->o->order) {
    const int table = lua_gettop(k->L);
    compat_need_stack(k->L, 16);
    json_to_lua_push_list(k, start, n);
    order_remember(k->L, k->o->order, table);
  }
  json_to_lua_collapse(k, start);
  return json_to_lua_close(k);
}

#define json_to_lua_lossless_null json_to_lua_api_null
#define json_to_lua_lossless_boolean json_to_lua_api_boolean
#define json_to_lua_lossless_string json_to_lua_api_string
#define json_to_lua_lossless_name json_to_lua_api_name
#define json_to_lua_lossless_open json_to_lua_api_open

#define SCAN_CALLS
#define SCAN_NAME json_to_lua_lossless_scan_part
#define SCAN_SINK struct json_to_lua
#define SCAN_NUMBER(p, end, v) json_to_lua_lossless_parse(k, p, end, v)
#define SCAN(event) json_to_lua_lossless_##event
#define SCAN_PARTS 1
#include "../json/grammar/scan_template.h"

FL_PRIVATE_NOINLINE const char *json_to_lua_lossless_scan(struct json_to_lua *k, struct json_scan *j, const char *p) {
  json_to_lua_begin_whole(j);
  return json_to_lua_lossless_scan_part(k, j, p);
}
