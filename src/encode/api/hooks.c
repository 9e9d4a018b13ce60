/* SPDX-License-Identifier: MIT */
#include "hooks.h"

FL_PRIVATE void api_classify_metatable(struct api_walk *a, struct api_meta *meta) {
  lua_State *L = a->L;
  const enum encode_hooks hooks = a->walk->policy->rules->hooks;
  const void *address;
  int mt;
  meta->mark = ENCODE_PLAIN, meta->hook = API_HOOK_NONE, meta->has_order = 0;
  if (!lua_getmetatable(L, -1)) return;
  mt = lua_gettop(L);
  address = lua_topointer(L, mt);
  do {
    const enum table_class known = encode_class_of(a->walk->marks, address);
    const enum table_class mark = (enum table_class)a->walk->policy->rules->known[known];
    if (mark == ENCODE_PLAIN || mark == ENCODE_HOOK) continue;
    meta->mark = mark;
    lua_pop(L, 1);
    return;
  } while (api_refresh(a));
  if (hooks == ENCODE_HOOKS_LENGTH) {
    if (api_meta_field(L, mt, "__len")) meta->hook = API_HOOK_LEN;
  } else if (hooks == ENCODE_HOOKS_ALL) {
    if (api_meta_field(L, mt, "__tojson")) {
      meta->hook = API_HOOK_TOJSON;
      lua_remove(L, mt);
      return;
    }
    if (api_meta_field(L, mt, "__jsontype")) {
      const char *type = lua_tostring(L, -1);
      if (type && strcmp(type, "array") == 0) meta->mark = ENCODE_ARRAY;
      if (type && strcmp(type, "object") == 0) meta->mark = ENCODE_OBJECT;
      lua_pop(L, 1);
    }
    if (api_meta_field(L, mt, "__jsonorder")) {
      meta->has_order = lua_istable(L, -1);
      lua_replace(L, a->own_order);
    }
    if (api_meta_field(L, mt, "__pairs")) meta->hook = API_HOOK_PAIRS;
    else if (meta->mark == ENCODE_PLAIN && api_meta_field(L, mt, "__len")) meta->hook = API_HOOK_LEN;
  }
  lua_remove(L, mt);
}

/* The hook's second way: it appended strings to state.buffer and returned true. Replaces the state on top by their
** concatenation. */
static int api_join_buffer(struct api_walk *a) {
  lua_State *L = a->L;
  luaL_Buffer joined;
  int state = lua_gettop(L), buffer, i, n;
  lua_getfield(L, state, "buffer");
  lua_getfield(L, state, "bufferlen");
  buffer = state + 1;
  n = lua_istable(L, buffer) && lua_isnumber(L, -1) ? (int)lua_tointeger(L, -1) : -1;
  lua_pop(L, 1);
  if (n < 0) return 0;
  luaL_buffinit(L, &joined);
  for (i = 1; i <= n; i++) {
    lua_rawgeti(L, buffer, i);
    if (!lua_isstring(L, -1)) return 0;
    luaL_addvalue(&joined);
  }
  luaL_pushresult(&joined);
  lua_replace(L, state);
  lua_settop(L, state);
  return 1;
}

/* The text on top came from a hook: is it JSON? False: an error. */
static int api_check_text(struct api_walk *a) {
  lua_State *L = a->L;
  size_t n, where = 0;
  const char *s = lua_tolstring(L, -1, &n);
  int bad = json_check(s, n, API_CHECK_DEPTH, &where);
  if (!bad) return 1;
  lua_pushfstring(L, "__tojson returned invalid JSON: %s, byte %d", json_check_message(bad),
                  (int)(where < INT32_MAX ? where + 1 : INT32_MAX));
  return api_fail(a, FL_ERROR_HOOK, lua_tostring(L, -1)) != NULL;
}

FL_PRIVATE const char *api_call_tojson(struct api_walk *a, size_t *n) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  int function = lua_gettop(L), state = function + 1;
  compat_need_stack(L, 12);
  lua_createtable(L, 0, 4);
  lua_newtable(L);
  lua_setfield(L, state, "buffer");
  lua_pushinteger(L, 0);
  lua_setfield(L, state, "bufferlen");
  lua_pushinteger(L, (lua_Integer)a->depth);
  lua_setfield(L, state, "level");
  if (style->indent_length) {
    lua_pushboolean(L, 1);
    lua_setfield(L, state, "indent");
  }
  lua_pushvalue(L, function);
  lua_pushvalue(L, function - 1);
  lua_pushvalue(L, state);
  if (!api_call(a, 2, 2)) return NULL;
  if (lua_type(L, -2) == LUA_TSTRING) {
    lua_pop(L, 1);
  } else if (lua_type(L, -2) == LUA_TBOOLEAN && lua_toboolean(L, -2)) {
    lua_pop(L, 2);
    if (!api_join_buffer(a)) {
      api_fail(a, FL_ERROR_HOOK, "__tojson returned true without a state.buffer of strings");
      return NULL;
    }
  } else {
    api_fail(a, FL_ERROR_HOOK, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "__tojson must return a string");
    return NULL;
  }
  return api_check_text(a) ? lua_tolstring(L, -1, n) : NULL;
}

FL_PRIVATE int api_list_pairs(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int list, n = 0;
  compat_need_stack(L, 12);
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 3)) return -1;
  lua_newtable(L);
  lua_insert(L, -4); /* list, next, state, control */
  list = lua_gettop(L) - 3;
  for (;; n++) {
    lua_pushvalue(L, list + 1);
    lua_pushvalue(L, list + 2);
    lua_pushvalue(L, list + 3);
    if (!api_call(a, 2, 2)) return -1;
    if (lua_isnil(L, -2)) break;
    lua_rawseti(L, list, 2 * n + 2);
    lua_pushvalue(L, -1);
    lua_replace(L, list + 3);
    lua_rawseti(L, list, 2 * n + 1);
  }
  lua_settop(L, list);
  return n;
}

FL_PRIVATE int api_hook_length(struct api_walk *a, int table) {
  lua_State *L = a->L;
  lua_Number n;
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 1)) return -1;
  n = lua_tonumber(L, -1);
  if (a->walk->policy->rules->any_length && !(n >= 2147483647.0)) {
    lua_pop(L, 1);
    return n >= 1 ? (int)n : 0;
  }
  if (!lua_isnumber(L, -1) || !(n >= 0 && n < 2147483647.0) || n != (lua_Number)(int)n) {
    api_fail(a, FL_ERROR_LENGTH, "__len returned no array length");
    return -1;
  }
  lua_pop(L, 1);
  return (int)n;
}
