/* SPDX-License-Identifier: MIT */
#include "lua.h"

FL_PRIVATE int dropin_find_fault(const struct mod_decode *d, const struct dropin_fault_rules *rules,
                                 struct dropin_fault *f) {
  const size_t length = (size_t)(d->end - d->begin); /* a text opens no more levels than it has bytes */
  const size_t levels = length < d->o.max_depth ? length : d->o.max_depth;
  dropin_fault_begin(f, rules, d->end, d->o.grammar, d->o.max_depth);
  return dropin_read_fault(f, d->begin, (unsigned char *)lua_newuserdata(d->L, levels / 8 + 1));
}

FL_PRIVATE void dropin_push_place(const struct mod_decode *d, const char *at, const char *format) {
  const char *p = d->begin, *start = p, *stop = at < d->end ? at : d->end;
  char line[NUM_ROOM], column[NUM_ROOM];
  size_t lines = 1;
  FL_ASSERT(at >= d->begin);
  for (; p < stop && (p = (const char *)memchr(p, '\n', (size_t)(stop - p))) != NULL; lines++) start = ++p;
  *num_write_u64(line, lines) = 0;
  *num_write_u64(column, (size_t)(at - start) + 1) = 0;
  lua_pushfstring(d->L, format, line, column);
}

FL_PRIVATE int dropin_meta_field(struct api_walk *a, int meta, const char *name) {
  lua_State *L = a->L;
  compat_get_field(L, meta, name);
  if (!lua_isnil(L, -1) || !lua_getmetatable(L, meta)) return 1;
  lua_pop(L, 2);
  lua_pushcfunction(L, api_get_index);
  lua_pushvalue(L, meta);
  lua_pushstring(L, name);
  return api_call(a, 2, 1);
}

FL_PRIVATE int dropin_is_marked(const struct api_walk *a, int meta, enum table_class mark) {
  return encode_class_of(a->walk->marks, lua_topointer(a->L, meta)) == mark;
}

FL_PRIVATE void dropin_push_error(lua_State *L, enum fl_error error) {
  lua_pushstring(L, error == FL_ERROR_DEPTH     ? "nesting too deep"
                    : error == FL_ERROR_NESTING ? "hooks nested too deep"
                                                : "not enough memory");
}

FL_PRIVATE char *dropin_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  const char *text = lua_islightuserdata(L, -1) ? api_sentinel(a, lua_touserdata(L, -1)) : NULL;
  if (!text) return api_fail(a, FL_ERROR_TYPE, luaL_typename(L, -1));
  return json_write_raw(&a->walk->out, w, text, strlen(text));
}

FL_PRIVATE int dropin_list_pairs(struct api_walk *a, int table, struct dropin_table *t) {
  lua_State *L = a->L;
  if (!a->pairs_honours_meta || !t->meta || !api_meta_field(L, t->meta, "__pairs")) return 1;
  if ((t->n = api_list_pairs(a, table)) < 0) return 0;
  t->pairs = lua_gettop(L);
  return 1;
}

FL_PRIVATE int dropin_end_table(struct api_walk *a, int table, const struct dropin_table *t, double n,
                                struct api_opened *f) {
  lua_State *L = a->L;
  f->is_array = n >= 0;
  if (f->is_array) {
    if (n >= INT32_MAX) return api_fail(a, FL_ERROR_LENGTH, NULL) != NULL;
    f->kind = t->indexed ? API_INDEX : API_ITEMS;
    f->n = (size_t)n;
    f->empty = f->n == 0;
    lua_pushnil(L);
  } else {
    f->kind = t->pairs ? API_PAIRS : API_NEXT;
    f->n = (size_t)t->n;
    f->empty = t->pairs && t->n == 0;
    if (t->pairs) lua_pushvalue(L, t->pairs);
    else lua_pushnil(L);
  }
  lua_replace(L, table + 1);
  lua_settop(L, table + 1);
  return 1;
}
