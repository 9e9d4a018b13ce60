/* SPDX-License-Identifier: MIT
** probe_refuses.c -- do the comparisons of a layout's proof refuse what differs? One byte at a time is made wrong: of a
** slot, of a table, of its items and nodes, of what the arena knows of a block. (tests/mismatch makes the layout wrong.) */
#undef FLEECE_APART /* its functions are static */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include <lua.h>
#include <lualib.h>

#include "layout/lua_compat/api.c"
#include "layout/arena.c"
#include "layout/probe.c"

#if defined(LUA_JITLIBNAME)
#define LAY(name) FL_PASTE(LAYOUT_2, name)
#else
#define LAY(name) FL_PASTE(LAYOUT_1, name)
#endif

enum { BYTES = 256 * 1024, ITEMS = 5, NAMES = 6 };

static struct lay_arena arena;
static lua_State *L;

static int open_state(void **unused) {
  char *memory = (char *)calloc(1, BYTES);
  if (!memory) return -1;
  lay_arena_open(&arena, memory, BYTES);
  L = PROBE_NEWSTATE(lay_arena_alloc, &arena);
  if (L) lua_gc(L, LUA_GCSTOP, 0);
  return (void)unused, L ? 0 : -1;
}

static char *table_at(int index) { return (char *)(uintptr_t)lua_topointer(L, index); }

/* Leaves two tables that the core has filled alike, with items or with members. */
static void push_twins(int members) {
  int i, k;
  lua_settop(L, 0);
  for (k = 0; k < 2; k++) {
    lua_createtable(L, members ? 0 : ITEMS, members ? NAMES : 0);
    for (i = 1; i <= (members ? NAMES : ITEMS); i++) {
      lua_pushlstring(L, &"abcdefghij"[i], 2);
      lua_pushinteger(L, i);
      if (members) {
        lua_rawset(L, -3);
      } else {
        lua_rawseti(L, -3, i);
        lua_pop(L, 1);
      }
    }
  }
}

/* With one byte of `part` wrong the tables are no twins. */
static void refuses_each(const char *r, char *t, uint64_t chain, char *part, size_t bytes, const char *what) {
  size_t i;
  for (i = 0; i < bytes; i++) {
    part[i] = (char)(part[i] ^ 0x21);
    if (LAY(is_twin)(r, t, chain)) fail_msg("%s: byte %d may differ", what, (int)i);
    part[i] = (char)(part[i] ^ 0x21);
  }
  assert_true(LAY(is_twin)(r, t, chain));
}

static void twins(void **unused) {
  int members;
  for (members = 0; members < 2; members++) {
    char *r, *t;
    uint64_t chain;
    size_t word;
    push_twins(members);
    r = table_at(1), t = table_at(2);
    chain = fl_load64(t);
    assert_true(LAY(is_twin)(r, t, chain));
    assert_false(LAY(is_twin)(r, t, chain + 1));
    for (word = 8; word < LAY(facts).table_bytes; word += 8) /* but for the addresses of its parts */
      if (word != LAY(facts).table_array && word != LAY(facts).table_nodes)
        refuses_each(r, t, chain, t + word, 8, "table");
    if (members) { /* the word after the table is not its own */
      fl_store64(t + word, ~fl_load64(t + word));
      assert_true(LAY(is_twin)(r, t, chain));
      fl_store64(t + word, ~fl_load64(t + word));
    }
    if (members) {
      char *nodes = (char *)(uintptr_t)LAY(nodes)(t);
      size_t i, live = 0;
      for (i = 0; i < LAY(node_count)(t); i++) {
        char *node = nodes + i * LAY(node_bytes);
        if (LAY(node_is_nil)(node)) continue;
        live++;
        refuses_each(r, t, chain, node, 8, "value");
      }
      assert_int_equal(live, NAMES);
    } else {
      char item[16], slot[16];
      size_t i;
      memset(item, 0, sizeof item), memset(slot, 0, sizeof slot);
      for (i = 0; i < ITEMS; i++) {
        LAY(put_value)(item, LAY(array_item)(LAY(array)(t), i));
        LAY(put_number)(slot, 0.5);
        LAY(put_item)(t, i, slot);
        assert_false(LAY(is_twin)(r, t, chain));
        LAY(put_item)(t, i, item);
        assert_true(LAY(is_twin)(r, t, chain));
      }
    }
  }
  (void)unused;
}

static void slots(void **unused) {
  char room[48];
  size_t i;
  memset(room, 0xA5, sizeof room);
  for (i = 0; i < sizeof room; i++) {
    const int is_value = i >= 16 && i < 16 + LAY(slot_bytes);
    lua_settop(L, 0);
    lua_pushnumber(L, 1.25);
    LAY(put_number)(room + 16, 1.25);
    if (i < 24 || !is_value) { /* the rest of a slot is its tag, of which some Luas use a part */
      room[i] = (char)(room[i] ^ 0x21);
      if (LAY(slot_fits)(L, room)) fail_msg("byte %d may differ", (int)i);
      lua_pushnumber(L, 1.25), LAY(put_number)(room + 16, 1.25);
    }
    assert_true(LAY(slot_fits)(L, room));
    assert_int_equal(lua_gettop(L), 0);
  }
  (void)unused;
}

/* A block of another size than the fields of the table say. */
static void blocks(void **unused) {
  const char *dummy;
  int members;
  lua_settop(L, 0);
  lua_newtable(L);
  dummy = LAY(nodes)(table_at(1));
  assert_false(LAY(blocks_fit)(&arena, table_at(1), NULL));
  for (members = 0; members < 2; members++) {
    char *t, *block[2], *self;
    size_t i;
    int by;
    push_twins(members);
    t = table_at(1);
    assert_true(LAY(blocks_fit)(&arena, t, dummy));
    block[0] = t;
    block[1] = members ? (char *)(uintptr_t)LAY(nodes)(t) : (char *)(uintptr_t)LAY(array)(t);
    for (i = 0; i < 2; i++) {
      for (self = block[i]; lay_arena_block(&arena, self) == 0; self--)
        if (block[i] - self > 1000) break; /* LuaJIT: with the table */
      if (block[i] - self > 1000) continue;
      for (by = -1; by <= 1; by += 2) {
        const uint64_t size = fl_load64(self - 16);
        fl_store64(self - 16, size + (uint64_t)by);
#if defined(LUA_JITLIBNAME)
        if (self != t || by < 0) /* small arrays are in the block of the table, which may be larger */
#endif
          assert_false(LAY(blocks_fit)(&arena, t, dummy));
        fl_store64(self - 16, size);
      }
    }
    assert_true(LAY(blocks_fit)(&arena, t, dummy));
  }
  (void)unused;
}

/* Names that are not those of the table; a chain that leads elsewhere, or nowhere. */
static void chains(void **unused) {
  struct lay_member m[NAMES];
  uint32_t free_at;
  const char *slots;
  char *t, *nodes, *node;
  size_t i, j, n = 0;
  push_twins(1);
  t = table_at(1), nodes = (char *)(uintptr_t)LAY(nodes)(t);
  lua_settop(L, 1);
  for (i = 1; i <= NAMES; i++) lua_pushlstring(L, &"abcdefghij"[i], 2);
  slots = LAY(top)(L) - NAMES * LAY(slot_bytes);
  assert_true(LAY(learn)(&arena, t, slots, NAMES, m, &free_at));
  assert_false(LAY(learn)(&arena, t, slots, NAMES - 1, m, &free_at));
  assert_false(LAY(learn)(&arena, t, slots + LAY(slot_bytes), NAMES - 1, m, &free_at));
  assert_true(LAY(learn)(&arena, t, slots, NAMES, m, &free_at));
  for (i = 0; i < NAMES; i++) {
    node = nodes + m[i].at;
    assert_true(LAY(pointer)(LAY(node_key)(node)) == LAY(pointer)(LAY(slot)(slots + i * LAY(slot_bytes))));
    assert_int_equal(m[i].next, LAY(node_next)(node));
    assert_true(m[i].key == (uint64_t)(uintptr_t)LAY(pointer)(LAY(node_key)(node)));
  }
  assert_true(LAY(chains_lead)(t));
  for (i = 0; i < NAMES; i++)
    for (j = 0; j < NAMES; j++) { /* a chain that skips a node does not lead to it */
      if (m[i].next == 0 || m[j].at != m[i].at + (uint32_t)(m[i].next * LAY(node_bytes))) continue;
      char keep[64];
      struct lay_member cut = m[i];
      memcpy(keep, nodes + m[i].at, LAY(node_bytes));
      cut.next = 0;
      LAY(put_member)(nodes, &cut, keep);
      assert_false(LAY(chains_lead)(t));
      memcpy(nodes + m[i].at, keep, LAY(node_bytes));
      assert_true(LAY(chains_lead)(t));
      n++;
    }
  (void)unused, (void)n;
}

/* What a number, a string, a table look like, and what not. */
static void kinds(void **unused) {
  const char *foreign = "foreign";
  lua_settop(L, 0);
  lua_pushnumber(L, 1.5);
  assert_false(LAY(pushed_is)(L, PROVE_FLOAT, prove_bits(2.5)));
  assert_int_equal(lua_gettop(L), 0);
  lua_pushnumber(L, 1.5);
  assert_false(LAY(pushed_is)(L, PROVE_TABLE, prove_bits(1.5)));
#if !defined(LUA_JITLIBNAME) /* its light userdata has 47 bits */
  lua_pushlightuserdata(L, (void *)(uintptr_t)prove_bits(1.5));
  assert_false(LAY(pushed_is)(L, PROVE_FLOAT, prove_bits(1.5)));
#endif
  lua_newtable(L);
  assert_true(LAY(same)(LAY(pushed)(L, 1), LAY(pushed)(L, 1)));
  lua_newtable(L);
  assert_false(LAY(same)(LAY(pushed)(L, 1), LAY(pushed)(L, 2)));
  lua_pushboolean(L, 0);
  lua_pushnil(L);
  lua_pushboolean(L, 1);
  assert_false(LAY(same)(LAY(pushed)(L, 1), LAY(pushed)(L, 2)));
  assert_false(LAY(same)(LAY(pushed)(L, 2), LAY(pushed)(L, 3)));
  assert_false(LAY(same)(LAY(pushed)(L, 1), LAY(pushed)(L, 3)));
  lua_settop(L, 0);
  lua_newtable(L);
  assert_false(LAY(pushed_is)(L, PROVE_TABLE, 16));
  lua_pushliteral(L, "six by");
  assert_false(LAY(string_fits)(L, &arena, 5, NULL));
  lua_pushliteral(L, "six by");
  assert_false(LAY(string_fits)(L, &arena, 6, foreign));
  lua_pushliteral(L, "six by");
  assert_true(LAY(string_fits)(L, &arena, 6, NULL));
  lua_newtable(L);
  assert_false(LAY(string_fits)(L, &arena, 6, foreign));
  assert_int_equal(lua_gettop(L), 0);
  (void)unused;
}

/* What the debugger's commands take from the facts is what the readers read. */
static void facts(void **unused) {
  const struct lay_facts *f = &LAY(facts);
  const char *t, *object;
  size_t length;
  push_twins(1);
  lua_newtable(L);
  lua_setmetatable(L, 1);
  t = table_at(1);
  assert_true(LAY(metatable)(t) && fl_load_ptr(t + f->table_metatable) == LAY(metatable)(t));
  assert_true(fl_load_ptr(t + f->table_nodes) == LAY(nodes)(t));
  assert_int_equal(f->node_bytes, LAY(node_bytes));
  assert_int_equal(f->slot, LAY(slot_bytes));
#if defined(LUA_JITLIBNAME)
  assert_int_equal(fl_load32(t + f->table_node_count) + 1, LAY(node_count)(t));
#else
  assert_int_equal((size_t)1 << t[f->table_node_count], LAY(node_count)(t));
#endif
  push_twins(0);
  t = table_at(1);
#if defined(LUA_JITLIBNAME) /* key 0 is in it, too */
  assert_int_equal(fl_load32(t + f->table_array_size), LAY(array_size)(t) + 1);
  assert_true(fl_load_ptr(t + f->table_array) + f->slot == LAY(array)(t));
#else
  assert_int_equal(fl_load32(t + f->table_array_size), LAY(array_size)(t));
  assert_true(fl_load_ptr(t + f->table_array) == LAY(array)(t));
#endif
  lua_pushliteral(L, "bytes");
  object = LAY(pointer)(LAY(pushed)(L, 1));
  assert_true(object + f->string_header == LAY(string)(LAY(pushed)(L, 1), &length));
  assert_true(object + f->string_header == lua_tostring(L, -1));
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(twins),  cmocka_unit_test(slots), cmocka_unit_test(blocks),
                                     cmocka_unit_test(chains), cmocka_unit_test(kinds), cmocka_unit_test(facts)};
  return cmocka_run_group_tests_name("probe_refuses", tests, open_state, NULL);
}
