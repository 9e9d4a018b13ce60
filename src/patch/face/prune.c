/* SPDX-License-Identifier: MIT
** prune.c -- two tables without the members that are equal in both, so that merge_diff writes and reads only what
** differs.
** Must hold: as patch.h. Only objects with names as keys and without a metatable are pruned; all other values stay
** whole, and the texts decide. What is equal in both, or the same table, is not looked at further. Two names must not
** become the same text, so nothing is pruned where bytes that are not UTF-8 are replaced. */
#include "patch.h"

enum {
  MOD_PRUNE_A, /* slots of a level: its two objects, */
  MOD_PRUNE_B,
  MOD_PRUNE_LESS_A, /* what differs of them, */
  MOD_PRUNE_LESS_B,
  MOD_PRUNE_SAME, /* a value_same, or false, */
  MOD_PRUNE_KEY,  /* and the last key of b */
  MOD_PRUNE_LEVEL,
  /* Two objects that are not found equal in so many steps are pruned member by member. So an object is compared with
  ** few of those that contain it. */
  MOD_PRUNE_STEPS = 256,
  MOD_PRUNE_SIZES = 4 /* limit for the bytes of objects that contain each other, in sizes of the outermost */
};

struct mod_prune {
  struct mod_patch *p;
  lua_State *L;
  int parts;  /* index of a table: what is left of an object of b -> that object; or 0 */
  int blocks; /* first of the slots for memory of a walk */
  uint32_t depth;
};

static void *mod_prune_memory(void *owner, unsigned block, size_t n, size_t used) {
  const struct mod_prune *t = (const struct mod_prune *)owner;
  const int slot = t->blocks + (int)block;
  return value_tables_move(t->L, slot, n, lua_touserdata(t->L, slot), used);
}

/* Returns whether the two tables on top are equal; 0 also after so many steps. */
static int mod_prune_equal(struct mod_prune *t, uint64_t steps) {
  const int top = lua_gettop(t->L), raw = mod_patch_equal_raw(t->p, top - 1, top, steps);
  struct value_tables k = t->p->tables;
  if (raw >= 0) return raw;
  k.walk.memory = mod_prune_memory;
  k.walk.owner = t;
  k.walk.left = steps;
  k.walk.max_depth = t->p->f.own.style.max_depth - 1; /* levels count from 0 */
  k.walk.is_strict = 1;
  const int is_equal = value_tables_equal(&k, top - 1, top);
  lua_settop(t->L, top);
  return is_equal;
}

/* Returns whether the table at the index may be pruned; its keys are looked at later. */
static int mod_prune_takes(struct mod_prune *t, int table) {
  if (lua_getmetatable(t->L, table)) return lua_pop(t->L, 1), 0;
  return mod_patch_kind_of(t->p, table) == MOD_PATCH_OBJECT;
}

/* Stores a member that differs: of a, or of b, under the level's key; `value` is absolute. */
static void mod_prune_keep(lua_State *L, int less, int key, int value) {
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  lua_rawset(L, less);
}

/* Begins a level with the tables on top, and keeps the members of a that b lacks. Returns 0 if they stay whole. */
static int mod_prune_enter(struct mod_prune *t) {
  lua_State *L = t->L;
  const int a = lua_gettop(L) - 1, b = a + MOD_PRUNE_B, key = a + MOD_PRUNE_KEY;
  if (t->depth >= t->p->f.own.style.max_depth || !lua_checkstack(L, VALUE_TABLES_SLOTS)) return 0;
  if (!mod_prune_takes(t, a) || !mod_prune_takes(t, b)) return 0;
  lua_newtable(L);
  lua_newtable(L);
  const int has_all = mod_patch_push_same(t->p, a, b, MOD_PATCH_STEPS_OF_TEST, MOD_PRUNE_STEPS) > 0;
  lua_pushnil(L);
  while (!has_all && lua_next(L, a)) {
    if (lua_type(L, key) != LUA_TSTRING) return lua_settop(L, b), 0;
    lua_pushvalue(L, key);
    lua_rawget(L, b);
    if (lua_isnil(L, -1)) mod_prune_keep(L, a + MOD_PRUNE_LESS_A, key, key + 1);
    lua_settop(L, key);
  }
  lua_settop(L, a + MOD_PRUNE_SAME);
  lua_pushnil(L);
  t->depth++;
  return 1;
}

/* A value of b is on top, with its key, which is the level's: keeps it if it differs. Returns 1 if that needs a
** level. */
static int mod_prune_member(struct mod_prune *t) {
  lua_State *L = t->L;
  const int key = lua_gettop(L) - 1, a = key - MOD_PRUNE_KEY, was = key + 1, is = key + 2;
  lua_pushvalue(L, key);
  lua_rawget(L, a);
  lua_insert(L, was);
  if (lua_rawequal(L, was, is)) return 0;
  if (lua_istable(L, was) && lua_istable(L, is)) {
    const int is_array = mod_patch_kind_of(t->p, is) == MOD_PATCH_ARRAY;
    if (mod_prune_equal(t, is_array ? MOD_PATCH_STEPS_OF_TEST : MOD_PRUNE_STEPS)) return 0;
    if (!is_array && mod_prune_enter(t)) return 1;
  }
  if (!lua_isnil(L, was)) mod_prune_keep(L, a + MOD_PRUNE_LESS_A, key, was);
  mod_prune_keep(L, a + MOD_PRUNE_LESS_B, key, is);
  return 0;
}

/* Ends the level: what is left of its tables, the two on top, belongs to the level above, unless nothing is. */
static void mod_prune_leave(struct mod_prune *t, int key) {
  lua_State *L = t->L;
  const int less_b = lua_gettop(L), less_a = less_b - 1, up = key - MOD_PRUNE_KEY;
  if (--t->depth == 0) return;
  lua_pushnil(L);
  const int removed = lua_next(L, less_a) != 0;
  lua_settop(L, less_b);
  lua_pushnil(L);
  if (removed || lua_next(L, less_b)) {
    mod_prune_keep(L, up + MOD_PRUNE_LESS_A, key, less_a);
    mod_prune_keep(L, up + MOD_PRUNE_LESS_B, key, less_b);
  }
  lua_settop(L, key);
}

/* All members of the level, whose first slot is `a`, were compared: marks what is left, which may be empty, as objects.
** With `parts`, an object of which half is left stays whole, because its text may be shorter than its changes. */
static void mod_prune_settle(struct mod_prune *t, int a) {
  lua_State *L = t->L;
  const int b = a + MOD_PRUNE_B, less_b = a + MOD_PRUNE_LESS_B;
  if (t->parts && t->depth > 1 &&
      2 * value_tables_members(&t->p->tables, less_b) >= value_tables_members(&t->p->tables, b)) {
    lua_settop(L, b);
    return;
  }
  for (int i = a + MOD_PRUNE_LESS_A; i <= less_b; i++) {
    lua_pushvalue(L, i);
    mod_patch_mark(t->p, MOD_PATCH_OBJECT);
    lua_pop(L, 1);
  }
  if (t->parts) mod_prune_keep(L, t->parts, less_b, b);
}

FL_PRIVATE int mod_patch_prune(struct mod_patch *p, int parts) {
  lua_State *L = p->L;
  const int top = lua_gettop(L);
  struct mod_prune t = {p, L, parts, top + 1, 0};
  if (!lua_istable(L, 1) || !lua_istable(L, 2) || p->f.own.on_error || p->f.d.state->encode->order.slots) return 0;
  if (p->f.own.style.text.invalid != TEXT_INVALID_ERROR) return 0;
  lua_settop(L, top + VALUE_BLOCKS);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  (void)mod_prune_enter(&t);
  while (t.depth > 0) {
    const int key = lua_gettop(L), a = key - MOD_PRUNE_KEY;
    struct value_same *s = (struct value_same *)lua_touserdata(L, a + MOD_PRUNE_SAME);
    if (!lua_next(L, a + MOD_PRUNE_B)) {
      lua_settop(L, a + MOD_PRUNE_LESS_B);
      mod_prune_settle(&t, a);
      mod_prune_leave(&t, a - 1);
    } else if (lua_type(L, key) != LUA_TSTRING) {
      lua_settop(L, a + MOD_PRUNE_B); /* they stay whole */
      mod_prune_leave(&t, a - 1);
    } else if ((s && s->next < s->room && s->same[s->next++]) || !mod_prune_member(&t)) {
      lua_settop(L, key);
    }
  }
  const int is_pruned = !lua_rawequal(L, -1, 2);
  lua_replace(L, 2);
  lua_replace(L, 1);
  lua_settop(L, top);
  return is_pruned;
}

/* The tables on top are what is left of an object, and that object: sets the size of the value that was read of the
** first to that of the whole. Returns the size, or 0 if it cannot be encoded. */
static size_t mod_prune_set_size(struct mod_patch *p, struct patch_value *v) {
  lua_State *L = p->L;
  const int top = lua_gettop(L);
  struct mod_call call;
  mod_start_call(&call, L, p->f.d.state, &p->f.own, top);
  v->size = mod_run(&call) == 1 ? (size_t)lua_rawlen(L, -1) : 0;
  v->is_part = 1;
  lua_settop(L, top);
  return v->size;
}

FL_PRIVATE int mod_patch_measure_parts(struct mod_patch *p, struct patch_value *root, int part, int parts) {
  lua_State *L = p->L;
  const int top = lua_gettop(L);
  size_t size = 0, most = 0;
  struct patch_value *v = root;
  lua_pushvalue(L, part); /* for each object on the way: what is left of it */
  for (;;) {
    lua_pushvalue(L, -1);
    lua_rawget(L, parts);
    const int is_part = lua_istable(L, -1);
    if (is_part) size += mod_prune_set_size(p, v);
    if (v == root) most = MOD_PRUNE_SIZES * size;
    lua_pop(L, 1);
    if (size > most || !lua_checkstack(L, VALUE_TABLES_SLOTS)) break;
    if (is_part && v->n > 0) {
      v = v->is.first;
    } else {
      for (; v != root && !v->next; v = v->up) lua_pop(L, 1);
      lua_pop(L, 1);
      if (v == root) return lua_settop(L, top), 1;
      v = v->next;
    }
    lua_pushlstring(L, v->name, v->name_length);
    lua_rawget(L, -2);
    FL_ASSERT(!lua_isnil(L, -1));
  }
  return lua_settop(L, top), 0;
}
