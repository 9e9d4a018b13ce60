/* SPDX-License-Identifier: MIT
** In the host's state the proof reads only memory that every known lua_State has (its first 48 bytes) and values
** that it has just pushed. Everything else is proven in a second, private state of the same core, whose memory is
** one arena. That state is closed at the end. */
#include "probe.h"

/* Static hosts and sandboxes may not have lua_newstate; the module can be loaded there, too. */
#if defined(__GNUC__) && defined(__ELF__)
#pragma weak lua_newstate
#define PROBE_HAS_NEWSTATE (lua_newstate != NULL)
#else
#define PROBE_HAS_NEWSTATE 1
#endif

FL_PRIVATE int prove_nothing(lua_State *L) {
  (void)L;
  return 0;
}

FL_PRIVATE void prove_push_value(lua_State *L, int i) {
  switch (i & 7) {
  case 0: lua_pushinteger(L, i); break;
  case 1: lua_pushnumber(L, i + 0.5); break;
  case 2: lua_pushboolean(L, i & 8); break;
  case 3: lua_pushliteral(L, "short"); break;
  case 4: lua_pushlightuserdata(L, NULL); break;
  case 5: lua_newtable(L); break;
  case 6: lua_pushnil(L); break;
  default: lua_pushcfunction(L, prove_nothing); break;
  }
}

FL_PRIVATE void prove_push_key(lua_State *L, int i) {
  switch (i) {
  case 0: lua_pushliteral(L, "short"); break;
  case 1: lua_pushinteger(L, (lua_Integer)1 << 50); break;
  case 2: lua_pushliteral(L, "a key that is longer than any string a core keeps only once"); break;
  case 3: lua_pushnumber(L, 0.5); break;
  case 4: lua_pushboolean(L, 1); break;
  case 5: lua_pushinteger(L, -3); break;
  case 6: lua_pushlightuserdata(L, NULL); break;
  default: lua_newtable(L); break;
  }
}

#if LUA_VERSION_NUM >= 505

FL_PRIVATE void *prove_keep(void *ud, void *block, size_t old_size, size_t size) {
  (void)ud, (void)block, (void)old_size, (void)size;
  return NULL;
}
#endif

#define PASTE "prove.h"
#include "each.h"

#if LUA_VERSION_NUM == 501
/* Boxed integers of LuaJIT, which the parser makes from literals without any library. */
static const char *probe_literals(lua_State *L, const struct lay_arena *a) {
  static const struct {
    uint16_t type;
    uint64_t value;
  } expected[] = {{11, 1}, {11, (uint64_t)-2}, {12, (uint64_t)1 << 63}};
  int i;
  if (luaL_loadstring(L, "return 1LL, -2LL, 9223372036854775808ULL") != 0) return "64-bit literals";
  lua_call(L, 0, 3);
  for (i = 0; i < 3; i++) {
    struct lay_value v = luajit_pushed(L, 3 - i);
    const char *p = luajit_pointer(v);
    if (v.tag != (uint32_t)-11 || lay_arena_block(a, p) != 24) return "cdata";
    if (fl_load16(p + 10) != expected[i].type || fl_load64(p + 16) != expected[i].value) return "cdata";
  }
  return NULL;
}
#endif

/* A private state, and what runs in it. */
struct probe_room {
  struct lay_arena arena;
  lua_Alloc alloc; /* the host's */
  void *alloc_ud;
  char *memory;
  size_t bytes;
  lua_State *L;
  probe_body *body;
  const char *failed;
};

static int probe_enter(lua_State *L) {
  struct probe_room *room = (struct probe_room *)lua_touserdata(L, 1);
  lua_settop(L, 0);
  room->failed = room->body(L, &room->arena);
  return 0;
}

/* Runs `body` in the private state and catches its errors. */
static const char *probe_run(struct probe_room *room, probe_body *body) {
  int status;
  room->body = body;
#if LUA_VERSION_NUM == 501
  status = lua_cpcall(room->L, probe_enter, room);
#else
  lua_pushcfunction(room->L, probe_enter);
  lua_pushlightuserdata(room->L, room);
  status = lua_pcall(room->L, 1, 0, 0);
#endif
  if (status == LUA_ERRMEM) return "memory";
  return status != 0 ? "error" : room->failed;
}

/* Returns whether the word that should be the top of the stack moves by one slot with each push. Every lua_State has 48
** bytes, and no other word in them moves like this. Two free slots are needed. */
static int probe_top(lua_State *L, const struct lay_facts *facts) {
  const char *word = (const char *)L + facts->stack_top;
  uint64_t top[3];
  top[0] = fl_load64(word);
  lua_pushnil(L);
  top[1] = fl_load64(word);
  lua_pushnil(L);
  top[2] = fl_load64(word);
  lua_pop(L, 2);
  return top[1] - top[0] == facts->slot && top[2] - top[1] == facts->slot;
}

/* Runs `body`, if the private state has its stack inside the arena and its top where the host's state has it. */
static const char *probe_private(struct probe_room *room, const struct lay_facts *facts, probe_body *body) {
  const char *state = (const char *)room->L;
  if (!lay_arena_has(&room->arena, state, 48) || !probe_top(room->L, facts)) return "private stack";
  if (!lay_arena_has(&room->arena, fl_load_ptr(state + facts->stack_top), 0)) return "private stack";
  lua_gc(room->L, LUA_GCSTOP, 0);
  return probe_run(room, body);
}

/* Creates a private state, room->L, in `bytes` of memory. Returns NULL, or why that failed. The memory comes from the
** host's allocation function, so that it counts toward the host's limit. That function runs no collector and raises no
** error. */
static const char *probe_open_room(lua_State *L, struct probe_room *room, size_t bytes) {
  room->alloc = lua_getallocf(L, &room->alloc_ud);
  room->bytes = bytes + PROBE_SLACK;
  room->L = NULL;
  room->arena.exhausted = 0;
  room->memory = PROBE_HAS_NEWSTATE ? (char *)room->alloc(room->alloc_ud, NULL, 0, room->bytes) : NULL;
  if (room->memory == NULL) return PROBE_HAS_NEWSTATE ? "memory" : "no lua_newstate";
  /* Clear the memory: the block may be that of an earlier proof, whose contents must not count as written by this
  ** one. */
  memset(room->memory, 0, room->bytes);
  lay_arena_open(&room->arena, room->memory, bytes);
  room->L = PROBE_NEWSTATE(lay_arena_alloc, &room->arena);
  return room->L == NULL ? "memory" : NULL;
}

/* The private state has nothing outside the room's memory, so a state that ran out of memory need not be closed; LuaJIT
** 2.1 of 2022 could not close one with half of an FFI. A state that a wrong layout wrote to must not be closed. */
static void probe_close_room(struct probe_room *room, int is_sound) {
  if (room->L != NULL && !room->arena.exhausted && is_sound) lua_close(room->L);
  if (room->memory != NULL) room->alloc(room->alloc_ud, room->memory, room->bytes, 0);
}

FL_PRIVATE const char *probe_prove(lua_State *L, const struct lay_facts *facts, probe_body *body, size_t bytes) {
  struct probe_room room;
  const char *failed = probe_open_room(L, &room, bytes);
  if (failed == NULL) failed = probe_private(&room, facts, body);
  if (failed != NULL && room.arena.exhausted) failed = "memory";
  probe_close_room(&room, failed == NULL);
  return failed;
}

FL_PRIVATE struct probe_verdict probe_layout(lua_State *L) {
  struct probe_verdict verdict = {NULL, "stack top", "not proven", 0};
  const char *forced = getenv("FLEECE_LAYOUT"); /* for tests, comparison and emergencies */
  if (forced != NULL && strcmp(forced, "api") == 0) {
    verdict.failed = "FLEECE_LAYOUT=api";
    return verdict;
  }
  if (FLEECE_BIG_ENDIAN || sizeof(void *) != 8 || sizeof(lua_Number) != 8 || sizeof(lua_Integer) != 8) {
    verdict.failed = "platform";
    return verdict;
  }
  /* Layouts of one version look alike at first, so want of memory for one is the reason that is told. */
#define PROBE_TRY(layout, kilobytes)                                                                     \
  if (verdict.facts == NULL && strcmp(verdict.failed, "memory") != 0 && probe_top(L, &layout##_facts)) { \
    verdict.failed = layout##_prove_values(L, &verdict.null_word);                                       \
    if (verdict.failed == NULL)                                                                          \
      verdict.failed = probe_prove(L, &layout##_facts, layout##_prove_all, (size_t)(kilobytes)*1024);    \
    if (verdict.failed == NULL) verdict.facts = &layout##_facts;                                         \
  }
  LAYOUTS(PROBE_TRY)
#undef PROBE_TRY
  return verdict;
}

FL_PRIVATE void probe_writing(lua_State *L, struct probe_verdict *verdict) {
#define PROBE_TRY(layout, kilobytes)     \
  if (verdict->facts == &layout##_facts) \
    verdict->write_failed = probe_prove(L, &layout##_facts, layout##_prove_write, (size_t)(kilobytes)*1024);
  LAYOUTS(PROBE_TRY)
#undef PROBE_TRY
  (void)L, (void)verdict;
}

FL_PRIVATE int probe_boxes(lua_State *L, const struct lay_facts *facts, size_t bytes) {
  int proven = 0;
#if LUA_VERSION_NUM == 501
  struct probe_room room;
  if (facts != &luajit_facts && facts != &luajit_early_facts) return 0;
  proven = probe_open_room(L, &room, bytes) == NULL && probe_private(&room, facts, probe_literals) == NULL;
  probe_close_room(&room, 1);
#else
  (void)L, (void)facts, (void)bytes;
#endif
  return proven;
}

FL_PRIVATE int probe_numbers(lua_State *L) {
  lua_pushnumber(L, 0x1p1000);
  lua_pushnumber(L, 0.1);
  int same = lua_tonumber(L, -2) == 0x1p1000;
  same = lua_tonumber(L, -1) == 0.1 && same;
  lua_pop(L, 2);
  return same;
}
