/* SPDX-License-Identifier: MIT
** probe.c -- the proof of a layout: its verdict, what it leaves behind, and what it does without memory. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include <lua.h>
#include <lualib.h>

#include "layout/probe.h"

#ifdef LUA_JITLIBNAME
#define EXPECTED "luajit"
#elif LUA_VERSION_NUM == 501
#define EXPECTED "lua5.1"
#elif LUA_VERSION_NUM == 502
#define EXPECTED "lua5.2"
#elif LUA_VERSION_NUM == 503
#define EXPECTED "lua5.3"
#elif LUA_VERSION_NUM == 504
#define EXPECTED "lua5.4"
#else
#define EXPECTED "lua5.5"
#endif

/* A host's allocation function with books: bytes and blocks out, and the largest block it grants. */
struct books {
  size_t bytes, blocks, calls, largest;
};

static void *counted(void *ud, void *block, size_t old_size, size_t size) {
  struct books *b = (struct books *)ud;
  void *moved;
  b->calls++;
  if (block == NULL) old_size = 0;
  if (size == 0) {
    b->bytes -= old_size, b->blocks -= block != NULL;
    free(block);
    return NULL;
  }
  if (size > old_size && size > b->largest) return NULL;
  moved = realloc(block, size);
  if (moved != NULL) b->bytes += size - old_size, b->blocks += block == NULL;
  return moved;
}

static lua_State *open_state(struct books *b) {
  lua_State *L;
  memset(b, 0, sizeof *b);
  b->largest = (size_t)-1;
  L = PROBE_NEWSTATE(counted, b);
  assert_non_null(L);
  lua_gc(L, LUA_GCSTOP, 0);
  lua_pushlightuserdata(L, NULL);
  lua_pop(L, 1);
  return L;
}

/* Both halves. */
static struct probe_verdict probe_both(lua_State *L) {
  struct probe_verdict v = probe_layout(L);
  probe_writing(L, &v);
  return v;
}

static void proves_and_leaves_nothing(void **unused) {
  struct books b, before;
  lua_State *L = open_state(&b);
  struct probe_verdict v;
  int i;
  (void)unused;
  before = b;
  for (i = 0; i < 3; i++) {
    v = probe_layout(L);
    assert_null(v.failed);
    assert_string_equal(v.write_failed, "not proven");
    probe_writing(L, &v);
    assert_null(v.write_failed);
    assert_string_equal(v.facts->name, EXPECTED);
    assert_int_equal(probe_boxes(L, v.facts, PROBE_BOXES_ROOM), strcmp(EXPECTED, "luajit") == 0);
    assert_int_equal(lua_gettop(L), 0);
    assert_int_equal(b.bytes, before.bytes);
    assert_int_equal(b.blocks, before.blocks);
  }
  assert_int_equal(b.calls, before.calls + (strcmp(EXPECTED, "luajit") == 0 ? 6 : 4) * 3);
  assert_true(probe_numbers(L));
  assert_int_equal(lua_gettop(L), 0);
  lua_close(L);
  assert_int_equal(b.bytes, 0);
}

/* The same with libraries open, from inside a coroutine with a stack that is nearly full. */
static int in_coroutine(lua_State *L) {
  int top;
  struct probe_verdict v;
  while (lua_gettop(L) < 18) lua_pushnil(L);
  top = lua_gettop(L);
  v = probe_layout(L);
  lua_pushboolean(L, v.facts != NULL && lua_gettop(L) == top);
  return 1;
}

static void proves_in_a_coroutine(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  (void)unused;
  luaL_openlibs(L);
  lua_pushcfunction(L, in_coroutine);
  lua_setglobal(L, "probe");
  assert_int_equal(luaL_dostring(L, "return coroutine.wrap(function() return (probe()) end)()"), 0);
  assert_true(lua_toboolean(L, -1));
  lua_close(L);
}

/* LuaJIT numbers the upper bits of light userdata in the order they are met. */
static void null_is_the_word_of_this_state(void **unused) {
  struct books b;
  lua_State *L;
  struct probe_verdict v;
  int i;
  (void)unused;
  memset(&b, 0, sizeof b);
  b.largest = (size_t)-1;
  L = PROBE_NEWSTATE(counted, &b);
  for (i = 1; i < 4; i++) {
    lua_pushlightuserdata(L, (void *)((uintptr_t)i << 40));
    lua_pop(L, 1);
  }
  v = probe_layout(L);
  assert_non_null(v.facts);
  lua_pushlightuserdata(L, NULL);
  assert_true(fl_load64(fl_load_ptr((const char *)L + v.facts->stack_top) - v.facts->slot) == v.null_word);
  lua_close(L);
}

static void host_may_refuse_memory(void **unused) {
  struct books b, before;
  lua_State *L = open_state(&b);
  struct probe_verdict v;
  (void)unused;
  before = b;
  b.largest = 4096;
  v = probe_both(L);
  assert_null(v.facts);
  assert_string_equal(v.failed, "memory");
  assert_non_null(v.write_failed);
  b.largest = (size_t)-1;
  assert_int_equal(b.bytes, before.bytes);
  v = probe_layout(L);
  assert_non_null(v.facts);
  b.largest = 4096;
  probe_writing(L, &v);
  assert_non_null(v.facts);
  assert_string_equal(v.write_failed, "memory");
  assert_int_equal(b.bytes, before.bytes);
  b.largest = (size_t)-1;
  probe_writing(L, &v);
  assert_null(v.write_failed);
  lua_close(L);
}

/* What a private state needs before anything is done in it. */
static size_t newborn_bytes(size_t bytes) {
  struct lay_arena a;
  char *memory = (char *)malloc(bytes);
  size_t used;
  lua_State *L;
  lay_arena_open(&a, memory, bytes);
  L = PROBE_NEWSTATE(lay_arena_alloc, &a);
  used = (size_t)(a.next - memory);
  assert_non_null(L);
  lua_close(L);
  free(memory);
  return used;
}

/* Every arena that is too small fails somewhere else, and says so. What is given is enough with room to
** spare, and thrice what lua_newstate needs: LuaJIT up to 2022 crashes where that is refused memory. */
static void any_arena_is_survived(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  size_t before = b.bytes, enough = 0, written = 0, boxed = 0, given = 0, bytes = 0, newborn;
  const struct lay_facts *facts = probe_layout(L).facts;
  (void)unused;
#define SIZE(layout, kilobytes) \
  if (facts == &layout##_facts) given = (size_t)(kilobytes)*1024;
  LAYOUTS(SIZE)
  newborn = newborn_bytes(given);
  assert_true(given / 3 >= newborn);
  if (strcmp(EXPECTED, "luajit") == 0) bytes = newborn + 64;
  for (; bytes <= given; bytes += bytes < 1024 ? 8 : 72) {
    const char *failed = NULL, *write_failed = NULL;
#define PROVE(layout, kilobytes)                                                 \
  if (facts == &layout##_facts) {                                                \
    failed = probe_prove(L, &layout##_facts, layout##_prove_all, bytes);         \
    write_failed = probe_prove(L, &layout##_facts, layout##_prove_write, bytes); \
  }
    LAYOUTS(PROVE)
    if (failed != NULL) assert_string_equal(failed, "memory");
    if (failed != NULL) enough = bytes; /* hashes are seeded, so the need varies a little */
    if (write_failed != NULL) assert_string_equal(write_failed, "memory");
    if (write_failed != NULL) written = bytes;
    if (strcmp(EXPECTED, "luajit") == 0 && !probe_boxes(L, facts, bytes)) boxed = bytes;
    assert_int_equal(b.bytes, before);
  }
  assert_in_range(enough, newborn, given * 3 / 4);
  assert_in_range(written, newborn, given * 3 / 4);
  if (strcmp(EXPECTED, "luajit") == 0) assert_in_range(boxed, newborn, PROBE_BOXES_ROOM * 3 / 4);
  else assert_int_equal(boxed, 0);
  print_message(
      "# %s: lua_newstate takes %u bytes, the proof of reading %u, of writing %u, of boxes %u, given are %u\n",
      EXPECTED, (unsigned)newborn, (unsigned)enough, (unsigned)written, (unsigned)boxed, (unsigned)given);
  lua_close(L);
}

static void environment_forces_the_api(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  struct probe_verdict v;
  (void)unused;
  setenv("FLEECE_LAYOUT", "api", 1);
  v = probe_both(L);
  unsetenv("FLEECE_LAYOUT");
  assert_null(v.facts);
  assert_string_equal(v.failed, "FLEECE_LAYOUT=api");
  assert_non_null(v.write_failed);
  lua_close(L);
}

/* The samples: a table has values of all these kinds, in each of two runs of eight, and keys of all but nil. */
static void samples_are_of_every_kind(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  unsigned kinds = 0, booleans = 0;
  int i, long_strings = 0, short_strings = 0, integers = 0, fractions = 0, negative = 0, top;
  (void)unused;
  for (i = 0; i < 16; i++) {
    top = lua_gettop(L);
    prove_push_value(L, i);
    assert_int_equal(lua_gettop(L), top + 1);
    kinds |= 1u << lua_type(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER) {
      const int is_integer = lua_tonumber(L, -1) == (lua_Number)lua_tointeger(L, -1);
      integers += is_integer, fractions += !is_integer;
    }
    if (lua_type(L, -1) == LUA_TBOOLEAN) booleans |= 1u << lua_toboolean(L, -1);
    if (i % 8 == 7) {
      assert_int_equal(kinds, 1u << LUA_TNIL | 1u << LUA_TBOOLEAN | 1u << LUA_TLIGHTUSERDATA | 1u << LUA_TNUMBER |
                                  1u << LUA_TSTRING | 1u << LUA_TTABLE | 1u << LUA_TFUNCTION);
      kinds = 0;
    }
  }
  assert_int_equal(booleans, 3);
  assert_true(integers > 0 && fractions > 0);
  lua_settop(L, 0);
  integers = fractions = 0;
  lua_newtable(L);
  for (i = 0; i < 8; i++) { /* no two are equal */
    prove_push_key(L, i);
    assert_int_equal(lua_gettop(L), 2);
    kinds |= 1u << lua_type(L, -1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t n = 0;
      (void)lua_tolstring(L, -1, &n);
      long_strings += n > 40, short_strings += n <= 40; /* LUAI_MAXSHORTLEN */
    }
    if (lua_type(L, -1) == LUA_TNUMBER) {
      const int is_integer = lua_tonumber(L, -1) == (lua_Number)lua_tointeger(L, -1);
      integers += is_integer, fractions += !is_integer, negative += lua_tonumber(L, -1) < 0;
    }
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    assert_true(lua_isnil(L, -1));
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, 1);
  }
  assert_int_equal(kinds, 1u << LUA_TBOOLEAN | 1u << LUA_TLIGHTUSERDATA | 1u << LUA_TNUMBER | 1u << LUA_TSTRING |
                              1u << LUA_TTABLE);
  assert_true(long_strings > 0 && short_strings > 0 && integers > 0 && fractions > 0 && negative > 0);
  lua_close(L);
}

static const char *does_not_fit(lua_State *L, const struct lay_arena *a) { return (void)L, (void)a, "it does not fit"; }

static const char *does_not_fit_without_memory(lua_State *L, const struct lay_arena *a) {
  void *ud;
  const lua_Alloc alloc = lua_getallocf(L, &ud);
  assert_ptr_equal(ud, a);
  assert_null(alloc(ud, NULL, 0, (size_t)1 << 30));
  return "it does not fit";
}

static const char *raises(lua_State *L, const struct lay_arena *a) { return (void)a, lua_error(L), NULL; }

/* What a step says is the result, unless the arena was too small: then the layout may fit all the same. */
static void want_of_memory_is_told_apart(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  const struct lay_facts *facts = probe_layout(L).facts;
  const size_t before = b.bytes;
  (void)unused;
  assert_non_null(facts);
  assert_string_equal(probe_prove(L, facts, does_not_fit, PROBE_BOXES_ROOM), "it does not fit");
  assert_string_equal(probe_prove(L, facts, does_not_fit_without_memory, PROBE_BOXES_ROOM), "memory");
  assert_string_equal(probe_prove(L, facts, raises, PROBE_BOXES_ROOM), "error");
  assert_int_equal(lua_gettop(L), 0);
  assert_int_equal(b.bytes, before);
  lua_close(L);
}

/* What the arena says of addresses that are none of its blocks. */
static void arena_knows_its_blocks(void **unused) {
  char *memory = (char *)malloc(1024), *p, *q, *r;
  struct lay_arena a;
  (void)unused;
  lay_arena_open(&a, memory + 3, 1024 - 3);
  p = (char *)lay_arena_alloc(&a, NULL, 4, 40);
  q = (char *)lay_arena_alloc(&a, NULL, 0, 1);
  assert_int_equal(lay_arena_block(&a, p), 40);
  assert_int_equal(lay_arena_block(&a, q), 1);
  assert_int_equal(lay_arena_block(&a, p + 16), 0);
  assert_int_equal(lay_arena_block(&a, p + 1), 0);
  assert_int_equal(lay_arena_block(&a, NULL), 0);
  assert_int_equal(lay_arena_block(&a, a.base), 0);
  assert_int_equal(lay_arena_block(&a, a.next), 0);
  assert_int_equal(lay_arena_block(&a, a.end + 4096), 0);
  assert_false(lay_arena_has(&a, a.next, 1));
  assert_false(lay_arena_has(&a, p, (size_t)-1));
  memset(p, 7, 40);
  r = (char *)lay_arena_alloc(&a, p, 40, 80);
  assert_int_equal(lay_arena_block(&a, r), 80);
  assert_int_equal(r[39], 7);
  assert_ptr_equal(lay_arena_alloc(&a, r, 80, 10), r);
  assert_int_equal(lay_arena_block(&a, r), 10);
  assert_null(lay_arena_alloc(&a, r, 10, 0));
  assert_false(a.exhausted);
  assert_null(lay_arena_alloc(&a, NULL, 0, (size_t)-1));
  assert_null(lay_arena_alloc(&a, NULL, 0, 1024));
  assert_true(a.exhausted);
  free(memory);
}

/* Blocks are aligned, apart and filled; what fits exactly is given, and a byte more is not. */
static void arena_gives_what_fits(void **unused) {
  enum { BYTES = 4096, HEAD = 16 };
  char *memory = (char *)malloc(BYTES + HEAD), *aligned, *p, *end;
  struct {
    uint64_t size, self;
  } head;
  struct lay_arena a;
  size_t size, i;
  (void)unused;
  assert_non_null(memory);
  aligned = memory + (HEAD - (size_t)((uintptr_t)memory % HEAD)) % HEAD;
  memset(&a, 0xFF, sizeof a);
  lay_arena_open(&a, aligned, BYTES);
  assert_ptr_equal(a.base, aligned);
  assert_null(a.awaited);
  for (size = 1, end = aligned; size <= 48; size++) {
    p = (char *)lay_arena_alloc(&a, NULL, 0, size);
    assert_int_equal((uintptr_t)p % HEAD, 0);
    assert_true(p >= end + HEAD);
    for (i = 1; i < size; i++) assert_int_equal(p[i], p[0]);
    assert_int_not_equal(p[0], 0);
    assert_int_equal(lay_arena_block(&a, p), size);
    assert_ptr_equal(lay_arena_alloc(&a, p, size, size), p);
    memset(p, 0, size);
    end = p + size;
  }
  assert_true(lay_arena_has(&a, a.base, 1) && lay_arena_has(&a, a.next, 0) && lay_arena_has(&a, a.next - 1, 1));
  assert_false(lay_arena_has(&a, a.base - 1, 1) || lay_arena_has(&a, a.next - 1, 2) ||
               lay_arena_has(&a, a.next + 1, 0));
  /* what looks like the head of a block, but says more bytes than there are, or is that of another place */
  p = (char *)lay_arena_alloc(&a, NULL, 0, 64);
  head.size = BYTES, head.self = (uint64_t)(uintptr_t)(p + 32);
  memcpy(p + HEAD, &head, sizeof head);
  assert_int_equal(lay_arena_block(&a, p + 32), 0);
  head.size = 16;
  memcpy(p + HEAD, &head, sizeof head);
  assert_int_equal(lay_arena_block(&a, p + 32), 16);
  assert_int_equal(lay_arena_block(&a, p + 31), 0);
  head.self++;
  memcpy(p + HEAD, &head, sizeof head);
  assert_int_equal(lay_arena_block(&a, p + 32), 0);
  lay_arena_open(&a, aligned, BYTES);
  assert_null(lay_arena_alloc(&a, NULL, 0, BYTES - 2 * HEAD + 1));
  assert_true(a.exhausted);
  lay_arena_open(&a, aligned, BYTES);
  assert_false(a.exhausted);
  assert_ptr_equal(lay_arena_alloc(&a, NULL, 0, BYTES - 2 * HEAD), aligned + HEAD);
  assert_false(a.exhausted);
  assert_null(lay_arena_alloc(&a, NULL, 0, 1));
  for (size = 1; size <= HEAD; size++) { /* the same in an arena for one small block */
    lay_arena_open(&a, aligned, 2 * HEAD + size - 1);
    assert_null(lay_arena_alloc(&a, NULL, 0, size));
    lay_arena_open(&a, aligned, 2 * HEAD + size);
    assert_ptr_equal(lay_arena_alloc(&a, NULL, 0, size), aligned + HEAD);
  }
  free(memory);
}

#if LUA_VERSION_NUM >= 502
static int need_slots(lua_State *L) { return compat_need_stack(L, (int)lua_tointeger(L, 1)), 0; }

/* Does the call for so many slots fail with this message? */
static void fails_with(lua_State *L, int slots, const char *message) {
  lua_pushcfunction(L, need_slots);
  lua_pushinteger(L, slots);
  assert_int_not_equal(lua_pcall(L, 1, 0, 0), 0);
  assert_non_null(strstr(lua_tostring(L, -1), message));
  lua_settop(L, 0);
}

/* The stack may have a million slots of 16 bytes: is it too large, or is there no memory for it? */
static void want_of_slots_is_told_apart(void **unused) {
  struct books b;
  lua_State *L = open_state(&b);
  (void)unused;
  fails_with(L, 2000000, "stack overflow");
  b.largest = 4000000;
  fails_with(L, 900000, "not enough memory");
  b.largest = (size_t)-1;
  lua_pushcfunction(L, need_slots);
  lua_pushinteger(L, 900000);
  assert_int_equal(lua_pcall(L, 1, 0, 0), 0);
  lua_close(L);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arena_knows_its_blocks),
    cmocka_unit_test(arena_gives_what_fits),
    cmocka_unit_test(proves_and_leaves_nothing),
    cmocka_unit_test(proves_in_a_coroutine),
    cmocka_unit_test(null_is_the_word_of_this_state),
    cmocka_unit_test(host_may_refuse_memory),
    cmocka_unit_test(any_arena_is_survived),
    cmocka_unit_test(environment_forces_the_api),
    cmocka_unit_test(samples_are_of_every_kind),
    cmocka_unit_test(want_of_memory_is_told_apart),
#if LUA_VERSION_NUM >= 502
    cmocka_unit_test(want_of_slots_is_told_apart),
#endif
  };
  return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
