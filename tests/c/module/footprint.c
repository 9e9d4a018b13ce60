/* SPDX-License-Identifier: MIT
** footprint.c -- what the first call of a function keeps of its state's memory: a process may have ten thousand states.
** By the allocator and by collectgarbage "count", after two full collections.
** Build: cc -std=gnu99 -Isrc -I<lua headers> tests/c/module/footprint.c src/fleece.c -l<lua> -lm -ldl -o footprint */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

int luaopen_fleece(lua_State *L);

#define RECORD                                                                                                       \
  "'{\"id\":17,\"name\":\"Ada\",\"mail\":\"ada@example.org\",\"tags\":[\"a\",\"b\"],\"at\":{\"x\":1,\"y\":-2},' .. " \
  "'\"a1\":1,\"a2\":[{\"b1\":2},{\"b1\":3},{\"b1\":4}],\"a3\":\"\\\\n\",\"a4\":null,\"a5\":true}'"

enum { REQUIRE = 24 * 1024, SMALL = 16 * 1024, LARGE = 256 * 1024 };

/* `least`: less would mean that the call was not measured. */
static const struct {
  const char *code;
  size_t least, most;
} rows[] = {
    {"f.decode(" RECORD ")", 1, SMALL},
    {"for _ = 1, 100 do f.decode(" RECORD ") end", 1, SMALL},
    {"f.decode('[1]')", 1, SMALL},
    {"f.decode(" RECORD ", { order = true })", 1, SMALL},
    {"f.encode({ id = 17, name = 'Ada', tags = { 'a', 'b' } })", 1, SMALL},
    {"f.encode({ id = 17, name = 'Ada', tags = { 'a', 'b' } }, { layout = 'api' })", 1, SMALL},
    {"f.encode(f.decode(" RECORD "))", 1, 2 * SMALL},
    {"f.pick('name', 'at.y')(" RECORD ")", 0, SMALL},
    {"f.edit(" RECORD ", { { 'set', 'name', 'Bob' } })", 1, SMALL},
    {"f.format(" RECORD ")", 0, SMALL},
    {"local p = f.parser() p:feed(" RECORD ") p:finish()", 1, SMALL},
    {"for _ in f.documents(" RECORD ") do end", 1, SMALL},
    /* what it meets makes it grow: 400 names in 400 records */
    {"local t = {} for i = 1, 400 do t[i] = ('{\"name%d\":1,\"other\":2}'):format(i) end "
     "f.decode('[' .. table.concat(t, ',') .. ']')",
     SMALL, LARGE},
    {"for k = 1, 50 do local t = {} for i = 1, 400 do t[i] = ('{\"name%d\":1,\"other%d\":2}'):format(k * i, i) end "
     "f.decode('[' .. table.concat(t, ',') .. ']') end",
     SMALL, LARGE},
};

static size_t bytes;

static void *count(void *ud, void *p, size_t old, size_t size) {
  void *block;
  (void)ud;
  if (!p) old = 0; /* since Lua 5.2 `old` of a new block is a type tag */
  if (size == 0) {
    bytes -= old;
    free(p);
    return NULL;
  }
  if (!(block = realloc(p, size))) return NULL;
  bytes += size - old;
  return block;
}

static lua_State *new_state(void) {
  lua_State *L;
  bytes = 0;
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(count, NULL, 0);
#else
  L = lua_newstate(count, NULL);
#endif
  if (L) luaL_openlibs(L);
  return L;
}

/* By the allocator and by Lua. */
struct memory {
  size_t all, lua;
};

static struct memory settled(lua_State *L) {
  struct memory m;
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  m.all = bytes;
  m.lua = (size_t)lua_gc(L, LUA_GCCOUNT, 0) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB, 0);
  return m;
}

static void run(lua_State *L, const char *code) {
  if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0)) {
    fprintf(stderr, "footprint: %s: %s\n", code, lua_tostring(L, -1));
    exit(1);
  }
}

static int problems;

static void judge(const char *what, struct memory before, struct memory after, size_t least, size_t most) {
  const ptrdiff_t all = (ptrdiff_t)(after.all - before.all), lua = (ptrdiff_t)(after.lua - before.lua);
  if (all >= (ptrdiff_t)least && all <= (ptrdiff_t)most && lua <= (ptrdiff_t)most) return;
  problems++;
  fprintf(stderr, "footprint: %s keeps %ld bytes, %ld of them in Lua, not %lu to %lu\n", what, (long)all, (long)lua,
          (unsigned long)least, (unsigned long)most);
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    lua_State *L = new_state();
    struct memory before;
    if (!L) {
      puts("SKIPPED: this system: this runtime refuses a custom allocator");
      return 77;
    }
    before = settled(L);
    lua_pushcfunction(L, luaopen_fleece);
    lua_call(L, 0, 1);
    lua_setglobal(L, "f");
    if (i == 0) judge("require", before, settled(L), 1, REQUIRE);
    before = settled(L);
    run(L, rows[i].code);
    judge(rows[i].code, before, settled(L), rows[i].least, rows[i].most);
    lua_close(L);
  }
  if (problems) return 1;
  printf("footprint: ok, %d calls\n", (int)(sizeof rows / sizeof *rows));
  return 0;
}
