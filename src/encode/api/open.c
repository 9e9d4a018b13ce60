/* SPDX-License-Identifier: MIT
** open.c -- the public-API walk opens a table: its hooks, array or object, and how it is iterated. */
#include "walk.h"
#include "../order.h"

/* Looks at __serialize. If it is not the name of a mark, it is the hook and takes the place of the metatable. */
static int api_serialize_field(struct api_walk *a, int mt, struct api_meta *meta) {
  lua_State *L = a->L;
  size_t n = 0;
  if (!api_meta_field(L, mt, "__serialize")) return 0;
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
  const enum table_class is = encode_field_class(encode_serialize_fields, "__serialize", sizeof "__serialize" - 1, text,
                                                 n);
  if (is == ENCODE_HOOK) return meta->hook = API_HOOK_SERIALIZE, lua_replace(L, mt), 1;
  if (meta->mark == ENCODE_PLAIN) meta->mark = is;
  lua_pop(L, 1);
  return 0;
}

/* Classifies the metatable of the table on top; pushes the function of a hook, if any, and nothing else. */
static void api_classify_metatable(struct api_walk *a, struct api_meta *meta) {
  lua_State *L = a->L;
  const enum encode_hooks hooks = a->walk->policy->rules->hooks;
  meta->mark = ENCODE_PLAIN, meta->hook = API_HOOK_NONE, meta->has_order = 0;
  if (!lua_getmetatable(L, -1)) return;
  const int mt = lua_gettop(L);
  const void *address = lua_topointer(L, mt);
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
    if (a->walk->policy->rules->serializes && api_serialize_field(a, mt, meta)) return;
    if (api_meta_field(L, mt, "__jsonorder")) {
      meta->has_order = lua_istable(L, -1);
      lua_replace(L, a->own_order);
    }
    if (api_meta_field(L, mt, "__pairs")) meta->hook = API_HOOK_PAIRS;
    else if (meta->mark == ENCODE_PLAIN && api_meta_field(L, mt, "__len")) meta->hook = API_HOOK_LEN;
  }
  lua_remove(L, mt);
}

/* Handles a hook that appended strings to state.buffer and returned true: replaces the state on top by their
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

/* Returns whether the text on top, which came from a hook, is JSON; if not, reports the error. */
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

FL_PRIVATE int api_hook_length(struct api_walk *a, int table) {
  lua_State *L = a->L;
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 1)) return -1;
  const lua_Number n = lua_tonumber(L, -1);
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

/* Returns whether the table, whose first pair is above it, has as many pairs as its length. Then it is an array, unless
** one of its items turns out nil, which the walk over them notices. This takes half the calls of looking at keys. */
FL_INLINE int api_count_pairs(lua_State *L, int table, size_t length) {
  size_t n = 0;
  do {
    lua_settop(L, table + 1);
    if (++n > length) return 0;
  } while (lua_next(L, table));
  return n == length;
}

/* Decides by the keys between array and object. Returns 0 if the style makes the table an error. */
static int api_decide(struct api_walk *a, enum table_class mark, const struct api_keys *keys, int *is_array) {
  const struct json_style *style = a->walk->out.style;
  int holes = keys->highest > (double)keys->count;
  *is_array = keys->all_indexes && mark != ENCODE_OBJECT;
  if (mark == ENCODE_ARRAY) {
    if (!keys->all_indexes) return api_fail(a, FL_ERROR_ARRAY_KEY, NULL) != NULL;
    if (holes && !json_style_fills(style, keys->highest, keys->count))
      return api_fail(a, FL_ERROR_SPARSE, NULL) != NULL;
  } else if (*is_array && holes) {
    enum json_sparse fate = json_style_holes(style, keys->highest, keys->count);
    if (fate == JSON_SPARSE_ERROR) return api_fail(a, FL_ERROR_HOLES, NULL) != NULL;
    *is_array = fate == JSON_SPARSE_NULL;
  }
  return 1;
}

static int api_compare_canonical(const struct encode_entry *a, const struct encode_entry *b) {
  return text_compare_utf16(lay_bits_pointer(a->key.bits), (size_t)a->value.bits, lay_bits_pointer(b->key.bits),
                            (size_t)b->value.bits);
}

/* Sets the entry to the string on top: its address, length and prefix. */
static void api_set_text(lua_State *L, int canonical, struct encode_entry *e) {
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  e->key.bits = (uint64_t)(uintptr_t)s;
  e->value.bits = n;
  e->prefix = encode_name_prefix(canonical, s, n);
}

/* Sorts the pairs by the names that are written, as the style says. Of two that invalid_utf8 has made the same name,
** the one that was less comes first. Returns 0 if canonical JSON has a duplicate name. */
static int api_sort_names(struct api_walk *a, int texts, struct encode_entry *e, size_t n,
                          struct encode_entry *scratch) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  encode_sort(e, n, scratch, style->canonical ? api_compare_canonical : encode_compare_entries);
  for (size_t i = 0; encode_mends(style) && i < n; i++) {
    e[i].key.tag = (uint32_t)i;
    lua_rawgeti(L, texts, (int)e[i].value.tag + 1);
    if (!lua_isnil(L, -1)) api_set_text(L, 0, &e[i]);
    lua_pop(L, 1);
  }
  if (encode_mends(style)) encode_sort(e, n, scratch, encode_compare_entries);
  for (size_t i = 1; style->canonical && i < n; i++)
    if (e[i].prefix == e[i - 1].prefix && api_compare_canonical(&e[i - 1], &e[i]) == 0)
      return api_fail(a, FL_ERROR_SAME_NAME, NULL) != NULL;
  return 1;
}

static int api_compare_ranks(const struct encode_entry *a, const struct encode_entry *b) {
  return (int)a->key.tag - (int)b->key.tag; /* only a number and its text have one rank, the prefix */
}

/* Replaces the string on top, which is not UTF-8, by the text that readers of the JSON get for it. */
static void api_mend_name(struct api_walk *a) {
  lua_State *L = a->L;
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  char *w = (char *)lua_newuserdata(L, 3 * n);
  lua_pushlstring(L, w, (size_t)(text_mend(w, s, n, &a->walk->out.style->text) - w));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* Describes pair `i` of the list for sorting. A name that differs from its key is kept in the table `texts`. The tag of
** a key that is not a name is above 1, and false is below true. */
static void api_sort_entry(struct api_walk *a, int list, int texts, int i, struct encode_entry *e) {
  lua_State *L = a->L;
  const struct json_out *out = &a->walk->out;
  size_t n;
  lua_rawgeti(L, list, 2 * i + 1);
  const int type = lua_type(L, -1);
  e->key.tag = type == LUA_TSTRING ? 1 : type == LUA_TNUMBER ? 0 : (uint32_t)(2 * type + lua_toboolean(L, -1));
  e->value.tag = (uint32_t)i;
  if (type != LUA_TSTRING) {
    char digits[JSON_NUMBER_ROOM + 8], *end = digits;
    if (type == LUA_TNUMBER) end = api_key_text(L, -1, digits);
    lua_pop(L, 1);
    lua_pushlstring(L, digits, (size_t)(end - digits));
    compat_set_item(L, texts, i + 1, -1);
  }
  api_set_text(L, out->style->canonical, e);
  const char *s = lua_tolstring(L, -1, &n);
  if (type == LUA_TSTRING && encode_mends(out->style) && out->utf8(s, n) != n) {
    api_mend_name(a);
    compat_set_item(L, texts, i + 1, -1);
  }
  lua_pop(L, 1);
}

/* Returns the rank of pair `i` in the table `order`, by the written name or by the key, or 0. */
static uint64_t api_rank_of(lua_State *L, int list, int texts, int i, int order) {
  uint64_t rank = 0;
  for (int k = 0; k < 2 && !rank; k++) {
    if (k == 0) lua_rawgeti(L, texts, i + 1);
    else lua_rawgeti(L, list, 2 * i + 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      lua_rawget(L, order);
      if (lua_isnumber(L, -1)) rank = (uint64_t)lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
  }
  return rank;
}

/* Returns whether the key on top can be written; if not, sets the error. */
static int api_key_holds(struct api_walk *a) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  char digits[JSON_NUMBER_ROOM + 8];
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (json_utf8_holds(out, s, n)) return 1;
    out->error = FL_ERROR_KEY_UTF8;
    return 0;
  case LUA_TNUMBER: return compat_is_integer(L, -1) || json_write_double_key(out, digits, lua_tonumber(L, -1)) != NULL;
  default: return api_fail(a, FL_ERROR_KEY, luaL_typename(L, -1)) != NULL;
  }
}

/* Asks the handler about keys in the list on top that cannot be written, before they are sorted. A key for which it
** returns nothing stays, and is an error when its turn comes. Keys for which it returns the same name are in the order
** of their own texts: if names are sorted, so are the keys before, and sorting is stable. Returns 0 after an error. */
static int api_replace_keys(struct api_walk *a, int n) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  const int list = lua_gettop(L), handler = a->on_error;
  int i, is_sorted = !out->style->sort_keys;
  for (i = 0; i < n; i++, lua_settop(L, list)) {
    lua_rawgeti(L, list, 2 * i + 1);
    if (out->style->skip_unsupported && lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER) continue;
    if (api_key_holds(a)) continue;
    if (!is_sorted) {
      lua_settop(L, list);
      out->error = FL_ERROR_NONE;
      a->on_error = 0;
      is_sorted = api_sort_list(a, n, 0);
      a->on_error = handler;
      if (!is_sorted) return 0;
      i = -1;
    } else if (api_replace(a, list + 1, a->depth, 0)) {
      if (!lua_isnil(L, -1)) lua_rawseti(L, list, 2 * i + 1);
    } else if (a->thrown || out->error == FL_ERROR_MEMORY) {
      return 0;
    }
    out->error = FL_ERROR_NONE;
  }
  return 1;
}

FL_PRIVATE int api_sort_list(struct api_walk *a, int n, int order) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  int list = lua_gettop(L), texts = list + 1, sorted = list + 2, i, ranked = 0;
  size_t others = 0;
  struct encode_entry *e, *scratch;
  if (n == 0) return 1;
  compat_need_stack(L, 12);
  if (a->on_error && !api_replace_keys(a, n)) return 0;
  if (!encode_need_list(c, 3 * (size_t)n)) return api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
  e = c->list, scratch = c->list + 2 * (size_t)n;
  lua_newtable(L);
  lua_createtable(L, 2 * n, 0);
  for (i = 0; i < n; i++) {
    struct encode_entry one;
    api_sort_entry(a, list, texts, i, &one);
    const int is_name = one.key.tag <= 1;
    const uint64_t rank = order && is_name ? api_rank_of(L, list, texts, i, order) : 0;
    if (rank || !is_name) { /* keys that are not names come first */
      one.prefix = rank;
      e[ranked++] = one;
    } else {
      e[(size_t)n + others++] = one;
    }
  }
  encode_sort(e, (size_t)ranked, scratch, api_compare_ranks);
  if (c->out.style->sort_keys && !api_sort_names(a, texts, e + n, others, scratch)) return 0;
  memmove(e + ranked, e + n, others * sizeof *e);
  for (i = 0; i < n; i++) {
    int place = (int)e[i].value.tag;
    lua_rawgeti(L, list, 2 * place + 1);
    lua_rawseti(L, sorted, 2 * i + 1);
    lua_rawgeti(L, list, 2 * place + 2);
    lua_rawseti(L, sorted, 2 * i + 2);
  }
  lua_replace(L, list);
  lua_pop(L, 1);
  return 1;
}

FL_PRIVATE void api_rank_names(lua_State *L, int names) {
  int i, n = (int)lua_rawlen(L, names);
  lua_createtable(L, 0, n);
  for (i = n; i >= 1; i--) { /* backwards, because of a duplicate name the first place counts */
    lua_rawgeti(L, names, i);
    lua_pushinteger(L, i);
    if (lua_type(L, -2) == LUA_TSTRING) lua_rawset(L, -3);
    else lua_pop(L, 2);
  }
  lua_replace(L, names);
}

/* Pushes a table of the values of the list at `list`, `n` pairs, at the indices in their keys. Returns 0, and pushes
** nothing, if two are the same. */
static int api_place_items(lua_State *L, int list, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, list, 2 * i + 1);
    compat_raw_get(L, list + 1, -1);
    if (!lua_isnil(L, -1)) return lua_settop(L, list), 0;
    lua_pop(L, 1);
    lua_rawgeti(L, list, 2 * i + 2);
    lua_rawset(L, list + 1);
  }
  return 1;
}

/* Opens what __pairs returned: `n` pairs in the list on top, which becomes the aux. */
static int api_open_list(struct api_walk *a, enum table_class mark, int n, int order, struct api_opened *f) {
  lua_State *L = a->L;
  struct api_keys keys = {0, 0, 1};
  int i, list = lua_gettop(L);
  for (i = 0; i < n && keys.all_indexes; i++) { /* other keys say that it is no array, whatever follows */
    lua_rawgeti(L, list, 2 * i + 1);
    api_count_key(L, -1, &keys);
    lua_pop(L, 1);
  }
  if (n > 0 && keys.all_indexes) keys.all_indexes = api_place_items(L, list, n);
  if (!api_decide(a, mark, &keys, &f->is_array)) return 0;
  if (!f->is_array) lua_settop(L, list);
  f->empty = n == 0;
  f->kind = API_PAIRS, f->n = (size_t)n;
  if (f->empty) {
    f->is_array = mark != ENCODE_OBJECT && !(mark == ENCODE_PLAIN && a->walk->out.style->empty_object);
  } else if (f->is_array) { /* the values at their indices replace the table */
    lua_replace(L, list - 1);
    lua_pushnil(L);
    lua_replace(L, list);
    f->kind = API_ITEMS, f->n = (size_t)keys.highest;
  } else if (order || a->walk->out.style->sort_keys) {
    return api_sort_list(a, n, order);
  }
  return 1;
}

/* Opens a table with a metatable, which is on top, for rules that look for the holes of an array in its __index. */
FL_NOINLINE int api_open_indexed(struct api_walk *a, enum table_class mark, const struct api_keys *keys,
                                 struct api_opened *f) {
  lua_State *L = a->L;
  f->kind = f->is_array ? API_INDEX : API_NEXT;
  f->n = f->is_array ? (size_t)keys->highest : 0;
  if (!f->is_array && a->walk->policy->rules->empty_array_is_any && mark == ENCODE_EMPTY_ARRAY) {
    f->kind = API_ITEMS, f->is_array = 1;
    f->n = (size_t)lua_rawlen(L, -2);
    f->empty = f->n == 0;
  }
  lua_pop(L, 1);
  lua_pushnil(L);
  return 1;
}

/* Pushes a list of the pairs of the remembered table at `table`, in their order. Returns their number. */
static int api_list_remembered(lua_State *L, int book, int table) {
  const int keys = table + 1, list = table + 2;
  int n, i, count = 0;
  lua_settop(L, table);
  compat_need_stack(L, 12);
  if (!order_push_keys(L, book, table)) return api_list_raw(L, table);
  n = (int)lua_rawlen(L, keys);
  lua_createtable(L, 2 * n, 0);
  for (i = 1; i <= n; i++) {
    lua_rawgeti(L, keys, i);
    compat_raw_get(L, table, -1);
    if (!lua_isnil(L, -1)) { /* else a finalizer has removed it */
      lua_rawseti(L, list, 2 * count + 2);
      lua_rawseti(L, list, 2 * count++ + 1);
    } else {
      lua_pop(L, 2);
    }
  }
  lua_replace(L, keys);
  return count;
}

/* Opens the table on top, whose first pair is above it, by looking at every key. `remembered`: it has an order. */
FL_NOINLINE int api_open_keys(struct api_walk *a, enum table_class mark, int order, int remembered,
                              struct api_opened *f) {
  lua_State *L = a->L;
  struct api_keys keys = {0, 0, 1};
  int table = lua_gettop(L) - 2;
  do {
    lua_settop(L, table + 1);
    api_count_key(L, table + 1, &keys);
  } while (lua_next(L, table));
  if (!api_decide(a, mark, &keys, &f->is_array)) return 0;
  if (a->walk->policy->rules->index_fills_holes && lua_getmetatable(L, table))
    return api_open_indexed(a, mark, &keys, f);
  f->kind = f->is_array ? API_ITEMS : order || remembered || a->walk->out.style->sort_keys ? API_PAIRS : API_NEXT;
  f->n = f->is_array ? (size_t)keys.highest : 0;
  if (f->kind == API_PAIRS) {
    f->n = (size_t)(remembered ? api_list_remembered(L, a->book, table) : api_list_raw(L, table));
    return (remembered && !order) || api_sort_list(a, (int)f->n, order);
  }
  lua_pushnil(L);
  return 1;
}

/* Opens the table on top, at `table`, by its own pairs; pushes the aux. A remembered table was an object in a text, and
** is one whatever its keys are now, unless a mark says otherwise. */
static int api_open_raw(struct api_walk *a, int table, enum table_class mark, int order, struct api_opened *f) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  const int careful = a->visit_all_keys, remembered = FL_UNLIKELY(a->book) && order_has(L, a->book, table);
  if (remembered && mark == ENCODE_PLAIN) mark = ENCODE_OBJECT;
  a->visit_all_keys = 0;
  lua_pushnil(L);
  if (!lua_next(L, table)) {
    if (remembered && order_push_keys(L, a->book, table)) lua_settop(L, table);
    f->empty = 1;
    f->is_array = mark == ENCODE_PLAIN ? !style->empty_object : mark != ENCODE_OBJECT;
    f->kind = API_ITEMS, f->n = 0;
    lua_pushnil(L);
    return 1;
  }
  if (remembered && !a->ignores_order && !style->sort_keys) return api_open_keys(a, mark, order, 1, f);
  if (lua_type(L, -2) == LUA_TSTRING) {
    /* An object whatever follows, unless a mark says array. */
    if (mark == ENCODE_ARRAY || mark == ENCODE_EMPTY_ARRAY || order || style->sort_keys)
      return api_open_keys(a, mark, order, 0, f);
    f->kind = API_NEXT, f->is_array = 0, f->n = 0, f->pending = 1;
    return 1;
  }
  if (careful || mark == ENCODE_OBJECT || a->walk->policy->rules->index_fills_holes)
    return api_open_keys(a, mark, order, 0, f);
  const size_t length = (size_t)lua_rawlen(L, table);
  if (length == 0 || length > INT32_MAX - 1 || !api_count_pairs(L, table, length)) {
    lua_settop(L, table);
    lua_pushnil(L);
    lua_next(L, table);
    return api_open_keys(a, mark, order, 0, f);
  }
  f->kind = API_ITEMS, f->is_array = 1, f->counted = 1, f->n = length;
  lua_pushnil(L);
  return 1;
}

/* Opens the table at `table` with our own __len, which is on top: as an array if its keys are only indexes up to that
** length, because others would be left out. With other keys it is an object, as without __len. */
static int api_open_length(struct api_walk *a, int table, const struct api_meta *meta, int order,
                           struct api_opened *f) {
  lua_State *L = a->L;
  struct api_keys keys = {0, 0, 1};
  compat_need_stack(L, 4);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) api_count_key(L, -2, &keys);
  if (!keys.all_indexes) return lua_settop(L, table), api_open_raw(a, table, meta->mark, order, f);
  const int n = api_hook_length(a, table);
  if (n < 0) return 0;
  if (keys.highest > n) return api_fail(a, FL_ERROR_LENGTH, "__len returned less than the highest index") != NULL;
  f->kind = API_INDEX, f->is_array = 1, f->n = (size_t)n, f->empty = n == 0;
  lua_pushnil(L);
  return 1;
}

/* Opens the table at `table`, which is on top or below its hook's function; leaves the aux after it and sets how to
** iterate. Returns 0 after an error, with anything on the stack above the table. The caller handles __tojson. */
static int api_open(struct api_walk *a, int table, const struct api_meta *meta, struct api_opened *f) {
  lua_State *L = a->L;
  int order = meta->has_order ? a->own_order : a->order;
  int n;
  f->counted = f->pending = f->empty = 0;
  if (meta->has_order) api_rank_names(L, order);
  if (meta->hook == API_HOOK_PAIRS) {
    n = api_list_pairs(a, table);
    return n >= 0 && api_open_list(a, meta->mark, n, order, f);
  }
  if (meta->hook == API_HOOK_NONE && meta->mark != ENCODE_LENGTH_ARRAY)
    return api_open_raw(a, table, meta->mark, order, f);
  if (meta->hook == API_HOOK_LEN && a->walk->policy->rules->hooks == ENCODE_HOOKS_ALL)
    return api_open_length(a, table, meta, order, f);
  f->kind = meta->hook == API_HOOK_LEN ? API_INDEX : API_ITEMS;
  n = meta->hook == API_HOOK_LEN ? api_hook_length(a, table) : (int)lua_rawlen(L, table);
  if (n < 0) return 0;
  f->is_array = 1, f->n = (size_t)n, f->empty = n == 0;
  lua_pushnil(L);
  return 1;
}

/* Replaces the table at `table` by what its __serialize, on top, returns. Returns whether that is a table. If not, the
** error is FL_ERROR_REPLACED. */
static int api_serialize(struct api_walk *a, int table) {
  lua_State *L = a->L;
  if (lua_type(L, -1) != LUA_TFUNCTION && lua_type(L, -1) != LUA_TTABLE)
    return api_fail(a, FL_ERROR_HOOK, "__serialize is neither a function nor a known word") != NULL;
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 1)) return 0;
  lua_replace(L, table);
  return lua_istable(L, table) || api_fail(a, FL_ERROR_REPLACED, NULL) != NULL;
}

FL_PRIVATE int api_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct api_meta meta;
  int serialized = 0;
  for (api_classify_metatable(a, &meta); meta.hook == API_HOOK_SERIALIZE; api_classify_metatable(a, &meta)) {
    if (serialized++ == API_SERIALIZE_MOST)
      return api_fail(a, FL_ERROR_HOOK, "__serialize returns tables with __serialize without end") != NULL;
    if (!api_serialize(a, table)) return 0;
  }
  f->text = NULL;
  if (meta.hook == API_HOOK_TOJSON) return (f->text = api_call_tojson(a, &f->text_length)) != NULL;
  return api_may_open(a, table) && api_open(a, table, &meta, f);
}
