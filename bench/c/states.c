/* SPDX-License-Identifier: MIT
** states.c -- what a Lua state with Fleece costs when a process has many: time and memory, for `require` alone and for a
** first call of some functions after it. bench/settings/states.lua compiles and runs it.
** Use: states OBJECT [STATES]; OBJECT is a fleece.so for the Lua that this is linked with.
** May call: the public API of Lua, libc.  Must hold: what a call keeps is counted by the allocator of its state, after two
** full collections, without what the state had before; what each of many states takes are resident pages of the process. */
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

static size_t bytes, most; /* of the state that is made or measured: now, and the highest since `most` was set */

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
  if (bytes > most) most = bytes;
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

/* What the call at `i` keeps in a state, and needs meanwhile; the code of the call itself counts meanwhile only. */
static void one_state(int i) {
  lua_State *L = new_state();
  size_t before = settled(L);
  double time;
  most = before;
  time = open_in(L);
  if (i > 0) {
    before = settled(L);
    most = before;
    time = now();
    run(L, calls[i].code);
    time = now() - time;
  }
  {
    const size_t needed = most - before;
    printf("| `%s` | %.1f | %.0f | %.0f |\n", calls[i].what, (double)(ptrdiff_t)(settled(L) - before) / 1024,
           (double)needed / 1024, time);
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
static void many(int n, int i, const char *title) {
  lua_State **list;
  double memory, all;
  int k;
  const pid_t child = fork();
  if (child != 0) {
    waitpid(child, NULL, 0);
    return;
  }
  list = (lua_State **)malloc((size_t)n * sizeof *list);
  memory = resident();
  all = now();
  for (k = 0; k < n; k++) {
    list[k] = new_state();
    if (i >= 0) open_in(list[k]);
    if (i > 0) run(list[k], calls[i].code);
    settled(list[k]);
  }
  all = now() - all;
  memory = resident() - memory;
  printf("| %s | %.1f | | %.0f |\n", title, memory / n, all / n);
  fflush(stdout);
  _exit(0);
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 10000;
  void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  lua_State *L;
  int i;
  if (!object) return fprintf(stderr, "use: states OBJECT [STATES]; %s\n", argc > 1 ? dlerror() : ""), 1;
  *(void **)&open_module = dlsym(object, "luaopen_fleece");
  L = new_state(); /* the first in a process proves more than the others */
  open_in(L);
  lua_close(L);
  puts("| | kept, KB | meanwhile, KB | us |\n| --- | --: | --: | --: |");
  for (i = 0; i < CALLS; i++) one_state(i);
  fflush(stdout);
  many(n, -1, "each of many states, without Fleece");
  many(n, 0, "each of many, after `require`");
  many(n, 4, "each of many, after `decode, encode`");
  return 0;
}
