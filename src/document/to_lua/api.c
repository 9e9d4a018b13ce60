/* SPDX-License-Identifier: MIT */
#include "api.h"

FL_PRIVATE_NOINLINE void unpack_grow_lists_(struct binary_to_lua *b, size_t n) {
  struct json_scan *j = &b->k->scan;
  const size_t room = 2 * b->room + n;
  struct unpack_list *wider = (struct unpack_list *)j->grow(j->owner, room * sizeof *wider);
  /* nothing was allocated since, so the old memory still exists */
  memcpy(wider, b->lists, b->used * sizeof *wider);
  b->lists = wider;
  b->room = room;
}

FL_PRIVATE_NOINLINE void unpack_begin_merged_(struct binary_to_lua *b, bin_value dict) {
  struct bin_pairs pairs;
  FL_ASSERT(b->room - b->used >= UNPACK_PAIRS);
  bin_pairs_begin(&pairs, b->doc, dict);
  memcpy(&b->lists[b->used], &pairs, sizeof pairs);
  b->used += UNPACK_PAIRS;
}

FL_PRIVATE_NOINLINE bin_value unpack_next_merged_(struct binary_to_lua *b, bin_value *key) {
  struct bin_pairs pairs;
  FL_ASSERT(b->used >= UNPACK_PAIRS);
  memcpy(&pairs, &b->lists[b->used - UNPACK_PAIRS], sizeof pairs);
  if (!bin_next_pair(&pairs)) {
    b->used -= UNPACK_PAIRS;
    return NULL;
  }
  memcpy(&b->lists[b->used - UNPACK_PAIRS], &pairs, sizeof pairs);
  *key = pairs.key;
  return pairs.value;
}

FL_PRIVATE_NOINLINE int unpack_fail(struct binary_to_lua *b, enum bin_error error) {
  FL_ASSERT(error != BIN_ERROR_NONE);
  b->error = error;
  return 0;
}

FL_PRIVATE_NOINLINE int unpack_shared_(struct binary_to_lua *b, const char *s, size_t n, int is_data) {
  lua_State *L = b->k->L;
  /* the offset of its bytes; + 0.5 distinguishes data from a string with the same bytes */
  const lua_Number place = (lua_Number)((intptr_t)s - (intptr_t)b->doc->begin) + (is_data ? 0.5 : 0);
  const int at = lua_gettop(L);
  if (lua_isnil(L, b->strings)) {
    lua_newtable(L);
    lua_replace(L, b->strings);
  }
  lua_pushnumber(L, place);
  lua_rawget(L, b->strings);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    if (!unpack_spend(b, n)) return 0;
    lua_pushnumber(L, place);
    if (is_data) b->push_data(L, s, n);
    else lua_pushlstring(L, s, n);
    compat_copy(L, -1, at);
    lua_rawset(L, b->strings);
  } else {
    lua_replace(L, at);
  }
  return 1;
}

FL_PRIVATE_NOINLINE int unpack_data_(struct binary_to_lua *b, bin_value v) {
  const int at = lua_gettop(b->k->L);
  size_t n;
  const char *s = bin_bytes(v, &n);
  if (n >= UNPACK_SHARED) return unpack_shared_(b, s, n, 1);
  if (!unpack_spend(b, n)) return 0;
  b->push_data(b->k->L, s, n);
  lua_replace(b->k->L, at);
  return 1;
}

static int unpack_api_name(struct binary_to_lua *b, bin_value key) {
  struct json_string name;
  return unpack_key_text(b, key, &name) && json_to_lua_api_name(b->k, name, (const char *)key, 1);
}

FL_INLINE int unpack_api_string(struct binary_to_lua *b, bin_value v, const char *s, size_t n) {
  (void)v;
  return json_to_lua_api_string(b->k, s, n);
}

#define UNPACK_NAME json_to_lua_api_unpack
#define UNPACK_KEY unpack_api_name
#define UNPACK_STRING unpack_api_string
#define UNPACK_POINTS(b, v, item, end, width) NULL
#define SCAN(event) json_to_lua_api_##event
#include "values_template.h"
