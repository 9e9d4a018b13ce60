/* SPDX-License-Identifier: MIT */
#include "tables.h"

/* Is the table at `table` an array? It has an item 1, or nothing. */
static int rxi_is_array(lua_State *L, int table) {
  int is_array;
  lua_rawgeti(L, table, 1);
  is_array = !lua_isnil(L, -1);
  lua_settop(L, table + 1);
  if (is_array) return 1;
  lua_pushnil(L);
  is_array = !lua_next(L, table);
  lua_settop(L, table + 1);
  return is_array;
}

/* Counts the key at `key`, which in an array must be a number. */
static int rxi_count_key(struct api_walk *a, int key, struct api_keys *keys) {
  if (lua_type(a->L, key) != LUA_TNUMBER) return api_fail(a, FL_ERROR_KEY, NULL) != NULL;
  api_count_key(a->L, key, keys);
  return 1;
}

/* Are the keys of an array, from its __pairs or the table's own, 1 .. #table? */
static int rxi_is_sequence(struct api_walk *a, int table, const struct dropin_table *t, struct api_keys *keys) {
  lua_State *L = a->L;
  double length;
  int i;
  if (t->pairs) {
    for (i = 0; i < t->n; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      if (!rxi_count_key(a, t->pairs + 1, keys)) return 0;
      lua_settop(L, t->pairs);
    }
  } else {
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
      if (!rxi_count_key(a, lua_gettop(L) - 1, keys)) return 0;
  }
  length = t->pairs ? (double)lua_rawlen(L, table) : (double)keys->count;
  if (a->pairs_honours_meta && t->meta && api_meta_field(L, t->meta, "__len")) {
    length = api_hook_length(a, table);
    if (length < 0) return 0;
  }
  if (keys->all_indexes && keys->highest == (double)keys->count && length == keys->highest) return 1;
  return api_fail(a, FL_ERROR_HOLES, NULL) != NULL;
}

/* Opens the table at `table`, after which its metatable or nil lies; leaves the aux there. */
static int rxi_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct api_keys keys = {0, 0, 1};
  struct dropin_table t;
  const int is_array = rxi_is_array(a->L, table);
  memset(f, 0, sizeof *f);
  memset(&t, 0, sizeof t);
  if (!lua_isnil(a->L, table + 1)) t.meta = table + 1;
  if (!dropin_list_pairs(a, table, &t)) return 0;
  t.indexed = t.pairs != 0;
  if (is_array && !rxi_is_sequence(a, table, &t, &keys)) return 0;
  return dropin_end_table(a, table, &t, is_array ? (double)keys.count : -1, f);
}

FL_PRIVATE_NOINLINE char *rxi_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct api_opened f;
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  if (!api_may_open(a, table)) return NULL;
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (!rxi_open_table(a, table, &f)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}
