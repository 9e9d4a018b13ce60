/* SPDX-License-Identifier: MIT */
#include "tables.h"

/* What the metatable of the table at `table` says; -1: its __index raised. */
static int rapidjson_table_class(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int mark = ENCODE_PLAIN;
  if (!lua_getmetatable(L, table)) return mark;
  if (!dropin_meta_field(a, table + 1, "__jsontype")) return -1;
  if (lua_isstring(L, -1)) { /* a number too */
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    mark = n == 5 && memcmp(s, "array", 5) == 0 ? ENCODE_ARRAY : ENCODE_OBJECT;
  }
  lua_settop(L, table);
  return mark;
}

/* Pushes the list of the pairs of the table at `table` whose keys are strings; their number. */
static int rapidjson_list_names(lua_State *L, int table) {
  int list = table + 1, n = 0;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, list + 1)) {
    if (lua_type(L, list + 1) != LUA_TSTRING) continue;
    lua_rawseti(L, list, 2 * n + 2);
    lua_pushvalue(L, list + 1);
    lua_rawseti(L, list, 2 * n++ + 1);
  }
  return n;
}

/* Opens the table on top; leaves the aux behind it. */
static int rapidjson_open_table(struct api_walk *a, struct api_opened *f) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  const int table = lua_gettop(L);
  size_t length, others = 0;
  int mark;
  compat_need_stack(L, 20);
  memset(f, 0, sizeof *f);
  if (a->depth >= style->max_depth || api_is_open(a, lua_topointer(L, table)))
    return api_fail(a, FL_ERROR_DEPTH, NULL) != NULL;
  if (!encode_need_frames(a->walk, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
  if ((mark = rapidjson_table_class(a, table)) < 0) return 0;
  length = mark == ENCODE_OBJECT ? 0 : (size_t)lua_rawlen(L, table);
  if (length > 0 || mark == ENCODE_ARRAY) {
    f->kind = API_ITEMS, f->is_array = 1;
    f->n = length < INT32_MAX ? length : INT32_MAX;
    f->empty = length == 0;
    lua_pushnil(L);
    return 1;
  }
  f->kind = API_NEXT, f->empty = 1;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    f->empty = 0;
    others += lua_type(L, -2) != LUA_TSTRING;
  }
  f->is_array = f->empty && mark == ENCODE_PLAIN && !style->empty_object;
  if (!f->empty && (others || style->sort_keys)) {
    f->kind = API_PAIRS;
    f->n = (size_t)rapidjson_list_names(L, table);
    f->empty = f->n == 0;
    return !style->sort_keys || api_sort_list(a, (int)f->n, 0);
  }
  lua_pushnil(L);
  return 1;
}

FL_PRIVATE_NOINLINE char *rapidjson_write_table(struct api_walk *a, char *w, int *opened) {
  struct api_opened f;
  return rapidjson_open_table(a, &f) ? api_begin_level(a, w, &f, lua_gettop(a->L) - 1, opened) : NULL;
}
