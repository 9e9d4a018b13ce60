/* SPDX-License-Identifier: MIT
** errors.c -- the error that stops a public-API walk: its path, its message, and what a handler puts in the value's
** place. */
#include "state.h"

static int api_is_name(const char *s, size_t n) {
  if (n == 0 || n > 64) return 0;
  for (size_t i = 0; i < n; i++) {
    char ch = s[i];
    int alpha = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
    if (!alpha && !(i > 0 && ch >= '0' && ch <= '9')) return 0;
  }
  return 1;
}

FL_PRIVATE void api_key_to_step(lua_State *L) {
  char text[4 * 64 + JSON_NUMBER_ROOM], *end = text;
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    *end++ = '[';
    end = api_key_text(L, -1, end);
    *end++ = ']';
    lua_pushlstring(L, text, (size_t)(end - text));
    break;
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (api_is_name(s, n)) lua_pushfstring(L, ".%s", s);
    else {
      lua_pushliteral(L, "[\"");
      end = text_show(text, s, n < 64 ? n : text_cut(s, n, 64));
      lua_pushlstring(L, text, (size_t)(end - text));
      lua_pushstring(L, n < 64 ? "\"]" : "...\"]");
      lua_concat(L, 3);
    }
    break;
  default: lua_pushfstring(L, "[%s]", lua_typename(L, lua_type(L, -1)));
  }
  lua_remove(L, -2);
}

/* Pushes the path along `levels` open tables to the value being written: ".players[3].name". A long one is cut in the
** middle. */
FL_NOINLINE void api_push_path(struct api_walk *a, size_t levels) {
  enum { ENDS = 8 };
  lua_State *L = a->L;
  size_t level;
  int steps = 0;
  compat_need_stack(L, 2 * ENDS + 10);
  for (level = 1; level <= levels; level++) {
    if (levels > 2 * ENDS && level == ENDS + 1) {
      lua_pushliteral(L, "...");
      steps++;
      level = levels - ENDS + 1;
    }
    api_push_key(a, level);
    api_key_to_step(L);
    steps++;
  }
  if (a->inner_length) {
    lua_pushlstring(L, a->inner, a->inner_length);
    a->inner_length = 0;
    steps++;
  }
  if (steps == 0) lua_pushliteral(L, "the root");
  else lua_concat(L, steps);
}

FL_PRIVATE int api_push_cycle(lua_State *L, int value, size_t max_depth) {
  enum { ENDS = 8, KEEPS = 2 }; /* a level is a table and the key of its current item */
  int seen, open, i, steps = 1;
  size_t depth = 1;
  lua_newtable(L); /* table -> whether it is open */
  seen = lua_gettop(L);
  lua_pushvalue(L, value);
  for (open = 1;;) {
    if (!lua_checkstack(L, 2 * ENDS + 10)) return lua_settop(L, seen - 1), 0;
    if (open) lua_pushvalue(L, -1), lua_pushboolean(L, 1), lua_rawset(L, seen), lua_pushnil(L);
    open = 0;
    if (!lua_next(L, -2)) {
      lua_pushboolean(L, 0);
      lua_rawset(L, seen);
      if (--depth == 0) return lua_settop(L, seen - 1), 0;
      continue;
    }
    compat_raw_get(L, seen, -1);
    if (lua_toboolean(L, -1)) break;
    open = lua_istable(L, -2) && lua_isnil(L, -1) && depth < max_depth;
    lua_pop(L, 2 - open);
    depth += (size_t)open;
  }
  lua_settop(L, seen + KEEPS * (int)depth);
  lua_pushliteral(L, "table contains itself at ");
  for (i = 1; i <= (int)depth; i++, steps++) {
    if (depth > 2 * ENDS && i == ENDS + 1) lua_pushliteral(L, "..."), steps++, i = (int)depth - ENDS + 1;
    lua_pushvalue(L, seen + KEEPS * i);
    api_key_to_step(L);
  }
  lua_concat(L, steps);
  lua_replace(L, seen);
  return lua_settop(L, seen), 1;
}

FL_PRIVATE_NOINLINE void api_push_message(struct api_walk *a, int path) {
  lua_State *L = a->L;
  const struct json_out *out = &a->walk->out;
  a->path = path;
  lua_pushfstring(L, encode_message(out->error), a->detail);
  if (out->error == FL_ERROR_MEMORY || out->error == FL_ERROR_SINK) return;
  lua_pushliteral(L, " at ");
  lua_pushvalue(L, path);
  if (out->error == FL_ERROR_UTF8) {
    lua_pushfstring(L, " (byte %d)", (int)(out->error_at < INT32_MAX ? out->error_at + 1 : INT32_MAX));
    lua_concat(L, 4);
  } else {
    lua_concat(L, 3);
  }
}

FL_PRIVATE_NOINLINE int api_replace(struct api_walk *a, int at, size_t levels, int tries) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  if (out->error == FL_ERROR_REPLACED) return out->error = FL_ERROR_NONE, lua_settop(L, at), 1;
  if (a->walk->policy->rules->errors == ENCODE_ERRORS_BARE) return 0;
  compat_need_stack(L, 12);
  api_push_path(a, levels);
  const int path = lua_gettop(L);
  api_push_message(a, path);
  if (!a->on_error || tries > 0 || out->error == FL_ERROR_MEMORY || out->error == FL_ERROR_SINK) return 0;
  lua_pushvalue(L, a->on_error);
  lua_pushvalue(L, at);
  lua_pushvalue(L, path);
  lua_pushvalue(L, path + 1);
  a->guarded = 0; /* errors of the handler itself are not guarded */
  if (!api_call(a, 3, LUA_MULTRET)) return 0;
  a->guarded = 1;
  if (lua_gettop(L) == path + 1) return 0;
  compat_copy(L, path + 2, at);
  lua_settop(L, at);
  out->error = FL_ERROR_NONE;
  return 1;
}

FL_PRIVATE_NOINLINE int api_may_substitute(struct api_walk *a, int slot) {
  const int is_key = a->walk->out.error == FL_ERROR_CHANGED;
  if (a->on_error && !is_key) {
    lua_pushnil(a->L);
    lua_insert(a->L, slot + 2);
    return 1;
  }
  if (!a->thrown) api_replace(a, slot, a->depth - (size_t)is_key, 1);
  return 0;
}
