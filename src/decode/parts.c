/* SPDX-License-Identifier: MIT */
#include "parts.h"

enum {
  JSON_TO_LUA_UNPARK = 250,   /* waiting values that return to the stack */
  JSON_TO_LUA_PART_FLUSH = 32 /* waiting values from which on an open container gets its table at the end of a part */
};

FL_PRIVATE void json_to_lua_unpark(struct json_to_lua *k, lua_State *L, int store) {
  const size_t n = k->waiting < JSON_TO_LUA_UNPARK ? k->waiting : JSON_TO_LUA_UNPARK;
  compat_need_stack(L, JSON_TO_LUA_FIRST_SLOTS + JSON_TO_LUA_MARGIN + JSON_TO_LUA_UNPARK + JSON_TO_LUA_STORE_END);
  k->L = L;
  k->anchors = lua_gettop(L) + 1;
  k->spill = k->anchors + JSON_TO_LUA_STORE_SPILL - 1;
  k->frames_owner = k->anchors + JSON_TO_LUA_STORE_FRAMES - 1;
  k->scratch_owner = k->anchors + JSON_TO_LUA_STORE_SCRATCH - 1;
  k->empty_object = k->anchors + JSON_TO_LUA_STORE_EMPTY - 1;
  k->region = k->anchors + JSON_TO_LUA_STORE_END - 1;
  for (size_t i = 1; i < JSON_TO_LUA_STORE_END; i++) lua_rawgeti(L, store, (int)i);
  k->spilled = k->waiting - n;
  for (size_t i = 0; i < n; i++) lua_rawgeti(L, k->spill, (int)(k->spilled + i + 1));
  k->granted = n + JSON_TO_LUA_FIRST_SLOTS;
}

/* Returns the first container from f on whose first value has at least this number. The numbers never decrease inwards.
** A binary search, because a part must not take time for each open container. */
static struct json_to_lua_frame *json_to_lua_frame_from(const struct json_to_lua *k, struct json_to_lua_frame *f,
                                                        size_t start) {
  struct json_to_lua_frame *end = k->frame + 1;
  while (f < end) {
    struct json_to_lua_frame *middle = f + (end - f) / 2;
    if (middle->start < start) f = middle + 1;
    else end = middle;
  }
  return f;
}

/* Moves the values of all long open containers from the stack to their tables. */
static void json_to_lua_flush_all(struct json_to_lua *k) {
  size_t moved = 0;
  compat_need_stack(k->L, 4);
  for (struct json_to_lua_frame *f = json_to_lua_frame_from(k, k->frames + 1, k->spilled); f <= k->frame; f++) {
    if (!moved) f = json_to_lua_frame_from(k, f + 1, f->start + 1) - 1; /* before it no container has waiting values */
    const size_t end = f < k->frame ? f[1].start - moved : k->spilled + json_to_lua_on_stack(k);
    f->start -= moved;
    if (end - f->start >= JSON_TO_LUA_PART_FLUSH && json_to_lua_is_flushable(k, f))
      moved += json_to_lua_flush_open(k, f, end - f->start);
  }
}

/* If the innermost container is long, moves its values, which are on top, to its table, below the API if possible. */
static void json_to_lua_flush_innermost(struct json_to_lua *k) {
  const size_t n = k->spilled + json_to_lua_on_stack(k) - k->frame->start;
  if (k->frame->start >= k->spilled && n >= JSON_TO_LUA_PART_FLUSH && json_to_lua_is_flushable(k, k->frame)) {
    compat_need_stack(k->L, 4);
    json_to_lua_flush(k, n);
  }
}

FL_PRIVATE void json_to_lua_park(struct json_to_lua *k, int store) {
  lua_State *L = k->L;
  json_to_lua_flush_innermost(k);
  json_to_lua_flush_all(k);
  const size_t n = json_to_lua_on_stack(k);
  FL_ASSERT(k->frame->start <= k->spilled + n);
  compat_need_stack(L, 4);
  if (!lua_istable(L, k->spill)) {
    lua_createtable(L, JSON_TO_LUA_UNPARK, 0);
    lua_replace(L, k->spill);
  }
  for (size_t i = 0; i < n; i++) { compat_set_item(L, k->spill, (int)(k->spilled + i + 1), k->region + (int)i); }
  k->waiting = k->spilled + n;
  for (size_t i = k->waiting; i < k->stored; i++) { /* no longer used */
    lua_pushnil(L);
    lua_rawseti(L, k->spill, (int)i + 1);
  }
  k->stored = k->waiting;
  for (size_t i = JSON_TO_LUA_STORE_SHAPES; i <= JSON_TO_LUA_STORE_SCRATCH; i++) {
    compat_set_item(L, store, (int)i, k->anchors + (int)i - 1);
  }
  lua_settop(L, k->anchors - 1);
}

FL_PRIVATE const char *json_to_lua_scan_part(struct json_to_lua *k, const char *p) {
  if (!k->decoder) return json_to_lua_api_scan_part(k, &k->scan, p);
  k->decoder->take(k);
  p = k->decoder->scan_part(k, &k->scan, p);
  k->decoder->give(k);
  return p;
}

FL_PRIVATE void json_to_lua_drop_name(struct json_to_lua *k) {
  FL_ASSERT(k->frame->kind == SCAN_OBJECT);
  if (k->shape == JSON_TO_LUA_PAIRS) lua_pop(k->L, (int)k->stride - 1);
  else k->shape = k->shapes->shape[k->shape].parent;
}
