/* SPDX-License-Identifier: MIT
** lua_alloc.h -- the frame of tests that let the n-th allocation fail, n = 1, 2, 3 ..., once and for good: nothing may
** leak, nothing may break, and the next call in the same state must give the right result.
** May call: lua_*, the luaopen_ functions.
** Must hold: before it, the test defines `script`, a chunk that gets a table of those functions by their names and
** at_close, to be called with AT_CLOSE once the state is closed and the library still works. It returns the number of
** bodies; a function that makes ready for body n, while nothing fails; and one that runs it and returns a text, the
** same in each state. Body 1 opens the library. The keys of tables are ordered differently in each state.
** With FLEECE_TEST_LONG=N in the environment one of N allocations fails, with 1 every one; without, the first 24 of each
** body and then one of each next 4 %: an eighth of the work of every one. FLEECE_TEST_ROUNDS=x: x times as many.
** Works on PUC Lua 5.1 to 5.5 and LuaJIT GC64. main leaves with 0 when all is well, 77 when the runtime refuses a
** custom allocator. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

#include "../../../include/fleece-lua.h"

/* Every block carries its size in front, so that a wrong old size given back by a caller is noticed. */
struct heap {
  long blocks;   /* alive */
  size_t bytes;  /* alive */
  long requests; /* growing requests since armed */
  long fail_at;  /* 0: never */
  int for_good;  /* fail all requests from fail_at on */
  int failed;    /* has one failed since armed? */
};

union block {
  size_t size;
  long double align;
  void *pointer[2];
};

enum { DONE = 2 }; /* exit code of a process in which no request was left to fail */

static void die(const char *what, const char *detail) {
  fprintf(stderr, "alloc: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
  exit(1);
}

static void *allocate(void *ud, void *ptr, size_t osize, size_t nsize) {
  struct heap *heap = (struct heap *)ud;
  union block *old = ptr ? (union block *)ptr - 1 : NULL, *new;
#ifndef LUA_JITLIBNAME
  /* LuaJIT itself breaks this rule: a closure whose upvalue cannot be had is freed as one without upvalues
  ** (lj_func.c: nupvalues stays 0 until all are made). */
  if (old && old->size != osize) die("a block is given back with another size than it was taken with", NULL);
#endif
  (void)osize;
  if (nsize == 0) {
    if (old) {
      heap->blocks--;
      heap->bytes -= old->size;
      free(old);
    }
    return NULL;
  }
  if ((!old || nsize > old->size) && heap->fail_at) { /* Lua counts on shrinking to succeed */
    heap->requests++;
    if (heap->requests == heap->fail_at || (heap->for_good && heap->requests > heap->fail_at)) {
      heap->failed = 1;
      return NULL;
    }
  }
  new = (union block *)malloc(sizeof(union block) + nsize); /* always moves: stale pointers show under ASan */
  if (!new) die("the test itself ran out of memory", NULL);
  if (old) {
    memcpy(new + 1, ptr, old->size < nsize ? old->size : nsize);
    heap->bytes -= old->size;
    heap->blocks--;
    free(old);
  }
  new->size = nsize;
  heap->bytes += nsize;
  heap->blocks++;
  return new + 1;
}

static long closed; /* states whose last finalizer could use the module */

static int panic(lua_State *L) {
  die("unprotected error", lua_tostring(L, -1));
  return 0;
}

static lua_State *new_state(struct heap *heap) {
  lua_State *L;
  memset(heap, 0, sizeof(*heap));
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(allocate, heap, 1);
#else
  L = lua_newstate(allocate, heap);
#endif
  if (L) lua_atpanic(L, panic);
  return L;
}

/* What the last finalizer got from the module. */
static int at_close(lua_State *L) {
  if (strcmp(lua_tostring(L, 1), AT_CLOSE) != 0) die("wrong results while the state is closed", lua_tostring(L, 1));
  closed++;
  return 0;
}

static int prepare(lua_State *L) { /* body number on the stack -> registry: run function */
  /* clang-format off */
  static const luaL_Reg open[] = {{"fleece", luaopen_fleece}, {"fleece_safe", luaopen_fleece_safe},
      {"cjson", luaopen_fleece_cjson}, {"cjson_safe", luaopen_fleece_cjson_safe}, {"dkjson", luaopen_fleece_dkjson},
      {"rxi", luaopen_fleece_rxi}, {"rapidjson", luaopen_fleece_rapidjson}, {NULL, NULL}};
  /* clang-format on */
  const luaL_Reg *f;
  int n = (int)lua_tointeger(L, 1);
  if (luaL_loadstring(L, script)) return lua_error(L);
  lua_newtable(L);
  for (f = open; f->name; f++) {
    lua_pushcfunction(L, f->func);
    lua_setfield(L, -2, f->name);
  }
  lua_pushcfunction(L, at_close);
  lua_call(L, 2, 3);
  lua_setfield(L, LUA_REGISTRYINDEX, "alloc.run");
  lua_pushinteger(L, n);
  lua_call(L, 1, 0);
  return 1; /* the number of bodies */
}

struct call {
  int body;
  char *result; /* malloc'ed copy, NULL when it failed */
  size_t length;
};

static int run(lua_State *L) {
  struct call *call = (struct call *)lua_touserdata(L, 1);
  const char *s;
  lua_getfield(L, LUA_REGISTRYINDEX, "alloc.run");
  lua_pushinteger(L, call->body);
  lua_call(L, 1, 1);
  s = lua_tolstring(L, -1, &call->length);
  call->result = (char *)malloc(call->length + 1);
  memcpy(call->result, s, call->length + 1);
  return 0;
}

static int protected_run(lua_State *L, struct call *call) {
  int status;
  call->result = NULL;
#if LUA_VERSION_NUM == 501
  status = lua_cpcall(L, run, call);
#else
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, call);
  status = lua_pcall(L, 1, 0, 0);
#endif
  if (status) {
    const char *message = lua_tostring(L, -1);
    if (call->result) die("a result and an error", message);
    if (status != LUA_ERRMEM && (!message || !strstr(message, "not enough memory"))) {
      fprintf(stderr, "alloc: body %d: status %d\n", call->body, status);
      die("an error that is not about memory", message);
    }
    lua_pop(L, 1);
  }
  return status;
}

static int bodies(lua_State *L, int n) {
  int count;
  luaL_openlibs(L);
  lua_pushcfunction(L, prepare);
  lua_pushinteger(L, n);
  lua_call(L, 1, 1);
  count = (int)lua_tointeger(L, -1);
  lua_settop(L, 0);
  return count;
}

/* One body in a state that is ready, with the n-th request failing; 1 when no request was left to fail. */
static int attempt(struct heap *heap, lua_State *L, long n, int for_good, const struct call *expected) {
  struct call call;
  const long before = closed;
  const int body = expected->body;
  int status, done;
  call.body = body;
  heap->requests = 0;
  heap->failed = 0;
  heap->for_good = for_good;
  heap->fail_at = n;
  status = protected_run(L, &call);
  heap->fail_at = 0;
  done = !heap->failed;
  if (status && done) die("failed without a failing allocation", NULL);
  if (!status && (call.length != expected->length || memcmp(call.result, expected->result, call.length)))
    die("another result after a failed allocation", call.result);
  free(call.result);
  if (status && body > 1) { /* the same state must still work */
    if (protected_run(L, &call)) die("the call after the failed one fails too", NULL);
    if (call.length != expected->length || memcmp(call.result, expected->result, call.length))
      die("the call after the failed one gives another result", call.result);
    free(call.result);
  }
  lua_close(L);
  if (body > 1 && closed != before + 1) die("the module cannot be used while the state is closed", NULL);
  if (heap->blocks || heap->bytes) {
    fprintf(stderr, "alloc: body %d, request %ld, %s: %ld blocks, %lu bytes\n", body, n, for_good ? "for good" : "once",
            heap->blocks, (unsigned long)heap->bytes);
    die("leak", NULL);
  }
  return done;
}

/* attempt in a copy of this process, because making a state ready takes three times as long as most bodies. */
static int attempt_apart(struct heap *heap, lua_State *L, long n, int for_good, const struct call *expected) {
  int status = 0;
  const pid_t child = fork();
  if (child < 0) die("no process", strerror(errno));
  if (child == 0) _exit(attempt(heap, L, n, for_good, expected) ? DONE : 0);
  if (waitpid(child, &status, 0) != child) die("no process", strerror(errno));
  if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != DONE)) {
    fprintf(stderr, "alloc: body %d, request %ld, %s: status %d\n", expected->body, n, for_good ? "for good" : "once",
            status);
    die("a run has failed", NULL);
  }
  return WEXITSTATUS(status) == DONE;
}

int main(void) {
  struct heap heap;
  lua_State *L = new_state(&heap);
  const int one_of = getenv("FLEECE_TEST_LONG") ? atoi(getenv("FLEECE_TEST_LONG")) : 0;
  const double rounds = getenv("FLEECE_TEST_ROUNDS") ? atof(getenv("FLEECE_TEST_ROUNDS")) : 1;
  const long few = rounds > 0.05 ? (long)(24 * rounds) : 1;
  int body, count;
  long total = 0;
  if (!L) {
    puts("SKIPPED: this system: this runtime refuses a custom allocator");
    return 77;
  }
  count = bodies(L, 2);
  lua_close(L);
  for (body = 1; body <= count; body++) {
    struct call expected;
    int for_good;
    L = new_state(&heap);
    bodies(L, body);
    expected.body = body;
    if (protected_run(L, &expected)) die("fails with all the memory there is", NULL);
    lua_close(L);
    if (heap.blocks) die("leak without any failure", NULL);
    for (for_good = 0; for_good <= 1; for_good++) {
      long n = 1;
      L = new_state(&heap);
      bodies(L, body);
      while (!attempt_apart(&heap, L, n, for_good, &expected)) n += one_of > 0 ? one_of : 1 + n / few, total++;
      lua_close(L);
    }
    free(expected.result);
  }
  printf("alloc: ok, %d bodies, %ld runs with a failing allocation\n", count, total);
  return 0;
}
