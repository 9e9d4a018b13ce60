/* SPDX-License-Identifier: MIT
** tables.h -- the rules of LuaJSON and of JSON4Lua in the public-API walk: what a table is, which values are
** words.
** May call: base, json, layout, convert, lua_*.
** Must hold: the same decisions as the raw walk, for the tables that it does not leave to this one. */
#ifndef FLEECE_DROPIN_LUAJSON_TABLES_H
#define FLEECE_DROPIN_LUAJSON_TABLES_H

#include "table_hooks.h"

/* The word that the value on top is, or NULL, with an error if it must not be. */
FL_FUNC const char *api_lj_word(struct api_walk *a) {
  const struct encode_policy *policy = a->walk->policy;
  const void *address = lua_topointer(a->L, -1);
  if (!address) return NULL;
  if (address == policy->null) return "null";
  if (address == policy->undefined) return api_lj_undefined(a);
  if (FL_LIKELY(!a->lj)) return NULL;
  if (api_lj_equals(a, a->lj->null)) return "null";
  if (a->walk->out.error || !api_lj_equals(a, a->lj->undefined)) return NULL;
  return api_lj_undefined(a);
}

/* Pushes table[name] with its __index; false: that raised. */
FL_FUNC int api_lj_field(struct api_walk *a, int table, const char *name) {
  lua_State *L = a->L;
  lua_pushcfunction(L, api_get_index);
  lua_pushvalue(L, table);
  lua_pushstring(L, name);
  return api_call(a, 2, 1);
}

/* What is known of a table before its keys are looked at. */
struct api_lj {
  int meta;    /* stack index of its metatable, 0: none */
  int indexed; /* which has an __index */
  int pairs;   /* stack index of the list that its __pairs made, 0: none; */
  int n;       /* of n pairs */
};

FL_FUNC void api_lj_begin(struct api_walk *a, int table, struct api_lj *t) {
  lua_State *L = a->L;
  memset(t, 0, sizeof *t);
  if (lua_isnil(L, table + 1)) return;
  t->meta = table + 1;
  if (!api_meta_field(L, t->meta, "__index")) return;
  t->indexed = 1;
  lua_pop(L, 1);
}

/* Runs __pairs, if there is one. */
FL_FUNC int api_lj_list(struct api_walk *a, int table, struct api_lj *t) {
  lua_State *L = a->L;
  if (!a->pairs_honours_meta || !t->meta || !api_meta_field(L, t->meta, "__pairs")) return 1;
  if ((t->n = api_list_pairs(a, table)) < 0) return 0;
  t->pairs = lua_gettop(L);
  return 1;
}

/* #table; -1: an error. */
FL_FUNC int api_lj_length(struct api_walk *a, int table, const struct api_lj *t) {
  size_t n;
  if (a->pairs_honours_meta && t->meta && api_meta_field(a->L, t->meta, "__len")) return api_hook_length(a, table);
  n = (size_t)lua_rawlen(a->L, table);
  if (n < INT32_MAX) return (int)n;
  api_fail(a, FL_ERROR_LENGTH, NULL);
  return -1;
}

/* Leaves the table at `table` with its aux behind it, opened as an array of n items or as an object. */
FL_FUNC int api_lj_end(struct api_walk *a, int table, const struct api_lj *t, double n, struct api_opened *f) {
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

/* ------------------------------------------------------------------------------------- LuaJSON */

/* Has the metatable the mark? */
FL_FUNC int api_lj_is_marked(const struct api_walk *a, int meta, enum table_class mark) {
  return encode_class_of(a->walk->marks, lua_topointer(a->L, meta)) == mark;
}

/* Says the metatable that the table is an array? 1; -1: it leaves open; 0: no; -2: an error. */
FL_FUNC int api_lj_says(struct api_walk *a, const struct api_lj *t) {
  lua_State *L = a->L;
  int says;
  if (!t->meta) return 0;
  if (api_lj_is_marked(a, t->meta, ENCODE_TAGGED_ARRAY)) return 1;
  if (!api_lj_field(a, t->meta, "__is_luajson_array")) return -2;
  says = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : lua_isnil(L, -1) ? 0 : -1;
  lua_pop(L, 1);
  return says;
}

/* Is the key at `key` an index up to `length`? */
FL_FUNC int api_lj_is_index(lua_State *L, int key, int length) {
  const double d = lua_tonumber(L, key);
  return lua_type(L, key) == LUA_TNUMBER && d >= 1 && d <= (double)length && d == (double)(int)d;
}

/* Are all keys indexes up to `length`? */
FL_FUNC int api_lj_holds(struct api_walk *a, int table, const struct api_lj *t, int length) {
  lua_State *L = a->L;
  const int top = lua_gettop(L);
  int i, fine = 1;
  if (t->pairs) {
    for (i = 0; i < t->n && fine; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      fine = api_lj_is_index(L, top + 1, length);
      lua_settop(L, top);
    }
    return fine;
  }
  for (lua_pushnil(L); fine && lua_next(L, table); lua_settop(L, top + 1)) fine = api_lj_is_index(L, top + 1, length);
  lua_settop(L, top);
  return fine;
}

/* The field n: items that an array says it has; -1: none, -2: an error. */
FL_FUNC double api_lj_count(struct api_walk *a, int table) {
  lua_State *L = a->L;
  double n = -1;
  if (!api_lj_field(a, table, "n")) return -2;
  if (lua_toboolean(L, -1)) {
    if (!lua_isnumber(L, -1)) return api_fail(a, FL_ERROR_HOOK, "the field 'n' of an array is no number"), -2;
    n = lua_tonumber(L, -1);
    n = n >= 1 ? n < INT32_MAX ? (double)(int)n : INT32_MAX : 0;
  }
  lua_pop(L, 1);
  return n;
}

/* Does the field n make an array of the table? 0, 1; -1: an error. */
FL_FUNC int api_lj_is_counted(struct api_walk *a, int table) {
  lua_State *L = a->L;
  double n;
  int is;
  if (!api_lj_field(a, table, "n")) return -1;
  n = lua_tonumber(L, -1);
  is = lua_type(L, -1) == LUA_TNUMBER && n >= 1 && (n >= 9007199254740992.0 || n == (double)(int64_t)n);
  lua_pop(L, 1);
  return is;
}

/* Opens the table at `table`, behind which its metatable or nil lies; leaves the aux there. */
FL_FUNC int api_lj_open(struct api_walk *a, int table, struct api_opened *f) {
  const int own = a->lj && a->lj->own_arrays;
  struct api_lj t;
  int is_array, length;
  double n;
  api_lj_begin(a, table, &t);
  if ((is_array = own ? api_lj_ask_array(a, table) : api_lj_says(a, &t)) == -2) return 0;
  if ((length = api_lj_length(a, table, &t)) < 0) return 0;
  if (!is_array && length > 0 && !own) is_array = -1;
  if (is_array == -1) {
    is_array = api_lj_is_counted(a, table);
    if (is_array < 0 || (!is_array && !api_lj_list(a, table, &t))) return 0;
    is_array = is_array || api_lj_holds(a, table, &t, length);
  } else if (!is_array && !api_lj_list(a, table, &t)) {
    return 0;
  }
  if (!is_array) return api_lj_end(a, table, &t, -1, f);
  n = api_lj_count(a, table);
  return n > -2 && api_lj_end(a, table, &t, n >= 0 ? n : length, f);
}

/* Puts the parameters of the call at `table` in its place, opened as a level, and writes its name. */
FL_FUNC char *api_lj_open_call(struct api_walk *a, char *w, int table, struct api_opened *f) {
  lua_State *L = a->L;
  struct api_lj t;
  size_t length;
  double n;
  const char *name;
  compat_get_field(L, table, "parameters");
  compat_get_field(L, table, "name");
  if (!(name = lua_tolstring(L, -1, &length))) return api_fail(a, FL_ERROR_HOOK, "the name of a call is no string");
  if (!lua_istable(L, -2)) return api_fail(a, FL_ERROR_HOOK, "the parameters of a call are no table");
  if (!(w = json_write_raw(&a->walk->out, w, name, length))) return NULL;
  lua_pop(L, 1);
  lua_replace(L, table);
  lua_settop(L, table);
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  api_lj_begin(a, table, &t);
  if ((n = api_lj_count(a, table)) == -1) n = api_lj_length(a, table, &t);
  if (a->walk->out.error || !api_lj_end(a, table, &t, n, f)) return NULL;
  f->is_array = API_CALL;
  return w;
}

/* ------------------------------------------------------------------------------------- JSON4Lua */

/* Is the value at the index one that has a text? */
FL_FUNC int api_j4_encodable(const struct api_walk *a, int index) {
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
FL_FUNC int api_j4_item(struct api_walk *a, double *highest) {
  lua_State *L = a->L;
  const int encodable = api_j4_encodable(a, -1);
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
FL_FUNC double api_j4_highest(struct api_walk *a, int table, const struct api_lj *t) {
  lua_State *L = a->L;
  const int top = lua_gettop(L);
  double highest = 0;
  int i, is_array = 1;
  if (t->pairs) {
    for (i = 0; i < t->n && is_array; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      lua_rawgeti(L, t->pairs, 2 * i + 2);
      is_array = api_j4_item(a, &highest);
      lua_settop(L, top);
    }
  } else {
    for (lua_pushnil(L); is_array && lua_next(L, table); lua_settop(L, top + 1)) is_array = api_j4_item(a, &highest);
  }
  lua_settop(L, top);
  return is_array ? highest : -1;
}

/* The same by JSON4Lua's rules. */
FL_FUNC int api_j4_open(struct api_walk *a, int table, struct api_opened *f) {
  struct api_lj t;
  int is_object;
  api_lj_begin(a, table, &t);
  if (!api_lj_list(a, table, &t)) return 0;
  is_object = api_lj_is_marked(a, table + 1, ENCODE_OBJECT);
  return api_lj_end(a, table, &t, is_object ? -1 : api_j4_highest(a, table, &t), f);
}

#endif
