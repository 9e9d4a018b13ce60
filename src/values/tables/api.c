/* SPDX-License-Identifier: MIT
** tables.c -- a query over Lua tables and scalars, by the public API. Only the question whether a table is an array is
** answered below it, if the layout is proven.
** Must hold: what is an array or an object is decided as encode decides it, but without hooks and without errors: what
** encode refuses is an object. Nodes are slots of the Lua stack: a frame has the slot of its table, and after it one
** for a key, and with `order` one for a list of keys; what it finds comes next. */
#include "../../query/face/query.h"

#include "../../lua/exact.h"
#include "../../encode/order.h"
#include "../../encode/api/open.h"
#include "../../encode/api/values.h"
#include "../../encode/face/foreign_marks.h"
#include "../../encode/face/lossless.h"

#define QUERY(name) query_tables_##name
typedef int query_tables_node;

struct query_tables_cursor {
  uint64_t i, n; /* of an array, or of the list of keys: the next item, and how many there are */
  int is_array, is_listed;
};

struct query_tables_run_of {
  struct query_run is;
  int root;
  struct query_tables_cached *cache;
  struct mod_query_call *call;
  lua_State *L;
  encode_sequence is_sequence; /* NULL: the public API */
  int slots;                   /* of a frame, after that of its table */
  int remembered;              /* the first of the slots of absolute queries */
  int is_refreshed;            /* the marks of other libraries were looked for */
};

enum { QUERY_TABLES_SLOTS = 48 }; /* more than what is pushed between two frames */

/* ------------------------------------------------------------------------------------- arrays and objects */

/* What the metatable of the table says. */
static enum table_class query_tables_class(struct query_tables_run_of *k, int table) {
  lua_State *L = k->L;
  struct mod_state *m = k->call->query->state;
  enum table_class is;
  if (FL_LIKELY(!lua_getmetatable(L, table))) return mod_is_remembered(L, m, table) ? ENCODE_OBJECT : ENCODE_PLAIN;
  is = encode_class_of(&m->encode->marks, lua_topointer(L, -1));
  if (is == ENCODE_PLAIN && !k->is_refreshed) {
    k->is_refreshed = 1;
    (void)mod_refresh_marks(L, m);
    is = encode_class_of(&m->encode->marks, lua_topointer(L, -1));
  }
  if (is == ENCODE_PLAIN) {
    const char *type;
    compat_get_field(L, -1, "__jsontype");
    type = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (strcmp(type, "array") == 0) is = ENCODE_ARRAY;
    if (strcmp(type, "object") == 0) is = ENCODE_OBJECT;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (is == ENCODE_LENGTH_ARRAY) return ENCODE_ARRAY;
  return is == ENCODE_PLAIN && mod_is_remembered(L, m, table) ? ENCODE_OBJECT : is;
}

/* Is the table, whose first key and value are on top, an array? All its keys are looked at. */
static int query_tables_is_list(struct query_tables_run_of *k, int table, enum table_class is, uint64_t *n,
                                size_t *seen) {
  lua_State *L = k->L;
  const int key = lua_gettop(L) - 1;
  struct api_keys keys = {0, 0, 1};
  int holes;
  do {
    lua_settop(L, key);
    api_count_key(L, key, &keys);
    ++*seen;
  } while (keys.all_indexes && lua_next(L, table));
  lua_settop(L, key - 1);
  *n = (uint64_t)keys.highest;
  if (!keys.all_indexes) return 0;
  holes = keys.highest > (double)keys.count;
  if (is == ENCODE_ARRAY) return !holes || json_style_fills(&k->call->query->style, keys.highest, keys.count);
  return !holes || json_style_holes(&k->call->query->style, keys.highest, keys.count) == JSON_SPARSE_NULL;
}

/* As is_array, for a table that is not known. *seen: how many keys were looked at. */
static int query_tables_find_array(struct query_tables_run_of *k, int table, uint64_t *n, size_t *seen) {
  lua_State *L = k->L;
  const enum table_class is = query_tables_class(k, table);
  const int top = lua_gettop(L);
  size_t length, dense;
  double index;
  *n = *seen = 0;
  if (is == ENCODE_OBJECT || is == ENCODE_NULL) return 0;
  length = (size_t)lua_rawlen(L, table);
  if (k->is_sequence && k->is_sequence((const char *)lua_topointer(L, table), &dense)) return *n = *seen = dense, 1;
  lua_pushnil(L);
  if (!lua_next(L, table)) {
    const int is_object = is == ENCODE_EMPTY_OBJECT || (is == ENCODE_PLAIN && k->call->query->style.empty_object);
    return !is_object;
  }
  if (lua_type(L, -2) == LUA_TSTRING) return lua_settop(L, top), 0;
  if (length > 0 && length < INT32_MAX - 1) {
    do {
      lua_settop(L, top + 1);
      ++*seen;
      index = api_index(L, top + 1);
    } while (index >= 1 && index <= (double)length && lua_next(L, table));
    lua_settop(L, top);
    *n = length;
    if (*seen == length && index >= 1 && index <= (double)length) return 1;
    lua_pushnil(L);
    (void)lua_next(L, table);
  }
  return query_tables_is_list(k, table, is, n, seen);
}

/* Is the table an array? Its length. */
static int query_tables_is_array(struct query_tables_run_of *k, int table, uint64_t *n) {
  const void *at = lua_topointer(k->L, table);
  const struct query_table *known = query_find_table(&k->is, at);
  size_t seen;
  int is;
  if (known) return *n = known->n, known->is_array;
  is = query_tables_find_array(k, table, n, &seen);
  return (seen <= QUERY_LONG || query_add_table(&k->is, at, *n, is)) && is;
}

/* May the table, which has the member, be an object? It is one, unless its metatable says something else. */
static int query_tables_may_be_object(struct query_tables_run_of *k, int table) {
  const enum table_class is = query_tables_class(k, table);
  return is != ENCODE_ARRAY && is != ENCODE_NULL;
}

/* Is the value at the index the name of a member? */
static int query_tables_is_key(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING || lua_type(L, index) == LUA_TNUMBER;
}

/* ------------------------------------------------------------------------------------- reading */

static int query_tables_is_collection(struct query_tables_run_of *k, int node) {
  return lua_type(k->L, node) == LUA_TTABLE && !(k->call->null && lua_rawequal(k->L, node, k->call->null));
}

static void query_tables_number(lua_State *L, int node, struct num_any *x) {
  if (compat_is_integer(L, node)) {
    x->form = NUM_IS_INTEGER;
    x->is.i = compat_to_integer(L, node);
  } else {
    x->form = NUM_IS_DOUBLE;
    x->is.d = (double)lua_tonumber(L, node);
  }
}

/* Userdata: a number with its digits, or no value of JSON. */
static void query_tables_userdata(lua_State *L, int node, struct query_value *to) {
  const struct exact_number *x = exact_test(L, node);
  struct num_value v = {0, 0, NUM_BAD};
  to->kind = QUERY_OTHER;
  if (!x) return;
  (void)num_parse(x->text, x->text + x->n, &v);
  to->kind = QUERY_NUMBER;
  to->number = num_any_of(x->text, x->n, &v);
}

/* An integer of LuaJIT's FFI, or no value of JSON. num_any_of keeps no text of 64 bits. */
static void query_tables_cdata(lua_State *L, int node, struct query_value *to) {
  struct num_value v = {0, 0, NUM_BAD};
  const int top = lua_gettop(L);
  char text[NUM_ROOM];
  size_t n;
  to->kind = QUERY_OTHER;
  if (luaL_getmetafield(L, node, "__tostring")) {
    lua_pushvalue(L, node);
    if (lua_pcall(L, 1, 1, 0) == 0 && (n = api_boxed_digits(L)) > 0) {
      memcpy(text, lua_tostring(L, -1), n);
      text[n] = 0;
      (void)num_parse(text, text + n, &v);
      to->kind = QUERY_NUMBER;
      to->number = num_any_of(text, n, &v);
    }
  }
  lua_settop(L, top);
}

static void query_tables_value(struct query_tables_run_of *k, int node, struct query_value *to) {
  lua_State *L = k->L;
  uint64_t n;
  if (FL_UNLIKELY(k->call->null) && lua_rawequal(L, node, k->call->null)) {
    to->kind = QUERY_NULL;
    return;
  }
  switch (lua_type(L, node)) {
  case LUA_TNIL: to->kind = QUERY_NULL; return;
  case LUA_TBOOLEAN: to->kind = lua_toboolean(L, node) ? QUERY_TRUE : QUERY_FALSE; return;
  case LUA_TNUMBER:
    to->kind = QUERY_NUMBER;
    query_tables_number(L, node, &to->number);
    return;
  case LUA_TSTRING:
    to->kind = QUERY_STRING;
    to->s = lua_tolstring(L, node, &to->n);
    return;
  case LUA_TTABLE:
    if (query_tables_class(k, node) == ENCODE_NULL) to->kind = QUERY_NULL;
    else to->kind = query_tables_is_array(k, node, &n) ? QUERY_ARRAY : QUERY_OBJECT;
    return;
  case LUA_TLIGHTUSERDATA: to->kind = lua_touserdata(L, node) ? QUERY_OTHER : QUERY_NULL; return;
  case LUA_TUSERDATA: query_tables_userdata(L, node, to); return;
  case API_TCDATA: query_tables_cdata(L, node, to); return;
  default: to->kind = QUERY_OTHER;
  }
}

/* The member under a number key whose text is the name. */
static int query_tables_number_member(struct query_tables_run_of *k, int node, const char *name, size_t n) {
  lua_State *L = k->L;
  uint64_t length;
  if (!api_push_number_key(L, name, n)) return 0;
  lua_rawget(L, node);
  if (!lua_isnil(L, -1) && !query_tables_is_array(k, node, &length)) return 1;
  lua_pop(L, 1);
  return 0;
}

static int query_tables_member(struct query_tables_run_of *k, int node, const struct query_selector *s, int *child) {
  lua_State *L = k->L;
  if (lua_type(L, node) != LUA_TTABLE) return 0;
  lua_rawgeti(L, k->call->names, (int)(s - k->is.program->selectors) + 1);
  lua_rawget(L, node);
  *child = lua_gettop(L);
  if (FL_LIKELY(!lua_isnil(L, -1)) && FL_LIKELY(query_tables_may_be_object(k, node))) return 1;
  lua_pop(L, 1);
  return FL_UNLIKELY(s->is_number) && query_tables_number_member(k, node, k->is.program->bytes + s->name, s->length);
}

static int query_tables_length(struct query_tables_run_of *k, int node, uint64_t *n) {
  return lua_type(k->L, node) == LUA_TTABLE && query_tables_is_array(k, node, n);
}

static int query_tables_item(struct query_tables_run_of *k, int node, uint64_t place, int *child) {
  lua_State *L = k->L;
  lua_rawgeti(L, node, (int)place + 1);
  *child = lua_gettop(L);
  if (FL_UNLIKELY(lua_isnil(L, -1))) { /* a hole */
    lua_pushlightuserdata(L, NULL);
    lua_replace(L, *child);
  }
  return 1;
}

static void query_tables_open(struct query_tables_run_of *k, int node, struct query_tables_cursor *c) {
  lua_State *L = k->L;
  c->i = 0;
  c->is_array = query_tables_is_array(k, node, &c->n);
  if (!c->is_array && query_tables_class(k, node) == ENCODE_NULL) c->is_array = 1, c->n = 0;
  lua_settop(L, node);
  lua_settop(L, node + k->slots);
  c->is_listed = k->call->book && !c->is_array && order_push_keys(L, k->call->book, node);
  if (!c->is_listed) return;
  c->n = lua_rawlen(L, -1);
  lua_replace(L, node + 2);
}

/* With `order`: the next member of an object, in the order of its list of keys, or as it comes. */
static int query_tables_next_in_order(struct query_tables_run_of *k, int node, struct query_tables_cursor *c) {
  lua_State *L = k->L;
  for (;; lua_settop(L, node + 2)) {
    if (c->is_listed) {
      if (c->i == c->n) return 0;
      lua_rawgeti(L, node + 2, (int)++c->i);
      lua_pushvalue(L, -1);
      lua_rawget(L, node);
    } else {
      lua_pushvalue(L, node + 1);
      if (!lua_next(L, node)) return 0;
    }
    lua_pushvalue(L, node + 3);
    lua_replace(L, node + 1);
    lua_remove(L, node + 3);
    if (query_tables_is_key(L, node + 1) && !lua_isnil(L, -1)) return 1;
  }
}

static int query_tables_next(struct query_tables_run_of *k, int node, struct query_tables_cursor *c, int *child) {
  lua_State *L = k->L;
  *child = node + k->slots + 1;
  lua_settop(L, node + k->slots);
  if (k->is.error) return 0;
  if (c->is_array) return c->i < c->n && query_tables_item(k, node, c->i++, child);
  if (k->slots > 1) return query_tables_next_in_order(k, node, c);
  while (lua_next(L, node)) {
    if (FL_LIKELY(query_tables_is_key(L, node + 1))) return 1;
    lua_settop(L, node + 1);
  }
  lua_pushnil(L);
  return 0;
}

static uint64_t query_tables_members(struct query_tables_run_of *k, int node) {
  lua_State *L = k->L;
  const int key = lua_gettop(L) + 1;
  uint64_t n = 0;
  lua_pushnil(L);
  while (lua_next(L, node)) {
    lua_settop(L, key);
    if (!query_spend(&k->is, 1)) break;
    n += (uint64_t)query_tables_is_key(L, key);
  }
  lua_settop(L, key - 1);
  return n;
}

/* ------------------------------------------------------------------------------------- equality */

/* A level of two arrays or objects that are compared: both, the length or -1, and a key or the number of items. */
enum { QUERY_PAIR_A, QUERY_PAIR_B, QUERY_PAIR_LENGTH, QUERY_PAIR_KEY, QUERY_PAIR_SLOTS };

/* Begins to compare two arrays or objects, which are on top. False: they are not equal. */
static int query_tables_open_pair(struct query_tables_run_of *k) {
  lua_State *L = k->L;
  const int a = lua_gettop(L) - 1, b = a + 1;
  uint64_t an, bn;
  const int is_array = query_tables_is_array(k, a, &an);
  if (is_array != query_tables_is_array(k, b, &bn)) return 0;
  compat_need_stack(L, QUERY_TABLES_SLOTS);
  if (!is_array) {
    if (query_tables_members(k, a) != query_tables_members(k, b)) return 0;
    lua_pushinteger(L, -1);
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, (lua_Integer)an);
  lua_pushinteger(L, 0);
  return an == bn;
}

/* Pushes the member of the object at b whose name is the key at the index; false: there is none. */
static int query_tables_push_same_member(lua_State *L, int b, int key) {
  lua_pushvalue(L, key);
  lua_rawget(L, b);
  if (!lua_isnil(L, -1) || !api_push_same_name(L, key)) return !lua_isnil(L, -1);
  lua_rawget(L, b);
  lua_replace(L, -2);
  return !lua_isnil(L, -1);
}

/* Pushes the next two values of a level. 0: there are none; -1: one has no other. */
static int query_tables_next_pair(struct query_tables_run_of *k, int level) {
  lua_State *L = k->L;
  const lua_Integer n = lua_tointeger(L, level + QUERY_PAIR_LENGTH);
  int child;
  lua_settop(L, level + QUERY_PAIR_KEY);
  if (n >= 0) {
    const lua_Integer i = lua_tointeger(L, -1);
    if (i == n) return 0;
    lua_pushinteger(L, i + 1);
    lua_replace(L, level + QUERY_PAIR_KEY);
    return query_tables_item(k, level + QUERY_PAIR_A, (uint64_t)i, &child) &&
           query_tables_item(k, level + QUERY_PAIR_B, (uint64_t)i, &child);
  }
  do {
    lua_settop(L, level + QUERY_PAIR_KEY);
    if (!lua_next(L, level + QUERY_PAIR_A)) return 0;
  } while (!query_tables_is_key(L, level + QUERY_PAIR_KEY));
  return query_tables_push_same_member(L, level + QUERY_PAIR_B, level + QUERY_PAIR_KEY) ? 1 : -1;
}

static int query_tables_equal(struct query_tables_run_of *k, int a, int b) {
  lua_State *L = k->L;
  const int base = lua_gettop(L) + 1;
  int level = base;
  struct query_value x, y;
  if (lua_rawequal(L, a, b)) return 1;
  if (lua_type(L, a) != LUA_TTABLE || lua_type(L, b) != LUA_TTABLE) return 0;
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  if (!query_tables_open_pair(k)) return 0;
  while (level >= base) {
    const int more = query_tables_next_pair(k, level), first = level + QUERY_PAIR_SLOTS;
    if (more < 0 || !query_spend(&k->is, 1)) return 0;
    if (more == 0) {
      level -= QUERY_PAIR_SLOTS;
      continue;
    }
    query_tables_value(k, first, &x);
    query_tables_value(k, first + 1, &y);
    if (x.kind != y.kind || k->is.error) return 0;
    if (x.kind < QUERY_ARRAY) {
      if (!query_compare(&k->is, QUERY_EQUAL, &x, &y, 0)) return 0;
    } else if (!lua_rawequal(L, first, first + 1)) {
      if (x.kind == QUERY_OTHER) return 0;
      if ((uint32_t)(level - base) / QUERY_PAIR_SLOTS >= k->is.max_depth)
        return query_run_fail(&k->is, QUERY_ERROR_DEPTH);
      if (!query_tables_open_pair(k)) return 0;
      level = first;
    }
  }
  return !k->is.error;
}

/* ------------------------------------------------------------------------------------- nodes and results */

static int query_tables_put_key(struct query_tables_run_of *k, int node, const struct query_tables_cursor *c) {
  char digits[JSON_NUMBER_ROOM + 8];
  size_t n;
  const char *s;
  if (c->is_array) return query_put_step(&k->is, NULL, 0, c->i - 1);
  if (lua_type(k->L, node + 1) == LUA_TNUMBER)
    return query_put_step(&k->is, digits, (size_t)(api_key_text(k->L, node + 1, digits) - digits), 0);
  s = lua_tolstring(k->L, node + 1, &n);
  return query_put_step(&k->is, s, n, 0);
}

static int query_tables_emit(struct query_tables_run_of *k, int node) {
  lua_pushvalue(k->L, node);
  return mod_query_add(&k->is, k->call);
}

static int query_tables_hold(struct query_tables_run_of *k, int node) {
  compat_need_stack(k->L, QUERY_TABLES_SLOTS);
  lua_settop(k->L, node);
  lua_settop(k->L, node + k->slots);
  return node;
}

static int query_tables_copy(struct query_tables_run_of *k, int node) {
  compat_need_stack(k->L, QUERY_TABLES_SLOTS);
  lua_pushvalue(k->L, node);
  return lua_gettop(k->L);
}

static int query_tables_slot(struct query_tables_run_of *k) {
  lua_pushnil(k->L);
  return lua_gettop(k->L);
}

static void query_tables_reset(struct query_tables_run_of *k, int node) { lua_settop(k->L, node + k->slots); }

static void query_tables_replace(struct query_tables_run_of *k, int *node, int child) {
  lua_settop(k->L, child);
  lua_replace(k->L, *node);
}

static void query_tables_keep(struct query_tables_run_of *k, int *slot, int node) {
  lua_pushvalue(k->L, node);
  lua_replace(k->L, *slot);
}

static void query_tables_remember(struct query_tables_run_of *k, uint32_t cache, int *node) {
  const int slot = k->remembered + (int)cache;
  lua_pushvalue(k->L, *node);
  lua_replace(k->L, slot);
  *node = slot;
}

static int query_tables_mark(struct query_tables_run_of *k) { return lua_gettop(k->L); }
static void query_tables_trim(struct query_tables_run_of *k, int mark) { lua_settop(k->L, mark); }

#include "../../query/evaluate_template.h"

FL_PRIVATE int mod_query_tables(struct query_run *r, struct mod_query_call *call, int value) {
  struct query_tables_run_of k;
  int fine;
  memset(&k, 0, sizeof k);
  k.is = *r;
  k.call = call;
  k.L = call->L;
  if (call->query->state->encode->raw && !call->query->o.layout_api)
    k.is_sequence = encode_sequence_of_layout(call->query->state->verdict.facts);
  k.slots = call->book ? 2 : 1;
  k.root = value;
  k.remembered = lua_gettop(k.L) + 1;
  compat_need_stack(k.L, (int)r->program->caches + QUERY_TABLES_SLOTS);
  lua_settop(k.L, k.remembered + (int)r->program->caches);
  fine = query_tables_evaluate(&k);
  *r = k.is;
  return fine;
}
