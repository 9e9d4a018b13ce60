/* SPDX-License-Identifier: MIT
** copy.c -- tables as arrays and objects, and copies of them that keep what they are.
** Must hold: a table is an array if encode would write it as one. */
#include "../../encode/order.h"
#include "../../layout/copy.h"
#include "../../encode/face/marks.h"
#include "patch.h"

FL_PRIVATE enum mod_patch_kind mod_patch_kind_of(struct mod_patch *p, int table) {
  uint64_t n;
  return value_tables_list(&p->tables, table, &n) == VALUE_NO_LIST ? MOD_PATCH_OBJECT : MOD_PATCH_ARRAY;
}

/* Copies the items to the table on top: keys from 1 to their number, which most tables return in this order. */
static int mod_patch_copy_items(lua_State *L, int table, int length) {
  const int copy = lua_gettop(L);
  int n = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    const lua_Number key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(key >= 1 && key <= length) || key != (lua_Number)(int)key) {
      lua_settop(L, copy);
      return 0;
    }
    lua_rawseti(L, copy, (int)key);
    n++;
  }
  return n == length;
}

/* Copies the members to the table on top. Returns whether some keys are numbers. */
static int mod_patch_copy_members(lua_State *L, int table) {
  const int copy = lua_gettop(L);
  int numbers = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    numbers |= lua_type(L, -2) == LUA_TNUMBER;
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, copy);
  }
  return numbers;
}

/* Returns how to copy tables below the API, or NULL. */
static const struct lay_copy *mod_patch_raw(const struct mod_patch *p) {
  struct mod_state *m = p->f.d.state;
  if (p->f.d.o.layout_api || !(m->decode->decoder ? m->decode->decoder : mod_find_decoder_(p->L, m))) return NULL;
  return lay_copy_of(m->verdict.facts);
}

/* Pushes a copy made below the API. Returns 0, and pushes nothing, if it must be made by the API. */
static int mod_patch_push_raw(const struct mod_patch *p, int table, enum mod_patch_kind kind, size_t length) {
  lua_State *L = p->L;
  const struct lay_copy *raw = mod_patch_raw(p);
  const char *from = (const char *)lua_topointer(L, table);
  size_t nodes = 0;
  if (!raw) return 0;
  if (kind == MOD_PATCH_OBJECT && (nodes = raw->node_count(from)) > INT32_MAX / 2) return 0;
  lua_createtable(L, (int)length, (int)nodes);
  const int done = kind == MOD_PATCH_OBJECT ? raw->members((char *)(uintptr_t)lua_topointer(L, -1), from)
                                            : raw->items((char *)(uintptr_t)lua_topointer(L, -1), from, length);
  if (!done) lua_pop(L, 1);
  return done;
}

FL_PRIVATE void mod_patch_copy_marks(const struct mod_patch *p, int table) {
  lua_State *L = p->L;
  const int copy = lua_gettop(L), book = copy + 1;
  if (lua_getmetatable(L, table)) lua_setmetatable(L, copy);
  if (!p->f.d.state->encode->order.slots) return;
  lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_BOOK);
  if (order_push_list(L, book, table)) order_remember(L, book, copy);
  lua_settop(L, copy);
}

FL_PRIVATE int mod_patch_push_copy(struct mod_patch *p, int table, enum mod_patch_kind kind, int *numbers) {
  lua_State *L = p->L;
  *numbers = 0;
  if (kind == MOD_PATCH_ARRAY) {
    const size_t length = (size_t)lua_rawlen(L, table);
    if (length >= INT32_MAX - 1) return 0;
    if (!mod_patch_push_raw(p, table, kind, length)) {
      lua_createtable(L, (int)length, 0);
      if (!mod_patch_copy_items(L, table, (int)length)) {
        lua_pop(L, 1);
        return 0;
      }
    }
  } else {
    if (!mod_patch_push_raw(p, table, kind, 0)) {
      lua_createtable(L, 0, (int)value_tables_members(&p->tables, table));
      *numbers = mod_patch_copy_members(L, table);
    }
  }
  mod_patch_copy_marks(p, table);
  return 1;
}

FL_PRIVATE void mod_patch_mark(struct mod_patch *p, enum mod_patch_kind kind) {
  lua_State *L = p->L;
  const int table = lua_gettop(L);
  if (lua_getmetatable(L, table)) {
    lua_pop(L, 1);
    return;
  }
  lua_pushnil(L);
  const int is_empty = !lua_next(L, table);
  lua_settop(L, table);
  if (!is_empty && (kind == MOD_PATCH_ARRAY || mod_patch_kind_of(p, table) == kind)) return;
  if (kind == MOD_PATCH_ARRAY) mod_push_mark(L, MOD_MARK_ARRAY);
  else if (!is_empty) mod_push_mark(L, MOD_MARK_OBJECT);
  else lua_pushvalue(L, lua_upvalueindex(MOD_EMPTY_OBJECT));
  lua_setmetatable(L, table);
}

/* estimated bytes of a number or word, and of the characters around a string or container */
enum { MOD_PATCH_VALUE = 8 };

FL_PRIVATE size_t mod_patch_measure(const struct mod_patch *p, size_t most) {
  lua_State *L = p->L;
  const int first = lua_gettop(L);
  size_t n = MOD_PATCH_VALUE, depth = 1;
  if (lua_type(L, first) == LUA_TSTRING) return n + (size_t)lua_rawlen(L, first);
  if (!lua_istable(L, first)) return n;
  lua_pushnil(L); /* for each level: its table, and a key */
  while (n <= most) {
    if (!lua_next(L, -2)) {
      if (lua_gettop(L) == first) break;
      lua_pop(L, 1);
      depth--;
      continue;
    }
    n += MOD_PATCH_VALUE;
    if (lua_type(L, -2) == LUA_TSTRING) n += (size_t)lua_rawlen(L, -2);
    if (lua_type(L, -1) == LUA_TSTRING) n += (size_t)lua_rawlen(L, -1);
    if (lua_istable(L, -1) && depth < p->f.d.o.max_depth && lua_checkstack(L, 8)) lua_pushnil(L), depth++;
    else lua_pop(L, 1);
  }
  lua_settop(L, first);
  return n;
}
