/* SPDX-License-Identifier: MIT */
#include "api.h"

#include "../../encode/api/walk.h"
#include "../../encode/face/state.h"
#include "../../encode/face/marks.h"
#include "../../encode/order.h"
#include "../../lua/exact.h"

#define VALUE(name) value_tables_##name

FL_STATIC_ASSERT(JSON_NUMBER_ROOM + 8 <= VALUE_STEP_ROOM, value_step_room_is_enough);

FL_PRIVATE void value_tables_begin(struct value_tables *k, lua_State *L, struct mod_state *m,
                                   const struct json_style *style, int layout_api) {
  k->L = L;
  k->state = m;
  k->style = style;
  k->is_sequence = m->encode->raw && !layout_api ? encode_sequence_of_layout(m->verdict.facts) : NULL;
  k->slots = 1;
  k->is_refreshed = 0;
}

FL_PRIVATE int value_tables_takes(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNIL:
  case LUA_TNONE:
  case LUA_TFUNCTION:
  case LUA_TTHREAD: return 0;
  case LUA_TUSERDATA: return exact_test(L, index) != NULL;
  default: return 1;
  }
}

FL_PRIVATE void *value_tables_move(lua_State *L, int slot, size_t n, const void *from, size_t used) {
  compat_need_stack(L, 4);
  void *to = lua_newuserdata(L, n);
  if (used) memcpy(to, from, used);
  lua_replace(L, slot);
  return to;
}

FL_PRIVATE void value_tables_push_error(lua_State *L, enum value_error error, const char *what, uint64_t max_steps,
                                        size_t max_depth) {
  switch (error) {
  case VALUE_ERROR_STEPS:
    lua_pushfstring(L, "the %s needs more than %d steps; option 'max_steps' allows more", what, (int)max_steps);
    break;
  case VALUE_ERROR_DEPTH:
    if (lua_istable(L, 2) && api_push_cycle(L, 2, max_depth)) break;
    lua_pushfstring(L, "the value is nested deeper than %d levels", (int)max_depth);
    break;
  default: lua_pushliteral(L, "not enough memory");
  }
}

/* Returns what the table's metatable says. */
static enum table_class value_tables_class(struct value_tables *k, int table) {
  lua_State *L = k->L;
  struct mod_state *m = k->state;
  if (FL_LIKELY(!lua_getmetatable(L, table))) return mod_is_remembered(L, m, table) ? ENCODE_OBJECT : ENCODE_PLAIN;
  enum table_class is = encode_class_of(&m->encode->marks, lua_topointer(L, -1));
  if (is == ENCODE_PLAIN && !k->is_refreshed) {
    k->is_refreshed = 1;
    (void)mod_refresh_marks(L, m);
    is = encode_class_of(&m->encode->marks, lua_topointer(L, -1));
  }
  if (is == ENCODE_PLAIN) {
    compat_get_field(L, -1, "__jsontype");
    const char *type = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (strcmp(type, "array") == 0) is = ENCODE_ARRAY;
    if (strcmp(type, "object") == 0) is = ENCODE_OBJECT;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (is == ENCODE_LENGTH_ARRAY) return ENCODE_ARRAY;
  return is == ENCODE_PLAIN && mod_is_remembered(L, m, table) ? ENCODE_OBJECT : is;
}

/* Like value_tables_judge, for a table that may be a list. Its first key and value are on top. */
static enum value_list value_tables_judge_keys(struct value_tables *k, int table, enum table_class is, uint64_t *n,
                                               size_t *seen) {
  lua_State *L = k->L;
  const int key = lua_gettop(L) - 1;
  struct api_keys keys = {0, 0, 1};
  do {
    lua_settop(L, key);
    api_count_key(L, key, &keys);
    ++*seen;
  } while (keys.all_indexes && lua_next(L, table));
  lua_settop(L, key - 1);
  *n = (uint64_t)keys.highest;
  if (!keys.all_indexes) return is == ENCODE_ARRAY ? VALUE_REFUSED_LIST : VALUE_NO_LIST;
  if (keys.highest <= (double)keys.count) return VALUE_LIST;
  if (is == ENCODE_ARRAY) return json_style_fills(k->style, keys.highest, keys.count) ? VALUE_LIST : VALUE_REFUSED_LIST;
  const enum json_sparse holes = json_style_holes(k->style, keys.highest, keys.count);
  return holes == JSON_SPARSE_NULL ? VALUE_LIST : holes == JSON_SPARSE_OBJECT ? VALUE_NO_LIST : VALUE_REFUSED_LIST;
}

/* Like value_tables_list, for a table not yet known. *seen: number of keys looked at. */
static enum value_list value_tables_judge(struct value_tables *k, int table, uint64_t *n, size_t *seen) {
  lua_State *L = k->L;
  const enum table_class is = value_tables_class(k, table);
  const int top = lua_gettop(L);
  size_t length, dense;
  double index;
  *n = *seen = 0;
  if (is == ENCODE_OBJECT || is == ENCODE_NULL) return VALUE_NO_LIST;
  length = (size_t)lua_rawlen(L, table);
  if (k->is_sequence && k->is_sequence((const char *)lua_topointer(L, table), &dense))
    return *n = *seen = dense, VALUE_LIST;
  lua_pushnil(L);
  if (!lua_next(L, table)) {
    const int is_object = is == ENCODE_EMPTY_OBJECT || (is == ENCODE_PLAIN && k->style->empty_object);
    return is_object ? VALUE_NO_LIST : VALUE_LIST;
  }
  if (lua_type(L, -2) == LUA_TSTRING)
    return lua_settop(L, top), is == ENCODE_ARRAY ? VALUE_REFUSED_LIST : VALUE_NO_LIST;
  if (length > 0 && length < INT32_MAX - 1) {
    do {
      lua_settop(L, top + 1);
      ++*seen;
      index = api_index(L, top + 1);
    } while (index >= 1 && index <= (double)length && lua_next(L, table));
    lua_settop(L, top);
    *n = length;
    if (*seen == length && index >= 1 && index <= (double)length) return VALUE_LIST;
    lua_pushnil(L);
    (void)lua_next(L, table);
  }
  return value_tables_judge_keys(k, table, is, n, seen);
}

FL_PRIVATE enum value_list value_tables_list(struct value_tables *k, int table, uint64_t *n) {
  const void *at = lua_topointer(k->L, table);
  const struct value_table *known = value_find_table(&k->walk, at);
  size_t seen;
  if (known) return *n = known->n, (enum value_list)known->is_array;
  const enum value_list is = value_tables_judge(k, table, n, &seen);
  if (seen > VALUE_LONG && k->walk.memory && !value_add_table(&k->walk, at, *n, (int)is)) return VALUE_NO_LIST;
  return is;
}

static int value_tables_is_array(struct value_tables *k, int table, uint64_t *n) {
  return value_tables_list(k, table, n) == VALUE_LIST;
}

/* Returns whether the table, in which the member was found, may be an object: it is, unless its metatable says
** otherwise. */
static int value_tables_may_be_object(struct value_tables *k, int table) {
  const enum table_class is = value_tables_class(k, table);
  return is != ENCODE_ARRAY && is != ENCODE_NULL;
}

static void value_tables_number(lua_State *L, int node, struct num_any *x) {
  if (compat_is_integer(L, node)) {
    x->form = NUM_IS_INTEGER;
    x->is.i = compat_to_integer(L, node);
  } else {
    x->form = NUM_IS_DOUBLE;
    x->is.d = (double)lua_tonumber(L, node);
  }
}

/* Reads a number with these digits, which are followed by a 0. Keeps the text if it has more than 64 bits. */
static void value_tables_digits(const char *s, size_t n, struct value *to) {
  struct num_value v = {0, 0, NUM_BAD};
  (void)num_read(s, s + n, &v);
  to->type = VALUE_NUMBER;
  to->number = num_any_of(s, n, &v);
}

/* Reads an integer of LuaJIT's FFI, or something that is not JSON. */
static void value_tables_cdata(lua_State *L, int node, struct value *to) {
  const int top = lua_gettop(L);
  char text[NUM_ROOM];
  size_t n;
  if (luaL_getmetafield(L, node, "__tostring")) {
    lua_pushvalue(L, node);
    if (lua_pcall(L, 1, 1, 0) == 0 && (n = api_boxed_digits(L)) > 0) {
      memcpy(text, lua_tostring(L, -1), n);
      text[n] = 0;
      value_tables_digits(text, n, to);
    }
  }
  lua_settop(L, top);
}

FL_PRIVATE void value_tables_read(struct value_tables *k, int node, struct value *to) {
  lua_State *L = k->L;
  const struct exact_number *x;
  uint64_t n = 0;
  to->type = VALUE_OTHER;
  if (FL_UNLIKELY(k->null) && lua_rawequal(L, node, k->null)) {
    to->type = VALUE_NULL;
    return;
  }
  switch (lua_type(L, node)) {
  case LUA_TNIL: to->type = VALUE_NULL; return;
  case LUA_TBOOLEAN: to->type = lua_toboolean(L, node) ? VALUE_TRUE : VALUE_FALSE; return;
  case LUA_TNUMBER:
    to->type = VALUE_NUMBER;
    value_tables_number(L, node, &to->number);
    return;
  case LUA_TSTRING:
    to->type = VALUE_STRING;
    to->s = lua_tolstring(L, node, &to->n);
    return;
  case LUA_TTABLE:
    if (value_tables_class(k, node) == ENCODE_NULL) to->type = VALUE_NULL;
    else to->type = value_tables_is_array(k, node, &n) ? VALUE_ARRAY : VALUE_OBJECT;
    to->n = (size_t)n;
    return;
  case LUA_TLIGHTUSERDATA:
    if (!lua_touserdata(L, node)) to->type = VALUE_NULL;
    return;
  case LUA_TUSERDATA:
    if ((x = exact_test(L, node))) value_tables_digits(x->text, x->n, to);
    return;
  case API_TCDATA: value_tables_cdata(L, node, to); return;
  default: return;
  }
}

static int value_tables_number_member(struct value_tables *k, int node, const char *name, size_t n) {
  lua_State *L = k->L;
  uint64_t length;
  if (!api_push_number_key(L, name, n)) return 0;
  lua_rawget(L, node);
  if (!lua_isnil(L, -1) && !value_tables_is_array(k, node, &length)) return 1;
  lua_pop(L, 1);
  return 0;
}

FL_PRIVATE int value_tables_member(struct value_tables *k, int node, const struct value_name *name, int *child) {
  lua_State *L = k->L;
  if (lua_type(L, node) != LUA_TTABLE) return 0;
  lua_rawgeti(L, k->names, (int)name->number + 1);
  lua_rawget(L, node);
  *child = lua_gettop(L);
  if (FL_LIKELY(!lua_isnil(L, -1)) && FL_LIKELY(value_tables_may_be_object(k, node))) return 1;
  lua_pop(L, 1);
  return FL_UNLIKELY(name->is_number) && value_tables_number_member(k, node, k->walk.names + name->at, name->length);
}

FL_PRIVATE int value_tables_length(struct value_tables *k, int node, uint64_t *n) {
  return lua_type(k->L, node) == LUA_TTABLE && value_tables_is_array(k, node, n);
}

FL_PRIVATE void value_tables_open(struct value_tables *k, int node, value_tables_cursor *c) {
  lua_State *L = k->L;
  c->i = 0;
  c->is_array = value_tables_is_array(k, node, &c->n);
  if (!c->is_array && value_tables_class(k, node) == ENCODE_NULL) c->is_array = 1, c->n = 0;
  lua_settop(L, node);
  lua_settop(L, node + k->slots);
  c->is_listed = k->book && !c->is_array && order_push_keys(L, k->book, node);
  if (!c->is_listed) return;
  c->n = lua_rawlen(L, -1);
  lua_replace(L, node + 2);
}

FL_PRIVATE int value_tables_next_in_order(struct value_tables *k, int node, value_tables_cursor *c) {
  lua_State *L = k->L;
  for (;; lua_settop(L, node + 2)) {
    if (c->is_listed) {
      if (c->i == c->n) return 0;
      lua_rawgeti(L, node + 2, (int)++c->i);
      compat_raw_get(L, node, -1);
    } else {
      lua_pushvalue(L, node + 1);
      if (!lua_next(L, node)) return 0;
    }
    compat_copy(L, node + 3, node + 1);
    lua_remove(L, node + 3);
    if (value_tables_is_key(L, node + 1) && !lua_isnil(L, -1)) return 1;
  }
}

FL_PRIVATE uint64_t value_tables_members(struct value_tables *k, int node) {
  lua_State *L = k->L;
  const int key = lua_gettop(L) + 1;
  uint64_t n = 0;
  lua_pushnil(L);
  while (lua_next(L, node)) {
    lua_settop(L, key);
    if (!value_spend(&k->walk, 1)) break;
    n += (uint64_t)value_tables_is_key(L, key);
  }
  lua_settop(L, key - 1);
  return n;
}

FL_PRIVATE const char *value_tables_step(struct value_tables *k, int node, const value_tables_cursor *c, char *room,
                                         size_t *n) {
  if (c->is_array) return *n = (size_t)c->i - 1, (const char *)NULL;
  if (lua_type(k->L, node + 1) == LUA_TSTRING) return lua_tolstring(k->L, node + 1, n);
  *n = (size_t)(api_key_text(k->L, node + 1, room) - room);
  return room;
}

/* Returns whether the table has a member under the key on top. */
static int value_tables_has(lua_State *L, int table) {
  compat_raw_get(L, table, -1);
  const int is_there = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return is_there;
}

FL_PRIVATE int value_tables_push_key(lua_State *L, int table, int key) {
  lua_pushvalue(L, key);
  if (value_tables_has(L, table)) return 1;
  if (!api_push_same_name(L, key)) return 0;
  const int is_there = value_tables_has(L, table);
  lua_remove(L, is_there ? -2 : -1);
  return is_there;
}

FL_INLINE int value_tables_same(struct value_tables *k, int a, int b) { return lua_rawequal(k->L, a, b); }

FL_INLINE int value_tables_twin(struct value_tables *k, int node, const value_tables_cursor *c, int other, int *child) {
  lua_State *L = k->L;
  if (c->is_array) return value_tables_item(k, other, c->i - 1, child);
  compat_raw_get(L, other, node + 1);
  *child = lua_gettop(L);
  if (!lua_isnil(L, -1) || !api_push_same_name(L, node + 1)) return !lua_isnil(L, -1);
  lua_rawget(L, other);
  lua_replace(L, *child);
  return !lua_isnil(L, -1);
}

#define VALUE_EQUAL FL_PRIVATE
#include "../equal_template.h"

#undef VALUE
