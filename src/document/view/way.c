/* SPDX-License-Identifier: MIT */
#include "way.h"
#include "../../lua/options/arguments.h"

/* Pushes the path with the text at index `text`; an invalid one is an error of argument `arg`. */
static void mod_push_path(lua_State *L, int text, int has_wildcards, int arg) {
  size_t n, where = 0;
  const char *s = lua_tolstring(L, text, &n);
  struct mod_path *p = (struct mod_path *)mod_new_userdata(L, sizeof *p + (n + 1) * sizeof *p->steps + n);
  p->magic = &view_path_magic;
  p->count = p->wildcards = 0;
  const ptrdiff_t count = bin_path_compile(s, n, has_wildcards, p->steps, (char *)(p->steps + n + 1), &where);
  if (count < 0) mod_argument_error(L, arg, mod_path_wrong(L, s, n, where));
  p->count = (size_t)count;
  for (size_t i = 0; i < p->count; i++) p->wildcards += p->steps[i].each != BIN_EACH_NONE;
  if (p->wildcards > BIN_PATH_WILDCARDS) mod_argument_error(L, arg, "more than 16 wildcards");
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, text);
  lua_rawseti(L, -2, 1);
  mod_set_env(L, -2);
  view_push_metatable(L, &view_path_key);
  lua_setmetatable(L, -2);
}

FL_PRIVATE int mod_path(lua_State *L) {
  size_t n;
  (void)mod_check_string(L, 1, &n);
  mod_push_path(L, 1, 1, 1);
  return 1;
}

FL_PRIVATE const struct mod_path *view_check_path(lua_State *L, int index) {
  const struct mod_path *p = mod_path_test(L, index);
  if (!p) mod_type_error(L, index, "path");
  return p;
}

FL_PRIVATE void mod_check_pointer(lua_State *L, const char *s, size_t n, int arg) {
  if (FL_LIKELY(bin_pointer_is_valid(s, n))) return;
  mod_pointer_error(L, arg, s, n);
}

FL_PRIVATE_NOINLINE void mod_prepare_way_(lua_State *L, const struct mod_binary *b, struct doc_selector *way) {
  memset(way, 0, sizeof *way);
  compat_need_stack(L, 12);
  if (b->path) {
    if (lua_type(L, b->path) == LUA_TSTRING) mod_push_path(L, b->path, 0, 2);
    else lua_pushvalue(L, b->path);
    way->path = mod_path_test(L, -1);
    if (!way->path) mod_type_error(L, 2, "path");
    if (way->path->wildcards) mod_argument_error(L, 2, "a path without wildcards expected");
  }
  if (b->pointer) {
    way->pointer = lua_tolstring(L, b->pointer, &way->n);
    mod_check_pointer(L, way->pointer, way->n, 2);
    way->room = (char *)lua_newuserdata(L, way->n + 1);
  }
}

FL_PRIVATE_NOINLINE bin_value mod_follow_way_(const struct doc_selector *way, const struct bin_doc *doc, bin_value v) {
  if (way->path) v = bin_path_follow(doc, v, way->path->steps, way->path->count);
  if (way->pointer && v) v = bin_pointer_follow(doc, v, way->pointer, way->n, way->room);
  return v;
}
