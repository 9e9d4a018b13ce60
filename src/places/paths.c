/* SPDX-License-Identifier: MIT
** paths.c -- paths of arguments as steps: JSON pointers, the text of key paths, compiled paths.
** Must hold: as paths.h. */
#include "paths.h"

#include "../json/index/steps.h"

enum { MOD_PATH_SHOWN = 100 };

FL_PRIVATE void mod_path_begin(struct mod_path_steps *to, int slot, int64_t after) {
  to->slot = slot;
  to->after = after;
  to->has_wildcards = 0;
  to->block = to->first;
  to->room = sizeof to->first;
}

/* Returns memory for `count` steps, for as many tokens or steps of `size` bytes, and n bytes; the previous path is
** lost. */
static struct json_step *mod_need_steps(lua_State *L, struct mod_path_steps *to, size_t count, size_t size, size_t n) {
  const size_t bytes = count * (sizeof(struct json_step) + size) + n;
  if (bytes > to->room) {
    to->room = bytes + bytes / 2;
    to->block = lua_newuserdata(L, to->room);
    lua_replace(L, to->slot);
  }
  return (struct json_step *)to->block;
}

static const char *mod_read_pointer(lua_State *L, struct mod_path_steps *to, const char *s, size_t n) {
  const size_t most = json_pointer_tokens(s, n);
  struct json_step *steps = mod_need_steps(L, to, most, sizeof(struct json_token), n);
  to->steps = steps;
  return json_pointer_steps(s, n, to->after, steps, most, &to->count) ? NULL : "not a JSON pointer";
}

static void mod_copy_steps(struct mod_path_steps *to, struct json_step *steps, const struct bin_step *from,
                           size_t count) {
  for (size_t i = 0; i < count; i++) {
    const enum bin_each each = from[i].each;
    json_set_step(&steps[i], from[i].name, from[i].n, from[i].index, !from[i].name && !each);
    if (each) steps[i].each = each == BIN_EACH_ITEM ? '[' : '{';
  }
  to->steps = steps;
  to->count = count;
}

FL_PRIVATE const char *mod_path_wrong(lua_State *L, const char *s, size_t n, size_t where) {
  const int is_query = where < n &&
                       (s[where] == '.' || (s[where] == '[' && where + 1 < n && memchr("*?:", s[where + 1], 3)));
  const int is_wildcard = where < n && (s[where] == '*' || (s[where] == '[' && where + 1 < n && s[where + 1] == '*'));
  return lua_pushfstring(L, "not a key path: wrong at byte %d%s", (int)(where < INT32_MAX ? where + 1 : 0),
                         is_wildcard ? "; pick, edit and fleece.path take wildcards, [\"*\"] is a name"
                         : is_query  ? ", where a name or [index] is expected; fleece.query reads JSONPath"
                                     : "");
}

static const char *mod_read_key_path(lua_State *L, struct mod_path_steps *to, const char *s, size_t n) {
  struct json_step *steps = mod_need_steps(L, to, n + 1, sizeof(struct bin_step), n);
  struct bin_step *compiled = (struct bin_step *)(void *)(steps + n + 1);
  size_t wrong = 0;
  const ptrdiff_t count = bin_path_compile(s, n, to->has_wildcards, compiled, (char *)(compiled + n + 1), &wrong);
  if (count < 0) return mod_path_wrong(L, s, n, wrong);
  mod_copy_steps(to, steps, compiled, (size_t)count);
  return NULL;
}

FL_PRIVATE const char *mod_path_read(lua_State *L, struct mod_path_steps *to, int path) {
  size_t n;
  if (lua_type(L, path) == LUA_TSTRING) {
    const char *s = lua_tolstring(L, path, &n);
    if (n > JSON_POINTER_LONGEST / 2) return "path too long";
    return n == 0 || *s == '/' ? mod_read_pointer(L, to, s, n) : mod_read_key_path(L, to, s, n);
  }
  const struct mod_path *compiled = mod_path_test(L, path);
  if (!compiled) return "path expected";
  mod_copy_steps(to, mod_need_steps(L, to, compiled->count, 0, 0), compiled->steps, compiled->count);
  return NULL;
}

FL_PRIVATE void mod_path_push_text(lua_State *L, int path) {
  size_t n, shown;
  if (!mod_path_test(L, path)) {
    if (lua_type(L, path) == LUA_TSTRING) lua_pushvalue(L, path);
    else if (!luaL_callmeta(L, path, "__tostring")) lua_pushliteral(L, "?"); /* a query */
  } else {
    mod_push_env(L, path);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  const char *s = lua_tolstring(L, -1, &n);
  if (!s || n <= MOD_PATH_SHOWN) return;
  for (shown = MOD_PATH_SHOWN; shown > 0 && ((unsigned char)s[shown] & 0xc0) == 0x80;) shown--;
  lua_pushlstring(L, s, shown);
  lua_pushliteral(L, "...");
  lua_concat(L, 2);
  lua_remove(L, -2);
}
