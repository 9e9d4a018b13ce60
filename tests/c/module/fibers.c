/* SPDX-License-Identifier: MIT
** fibers.c -- many fibers of one Lua state, each with a C stack and a Lua thread, as a host like Tarantool has them: functions of
** the program that Fleece calls give way to other fibers (lua/support/fibers.lua). More of them wait in hooks at the same
** time than hooks may be nested.
** Linked with src/fleece.c. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

#ifdef __GLIBC__
#include <ucontext.h>

int luaopen_fleece(lua_State *L);

enum { FIBERS = 200, ROUNDS = 24, STACK = 512 * 1024 };

static struct {
  ucontext_t context;
  lua_State *L;
  int ended;
} fibers[FIBERS];
static ucontext_t scheduler;
static int current, failed;

static int give_way(lua_State *L) {
  (void)L;
  swapcontext(&fibers[current].context, &scheduler);
  return 0;
}

static void run_fiber(void) {
  lua_State *L = fibers[current].L;
  if (lua_pcall(L, 2, 1, 0) != 0 || lua_tostring(L, -1)[0] != 0) {
    fprintf(stderr, "fibers: fiber %d: %s\n", current, lua_tostring(L, -1));
    failed = 1;
  }
  fibers[current].ended = 1;
  swapcontext(&fibers[current].context, &scheduler);
}

static const char prepare[] = "local open, give_way = ...\n"
                              "local fleece = open().new { metamethods = 'serialize' }\n"
                              "return dofile 'tests/lua/support/fibers.lua'.prepare(fleece, give_way)\n";

int main(void) {
  lua_State *L = luaL_newstate();
  int left = FIBERS;
  uint64_t random = 7;
  unsigned long switches = 0;
  luaL_openlibs(L);
  if (luaL_loadstring(L, prepare) != 0) return fprintf(stderr, "fibers: %s\n", lua_tostring(L, -1)), 1;
  lua_pushcfunction(L, luaopen_fleece);
  lua_pushcfunction(L, give_way);
  if (lua_pcall(L, 2, 1, 0) != 0) return fprintf(stderr, "fibers: %s\n", lua_tostring(L, -1)), 1;
  luaL_checkstack(L, FIBERS + 2, "fibers");
  for (int i = 0; i < FIBERS; i++) {
    fibers[i].L = lua_newthread(L); /* stays on the stack */
    lua_pushvalue(L, 1);
    lua_xmove(L, fibers[i].L, 1);
    lua_pushinteger(fibers[i].L, i);
    lua_pushinteger(fibers[i].L, ROUNDS);
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack.ss_sp = malloc(STACK);
    fibers[i].context.uc_stack.ss_size = STACK;
    if (!fibers[i].context.uc_stack.ss_sp) return 1;
    makecontext(&fibers[i].context, run_fiber, 0);
  }
  while (left > 0) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    current = (int)((random >> 33) % FIBERS);
    while (fibers[current].ended) current = (current + 1) % FIBERS;
    swapcontext(&scheduler, &fibers[current].context);
    left -= fibers[current].ended;
    switches++;
  }
  for (int i = 0; i < FIBERS; i++) free(fibers[i].context.uc_stack.ss_sp);
  lua_close(L);
  if (!failed) printf("fibers: ok, %lu switches\n", switches);
  return failed;
}
#else
int main(void) {
  printf("SKIPPED: this system: makecontext is glibc's\n");
  return 77;
}
#endif
