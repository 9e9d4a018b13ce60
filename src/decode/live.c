/* SPDX-License-Identifier: MIT
** live.c -- tables that can be seen while they are filled: those of the open containers of a decode in parts.
** Must hold: as parts.h. */
#include "parts.h"

FL_INLINE void json_to_lua_push_shape_name(struct json_to_lua *k, const unsigned *names, size_t i) {
  lua_rawgeti(k->L, k->anchors, (int)names[i] + 1);
}

/* Stores the members that wait in [from, end) into the table on top. Pushes the name that has no value yet, or nil. */
static void json_to_lua_store_pairs(struct json_to_lua *k, struct json_to_lua_frame *f, size_t from, size_t end) {
  lua_State *L = k->L;
  for (; end - from >= 2; from += 2) {
    json_to_lua_push_waiting(k, from);
    json_to_lua_push_waiting(k, from + 1);
    lua_rawset(L, -3);
    f->flushed++;
  }
  if (from < end) json_to_lua_push_waiting(k, from);
  else lua_pushnil(L);
}

/* Like json_to_lua_store_pairs, for an object with a shape, whose names do not wait. */
static void json_to_lua_store_shape(struct json_to_lua *k, struct json_to_lua_frame *f, size_t end, unsigned shape) {
  lua_State *L = k->L;
  const struct shapes *h = k->shapes;
  const size_t n = h->shape[shape].count, values = end - f->start;
  unsigned names[SHAPES_LONGEST];
  FL_ASSERT(n <= SHAPES_LONGEST && values <= n && n - values <= 1);
  for (size_t i = n; i > 0; shape = h->shape[shape].parent) names[--i] = h->shape[shape].name;
  for (size_t i = 0; i < values; i++) {
    json_to_lua_push_shape_name(k, names, i);
    json_to_lua_push_waiting(k, f->start + i);
    lua_rawset(L, -3);
    f->flushed++;
  }
  if (values < n) json_to_lua_push_shape_name(k, names, values);
  else lua_pushnil(L);
}

/* Pushes the table of the open container f, whose values wait up to `end`, and the name that has no value yet, or
** nil. */
static void json_to_lua_push_live(struct json_to_lua *k, struct json_to_lua_frame *f, size_t end) {
  lua_State *L = k->L;
  uint32_t *shape = f == k->frame ? &k->shape : &f->shape;
  size_t from = f->start;
  const int is_new = !f->flushed;
  const size_t before = json_to_lua_done(f), slots = end - from;
  if (!is_new) json_to_lua_push_waiting(k, from++);
  else if (f->kind == SCAN_ARRAY) lua_createtable(L, json_to_lua_count(slots), 0);
  else lua_createtable(L, 0, json_to_lua_count(slots));
  if (is_new) f->flushed = 1;
  if (f->kind == SCAN_ARRAY) {
    for (; from < end; from++) {
      json_to_lua_push_waiting(k, from);
      lua_rawseti(L, -2, (int)f->flushed++);
    }
    lua_pushnil(L);
  } else {
    if (*shape == JSON_TO_LUA_PAIRS) json_to_lua_store_pairs(k, f, from, end);
    else json_to_lua_store_shape(k, f, end, *shape);
    *shape = JSON_TO_LUA_PAIRS;
  }
  if (!is_new && (before > 0 || f->flushed == 1)) return;
  lua_pushvalue(L, -2);
  if (!is_new) json_to_lua_unmark_empty(k, -1);
  else json_to_lua_set_result_metatable(k, f->kind == SCAN_ARRAY, json_to_lua_done(f));
  lua_pop(L, 1);
}

/* Stores the table at `table` into that of its parent f, which is at `outer`, before the name that has no value yet. */
static void json_to_lua_link_live(struct json_to_lua *k, const struct json_to_lua_frame *f, int outer, int table) {
  lua_State *L = k->L;
  if (f->kind == SCAN_OBJECT && f->flushed == 1) json_to_lua_unmark_empty(k, outer);
  if (f->kind == SCAN_OBJECT) lua_pushvalue(L, outer + 1);
  lua_pushvalue(L, table);
  if (f->kind == SCAN_OBJECT) lua_rawset(L, outer);
  else lua_rawseti(L, outer, (int)f->flushed);
}

FL_PRIVATE void json_to_lua_make_live(struct json_to_lua *k) {
  lua_State *L = k->L;
  const size_t all = k->spilled + json_to_lua_on_stack(k), depth = (size_t)(k->frame - k->frames);
  size_t out = 0;
  FL_ASSERT(k->in_parts && k->o->duplicates == JSON_TO_LUA_LAST && !k->o->order);
  compat_need_stack(L, 10);
  lua_createtable(L, json_to_lua_count(2 * depth + 1), 0);
  const int list = lua_gettop(L);
  const int outer = list + 1;
  if (depth == 0 && all > 0) {
    json_to_lua_push_waiting(k, 0);
    lua_rawseti(L, list, (int)++out);
  }
  for (struct json_to_lua_frame *f = k->frames + 1; f <= k->frame; f++) {
    const int is_new = !f->flushed, table = lua_gettop(L) + 1;
    json_to_lua_push_live(k, f, f < k->frame ? f[1].start : all);
    f->start = out;
    compat_set_item(L, list, (int)++out, table);
    if (!lua_isnil(L, table + 1)) { compat_set_item(L, list, (int)++out, table + 1); }
    if (table > outer) {
      if (is_new) json_to_lua_link_live(k, f - 1, outer, table);
      lua_remove(L, outer);
      lua_remove(L, outer);
    }
  }
  lua_settop(L, list);
  lua_replace(L, k->spill);
  lua_settop(L, k->region - 1);
  k->spilled = k->stored = out;
}

FL_PRIVATE void json_to_lua_push_place(struct json_to_lua *k) {
  lua_State *L = k->L;
  FL_ASSERT(k->frame > k->frames && k->frame->flushed && k->frame->start + 1 <= k->spilled);
  lua_rawgeti(L, k->spill, (int)k->frame->start + 1);
  if (k->frame->kind == SCAN_ARRAY) lua_pushinteger(L, (lua_Integer)k->frame->flushed);
  else lua_rawgeti(L, k->spill, (int)k->frame->start + 2);
}
