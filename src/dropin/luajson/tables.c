/* SPDX-License-Identifier: MIT */
#include "tables.h"

/* The word that the value on top is, or NULL, with an error if it must not be. */
static const char *luajson_encode_word(struct api_walk *a) {
  const struct encode_policy *policy = a->walk->policy;
  const void *address = lua_topointer(a->L, -1);
  if (!address) return NULL;
  if (address == policy->null) return "null";
  if (address == policy->undefined) return luajson_undefined(a);
  if (FL_LIKELY(!luajson_special_of(a))) return NULL;
  if (luajson_equals(a, luajson_special_of(a)->null)) return "null";
  if (a->walk->out.error || !luajson_equals(a, luajson_special_of(a)->undefined)) return NULL;
  return luajson_undefined(a);
}

/* Says the metatable that the table is an array? 1; -1: it leaves open; 0: no; -2: an error. */
static int luajson_marked_as_array(struct api_walk *a, const struct dropin_table *t) {
  lua_State *L = a->L;
  int says;
  if (!t->meta) return 0;
  if (dropin_is_marked(a, t->meta, ENCODE_TAGGED_ARRAY)) return 1;
  if (!dropin_table_field(a, t->meta, "__is_luajson_array")) return -2;
  says = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : lua_isnil(L, -1) ? 0 : -1;
  lua_pop(L, 1);
  return says;
}

/* Is the key at `key` an index up to `length`? */
static int luajson_is_index(lua_State *L, int key, int length) {
  const double d = lua_tonumber(L, key);
  return lua_type(L, key) == LUA_TNUMBER && d >= 1 && d <= (double)length && d == (double)(int)d;
}

/* Are all keys indexes up to `length`? */
static int luajson_has_only_indexes(struct api_walk *a, int table, const struct dropin_table *t, int length) {
  lua_State *L = a->L;
  const int top = lua_gettop(L);
  int i, fine = 1;
  if (t->pairs) {
    for (i = 0; i < t->n && fine; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      fine = luajson_is_index(L, top + 1, length);
      lua_settop(L, top);
    }
    return fine;
  }
  for (lua_pushnil(L); fine && lua_next(L, table); lua_settop(L, top + 1)) fine = luajson_is_index(L, top + 1, length);
  lua_settop(L, top);
  return fine;
}

/* The field n: items that an array says it has; -1: none, -2: an error. */
static double luajson_field_n(struct api_walk *a, int table) {
  lua_State *L = a->L;
  double n = -1;
  if (!dropin_table_field(a, table, "n")) return -2;
  if (lua_toboolean(L, -1)) {
    if (!lua_isnumber(L, -1)) return api_fail(a, FL_ERROR_HOOK, "the field 'n' of an array must be a number"), -2;
    n = lua_tonumber(L, -1);
    n = n >= 1 ? n < INT32_MAX ? (double)(int)n : INT32_MAX : 0;
  }
  lua_pop(L, 1);
  return n;
}

/* Does the field n make an array of the table? 0, 1; -1: an error. */
static int luajson_n_is_length(struct api_walk *a, int table) {
  lua_State *L = a->L;
  double n;
  int is;
  if (!dropin_table_field(a, table, "n")) return -1;
  n = lua_tonumber(L, -1);
  is = lua_type(L, -1) == LUA_TNUMBER && n >= 1 && (n >= 9007199254740992.0 || n == (double)(int64_t)n);
  lua_pop(L, 1);
  return is;
}

/* Opens the table at `table`, behind which its metatable or nil lies; leaves the aux there. */
static int luajson_open_table(struct api_walk *a, int table, struct api_opened *f) {
  const int own = luajson_special_of(a) && luajson_special_of(a)->own_arrays;
  struct dropin_table t;
  int is_array, length;
  double n;
  dropin_begin_table(a, table, &t);
  if ((is_array = own ? luajson_ask_is_array(a, table) : luajson_marked_as_array(a, &t)) == -2) return 0;
  if ((length = dropin_table_length(a, table, &t)) < 0) return 0;
  if (!is_array && length > 0 && !own) is_array = -1;
  if (is_array == -1) {
    is_array = luajson_n_is_length(a, table);
    if (is_array < 0 || (!is_array && !dropin_list_pairs(a, table, &t))) return 0;
    is_array = is_array || luajson_has_only_indexes(a, table, &t, length);
  } else if (!is_array && !dropin_list_pairs(a, table, &t)) {
    return 0;
  }
  if (!is_array) return dropin_end_table(a, table, &t, -1, f);
  n = luajson_field_n(a, table);
  return n > -2 && dropin_end_table(a, table, &t, n >= 0 ? n : length, f);
}

/* Puts the parameters of the call at `table` in its place, opened as a level, and writes its name. */
static char *luajson_open_call(struct api_walk *a, char *w, int table, struct api_opened *f) {
  lua_State *L = a->L;
  struct dropin_table t;
  size_t length;
  double n;
  const char *name;
  compat_get_field(L, table, "parameters");
  compat_get_field(L, table, "name");
  if (!(name = lua_tolstring(L, -1, &length))) return api_fail(a, FL_ERROR_HOOK, "the name of a call must be a string");
  if (!lua_istable(L, -2)) return api_fail(a, FL_ERROR_HOOK, "the parameters of a call must be a table");
  if (!(w = json_write_raw(&a->walk->out, w, name, length))) return NULL;
  lua_pop(L, 1);
  lua_replace(L, table);
  lua_settop(L, table);
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  dropin_begin_table(a, table, &t);
  if ((n = luajson_field_n(a, table)) == -1) n = dropin_table_length(a, table, &t);
  if (a->walk->out.error || !dropin_end_table(a, table, &t, n, f)) return NULL;
  f->is_array = API_CALL;
  return w;
}

FL_PRIVATE_NOINLINE char *luajson_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  struct api_opened f;
  const char *word;
  const size_t start = (size_t)(w - c->out.buffer.begin);
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  memset(&f, 0, sizeof f);
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (dropin_is_marked(a, table + 1, ENCODE_CALL)) {
    if (!(w = luajson_open_call(a, w, table, &f))) return NULL;
  } else {
    if (luajson_special_of(a)) { /* no table is a word otherwise */
      lua_pushvalue(L, table);
      word = luajson_encode_word(a);
      if (c->out.error) return NULL;
      lua_settop(L, word ? table : table + 1);
      if (word) return json_write_raw(&c->out, w, word, strlen(word));
    }
    if (!luajson_open_table(a, table, &f)) return NULL;
  }
  if (luajson_special_of(a) && luajson_special_of(a)->composite) return luajson_compose(a, w, start, table, f.is_array);
  if (!api_may_open(a, table)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

FL_PRIVATE char *luajson_write_other(struct api_walk *a, char *w) {
  const char *word = luajson_encode_word(a);
  if (word) return json_write_raw(&a->walk->out, w, word, strlen(word));
  return a->walk->out.error ? NULL : dropin_write_other(a, w);
}

/* api_write_value for LuaJSON with functions or words of a program; they have seen the value on top, or it is a name
** that they made. */
static char *luajson_write_processed(struct api_walk *a, char *w, int *opened) {
  const char *word;
  switch (lua_type(a->L, -1)) {
  case LUA_TSTRING: return luajson_write_string(a, w);
  case LUA_TBOOLEAN:
    word = luajson_special_of(a)->booleans[lua_toboolean(a->L, -1)];
    if (!word) return api_fail(a, FL_ERROR_TYPE, "boolean");
    if (*word == 'u' && !(word = luajson_undefined(a))) return NULL;
    return json_write_raw(&a->walk->out, w, word, strlen(word));
  default: return api_write_value(a, w, opened);
  }
}

FL_PRIVATE_NOINLINE char *luajson_write_key(struct api_walk *a, char *w, int key) {
  lua_State *L = a->L;
  const int top = lua_gettop(L), type = lua_type(L, key);
  int opened = 0;
  if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
    return api_fail(a, FL_ERROR_KEY, luaL_typename(L, key));
  if (type == LUA_TBOOLEAN) lua_pushstring(L, lua_toboolean(L, key) ? "true" : "false");
  else lua_pushvalue(L, key);
  (void)lua_tolstring(L, -1, NULL); /* a number's text, as tostring has it */
  if (!luajson_pre_process(a, 1)) return NULL;
  if (lua_istable(L, -1)) return api_fail(a, FL_ERROR_KEY, "table"); /* no level can be a name */
  w = json_reserve(&a->walk->out, w, JSON_TEXT_ROOM);
  if (w) w = luajson_write_processed(a, w, &opened);
  lua_settop(L, w ? top : lua_gettop(L));
  return w;
}

FL_PRIVATE char *luajson_write_value(struct api_walk *a, char *w, int *opened) {
  return luajson_pre_process(a, luajson_special_of(a)->is_key) ? luajson_write_processed(a, w, opened) : NULL;
}
