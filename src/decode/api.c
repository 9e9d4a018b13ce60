/* SPDX-License-Identifier: MIT
** Waiting values are numbered from 0. Usually value v is at the stack index region + v. When the stack is full (8000
** slots in 5.1 and LuaJIT, a million in the others), the first `spilled` values move to the table at index `spill`,
** where value v is item v + 1; the others move down to `region`. */
#include "api.h"
#include "../lua/exact.h"

FL_PRIVATE char *json_to_lua_grow_scratch(void *owner, size_t n) {
  struct json_to_lua *k = (struct json_to_lua *)owner;
  char *block = (char *)lua_newuserdata(k->L, n);
  lua_replace(k->L, k->scratch_owner);
  return block;
}

FL_PRIVATE void json_to_lua_grow_frames(struct json_to_lua *k) {
  size_t count = (size_t)(k->frames_end - k->frames);
  struct json_to_lua_frame *to = (struct json_to_lua_frame *)lua_newuserdata(k->L, 2 * count * sizeof *to);
  memcpy(to, k->frames, count * sizeof *to);
  lua_replace(k->L, k->frames_owner);
  k->frames = to;
  k->frame = to + count - 1;
  k->frames_end = to + 2 * count;
}

FL_PRIVATE void json_to_lua_spill(struct json_to_lua *k) {
  lua_State *L = k->L;
  size_t n = json_to_lua_on_stack(k), keep = n < JSON_TO_LUA_SPILL_KEEP ? n : JSON_TO_LUA_SPILL_KEEP, i;
  FL_ASSERT(lua_gettop(L) >= k->region - 1);
  if (!lua_istable(L, k->spill)) {
    lua_createtable(L, (int)n, 0);
    lua_replace(L, k->spill);
  }
  for (i = 0; i < n - keep; i++) { compat_set_item(L, k->spill, (int)(k->spilled + i + 1), k->region + (int)i); }
  for (i = 0; i < keep; i++) { compat_copy(L, k->region + (int)(n - keep + i), k->region + (int)i); }
  lua_settop(L, k->region + (int)keep - 1);
  k->spilled += n - keep;
}

/* Counts the items of the innermost array ahead of time; `n` of them wait. Returns 0 if unknown. The count ends with
** the array, so that a stream of texts costs no more than its texts. Each byte is looked ahead at most twice, or nested
** arrays would be quadratic. */
static size_t json_to_lua_count_ahead(struct json_to_lua *k, size_t n) {
  const char *at = k->scan.at, *end = k->scan.end, *stop;
  const int again = at < k->counted_to;
  if (again && (size_t)(end - at) > k->recount) end = at + k->recount;
  const size_t more = json_count_items(&k->scan, at, end, &stop);
  if (again) {
    k->recount -= (size_t)(stop - at);
  } else {
    k->recount += (size_t)(stop - at);
    k->counted_to = stop;
  }
  return more ? n + more : 0;
}

/* Makes the table of a long array below its n waiting items, which are on top of the stack. Returns 0 if the size is
** not known. */
static int json_to_lua_preallocate_array(struct json_to_lua *k, size_t n) {
  const size_t items = k->in_parts ? n : k->items ? k->items : json_to_lua_count_ahead(k, n);
  if (!items) return 0;
  lua_createtable(k->L, json_to_lua_count(items), 0);
  lua_insert(k->L, -(int)n - 1);
  return 1;
}

FL_PRIVATE int json_to_lua_is_flushable(const struct json_to_lua *k, const struct json_to_lua_frame *f) {
  if (f->kind == SCAN_ARRAY) return 1;
  return f->kind == SCAN_OBJECT && k->in_parts && (f == k->frame ? k->shape : f->shape) == JSON_TO_LUA_PAIRS &&
         k->o->duplicates == JSON_TO_LUA_LAST && !k->o->order;
}

/* Moves the items or pairs waiting above the table into it; some items may be there already. The last name, if its
** value is missing yet, and what waits above it, move down. Returns how many slots that leaves. */
static size_t json_to_lua_store_waiting(struct json_to_lua *k, struct json_to_lua_frame *f, int table, size_t slots) {
  lua_State *L = k->L;
  const int width = f->kind == SCAN_ARRAY ? 1 : 2, n = (int)slots - (int)slots % width;
  int from = table + 1 + n, top = lua_gettop(L), i;
  for (i = 1; i <= n; i += width) {
    lua_pushvalue(L, table + i);
    if (width == 1) {
      lua_rawseti(L, table, (int)f->flushed - 1 + i);
    } else {
      lua_pushvalue(L, table + i + 1);
      lua_rawset(L, table);
    }
  }
  if (width == 2 && f->flushed == 1 && n > 0) json_to_lua_unmark_empty(k, table);
  f->flushed += (size_t)(n / width);
  for (i = 0; from + i <= top; i++) { compat_copy(L, from + i, table + 1 + i); }
  lua_settop(L, table + i);
  return (size_t)n;
}

FL_PRIVATE size_t json_to_lua_flush_open(struct json_to_lua *k, struct json_to_lua_frame *f, size_t n) {
  const int table = k->region + (int)(f->start - k->spilled), is_new = !f->flushed;
  FL_ASSERT(f->start >= k->spilled && n > 1 && json_to_lua_is_flushable(k, f));
  if (is_new) {
    if (f->kind == SCAN_ARRAY) lua_createtable(k->L, json_to_lua_count(n), 0);
    else lua_createtable(k->L, 0, json_to_lua_count(n / 2));
    lua_insert(k->L, table);
    f->flushed = 1;
  } else {
    n--;
  }
  return json_to_lua_store_waiting(k, f, table, n) - (size_t)is_new;
}

FL_PRIVATE int json_to_lua_flush(struct json_to_lua *k, size_t n) {
  lua_State *L = k->L;
  struct json_to_lua_frame *f = k->frame;
  const size_t items = f->flushed ? n - 1 : n;
  FL_ASSERT(json_to_lua_is_flushable(k, f) && n > 1 && n <= json_to_lua_on_stack(k));
  if (f->kind != SCAN_ARRAY) return json_to_lua_flush_open(k, f, n), 1;
  if (!f->flushed) {
    if (!json_to_lua_preallocate_array(k, n)) return 0;
    f->flushed = 1;
  }
  if (k->decoder && k->decoder->flush(L, lua_gettop(L) - (int)items, json_to_lua_done(f), items)) {
    lua_pop(L, (int)items);
    f->flushed += items;
  } else {
    json_to_lua_store_waiting(k, f, lua_gettop(L) - (int)items, items);
  }
  return 1;
}

FL_PRIVATE_NOINLINE void json_to_lua_more_(struct json_to_lua *k) {
  size_t n = json_to_lua_on_stack(k), wanted = n + JSON_TO_LUA_FIRST_SLOTS + JSON_TO_LUA_MARGIN;
  size_t mine = k->spilled + n - k->frame->start; /* of the innermost container; more than n if some are spilled */
  const size_t least = k->items ? JSON_TO_LUA_FLUSH_KNOWN : JSON_TO_LUA_FLUSH_AT;
  if (mine >= least && mine <= n && json_to_lua_is_flushable(k, k->frame) && json_to_lua_flush(k, mine)) return;
  if (n < JSON_TO_LUA_SPILL_AT && lua_checkstack(k->L, (int)wanted)) k->granted = 2 * n + JSON_TO_LUA_FIRST_SLOTS;
  else if (n >= JSON_TO_LUA_SPILL_KEEP + JSON_TO_LUA_MARGIN) json_to_lua_spill(k);
  else compat_need_stack(k->L, (int)wanted); /* raises an error, because spilling so few would make no room */
}

FL_PRIVATE void json_to_lua_push_waiting(struct json_to_lua *k, size_t number) {
  FL_ASSERT(number < k->spilled + json_to_lua_on_stack(k));
  if (number < k->spilled) lua_rawgeti(k->L, k->spill, (int)number + 1);
  else lua_pushvalue(k->L, k->region + (int)(number - k->spilled));
}

FL_PRIVATE void json_to_lua_collapse(struct json_to_lua *k, size_t start) {
  FL_ASSERT(start < k->spilled + json_to_lua_on_stack(k));
  if (start < k->spilled) k->spilled = start;
  const int place = k->region + (int)(start - k->spilled);
  if (lua_gettop(k->L) != place) lua_replace(k->L, place);
  lua_settop(k->L, place);
}

FL_PRIVATE void json_to_lua_set_result_metatable(struct json_to_lua *k, int is_array, size_t n) {
  int metatable = is_array ? k->o->arrays : k->o->objects;
  if (!metatable && !is_array && n == 0 && !k->o->plain_objects) metatable = k->empty_object;
  if (!metatable) return;
  lua_pushvalue(k->L, metatable);
  lua_setmetatable(k->L, -2);
}

FL_PRIVATE void json_to_lua_unmark_empty(struct json_to_lua *k, int index) {
  if (k->o->objects) return;
  index = lua_absindex(k->L, index);
  lua_pushnil(k->L);
  lua_setmetatable(k->L, index);
}

FL_PRIVATE const char *json_to_lua_plain_metatable(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 502
  lua_pushliteral(L, "__gc");
  lua_rawget(L, index);
  if (!lua_isnil(L, -1)) index = 0;
  lua_pop(L, 1);
#endif
  return index ? (const char *)lua_topointer(L, index) : NULL;
}

FL_PRIVATE_NOINLINE void json_to_lua_build_array_(struct json_to_lua *k, size_t start) {
  const int has_table = k->frame->flushed != 0;
  size_t end = k->spilled + json_to_lua_on_stack(k), from = start, i;
  if (has_table && start >= k->spilled && end - start > 1) {
    (void)json_to_lua_flush(k, end - start);
    end = start + 1;
  }
  const size_t done = json_to_lua_done(k->frame);
  FL_ASSERT(start + (size_t)has_table <= end);
  if (has_table) json_to_lua_push_waiting(k, from++);
  else lua_createtable(k->L, json_to_lua_count(end - start), 0);
  for (i = from; i < end; i++) {
    json_to_lua_push_waiting(k, i);
    lua_rawseti(k->L, -2, (int)(done + i - from + 1));
  }
  json_to_lua_set_result_metatable(k, 1, done + end - from);
  json_to_lua_collapse(k, start);
}

/* With duplicates = "error": stores true for each name in the empty table on top; the values, which may be nil, are
** stored later. Returns 0 if a name is duplicate. */
static int json_to_lua_mark_names(struct json_to_lua *k, size_t start, size_t n) {
  lua_State *L = k->L;
  FL_ASSERT(k->stride == 3);
  for (size_t i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + k->stride * i);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    if (!lua_isnil(L, -1)) {
      json_to_lua_push_waiting(k, start + k->stride * i + 1);
      k->duplicate = (size_t)lua_tonumber(L, -1);
      json_scan_error(&k->scan, JSON_CHECK_DUPLICATE, k->in_parts ? k->scan.begin : k->scan.begin + k->duplicate);
      return 0;
    }
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  return 1;
}

FL_PRIVATE int json_to_lua_push_pairs(struct json_to_lua *k, size_t start) {
  lua_State *L = k->L;
  const size_t end = k->spilled + json_to_lua_on_stack(k), done = json_to_lua_done(k->frame);
  const int has_table = k->frame->flushed != 0;
  if (has_table) json_to_lua_push_waiting(k, start++);
  const size_t n = (end - start) / k->stride;
  FL_ASSERT(start <= end && (end - start) % k->stride == 0);
  if (!has_table) lua_createtable(L, 0, json_to_lua_count(n));
  else if (!done && n > 0) json_to_lua_unmark_empty(k, -1);
  if (k->o->duplicates == JSON_TO_LUA_UNIQUE && !json_to_lua_mark_names(k, start, n)) return 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = start + k->stride * (k->o->duplicates == JSON_TO_LUA_FIRST ? n - 1 - i : i);
    json_to_lua_push_waiting(k, at);
    json_to_lua_push_waiting(k, at + k->stride - 1);
    lua_rawset(L, -3);
  }
  json_to_lua_set_result_metatable(k, 0, done + n);
  return 1;
}

FL_PRIVATE_NOINLINE int json_to_lua_build_pairs_(struct json_to_lua *k, size_t start) {
  if (!json_to_lua_push_pairs(k, start)) return 0;
  json_to_lua_collapse(k, start);
  return 1;
}

FL_PRIVATE void json_to_lua_push_null(struct json_to_lua *k) {
  if (k->o->drop_null) lua_pushnil(k->L);
  else if (k->o->null) lua_pushvalue(k->L, k->o->null);
  else lua_pushlightuserdata(k->L, NULL);
}

FL_PRIVATE int json_to_lua_push_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  const int is_exact = v->kind == NUM_INTEGER && num_is_exact(v->i);
  const int is_boxed = k->o->big == JSON_TO_LUA_BIG_INT64 && !k->o->exact;
  switch (is_exact && !is_boxed ? JSON_TO_LUA_BIG_DOUBLE : k->o->big) {
  case JSON_TO_LUA_BIG_STRING: lua_pushlstring(k->L, text, n); return 1;
  case JSON_TO_LUA_BIG_ANY: lua_pushnumber(k->L, v->d); return 1;
  case JSON_TO_LUA_BIG_ERROR:
    if (v->kind == NUM_HUGE) break;
    json_scan_error(&k->scan, JSON_CHECK_INEXACT, text);
    return 0;
  case JSON_TO_LUA_BIG_INT64:
    if (v->kind == NUM_HUGE) break;
    lua_pushvalue(k->L, k->o->int64);
    lua_pushlstring(k->L, text, n);
    lua_pushnumber(k->L, v->d);
    lua_call(k->L, 2, 1);
    return 1;
  case JSON_TO_LUA_BIG_KEPT:
    if (v->kind == NUM_HUGE) break;
    exact_push(k->L, k->o->int64, text, n);
    ++*k->o->kept;
    return 1;
  case JSON_TO_LUA_BIG_DOUBLE: break;
  }
  if (v->kind == NUM_HUGE) {
    json_scan_error(&k->scan, JSON_CHECK_HUGE, text);
    return 0;
  }
  lua_pushnumber(k->L, v->d);
  return 1;
}

/* Pushes the number that encode would write as exactly this name if it were a key. Returns 0 if there is none. From 5.3
** on whole keys are integers; before, all keys are doubles, and -0 is the key 0. */
static int json_to_lua_push_numeric_name(struct json_to_lua *k, const char *s, size_t n) {
  char text[NUM_ROOM + 1], again[NUM_ROOM];
  struct num_value v;
  size_t written;
  if (n == 0 || n > 32 || !(*s == '-' || json_is_digit(*s))) return 0;
  v.d = 0; /* num_parse sets it except for integers, which the compiler cannot see */
  memcpy(text, s, n);
  text[n] = 0;
  if (num_read(text, text + n, &v) != text + n) return 0;
  if (v.kind == NUM_HUGE || (v.kind == NUM_DOUBLE && v.d == 0)) return 0;
#if LUA_VERSION_NUM >= 503
  if (v.kind == NUM_DOUBLE && v.d >= -0x1p63 && v.d < 0x1p63 && (double)(int64_t)v.d == v.d) return 0;
#else
  if (v.kind == NUM_INTEGER) v.d = (double)v.i, v.kind = NUM_DOUBLE;
#endif
  if (v.kind == NUM_INTEGER) written = (size_t)(num_write_i64(again, v.i) - again);
  else written = (size_t)(num_write_double(again, v.d, 0) - again);
  if (written != n || memcmp(again, text, n) != 0) return 0;
  if (v.kind == NUM_INTEGER) lua_pushinteger(k->L, (lua_Integer)v.i);
  else lua_pushnumber(k->L, v.d);
  return 1;
}

FL_PRIVATE void json_to_lua_push_name(struct json_to_lua *k, struct json_string name, const char *p) {
  json_to_lua_reserve(k, k->stride - 1);
  if (!k->o->numeric_keys || !json_to_lua_push_numeric_name(k, name.s, name.n)) lua_pushlstring(k->L, name.s, name.n);
  if (k->stride == 3) lua_pushnumber(k->L, (lua_Number)(k->passed + (size_t)(p - k->scan.begin)));
}

FL_PRIVATE void json_to_lua_begin_container(struct json_to_lua *k, enum scan_container kind, uint32_t shape) {
  json_to_lua_reserve(k, 1);
  json_to_lua_open(k, kind, k->spilled + json_to_lua_on_stack(k), shape);
}

FL_PRIVATE int json_to_lua_api_null(struct json_to_lua *k) {
  json_to_lua_reserve(k, 1);
  json_to_lua_push_null(k);
  return 1;
}

FL_PRIVATE int json_to_lua_api_boolean(struct json_to_lua *k, int b) {
  json_to_lua_reserve(k, 1);
  lua_pushboolean(k->L, b);
  return 1;
}

FL_PRIVATE int json_to_lua_api_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
  json_to_lua_reserve(k, 1);
#if LUA_VERSION_NUM >= 503
  (void)text, (void)n;
  lua_pushinteger(k->L, (lua_Integer)i);
#else
  if (!json_to_lua_integer_fits(i)) {
    struct num_value v;
    v.i = i, v.d = (double)i, v.kind = NUM_INTEGER;
    return json_to_lua_push_big(k, text, n, &v);
  }
  lua_pushnumber(k->L, (double)i);
#endif
  return 1;
}

FL_PRIVATE int json_to_lua_api_double(struct json_to_lua *k, double d) {
  json_to_lua_reserve(k, 1);
  lua_pushnumber(k->L, d);
  return 1;
}

FL_PRIVATE int json_to_lua_api_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  json_to_lua_reserve(k, 1);
  return json_to_lua_push_big(k, text, n, v);
}

FL_PRIVATE int json_to_lua_api_number(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  if (v->kind == NUM_INTEGER) return json_to_lua_api_integer(k, v->i, text, n);
  return v->kind == NUM_DOUBLE ? json_to_lua_api_double(k, v->d) : json_to_lua_api_big(k, text, n, v);
}

FL_PRIVATE int json_to_lua_api_string(struct json_to_lua *k, const char *s, size_t n) {
  json_to_lua_reserve(k, 1);
  lua_pushlstring(k->L, s, n);
  return 1;
}

FL_PRIVATE int json_to_lua_api_name(struct json_to_lua *k, struct json_string name, const char *p, int plain) {
  (void)plain;
  json_to_lua_push_name(k, name, p);
  return 1;
}

FL_PRIVATE void json_to_lua_api_open(struct json_to_lua *k, enum scan_container kind) {
  json_to_lua_begin_container(k, kind, JSON_TO_LUA_PAIRS);
}

FL_PRIVATE enum scan_container json_to_lua_api_close(struct json_to_lua *k, enum scan_container kind) {
  if (kind == SCAN_ARRAY) json_to_lua_build_array_(k, k->frame->start);
  else if (!json_to_lua_build_pairs_(k, k->frame->start)) return SCAN_STOP;
  return json_to_lua_close(k);
}

#define SCAN_CALLS
#define SCAN_NAME json_to_lua_api_scan
#define SCAN_SINK struct json_to_lua
#define SCAN(event) json_to_lua_api_##event
#include "../json/grammar/scan_template.h"

#define SCAN_CALLS
#define SCAN_NAME json_to_lua_api_scan_part
#define SCAN_SINK struct json_to_lua
#define SCAN(event) json_to_lua_api_##event
#define SCAN_PARTS 1
#include "../json/grammar/scan_template.h"
