/* SPDX-License-Identifier: MIT */
#include "tables.h"

/* Is the value at the index one that has a text? */
static int json4lua_has_text(const struct api_walk *a, int index) {
  switch (lua_type(a->L, index)) {
  case LUA_TFUNCTION: return lua_topointer(a->L, index) == a->walk->policy->null;
  case LUA_TUSERDATA:
  case LUA_TTHREAD:
  case API_TCDATA: return 0;
  case LUA_TLIGHTUSERDATA: return lua_touserdata(a->L, index) == NULL;
  default: return 1;
  }
}

/* Looks at the pair whose value is on top, below it its key: *highest grows; false: the table is an object. */
static int json4lua_is_item(struct api_walk *a, double *highest) {
  lua_State *L = a->L;
  const int encodable = json4lua_has_text(a, -1);
  size_t n;
  if (lua_type(L, -2) == LUA_TNUMBER) {
    const double d = lua_tonumber(L, -2);
    if (d >= 1 && (d >= 9007199254740992.0 || d == (double)(int64_t)d)) {
      if (d > *highest) *highest = d;
      return encodable;
    }
  } else if (lua_type(L, -2) == LUA_TSTRING && *lua_tolstring(L, -2, &n) == 'n' && n == 1) {
    /* v ~= (t.n or #t) makes an object: where n is false, or no number */
    return (!lua_isboolean(L, -1) || lua_toboolean(L, -1)) && lua_rawequal(L, -1, -1);
  }
  return !encodable;
}

/* The highest index of the table, if it is an array, else -1. */
static double json4lua_highest_index(struct api_walk *a, int table, const struct dropin_table *t) {
  lua_State *L = a->L;
  const int top = lua_gettop(L);
  double highest = 0;
  int i, is_array = 1;
  if (t->pairs) {
    for (i = 0; i < t->n && is_array; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      lua_rawgeti(L, t->pairs, 2 * i + 2);
      is_array = json4lua_is_item(a, &highest);
      lua_settop(L, top);
    }
  } else {
    for (lua_pushnil(L); is_array && lua_next(L, table); lua_settop(L, top + 1))
      is_array = json4lua_is_item(a, &highest);
  }
  lua_settop(L, top);
  return is_array ? highest : -1;
}

/* Opens the table at `table`, after which its metatable or nil lies; leaves the aux there. */
static int json4lua_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct dropin_table t;
  int is_object;
  dropin_begin_table(a, table, &t);
  if (!dropin_list_pairs(a, table, &t)) return 0;
  is_object = dropin_is_marked(a, table + 1, ENCODE_OBJECT);
  return dropin_end_table(a, table, &t, is_object ? -1 : json4lua_highest_index(a, table, &t), f);
}

FL_PRIVATE_NOINLINE char *json4lua_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct api_opened f;
  const int table = lua_gettop(L);
  compat_need_stack(L, 20);
  memset(&f, 0, sizeof f);
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (!json4lua_open_table(a, table, &f) || !api_may_open(a, table)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

FL_PRIVATE char *json4lua_write_other(struct api_walk *a, char *w) {
  const void *address = lua_topointer(a->L, -1);
  if (address && address == a->walk->policy->null) return json_write_raw(&a->walk->out, w, "null", 4);
  return dropin_write_other(a, w);
}

FL_PRIVATE int json4lua_skips(struct api_walk *a, const struct encode_frame *frame, int slot) {
  int skips;
  if (frame->is_array) return 0;
  skips = !json4lua_has_text(a, slot + 2) || !json4lua_has_text(a, api_current_key(a, frame, slot));
  lua_settop(a->L, slot + 2);
  return skips;
}
