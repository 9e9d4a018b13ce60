/* SPDX-License-Identifier: MIT
** copies.c -- copies of whole tables below the API: what they have, that they are tables as all others, and which tables
** are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <lua.h>
#include <lualib.h>

#include "layout/copy.h"
#include "layout/probe.h"

#if defined(LUA_JITLIBNAME)
#define LAY(name) FL_PASTE(LAYOUT_2, name)
#else
#define LAY(name) FL_PASTE(LAYOUT_1, name)
#endif

enum { FROM = 1, TO = 2, MOST = 40 };

static lua_State *L;
static const struct lay_copy *copy;

static int open_state(void **unused) {
  L = luaL_newstate();
  if (!L) return -1;
  lua_gc(L, LUA_GCSTOP, 0); /* so that all tables are white */
  copy = lay_copy_of(probe_layout(L).facts);
  return (void)unused, copy ? 0 : -1;
}

static int close_state(void **unused) { return (void)unused, lua_close(L), 0; }

static char *table_at(int index) { return (char *)(uintptr_t)lua_topointer(L, index); }

/* Any value but nil. */
static void push_value(int i) {
  switch (i % 5) {
  case 0: lua_pushboolean(L, 0); break;
  case 1: lua_pushinteger(L, i); break;
  case 2: lua_pushnumber(L, i + 0.5); break;
  case 3: lua_pushfstring(L, "value %d", i); break;
  default: lua_newtable(L); break;
  }
}

static void push_name(int i) { lua_pushfstring(L, "name %d", i); }

/* Leaves only a table of n items, or of n members. */
static void push_items(int n) {
  int i;
  lua_settop(L, 0);
  lua_createtable(L, n, 0);
  for (i = 1; i <= n; i++) push_value(i), lua_rawseti(L, FROM, i);
}

static void push_members(int n) {
  int i;
  lua_settop(L, 0);
  lua_createtable(L, 0, n);
  for (i = 1; i <= n; i++) push_name(i), push_value(i), lua_rawset(L, FROM);
}

/* Pushes a list of the pairs of a table, in its order. Returns how many keys and values there are. */
static int push_pairs(int table) {
  const int list = lua_gettop(L) + 1;
  int n = 0;
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_rawseti(L, list, n + 2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, n + 1);
    n += 2;
  }
  return n;
}

/* Do two tables have the same pairs, in the same order? */
static int are_alike(int a, int b) {
  const int top = lua_gettop(L), n = push_pairs(a);
  int alike = push_pairs(b) == n, i;
  for (i = 1; alike && i <= n; i++) {
    lua_rawgeti(L, top + 1, i);
    lua_rawgeti(L, top + 2, i);
    alike = lua_rawequal(L, -1, -2);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
  return alike;
}

static int is_empty(int table) {
  const int top = lua_gettop(L);
  int empty;
  lua_pushnil(L);
  empty = !lua_next(L, table);
  lua_settop(L, top);
  return empty;
}

static int copy_items(size_t room, size_t n) {
  lua_settop(L, FROM);
  lua_createtable(L, (int)room, 0);
  return copy->items(table_at(TO), table_at(FROM), n);
}

static int copy_members(size_t room) {
  lua_settop(L, FROM);
  lua_createtable(L, 0, (int)room);
  return copy->members(table_at(TO), table_at(FROM));
}

/* The core finds, adds and removes pairs of the copy, collects it, and the other table stays as it is. */
static void copy_is_a_table(void) {
  int i;
  lua_settop(L, TO);
  lua_newtable(L); /* the same pairs as in the first table, made by the core */
  lua_pushnil(L);
  while (lua_next(L, FROM)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, TO);
    assert_true(lua_rawequal(L, -1, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -2), lua_insert(L, -2);
    lua_rawset(L, 3);
  }
  for (i = 1; i <= 2 * MOST; i++) push_name(1000 + i), lua_pushinteger(L, i), lua_rawset(L, TO);
  for (i = 1; i <= 2 * MOST; i++) {
    push_name(1000 + i), lua_rawget(L, TO);
    assert_true(lua_tointeger(L, -1) == i);
    lua_pop(L, 1);
    push_name(1000 + i), lua_pushnil(L), lua_rawset(L, TO);
  }
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCSTOP, 0);
  lua_pushnil(L);
  while (lua_next(L, 3)) {
    lua_pushvalue(L, -2), lua_rawget(L, TO);
    assert_true(lua_rawequal(L, -1, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -2), lua_rawget(L, FROM);
    assert_true(lua_rawequal(L, -1, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -2), lua_pushnil(L), lua_rawset(L, TO);
    lua_pop(L, 1);
  }
  assert_true(is_empty(TO));
  lua_settop(L, 3);
  assert_int_equal(push_pairs(FROM), push_pairs(3));
}

static void items_are_copied(void **unused) {
  int n;
  (void)unused;
  for (n = 1; n <= MOST; n++) {
    push_items(n);
    assert_true(copy_items((size_t)n, (size_t)n));
    assert_true(are_alike(FROM, TO));
    copy_is_a_table();
    push_items(n); /* there may be more room */
    assert_true(copy_items((size_t)n + 3, (size_t)n));
    assert_true(are_alike(FROM, TO));
    lua_pushnil(L), lua_rawseti(L, FROM, n);
    assert_true(copy_items((size_t)n, (size_t)n - 1));
    assert_true(are_alike(FROM, TO));
  }
}

static void refuses_items(size_t room, size_t n) {
  assert_false(copy_items(room, n));
  assert_true(is_empty(TO));
}

/* None of them is a list of so many items, all in the array part, for which the copy has room. */
static void other_items_are_refused(void **unused) {
  (void)unused;
  push_items(8);
  assert_true(copy_items(8, 8));
  refuses_items(7, 8);
  refuses_items(0, 8);
  refuses_items(8, 7);
  refuses_items(9, 9);
  refuses_items(8, 0);
  lua_pushnil(L), lua_rawseti(L, FROM, 4);
  refuses_items(8, 8);
  refuses_items(8, 7);
  refuses_items(8, 3);
  push_items(8);
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, 0);
  refuses_items(8, 8);
  push_items(8);
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, -1);
  refuses_items(8, 8);
  push_items(8);
  push_name(1), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  refuses_items(8, 8);
  push_items(8);
  lua_pushnumber(L, 1.5), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  refuses_items(8, 8);
  push_members(8);
  refuses_items(8, 8);
  refuses_items(8, 0);
  lua_settop(L, 0); /* items in the hash part */
  lua_createtable(L, 0, 2);
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, 1);
  refuses_items(1, 1);
}

static void members_are_copied(void **unused) {
  int n, i;
  (void)unused;
  for (n = 1; n <= MOST; n++) {
    push_members(n);
    assert_true(copy_members(copy->node_count(table_at(FROM))));
    assert_true(are_alike(FROM, TO));
    copy_is_a_table();
    lua_settop(L, 0); /* a table that the core has enlarged, in which more names have the same place */
    lua_newtable(L);
    for (i = 1; i <= n; i++) push_name(n - i), push_value(i), lua_rawset(L, FROM);
    assert_true(copy_members(copy->node_count(table_at(FROM))));
    assert_true(are_alike(FROM, TO));
    copy_is_a_table();
  }
}

/* The core keeps in each table which metamethods it has not: a copy must not say so of those that were copied. */
static void metamethods_are_found(void **unused) {
  (void)unused;
  lua_settop(L, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "__index"), lua_newtable(L);
  lua_pushliteral(L, "yes"), lua_setfield(L, -2, "x");
  lua_rawset(L, FROM);
  lua_createtable(L, 0, (int)copy->node_count(table_at(FROM)));
  lua_newtable(L);
  lua_pushvalue(L, TO), lua_setmetatable(L, -2);
  lua_getfield(L, -1, "x");
  assert_true(lua_isnil(L, -1));
  lua_pop(L, 1);
  assert_true(copy->members(table_at(TO), table_at(FROM)));
  lua_getfield(L, -1, "x");
  assert_string_equal(lua_tostring(L, -1), "yes");
}

static void refuses_members(size_t room) {
  assert_false(copy_members(room));
  assert_true(is_empty(TO));
}

static void other_members_are_refused(void **unused) {
  int n;
  (void)unused;
  push_members(8);
  assert_true(copy_members(8));
  refuses_members(4);
  refuses_members(16);
  refuses_members(0);
  for (n = 1; n <= 8; n++) { /* a removed member leaves its key */
    push_members(8);
    push_name(n), lua_pushnil(L), lua_rawset(L, FROM);
    refuses_members(8);
  }
  push_members(1);
  push_name(1), lua_pushnil(L), lua_rawset(L, FROM);
  refuses_members(1);
  push_members(0); /* it has no node of its own */
  refuses_members(0);
  refuses_members(1);
  push_members(7);
  lua_pushboolean(L, 1), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  refuses_members(8);
  push_members(7);
  lua_pushnumber(L, 0.5), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  refuses_members(8);
  push_members(7);
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, -7);
  refuses_members(8);
  push_members(7);
  lua_pushlstring(L, "a name that is longer than any that a core keeps only once", 58);
  lua_pushboolean(L, 1), lua_rawset(L, FROM);
#if LUA_VERSION_NUM == 501
  assert_true(copy_members(8)); /* it keeps all strings only once */
  assert_true(are_alike(FROM, TO));
#else
  refuses_members(8);
#endif
  lua_settop(L, 0); /* an array part, with an item and without */
  lua_createtable(L, 1, 1);
  push_name(1), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  refuses_members(copy->node_count(table_at(FROM)));
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, 1);
  refuses_members(copy->node_count(table_at(FROM)));
  lua_settop(L, 0);
  lua_createtable(L, 1, 1);
  push_name(1), lua_pushboolean(L, 1), lua_rawset(L, FROM);
  lua_pushboolean(L, 1), lua_rawseti(L, FROM, 0);
  refuses_members(copy->node_count(table_at(FROM)));
}

/* The collector has seen the copy, or is about to: stores below the API would escape it. */
static void tables_that_are_not_white_are_refused(void **unused) {
  const unsigned colours[] = {LAY(black_bit), 0, LAY(black_bit) | LAY(white_bits)};
  size_t i;
  (void)unused;
  for (i = 0; i < 2 * sizeof colours / sizeof *colours; i++) {
    char *to, old;
    if (i % 2) push_items(4);
    else push_members(4);
    lua_createtable(L, i % 2 ? 4 : 0, i % 2 ? 0 : 4);
    to = table_at(TO), old = to[LAY(marked)];
    to[LAY(marked)] = (char)((old & ~(LAY(white_bits) | LAY(black_bit))) | (int)colours[i / 2]);
    assert_false(i % 2 ? copy->items(to, table_at(FROM), 4) : copy->members(to, table_at(FROM)));
    to[LAY(marked)] = old;
    assert_true(is_empty(TO));
    assert_true(i % 2 ? copy->items(to, table_at(FROM), 4) : copy->members(to, table_at(FROM)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_are_copied),          cmocka_unit_test(other_items_are_refused),
      cmocka_unit_test(members_are_copied),        cmocka_unit_test(metamethods_are_found),
      cmocka_unit_test(other_members_are_refused), cmocka_unit_test(tables_that_are_not_white_are_refused),
  };
  return cmocka_run_group_tests_name("copies", tests, open_state, close_state);
}
