/* SPDX-License-Identifier: MIT
** states.c -- what a Lua state with Fleece costs when a process has many: time and memory, for `require` alone and
** after a first call of some functions.
** Use: states OBJECT [STATES]; OBJECT is a fleece.so for the Lua that this is linked with.
** May call: the public API of Lua, libc.  Must hold: memory is counted by the allocator of each state, after two full
** collections, without what the state had before. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#define RECORD \
  "'{\"id\":17,\"name\":\"Ada\",\"mail\":\"ada@example.org\",\"tags\":[\"a\",\"b\"],\"at\":{\"x\":1.5,\"y\":-2}}'"

static const struct {
  const char *what, *code;
} calls[] = {
    {"require", ""},
    {"decode", "f.decode(" RECORD ")"},
    {"decode, 3 times", "for _ = 1, 3 do f.decode(" RECORD ") end"},
    {"decode '[1]'", "f.decode('[1]')"},
    {"encode", "f.encode({ id = 17, name = 'Ada', tags = { 'a', 'b' } })"},
    {"encode by the API", "f.encode({ id = 17, name = 'Ada', tags = { 'a', 'b' } }, { layout = 'api' })"},
    {"decode, encode", "f.encode(f.decode(" RECORD "))"},
    {"pick", "f.pick('name', 'at.y')(" RECORD ")"},
    {"edit", "f.edit(" RECORD ", { { 'set', 'name', 'Bob' } })"},
    {"format", "f.format(" RECORD ")"},
    {"pack", "f.pack({ id = 17, name = 'Ada', tags = { 'a', 'b' } })"},
    {"unpack", "f.unpack(f.pack({ id = 17, name = 'Ada', tags = { 'a', 'b' } }))"},
    {"from_json", "f.from_json(" RECORD ")"},
    {"lazy", "local v = f.lazy(" RECORD ") return v.name"},
    {"open, to_json", "f.to_json(f.open(f.from_json(" RECORD ")))"},
    {"parser", "local p = f.parser() p:feed(" RECORD ") p:step(1000)"},
};
enum { CALLS = sizeof calls / sizeof *calls };

static size_t bytes; /* of the state that is made or measured */

static void *count(void *ud, void *p, size_t old, size_t size) {
  (void)ud;
  if (!p) old = 0; /* since Lua 5.2 `old` of a new block is a type tag */
  if (size == 0) {
    bytes -= old;
    free(p);
    return NULL;
  }
  p = realloc(p, size);
  if (p) bytes += size - old;
  return p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static lua_State *new_state(void) {
  lua_State *L;
  bytes = 0;
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(count, NULL, 0);
#else
  L = lua_newstate(count, NULL);
#endif
  if (!L) exit((puts("states: this Lua refuses an allocator"), 1));
  luaL_openlibs(L);
  return L;
}

static size_t settled(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  return bytes;
}

static lua_CFunction open_module;

/* Opens the module as the global f; microseconds. */
static double open_in(lua_State *L) {
  const double start = now();
  lua_pushcfunction(L, open_module);
  lua_call(L, 0, 1);
  {
    const double time = now() - start;
    lua_setglobal(L, "f");
    return time;
  }
}

static void run(lua_State *L, const char *code) {
  if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0)) exit((puts(lua_tostring(L, -1)), 1));
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* What one state keeps, without the code of the call itself. */
static void one_state(int i) {
  lua_State *L = new_state();
  size_t before = settled(L), opened;
  open_in(L);
  opened = settled(L);
  if (i > 0) {
    double start, time;
    start = now();
    run(L, calls[i].code);
    time = now() - start;
    printf("%-20s %8.1f KB  %7.1f us\n", calls[i].what, (double)(ptrdiff_t)(settled(L) - opened) / 1024, time);
  } else {
    printf("%-20s %8.1f KB\n", calls[i].what, (double)(opened - before) / 1024);
  }
  lua_close(L);
}

/* Kilobytes of this process. */
static double resident(void) {
  char line[200];
  double kb = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f)) sscanf(line, "VmRSS: %lf", &kb);
  if (f) fclose(f);
  return kb;
}

/* Many states at once, each with the call at `i`; i < 0: without the module. In a process of its own, because memory
** that was freed before would be used again. */
static void many(int n, int i) {
  lua_State **list;
  double *times, memory, all;
  int k;
  const pid_t child = fork();
  if (child != 0) {
    waitpid(child, NULL, 0);
    return;
  }
  list = (lua_State **)malloc((size_t)n * sizeof *list);
  times = (double *)malloc((size_t)n * sizeof *times);
  memory = resident();
  all = now();
  for (k = 0; k < n; k++) {
    list[k] = new_state();
    times[k] = i >= 0 ? open_in(list[k]) : 0;
    if (i > 0) run(list[k], calls[i].code);
    settled(list[k]);
  }
  all = now() - all;
  memory = resident() - memory;
  qsort(times, (size_t)n, sizeof *times, by_size);
  printf("%d states, %-16s %7.1f us and %6.1f KB each; to open the module %5.1f us (quartiles %.1f, %.1f)\n", n,
         i < 0 ? "no module" : calls[i].what, all / n, memory / n, times[n / 2], times[n / 4], times[n - 1 - n / 4]);
  fflush(stdout);
  _exit(0);
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 10000;
  double start = now();
  void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  lua_State *L;
  int i;
  if (!object) return fprintf(stderr, "use: states OBJECT [STATES]; %s\n", argc > 1 ? dlerror() : ""), 1;
  *(void **)&open_module = dlsym(object, "luaopen_fleece");
  start = now() - start;
  L = new_state();
  printf("dlopen %.1f us, first state %.1f us\n", start, open_in(L));
  lua_close(L);
  for (i = 0; i < CALLS; i++) one_state(i);
  fflush(stdout);
  if (n > 0) {
    many(n, -1);
    many(n, 0);
    many(n, 1);
    many(n, 6);
  }
  return 0;
}
