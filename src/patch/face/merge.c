/* SPDX-License-Identifier: MIT
** merge.c -- merge_patch of a Lua value: only the tables on the way to a change are copied.
** Must hold: as patch.h. The levels are on the Lua stack. Each table that a call creates is used in its result: a
** patch whose tables can be reached by exponentially many paths costs only what its tables do. */
#include "../../encode/api/state.h"
#include "patch.h"

enum {
  MOD_MERGE_LEVEL = 5,   /* stack slots of a level */
  MOD_MERGE_APART = 1000 /* tables that are created before equal ones are shared */
};

/* One call. A level is the table that it creates, the object that this is a copy of (false: none), its keys and height,
** its patch, and a key of the patch. */
struct mod_merge {
  struct mod_patch *p;
  lua_State *L;
  int made;      /* index of a table: patch -> object -> the table created from both, and that table -> its height */
  int result;    /* of the innermost level */
  int depth;     /* of that level, from 1 */
  size_t tables; /* created by this call */
};

/* Returns whether the value at the index is null: this library's, or decode's with the codec's option. */
static int mod_merge_is_null(struct mod_patch *p, int index) {
  lua_State *L = p->L;
  if (lua_type(L, index) == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index)) return 1;
  return p->f.d.o.null && lua_rawequal(L, index, p->f.d.o.null);
}

static int mod_merge_is_object(struct mod_patch *p, int index) {
  return lua_istable(p->L, index) && mod_patch_kind_of(p, index) == MOD_PATCH_OBJECT;
}

/* The key for a new member whose name is that of a number: a string; a number; like the patch's key. */
enum { MOD_MERGE_NAMES, MOD_MERGE_NUMBERS, MOD_MERGE_AS_GIVEN, MOD_MERGE_KEYS };

/* The level of `result` contains one of this height: updates its height. */
static void mod_merge_grow(lua_State *L, int result, int height) {
  const int is = (int)lua_tointeger(L, result + 2), keys = is % MOD_MERGE_KEYS;
  if (height < is / MOD_MERGE_KEYS) return;
  lua_pushinteger(L, (height + 1) * MOD_MERGE_KEYS + keys);
  lua_replace(L, result + 2);
}

/* Begins a level with the value and the patch at the two indices. */
static void mod_merge_enter(struct mod_merge *t, int old, int patch) {
  struct mod_patch *p = t->p;
  lua_State *L = t->L;
  int keys = MOD_MERGE_AS_GIVEN, numbers = 0;
  t->result = lua_gettop(L) + 1;
  t->depth++;
  t->tables++;
  if (mod_merge_is_object(p, old) && mod_patch_push_copy(p, old, MOD_PATCH_OBJECT, &numbers)) {
    lua_pushnil(L);
    if (lua_next(L, -2)) keys = MOD_MERGE_NAMES, lua_pop(L, 2);
    lua_pushvalue(L, old);
  } else {
    lua_newtable(L);
    mod_patch_copy_marks(p, patch);
    lua_pushboolean(L, 0);
  }
  lua_pushinteger(L, MOD_MERGE_KEYS + (numbers || p->f.d.o.numeric_keys ? MOD_MERGE_NUMBERS : keys));
  lua_pushvalue(L, patch);
  lua_pushnil(L);
}

/* Pushes the key of the result with the same name as the patch's key at the index. */
static void mod_merge_push_key(lua_State *L, int result, int key) {
  const int keys = (int)lua_tointeger(L, result + 2) % MOD_MERGE_KEYS, is_string = lua_type(L, key) == LUA_TSTRING;
  if (value_tables_push_key(L, result, key) || keys != (is_string ? MOD_MERGE_NUMBERS : MOD_MERGE_NAMES)) return;
  if (api_push_same_name(L, key)) lua_remove(L, -2);
}

/* Remembers the level's table, which is complete and on top. */
static void mod_merge_remember(const struct mod_merge *t, int height) {
  lua_State *L = t->L;
  const int result = t->result, patch = result + 3;
  lua_pushvalue(L, result);
  lua_pushinteger(L, height);
  lua_rawset(L, t->made);
  compat_raw_get(L, t->made, patch);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, patch);
    lua_pushvalue(L, -2);
    lua_rawset(L, t->made);
  }
  lua_pushvalue(L, result + 1);
  lua_pushvalue(L, result);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Pushes the table that was created from the value and the patch at the two indices, and returns its height. Returns 0,
** and pushes nothing, if there is none. */
static int mod_merge_push_made(const struct mod_merge *t, int old, int patch) {
  lua_State *L = t->L;
  const int top = lua_gettop(L);
  compat_raw_get(L, t->made, patch);
  if (!lua_istable(L, -1)) return lua_settop(L, top), 0;
  if (mod_merge_is_object(t->p, old)) lua_pushvalue(L, old);
  else lua_pushboolean(L, 0);
  lua_rawget(L, -2);
  if (!lua_istable(L, -1)) return lua_settop(L, top), 0;
  lua_replace(L, top + 1);
  compat_raw_get(L, t->made, top + 1);
  const int height = (int)lua_tointeger(L, -1);
  return lua_settop(L, top + 1), height;
}

/* A member of the patch is on top, with its key: stores what it becomes, or begins a level. Returns 0 if that is too
** deep. */
static int mod_merge_member(struct mod_merge *t) {
  struct mod_patch *p = t->p;
  lua_State *L = t->L;
  const int result = t->result, key = lua_gettop(L) - 1, value = key + 1, to = key + 2, old = key + 3;
  int height;
  mod_merge_push_key(L, result, key);
  if (mod_merge_is_object(p, value)) {
    compat_raw_get(L, result, to);
    if (t->tables < MOD_MERGE_APART || !(height = mod_merge_push_made(t, old, value))) {
      mod_merge_enter(t, old, value);
      lua_pushvalue(L, to);
      lua_pushvalue(L, t->result);
      lua_rawset(L, result);
      lua_remove(L, old);
      lua_remove(L, to);
      lua_remove(L, value);
      t->result -= 3;
      return (size_t)t->depth <= p->f.d.o.max_depth;
    }
    if ((size_t)(t->depth + height) > p->f.d.o.max_depth) return 0;
    mod_merge_grow(L, result, height);
    lua_remove(L, old);
  } else if (mod_merge_is_null(p, value)) {
    lua_pushnil(L);
  } else {
    lua_pushvalue(L, value);
  }
  lua_rawset(L, result);
  lua_settop(L, key);
  return 1;
}

/* Completes the level's table and leaves the level. */
static void mod_merge_leave(struct mod_merge *t) {
  lua_State *L = t->L;
  const int result = t->result, height = (int)lua_tointeger(L, result + 2) / MOD_MERGE_KEYS;
  if (t->tables >= MOD_MERGE_APART) mod_merge_remember(t, height);
  lua_settop(L, result);
  mod_patch_mark(t->p, MOD_PATCH_OBJECT);
  if (--t->depth == 0) return;
  lua_settop(L, result - 1);
  t->result -= MOD_MERGE_LEVEL;
  mod_merge_grow(L, t->result, height);
}

FL_PRIVATE int mod_patch_merge_tables(struct mod_patch *p) {
  lua_State *L = p->L;
  struct mod_merge t;
  if (!mod_merge_is_object(p, 2)) return lua_pushvalue(L, 2), 1;
  lua_newtable(L);
  t.p = p;
  t.L = L;
  t.made = lua_gettop(L);
  t.depth = 0;
  t.tables = 0;
  mod_merge_enter(&t, 1, 2);
  while (t.depth > 0) {
    int fine = lua_checkstack(L, 24);
    if (fine && lua_next(L, t.result + 3)) fine = mod_merge_member(&t);
    else if (fine) mod_merge_leave(&t);
    if (!fine) {
      lua_settop(L, t.made);
      lua_pushliteral(L, "patch: ");
      const int is_cycle = api_push_cycle(L, 2, p->f.d.o.max_depth);
      if (!is_cycle) lua_pushliteral(L, "nesting too deep");
      lua_concat(L, 2);
      return mod_patch_fail(p, is_cycle ? FL_KIND_CYCLE : FL_KIND_DEPTH);
    }
  }
  return 1;
}
