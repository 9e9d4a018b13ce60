/* SPDX-License-Identifier: MIT
** closing.c -- what finalizers make while a Lua state is closed: nothing is left of it, though Lua calls no finalizer
** of such objects.
** Build: cc -std=gnu99 -Isrc -I<lua headers> tests/c/module/closing.c src/fleece.c -l<lua> -lm -ldl -o closing */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

#include "../support/heap.h"

int luaopen_fleece(lua_State *L);

/* Each with the module as `f` and a document as `doc`. What is made is kept, so that only the end frees it. */
static const struct {
  const char *what, *code;
} rows[] = {
    {"encoder", "kept = f.encoder():array():string(('x'):rep(5000)); kept2 = kept"},
    {"encoder that finishes", "kept = f.encoder(); for i = 1, 3 do kept:array():integer(i):close():finish() end"},
    {"encoder of json", "kept = f.encoder():array():json('[1,2,{\"a\":' .. ('9'):rep(300) .. '}]')"},
    {"encoder that fails", "kept = f.encoder():array() pcall(kept.json, kept, '[1,')"},
    {"mutable", "kept = doc:mutable(); kept.b[1] = ('y'):rep(5000); for i = 1, 100 do kept['n' .. i] = {i} end"},
    {"mutable of a view",
     "kept = f.lazy('[[1],[2]]')[1]:mutable(); kept[2] = {1, 2, 3}; f.encode(kept); f.to_json(kept)"},
    {"amend", "kept = doc:amend(function(m) m.a = {1, 2}; m.b[2] = 'z' end)"},
    {"amend that fails", "pcall(doc.amend, doc, function(m) m.a = 1; error 'no' end)"},
    {"writer", "kept = f.writer({1, {2}, ('z'):rep(9000)}); kept:next(1)"},
    {"writer with hooks",
     "kept = f.writer(setmetatable({}, {__tojson = function() return f.encode({1}) end})); kept:next(1)"},
    {"writer in a coroutine", "kept = f.writer({1, {2}}); coroutine.wrap(function() kept:next(1) end)() kept:next()"},
    {"writer that fails", "kept = f.writer({1, print}); pcall(kept.next, kept)"},
    {"parser", "kept = f.parser(); kept:feed('[1,2,{\"a\":' .. ('['):rep(200)); kept:step(20)"},
    {"items", "kept = f.items('[[1],[2]]'); kept()"},
    {"documents", "kept = f.documents('[1] [2] [3]'); kept()"},
    {"encode", "f.encode({('q'):rep(9000), setmetatable({}, {__tojson = function() return f.encode({2}) end})})"},
    {"pack", "kept = f.pack({('q'):rep(9000), doc, {a = f.lazy '[1]'}}); f.unpack(kept)"},
    {"binary", "kept = {f.open(doc.bytes), f.keys(), f.path 'a', f.data 'x', f.lazy '{}'}; for _ in doc:walk() do end"},
    {"deltas", "f.patch(doc, f.diff(doc, f.from_json '{\"a\":2}'))"},
    {"format", "f.format('[1,2]', {sort_keys = true}); f.format_stream('{\"b\":1,\"a\":2}', function() end)"},
    {"edit", "f.edit('[1,2]', {{'append', '', setmetatable({}, {__tojson = function() return f.encode {2} end})}})"},
    {"an encoder of before", "old_encoder:array():string(('x'):rep(9000)):close():finish()"},
    {"a mutable view of before", "old_mutable.a = ('x'):rep(9000)"},
    {"a writer of before", "old_writer:next(1)"},
};

/* `first`, `second`: what the finalizers of objects do that are older and younger than the module. */
static const char script[] =
    "local open, code = ...\n"
    "local module\n"
    "local run = assert((loadstring or load)('local f, doc = ... ' .. code))\n"
    "local function at_end()\n"
    "  local fine, message = pcall(run, module, module.open(module.from_json '{\"a\":1,\"b\":[1,2]}'))\n"
    "  if not fine then problem(message) end\n"
    "end\n"
    "local function object()\n"
    "  local o = newproxy and newproxy(true) or setmetatable({}, {__gc = at_end})\n"
    "  getmetatable(o).__gc = at_end\n"
    "  return o\n"
    "end\n"
    "if older then first = object() end\n"
    "module = open()\n"
    "local doc = module.open(module.from_json '{\"a\":1}')\n"
    "old_encoder, old_mutable, old_writer = module.encoder(), doc:mutable(), module.writer({1, {2}})\n"
    "if not older then second = object() end\n";

static int problems;

/* What was collected before may say so. */
static int problem(lua_State *L) {
  const char *s = lua_tostring(L, 1);
  if (!s || (!strstr(s, "was collected") && !strstr(s, "document is closed"))) {
    problems++;
    fprintf(stderr, "closing: %s\n", s ? s : "?");
  }
  return 0;
}

/* Lua tells the kind of a new object where there is no old size. */
static void *allocate(void *ud, void *block, size_t old_size, size_t n) {
  return heap_alloc(ud, block, block ? old_size : 0, n);
}

static void run(const char *what, const char *code, int older, struct heap *h) {
  lua_State *L;
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(allocate, h, 1);
#else
  L = lua_newstate(allocate, h);
#endif
  if (!L) exit(77); /* LuaJIT without GC64 takes no allocator */
  luaL_openlibs(L);
  lua_pushboolean(L, older);
  lua_setglobal(L, "older");
  lua_pushcfunction(L, problem);
  lua_setglobal(L, "problem");
  if (luaL_loadstring(L, script) == 0) {
    lua_pushcfunction(L, luaopen_fleece);
    lua_pushstring(L, code);
    if (lua_pcall(L, 2, 0, 0) == 0) lua_settop(L, 0);
  }
  if (lua_gettop(L)) {
    fprintf(stderr, "closing: %s: %s\n", what, lua_tostring(L, -1));
    exit(1);
  }
  lua_close(L);
  if (h->blocks) {
    problems++;
    fprintf(stderr, "closing: %s, by an object that is %s than the module: %ld blocks are left\n", what,
            older ? "older" : "younger", h->blocks);
  }
}

int main(void) {
  size_t i;
  int older;
  for (i = 0; i < sizeof rows / sizeof *rows; i++)
    for (older = 0; older < 2; older++) {
      struct heap h;
      memset(&h, 0, sizeof h);
      run(rows[i].what, rows[i].code, older, &h);
    }
  if (!problems) printf("%d closed states, nothing is left\n", (int)(2 * sizeof rows / sizeof *rows));
  return problems != 0;
}
