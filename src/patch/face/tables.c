/* SPDX-License-Identifier: MIT
** tables.c -- json_patch of a Lua value: only the tables on the way to a change are copied.
** Must hold: only tables that this call has created are written to. One that may be reached by two paths, after
** "copy", no longer counts as created by this call. */
#include "../../values/tables/paste_raw.h"
#include "patch.h"

struct mod_patch_walk {
  struct mod_patch *p;
  lua_State *L;
  int number; /* of the operation */
  int root;   /* stack index of the value */
  /* Index of a table: the tables that this call has created. Objects have false, or a number if some keys are numbers;
  ** arrays have true or a mod_patch_items. */
  int owned;
  int kinds;                 /* index of a table: the other tables that operations have passed, true for arrays */
  int op, path, from, value; /* of the operation, and its fields */
  struct patch_operation o;
  size_t copied; /* bytes, as counted by mod_patch_measure */
  struct mod_path_steps path_steps, from_steps;
};

static int mod_patch_error(const struct mod_patch_walk *t, enum json_edit_error error, size_t step) {
  t->p->f.e.error = error;
  t->p->f.e.step = step;
  return 0;
}

static void mod_patch_push_owned(const struct mod_patch_walk *t, int table) { compat_raw_get(t->L, t->owned, table); }

/* Pops an entry of `owned` or `kinds`, and returns the kind that it means. */
static enum mod_patch_kind mod_patch_pop_kind(lua_State *L) {
  const int is_array = lua_type(L, -1) != LUA_TNUMBER && lua_toboolean(L, -1);
  lua_pop(L, 1);
  return is_array ? MOD_PATCH_ARRAY : MOD_PATCH_OBJECT;
}

/* Returns the kind of the table at the absolute index, which this call may have emptied. */
static enum mod_patch_kind mod_patch_kind_here(const struct mod_patch_walk *t, int table) {
  lua_State *L = t->L;
  mod_patch_push_owned(t, table);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    compat_raw_get(L, t->kinds, table);
  }
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, table);
    lua_pushboolean(L, mod_patch_kind_of(t->p, table) == MOD_PATCH_ARRAY);
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_rawset(L, t->kinds);
  }
  return mod_patch_pop_kind(L);
}

/* Returns the order of the items of the array at the absolute index, or NULL if it is that of the table. */
static struct mod_patch_items *mod_patch_items_of(const struct mod_patch_walk *t, int table) {
  mod_patch_push_owned(t, table);
  struct mod_patch_items *items = (struct mod_patch_items *)lua_touserdata(t->L, -1);
  lua_pop(t->L, 1);
  return items;
}

static int64_t mod_patch_length_of(const struct mod_patch_walk *t, int table) {
  const struct mod_patch_items *items = mod_patch_items_of(t, table);
  return items ? mod_patch_length(items) : (int64_t)lua_rawlen(t->L, table);
}

/* Returns the table's index of the item with this index, which must exist. */
static int mod_patch_number_of(const struct mod_patch_walk *t, int table, int64_t index) {
  struct mod_patch_items *items = mod_patch_items_of(t, table);
  return items ? mod_patch_slot(items, index) : (int)index + 1;
}

/* Pushes the key of the member that the step means: its name, or the number with this name. If neither exists, pushes
** the name and returns 0. */
static int mod_patch_push_key(lua_State *L, int table, const struct json_step *step) {
  lua_pushlstring(L, step->name, step->n);
  const int is_there = value_tables_push_key(L, table, lua_gettop(L));
  lua_remove(L, -2);
  return is_there;
}

/* Pushes the key under which the step adds a member to an object of this call, or the key of the existing member: a
** number if other keys are numbers, or if decode makes them. */
static void mod_patch_push_new_key(const struct mod_patch_walk *t, int table, const struct json_step *step) {
  lua_State *L = t->L;
  if (mod_patch_push_key(L, table, step)) return;
  mod_patch_push_owned(t, table);
  const int numbers = lua_type(L, -1) == LUA_TNUMBER || t->p->f.d.o.numeric_keys;
  lua_pop(L, 1);
  if (numbers && api_push_number_key(L, step->name, step->n)) lua_remove(L, -2);
}

/* Pushes what the step leads to from the container at the absolute index, or nil. Returns 0, and pushes nothing, if the
** step does not suit such a container. */
static int mod_patch_get(const struct mod_patch_walk *t, int table, const struct json_step *step, size_t at) {
  lua_State *L = t->L;
  const enum mod_patch_kind kind = mod_patch_kind_here(t, table);
  if (kind == MOD_PATCH_OBJECT) {
    (void)mod_patch_push_key(L, table, step);
    lua_rawget(L, table);
    return 1;
  }
  if (!step->indexes) return mod_patch_error(t, JSON_EDIT_NO_INDEX, at);
  if (step->index < mod_patch_length_of(t, table)) lua_rawgeti(L, table, mod_patch_number_of(t, table, step->index));
  else lua_pushnil(L);
  return 1;
}

static int mod_patch_missing(const struct mod_patch_walk *t, int table, size_t at) {
  const int is_array = mod_patch_kind_here(t, table) == MOD_PATCH_ARRAY;
  return mod_patch_error(t, is_array ? JSON_EDIT_NO_ITEM : JSON_EDIT_NO_MEMBER, at);
}

/* Replaces the value on top by a table, if it is a view or a text of a value. Returns 1 if it is a container now, 0 if
** not, -1 with the results in *results if it cannot be converted. */
static int mod_patch_to_table(const struct mod_patch_walk *t, int *results) {
  lua_State *L = t->L;
  const int top = lua_gettop(L);
  if (lua_istable(L, top)) return 1;
  if (!mod_patch_is_foreign(L, top)) return 0;
  return mod_patch_to_value(t->p, top, results) ? lua_istable(L, top) : -1;
}

/* Makes the container on top one of this call, copying it if needed. Returns 1 if it was copied, 0 if it already is
** one, -1 after an error. */
static int mod_patch_own(const struct mod_patch_walk *t) {
  lua_State *L = t->L;
  const int top = lua_gettop(L);
  int numbers;
  mod_patch_push_owned(t, top);
  if (!lua_isnil(L, -1)) return lua_pop(L, 1), 0;
  lua_pop(L, 1);
  const enum mod_patch_kind kind = mod_patch_kind_here(t, top);
  if (!mod_patch_push_copy(t->p, top, kind, &numbers)) return -1;
  lua_replace(L, top);
  lua_pushvalue(L, top);
  if (numbers) lua_pushinteger(L, 1);
  else lua_pushboolean(L, kind == MOD_PATCH_ARRAY);
  lua_rawset(L, t->owned);
  return 1;
}

/* Stores the value on top, which stays, in the container at `table`, where the step leads. */
static void mod_patch_put_back(const struct mod_patch_walk *t, int table, const struct json_step *step) {
  lua_State *L = t->L;
  const int top = lua_gettop(L);
  if (mod_patch_kind_here(t, table) == MOD_PATCH_ARRAY) {
    compat_set_item(L, table, mod_patch_number_of(t, table, step->index), top);
  } else {
    (void)mod_patch_push_key(L, table, step);
    lua_pushvalue(L, top);
    lua_rawset(L, table);
  }
}

/* Pushes the value that the steps lead to. With `own`, makes all containers up to it, and the value itself, which must
** be one, those of this call. Returns 1; 0 after an error; -1 with the call's results in *results. */
static int mod_patch_descend(const struct mod_patch_walk *t, const struct json_step *steps, size_t count, int own,
                             int *results) {
  lua_State *L = t->L;
  const int at = lua_gettop(L) + 1; /* the container, followed by the value in it */
  int is, copied;
  lua_pushvalue(L, t->root);
  for (size_t i = 0; i < count || own; i++) {
    if ((is = mod_patch_to_table(t, results)) <= 0) {
      if (is == 0) (void)mod_patch_error(t, JSON_EDIT_SCALAR, i);
      return is;
    }
    if (own) {
      if ((copied = mod_patch_own(t)) < 0) return mod_patch_error(t, JSON_EDIT_SCALAR, i);
      if (copied && i == 0) lua_pushvalue(L, at), lua_replace(L, t->root);
      else if (copied) mod_patch_put_back(t, at, &steps[i - 1]);
    }
    if (i > 0) lua_remove(L, at);
    if (i == count) return 1;
    if (!mod_patch_get(t, at, &steps[i], i)) return 0;
    if (lua_isnil(L, -1)) return mod_patch_missing(t, at, i);
  }
  if (count > 0) lua_remove(L, at);
  return 1;
}

enum { MOD_PATCH_MOVED = 32 }; /* up to this many items are moved for one that is added or removed */

/* Moves the items from number `from` on, counted from 1, by one place, towards the end or the beginning. */
static void mod_patch_shift(lua_State *L, int array, int from, int length, int by) {
  if (by > 0) {
    for (int i = length; i >= from; i--) lua_rawgeti(L, array, i), lua_rawseti(L, array, i + 1);
    return;
  }
  for (int i = from; i <= length; i++) lua_rawgeti(L, array, i), lua_rawseti(L, array, i - 1);
  lua_pushnil(L);
  lua_rawseti(L, array, length);
}

/* Sets *items to the order of the items from now on, or to NULL if the table itself is enough, since few items follow
** the index. Returns 0 if out of memory. */
static int mod_patch_need_items(const struct mod_patch_walk *t, int table, int64_t index,
                                struct mod_patch_items **items) {
  lua_State *L = t->L;
  const int64_t length = mod_patch_length_of(t, table);
  *items = mod_patch_items_of(t, table);
  if (*items || length - index <= MOD_PATCH_MOVED) return 1;
  if (!(*items = mod_patch_make_items(&t->p->f.e, (int)length))) return 0;
  lua_pushvalue(L, table);
  lua_pushlightuserdata(L, *items);
  lua_rawset(L, t->owned);
  return 1;
}

/* Sorts the items of the array on top into their order. */
static void mod_patch_sort_items(const struct mod_patch_walk *t, const struct mod_patch_items *items) {
  lua_State *L = t->L;
  const int table = lua_gettop(L), sorted = table + 1, length = (int)mod_patch_length(items);
  int i = 0, k;
  lua_createtable(L, length, 0);
  for (struct json_edit_node *n = json_edit_leftmost(items->runs); n; n = json_edit_next(n)) {
    const int slot = ((const struct mod_patch_run *)(const void *)n)->slot;
    for (k = 0; k < (int)n->count; k++) lua_rawgeti(L, table, slot + k), lua_rawseti(L, sorted, ++i);
  }
  for (i = 1; i <= length; i++) lua_rawgeti(L, sorted, i), lua_rawseti(L, table, i);
  for (; i <= items->used; i++) lua_pushnil(L), lua_rawseti(L, table, i);
  lua_settop(L, table);
}

/* Adds the value at the index, which is not nil, to the container on top. */
static int mod_patch_add(const struct mod_patch_walk *t, const struct json_step *step, size_t at, int value) {
  lua_State *L = t->L;
  const int table = lua_gettop(L);
  const enum mod_patch_kind kind = mod_patch_kind_here(t, table);
  struct mod_patch_items *items;
  if (kind == MOD_PATCH_OBJECT) {
    mod_patch_push_new_key(t, table, step);
    lua_pushvalue(L, value);
    lua_rawset(L, table);
    return 1;
  }
  const int64_t length = mod_patch_length_of(t, table);
  if (!step->indexes && length == 0 && !lua_getmetatable(L, table))
    t->p->hint = "; an empty table is an array, fleece.object {} is an object";
  if (!step->indexes) return mod_patch_error(t, JSON_EDIT_NO_INDEX, at);
  const int64_t index = step->index == JSON_EDIT_AFTER_LAST ? length : step->index;
  if (index > length) return mod_patch_error(t, JSON_EDIT_NO_ITEM, at);
  if (length >= INT32_MAX / 2 || !mod_patch_need_items(t, table, index, &items))
    return mod_patch_error(t, JSON_EDIT_MEMORY, at);
  if (!items && index < length) mod_patch_shift(L, table, (int)index + 1, (int)length, 1);
  at = items ? (size_t)mod_patch_insert_slot(&t->p->f.e, items, index) : (size_t)index + 1;
  if (at == 0) return mod_patch_error(t, JSON_EDIT_MEMORY, 0);
  compat_set_item(L, table, (int)at, value);
  return 1;
}

/* Removes what the step leads to from the container on top, and pushes it; or replaces it by the value at `value`. */
static int mod_patch_take(const struct mod_patch_walk *t, const struct json_step *step, size_t at, int value) {
  lua_State *L = t->L;
  const int table = lua_gettop(L);
  struct mod_patch_items *items;
  if (!mod_patch_get(t, table, step, at)) return 0;
  if (lua_isnil(L, -1)) return mod_patch_missing(t, table, at);
  if (value || mod_patch_kind_here(t, table) == MOD_PATCH_OBJECT) {
    if (value) lua_pushvalue(L, value);
    else lua_pushnil(L);
    mod_patch_put_back(t, table, step);
    lua_pop(L, 1);
    return 1;
  }
  if (!mod_patch_need_items(t, table, step->index, &items) ||
      (items && !mod_patch_remove_slot(&t->p->f.e, items, step->index)))
    return mod_patch_error(t, JSON_EDIT_MEMORY, at);
  if (!items) mod_patch_shift(L, table, (int)step->index + 2, (int)lua_rawlen(L, table), -1);
  return 1;
}

/* Completes the table on top, one of this call: sorts its items, and marks it if needed. */
static void mod_patch_settle(const struct mod_patch_walk *t) {
  lua_State *L = t->L;
  const int table = lua_gettop(L);
  const struct mod_patch_items *items = mod_patch_items_of(t, table);
  if (items) {
    mod_patch_sort_items(t, items);
    lua_pushvalue(L, table);
    lua_pushboolean(L, 1);
    lua_rawset(L, t->owned);
  }
  mod_patch_mark(t->p, mod_patch_kind_here(t, table));
}

/* Settles the value on top and what is in it; only tables of this call contain others of this call. With `disown` it
** will be in two places. */
static void mod_patch_settle_top(const struct mod_patch_walk *t, int disown) {
  lua_State *L = t->L;
  const int work = lua_gettop(L) + 1, table = work + 1;
  int n = 1;
  if (!lua_istable(L, -1)) return;
  lua_newtable(L);
  compat_set_item(L, work, 1, work - 1);
  while (n > 0) {
    lua_rawgeti(L, work, n--);
    mod_patch_push_owned(t, table);
    if (!lua_isnil(L, -1)) {
      lua_settop(L, table);
      mod_patch_settle(t);
      if (disown) lua_pushvalue(L, table), lua_pushnil(L), lua_rawset(L, t->owned);
      lua_pushnil(L);
      while (lua_next(L, table))
        if (lua_istable(L, -1)) lua_rawseti(L, work, ++n);
        else lua_pop(L, 1);
    }
    lua_settop(L, work);
  }
  lua_pop(L, 1);
}

/* What comparing two tables below the API needs. */
struct mod_patch_raw_walk {
  struct value_raw k;
  struct encode_state classes;
  struct value_blocks blocks;
};

/* Begins to compare two values below the API, and pushes them. Returns 0 if that is not possible. */
static int mod_patch_begin_raw(const struct mod_patch *p, struct mod_patch_raw_walk *w, int a, int b) {
  lua_State *L = p->L;
  const struct mod_state *m = p->f.d.state;
  if (!m->encode->raw || p->f.d.o.layout_api || p->f.d.o.null) return 0;
  memset(&w->k, 0, sizeof w->k);
  memset(&w->classes, 0, sizeof w->classes);
  value_raw_begin(&w->k, &w->classes, m, &p->f.own.style);
  w->classes.policy = &p->f.own.policy;
  value_blocks_begin(&w->blocks, L);
  w->k.walk.memory = value_blocks_memory;
  w->k.walk.owner = &w->blocks;
  w->k.walk.max_depth = p->f.own.style.max_depth - 1; /* levels count from 0 */
  w->k.walk.is_strict = 1;
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  return 1;
}

static void mod_patch_end_raw(const struct mod_patch *p, struct mod_patch_raw_walk *w) {
  value_blocks_free(&w->blocks);
  lua_pop(p->L, 2);
}

FL_PRIVATE int mod_patch_equal_raw(const struct mod_patch *p, int a, int b, uint64_t steps) {
  int (*const equal)(struct value_raw *, const void *) = LAYOUT_PICK(p->f.d.state->verdict.facts, value_equal_top);
  struct mod_patch_raw_walk w;
  if (!equal || !mod_patch_begin_raw(p, &w, a, b)) return -1;
  w.k.walk.left = steps;
  const int is_equal = equal(&w.k, p->L);
  mod_patch_end_raw(p, &w);
  return w.k.walk.error == VALUE_ERROR_REDO ? -1 : is_equal;
}

FL_PRIVATE int mod_patch_push_same(const struct mod_patch *p, int a, int b, uint64_t array, uint64_t object) {
  lua_State *L = p->L;
  const struct lay_facts *facts = p->f.d.state->verdict.facts;
  size_t (*const count)(const void *) = LAYOUT_PICK(facts, value_top_nodes);
  int (*const find)(struct value_raw *, const void *, struct value_same *) = LAYOUT_PICK(facts, value_same_members);
  struct mod_patch_raw_walk w;
  int is_found = -1;
  lua_pushboolean(L, 0);
  if (!find || !mod_patch_begin_raw(p, &w, a, b)) return -1;
  const size_t room = count(L);
  mod_patch_end_raw(p, &w);
  if (room < MOD_PATCH_MANY) return -1;
  struct value_same *s = (struct value_same *)lua_newuserdata(L, sizeof *s + room);
  s->array = array;
  s->object = object;
  s->room = room;
  s->next = 0;
  if (mod_patch_begin_raw(p, &w, a, b)) {
    is_found = find(&w.k, L, s);
    mod_patch_end_raw(p, &w);
  }
  if (is_found >= 0) lua_replace(L, -2);
  else lua_pop(L, 1);
  return is_found;
}

/* Returns whether the values at the two indices are equal; if not, sets *error. -1 with the results in *results if one
** of them is not JSON. Values that are not equal below the API may be equal as texts, or errors there. */
static int mod_patch_equal(const struct mod_patch_walk *t, int a, int b, enum patch_error *error, int *results) {
  lua_State *L = t->L;
  struct mod_patch *p = t->p;
  const int types[2] = {lua_type(L, a), lua_type(L, b)};
  struct patch_value *v[2];
  int i, plain = 1;
  *error = PATCH_ERROR_DIFFERENT;
  for (i = 0; i < 2; i++)
    plain &= types[i] == LUA_TSTRING || types[i] == LUA_TNUMBER || types[i] == LUA_TBOOLEAN ||
             types[i] == LUA_TLIGHTUSERDATA;
  if (plain) return lua_rawequal(L, a, b);
  if (mod_patch_equal_raw(p, a, b, MOD_PATCH_STEPS_OF_TEST) == 1) return 1;
  for (i = 0; i < 2; i++) {
    struct mod_call call;
    size_t n;
    mod_start_call(&call, L, p->f.d.state, &p->f.own, i ? b : a);
    if (mod_run(&call) != 1) {
      lua_pushlstring(L, t->o.path.s, t->o.path.n);
      mod_path_push_text(L, lua_gettop(L));
      lua_pushfstring(L, "operation %d (test '%s'): %s%s", t->number, lua_tostring(L, -1), i ? "value: " : "",
                      lua_tostring(L, -3));
      return *results = mod_patch_fail(p, call.kind), -1;
    }
    const char *s = lua_tolstring(L, -1, &n);
    p->f.d.begin = s;
    p->f.d.end = s + n;
    mod_edit_begin_scan(&p->f);
    if (!(v[i] = patch_read_text(&p->f.e, s, s + n, 1, NULL))) return *error = PATCH_ERROR_EDIT, 0;
  }
  return patch_equal(v[0], v[1]);
}

static int mod_patch_field(const struct mod_patch_walk *t, const char *name) {
  compat_get_field(t->L, t->op, name);
  return lua_gettop(t->L);
}

static int mod_patch_read_pointer(lua_State *L, int index, struct mod_path_steps *steps, struct patch_pointer *to) {
  size_t n;
  const char *s = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &n) : NULL;
  if (!s || (n > 0 && *s != '/') || mod_path_read(L, steps, index)) return 0;
  to->s = s;
  to->n = n;
  to->steps = steps->steps;
  to->count = steps->count;
  return 1;
}

/* Reads the operation on top, a table. */
static enum patch_error mod_patch_read_table(struct mod_patch_walk *t, int *has_op) {
  lua_State *L = t->L;
  size_t n;
  int word, op;
  memset(&t->o, 0, sizeof t->o);
  *has_op = 0;
  t->op = lua_gettop(L);
  if (!lua_istable(L, t->op)) return PATCH_ERROR_NO_OBJECT;
  t->path = mod_patch_field(t, "path");
  if (lua_type(L, t->path) == LUA_TSTRING) t->o.path.s = lua_tolstring(L, t->path, &t->o.path.n);
  op = mod_patch_field(t, "op");
  if (lua_isnil(L, op)) return PATCH_ERROR_NO_OP;
  const char *s = lua_type(L, op) == LUA_TSTRING ? lua_tolstring(L, op, &n) : NULL;
  if (!s || (word = patch_find_word(s, n)) < 0) return PATCH_ERROR_UNKNOWN_OP;
  t->o.is = (enum patch_kind_of_operation)word;
  *has_op = 1;
  if (lua_isnil(L, t->path)) return PATCH_ERROR_NO_PATH;
  if (!mod_patch_read_pointer(L, t->path, &t->path_steps, &t->o.path)) return PATCH_ERROR_PATH;
  t->from = mod_patch_field(t, "from");
  if (patch_has_from(t->o.is)) {
    if (lua_isnil(L, t->from)) return PATCH_ERROR_NO_FROM;
    if (!mod_patch_read_pointer(L, t->from, &t->from_steps, &t->o.from)) return PATCH_ERROR_FROM;
    if (t->o.is == PATCH_OP_MOVE && patch_moves_inside(&t->o)) return PATCH_ERROR_INSIDE;
  }
  t->value = mod_patch_field(t, "value");
  return patch_has_value(t->o.is) && lua_isnil(L, t->value) ? PATCH_ERROR_NO_VALUE : PATCH_OK;
}

/* Returns whether the value on top may be copied. Copies of copies can take many times their memory as text. */
static int mod_patch_may_copy(struct mod_patch_walk *t) {
  const size_t max_bytes = t->p->f.d.o.max_bytes, most = patch_copies(0, max_bytes);
  t->copied += mod_patch_measure(t->p, PATCH_COPIES);
  if (t->copied <= most || max_bytes) return t->copied <= most;
  size_t least = t->copied / PATCH_COPIES_TIMES;
  lua_pushvalue(t->L, 1);
  least = mod_patch_measure(t->p, least) >= least;
  lua_pop(t->L, 1);
  return (int)least;
}

/* Pushes the value of `from`, which is removed if it moves. Returns like mod_patch_descend. */
static int mod_patch_take_from(struct mod_patch_walk *t, enum patch_error *error, int *results) {
  const struct patch_pointer *from = &t->o.from;
  int is;
  if (t->o.is == PATCH_OP_COPY || from->count == 0) {
    if ((is = mod_patch_descend(t, from->steps, from->count, 0, results)) <= 0) return is;
    mod_patch_settle_top(t, 1);
    if (t->o.is == PATCH_OP_COPY && !mod_patch_may_copy(t)) return *error = PATCH_ERROR_COPIES, 0;
    return 1;
  }
  if ((is = mod_patch_descend(t, from->steps, from->count - 1, 1, results)) <= 0) return is;
  return mod_patch_take(t, &from->steps[from->count - 1], from->count - 1, 0);
}

/* Applies the operation; sets *at to the pointer that an error is about. Returns like mod_patch_descend. */
static int mod_patch_do(struct mod_patch_walk *t, const struct patch_pointer **at, enum patch_error *error,
                        int *results) {
  lua_State *L = t->L;
  const struct patch_operation *o = &t->o;
  const size_t count = o->path.count;
  int is, value = t->value;
  *at = &o->path;
  *error = PATCH_ERROR_EDIT;
  if (o->is == PATCH_OP_TEST) {
    if ((is = mod_patch_descend(t, o->path.steps, count, 0, results)) <= 0) return is;
    mod_patch_settle_top(t, 0);
    return mod_patch_equal(t, lua_gettop(L), value, error, results);
  }
  if (patch_has_from(o->is)) {
    *at = &o->from;
    if (o->is == PATCH_OP_MOVE && o->from.n == o->path.n && memcmp(o->from.s, o->path.s, o->path.n) == 0)
      return mod_patch_descend(t, o->from.steps, o->from.count, 0, results);
    if ((is = mod_patch_take_from(t, error, results)) <= 0) return is;
    *at = &o->path;
    value = lua_gettop(L);
  }
  if (count == 0) {
    if (o->is == PATCH_OP_REMOVE) return mod_patch_error(t, JSON_EDIT_ROOT, 0);
    compat_copy(L, value, t->root);
    return 1;
  }
  const struct json_step *last = &o->path.steps[count - 1];
  if ((is = mod_patch_descend(t, o->path.steps, count - 1, 1, results)) <= 0) return is;
  if (o->is == PATCH_OP_REMOVE) return mod_patch_take(t, last, count - 1, 0);
  if (o->is == PATCH_OP_REPLACE) return mod_patch_take(t, last, count - 1, value);
  return mod_patch_add(t, last, count - 1, value);
}

/* Returns whether argument 2, a table, is an object; an empty table without a mark is a list. */
static int mod_patch_is_object(struct mod_patch *p) {
  if (mod_patch_kind_of(p, 2) != MOD_PATCH_OBJECT) return 0;
  if (lua_getmetatable(p->L, 2)) return 1;
  lua_pushnil(p->L);
  return lua_next(p->L, 2);
}

FL_PRIVATE int mod_patch_tables(struct mod_patch *p) {
  lua_State *L = p->L;
  struct mod_patch_walk t;
  int count, top, results;
  if (!lua_istable(L, 2) || mod_patch_is_object(p)) {
    lua_pushliteral(L, "a list of operations expected");
    return mod_patch_fail(p, FL_KIND_SYNTAX);
  }
  t.p = p;
  t.L = L;
  t.copied = 0;
  lua_pushvalue(L, 1);
  t.root = lua_gettop(L);
  lua_newtable(L);
  t.owned = t.root + 1;
  lua_newtable(L);
  t.kinds = t.root + 2;
  lua_pushnil(L);
  lua_pushnil(L);
  mod_path_begin(&t.path_steps, t.root + 3, JSON_EDIT_AFTER_LAST);
  mod_path_begin(&t.from_steps, t.root + 4, JSON_EDIT_AFTER_LAST);
  top = t.root + 4;
  count = (int)lua_rawlen(L, 2);
  for (t.number = 1; t.number <= count; t.number++) {
    const struct patch_pointer *at = &t.o.path;
    int has_op, is;
    lua_rawgeti(L, 2, t.number);
    enum patch_error error = mod_patch_read_table(&t, &has_op);
    is = error ? 0 : mod_patch_do(&t, &at, &error, &results);
    if (is < 0) return results;
    if (is == 0) return mod_patch_operation_failed(p, t.number, &t.o, has_op, error, at);
    lua_settop(L, top);
  }
  lua_pushnil(L);
  while (lua_next(L, t.owned)) {
    lua_pop(L, 1);
    mod_patch_settle(&t);
  }
  lua_pushvalue(L, t.root);
  return 1;
}
