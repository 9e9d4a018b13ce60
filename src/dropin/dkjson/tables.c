/* SPDX-License-Identifier: MIT
** tables.c -- dkjson's rules in the public-API walk: what a table is, its hooks, its handler of exceptions. */
#include "dkjson.h"

FL_INLINE struct dkjson_call *dkjson_call_of(const struct api_walk *a) { return (struct dkjson_call *)a->special; }

static int dkjson_is_open(const struct api_walk *a, int at) {
  lua_State *L = a->L;
  if (!dkjson_call_of(a)->tables) return api_is_open(a, lua_topointer(L, at));
  compat_raw_get(L, dkjson_call_of(a)->tables, at);
  const int open = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return open;
}

/* Records that the value at `at` is opened or closed. */
static void dkjson_note(const struct api_walk *a, int at, int open) {
  lua_State *L = a->L;
  if (!dkjson_call_of(a)->tables) return;
  lua_pushvalue(L, at);
  if (open) lua_pushboolean(L, 1);
  else lua_pushnil(L);
  lua_rawset(L, dkjson_call_of(a)->tables);
}

/* table[i] = value through __newindex, for lua_pcall. */
static int api_set_index(lua_State *L) { return lua_settable(L, 1), 0; }

/* Appends the text on top to the state's buffer, with __newindex. Returns 0 if that raised an error. */
static int dkjson_put(struct api_walk *a) {
  lua_State *L = a->L;
  const int text = lua_gettop(L);
  dkjson_call_of(a)->pieces++;
  if (!lua_getmetatable(L, dkjson_call_of(a)->buffer))
    return lua_rawseti(L, dkjson_call_of(a)->buffer, (int)dkjson_call_of(a)->pieces), 1;
  compat_need_stack(L, 8);
  lua_settop(L, text);
  lua_pushcfunction(L, api_set_index);
  lua_pushvalue(L, dkjson_call_of(a)->buffer);
  lua_pushinteger(L, (lua_Integer)dkjson_call_of(a)->pieces);
  lua_pushvalue(L, text);
  if (!api_call(a, 3, 0)) return 0;
  lua_settop(L, text - 1);
  return 1;
}

/* Moves what was written to the state's buffer. NULL if that raised an error. */
static char *dkjson_flush(struct api_walk *a, const char *w) {
  lua_State *L = a->L;
  struct buffer *b = &a->walk->out.buffer;
  if (w > b->begin) {
    lua_pushlstring(L, b->begin, (size_t)(w - b->begin));
    if (!dkjson_put(a)) return NULL;
  }
  lua_pushliteral(L, "bufferlen");
  lua_pushinteger(L, (lua_Integer)dkjson_call_of(a)->pieces);
  lua_rawset(L, dkjson_call_of(a)->state);
  return b->begin;
}

static char *dkjson_fail(struct api_walk *a) {
  lua_replace(a->L, dkjson_call_of(a)->message);
  return api_fail(a, FL_ERROR_HOOK, NULL);
}

/* Uses the true value at `result`, which a hook or handler returned. A string is appended to the buffer. `at` becomes
** the top. */
static char *dkjson_take(struct api_walk *a, char *w, int result, int at) {
  lua_State *L = a->L;
  size_t n;
  compat_get_field(L, dkjson_call_of(a)->state, "bufferlen");
  const lua_Number pieces = lua_tonumber(L, -1);
  if (!lua_isnumber(L, -1) || !(pieces >= 0 && pieces < INT32_MAX)) {
    lua_pushliteral(L, "state.bufferlen must be a length");
    return dkjson_fail(a);
  }
  dkjson_call_of(a)->pieces = (size_t)pieces;
  if (lua_type(L, result) == LUA_TSTRING) {
    const char *s = lua_tolstring(L, result, &n);
    if (!(w = json_write_raw(&a->walk->out, w, s, n))) return NULL;
  } else if (!(w = json_reserve(&a->walk->out, w, JSON_TEXT_ROOM))) {
    return NULL;
  }
  lua_settop(L, at);
  return w;
}

/* The value at `at` cannot be written, for the reason in the message on top: calls the state's current handler. */
FL_NOINLINE char *dkjson_exception(struct api_walk *a, char *w, int at, const char *reason) {
  lua_State *L = a->L;
  int message = lua_gettop(L);
  if (!dropin_meta_field(a, dkjson_call_of(a)->state, "exception")) return NULL;
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return dkjson_fail(a);
  }
  if (!(w = dkjson_flush(a, w))) return NULL;
  lua_pushstring(L, reason);
  lua_pushvalue(L, at);
  lua_pushvalue(L, dkjson_call_of(a)->state);
  lua_pushvalue(L, message);
  if (!api_call(a, 4, 2)) return NULL;
  if (lua_toboolean(L, message + 1)) return dkjson_take(a, w, message + 1, at);
  if (!lua_toboolean(L, -1)) lua_pushvalue(L, message);
  return dkjson_fail(a);
}

/* Calls __tojson, which is on top, for the value at `at`. */
FL_NOINLINE char *dkjson_hook(struct api_walk *a, char *w, int at) {
  lua_State *L = a->L;
  int hook = lua_gettop(L);
  if (dkjson_is_open(a, at)) {
    lua_pushliteral(L, "reference cycle");
    return dkjson_exception(a, w, at, "reference cycle");
  }
  dkjson_note(a, at, 1);
  if (!(w = dkjson_flush(a, w))) return NULL;
  lua_pushvalue(L, hook);
  lua_pushvalue(L, at);
  lua_pushvalue(L, dkjson_call_of(a)->state);
  if (!api_call(a, 2, 2)) return NULL;
  dkjson_note(a, at, 0);
  if (lua_toboolean(L, hook + 1)) return dkjson_take(a, w, hook + 1, at);
  if (!lua_toboolean(L, -1)) lua_pushliteral(L, "custom encoder failed");
  return dkjson_exception(a, w, at, "custom encoder failed");
}

/* Writes the value on top, which is not plain data. */
FL_NOINLINE char *dkjson_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  int at = lua_gettop(L);
  if (lua_islightuserdata(L, at) && api_sentinel(a, lua_touserdata(L, at))) return dropin_write_other(a, w);
  compat_need_stack(L, 20);
  if (lua_getmetatable(L, at)) {
    if (!dropin_meta_field(a, at + 1, "__tojson")) return NULL;
    if (lua_toboolean(L, -1)) return dkjson_hook(a, w, at);
    lua_settop(L, at);
  }
  lua_pushfstring(L, "type '%s' is not supported by JSON.", luaL_typename(L, at));
  return dkjson_exception(a, w, at, "unsupported type");
}

struct dkjson_keys {
  struct api_keys keys;
  double n;  /* the value of the field `n`, */
  int has_n; /* if there is one */
};

/* Counts the pair whose value is on top and whose key is below it. */
static void dkjson_count(lua_State *L, struct dkjson_keys *k) {
  size_t length;
  if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TNUMBER) {
    const char *s = lua_tolstring(L, -2, &length);
    if (length == 1 && *s == 'n') {
      k->n = lua_tonumber(L, -1);
      k->has_n = 1;
      return;
    }
  }
  api_count_key(L, lua_gettop(L) - 1, &k->keys);
}

/* Appends the pair on top to the list, unless its key is in `used`. Pops it. */
static void dkjson_append(lua_State *L, int list, int used, size_t *n) {
  compat_raw_get(L, used, -2);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    compat_set_item(L, list, (int)(2 * *n + 1), -2);
    lua_rawseti(L, list, (int)(2 * *n + 2));
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, used);
    lua_pop(L, 1);
    ++*n;
  } else {
    lua_pop(L, 3);
  }
}

/* Pushes the list of the pairs of the table at `table`: first the names in the list at `order`, including those from an
** __index, then the others, in the order of `pairs` (a list of n, or 0) or of next. Returns their number, or -1. */
FL_NOINLINE int dkjson_list(struct api_walk *a, int table, int order, int pairs, int n) {
  lua_State *L = a->L;
  int list = lua_gettop(L) + 1, used = list + 1, i, names = (int)lua_rawlen(L, order);
  size_t count = 0;
  lua_newtable(L);
  lua_newtable(L);
  for (i = 1; i <= names; i++) {
    lua_rawgeti(L, order, i);
    lua_pushcfunction(L, api_get_index);
    lua_pushvalue(L, table);
    lua_pushvalue(L, used + 1);
    if (!api_call(a, 2, 1)) return -1;
    if (!lua_isnil(L, -1)) dkjson_append(L, list, used, &count);
    lua_settop(L, used);
  }
  for (i = 0; pairs && i < n; i++) {
    lua_rawgeti(L, pairs, 2 * i + 1);
    lua_rawgeti(L, pairs, 2 * i + 2);
    dkjson_append(L, list, used, &count);
  }
  if (!pairs) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      dkjson_append(L, list, used, &count);
    }
  }
  lua_settop(L, list);
  return (int)count;
}

/* Decides between array and object: an array may have gaps if it is short, has its length in a field `n`, or is at
** least half full. */
static int dkjson_is_array(const struct dkjson_keys *k, double *length) {
  *length = k->n > k->keys.highest ? k->n : k->keys.highest;
  if (!k->keys.all_indexes) return 0;
  return !(*length > 10 && *length > k->n && *length > 2 * (double)k->keys.count);
}

/* Opens the table at `table`, whose metatable is at `meta` if it is not 0; leaves the aux after the table. */
FL_NOINLINE int dkjson_open_table(struct api_walk *a, int table, int meta, struct api_opened *f) {
  lua_State *L = a->L;
  struct dkjson_keys k = {{0, 0, 1}, 0, 0};
  double length;
  int i, n = 0, pairs = 0, order = dkjson_call_of(a)->order;
  memset(f, 0, sizeof *f);
  if (meta && a->pairs_honours_meta && api_meta_field(L, meta, "__pairs")) {
    if ((n = api_list_pairs(a, table)) < 0) return 0;
    pairs = lua_gettop(L);
    for (i = 0; i < n; i++) {
      lua_rawgeti(L, pairs, 2 * i + 1);
      lua_rawgeti(L, pairs, 2 * i + 2);
      dkjson_count(L, &k);
      lua_settop(L, pairs);
    }
  } else {
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) dkjson_count(L, &k);
  }
  f->is_array = dkjson_is_array(&k, &length);
  if (f->is_array && length < 1 && meta) {
    if (!dropin_meta_field(a, meta, "__jsontype")) return 0;
    f->is_array = !(lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "object") == 0);
    lua_pop(L, 1);
  }
  if (f->is_array) {
    if (length >= INT32_MAX) {
      lua_pushliteral(L, "the field n is too large for a length");
      return dkjson_fail(a) != NULL;
    }
    f->n = length >= 1 ? (size_t)length : 0;
    f->empty = f->n == 0;
    f->kind = meta && (pairs || f->n > k.keys.count) ? API_INDEX : API_ITEMS; /* an __index may supply the others */
    lua_pushnil(L);
  } else {
    if (meta) {
      if (!dropin_meta_field(a, meta, "__jsonorder")) return 0;
      if (lua_istable(L, -1)) order = lua_gettop(L);
    }
    f->kind = API_PAIRS;
    if (order) n = dkjson_list(a, table, order, pairs, n);
    else if (pairs) lua_pushvalue(L, pairs);
    else f->kind = API_NEXT, lua_pushnil(L);
    if (n < 0) return 0;
    f->n = (size_t)n;
    f->empty = pairs || order ? n == 0 : k.keys.count == 0 && !k.has_n;
  }
  if (lua_gettop(L) > table + 1) lua_replace(L, table + 1);
  lua_settop(L, table + 1);
  return 1;
}

FL_NOINLINE char *dkjson_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  struct api_opened f;
  int table = lua_gettop(L), meta = 0;
  compat_need_stack(L, 20);
  if (lua_getmetatable(L, table)) {
    meta = table + 1;
    if (dropin_is_marked(a, meta, ENCODE_NULL)) {
      lua_settop(L, table);
      return json_write_raw(&c->out, w, "null", 4);
    }
    if (!dropin_meta_field(a, meta, "__tojson")) return NULL;
    if (lua_toboolean(L, -1)) return dkjson_hook(a, w, table);
    lua_settop(L, meta);
  }
  if (dkjson_is_open(a, table)) {
    lua_pushliteral(L, "reference cycle");
    return dkjson_exception(a, w, table, "reference cycle");
  }
  if (a->depth >= c->out.style->max_depth) return api_fail(a, FL_ERROR_DEPTH, NULL);
  if (!encode_need_frames(c, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL);
  if (!dkjson_open_table(a, table, meta, &f)) return NULL;
  if (f.empty && !f.is_array && c->out.style->indent_length) {
    lua_settop(L, table);
    *w++ = '{';
    w = json_write_line(&c->out, w, a->depth);
    if (w) *w++ = '}';
    return w;
  }
  if (!f.empty) dkjson_note(a, table, 1);
  return api_begin_level(a, w, &f, table, opened);
}

static void dkjson_close_table(struct api_walk *a, int slot) { dkjson_note(a, slot, 0); }

FL_PRIVATE const struct api_ops dkjson_ops = {
    .write_table = dkjson_write_table,
    .write_other = dkjson_write_other,
    .close = dkjson_close_table,
};
