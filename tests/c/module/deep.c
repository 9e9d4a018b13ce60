/* SPDX-License-Identifier: MIT
** deep.c -- a million nested tables, and hooks that encode without end, on a thread with a C stack of 256 KB.
** Build: cc -std=gnu99 -pthread -Isrc -I<lua headers> tests/c/module/deep.c src/fleece.c -l<lua> -lm -ldl -o deep */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

int luaopen_fleece(lua_State *L);

/* A frame of a function that keeps buffers is several times larger under the address sanitizer. */
#if defined(__SANITIZE_ADDRESS__)
enum { DEPTH = 1000000, STACK = 8 * 256 * 1024 };
#else
enum { DEPTH = 1000000, STACK = 256 * 1024 };
#endif

static void die(const char *what, const char *detail) {
  fprintf(stderr, "deep: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
  exit(1);
}

/* Leaves a table nested `depth` deep on the stack; as {a = {a = ...}} when key is given, else as {{...}}. */
static void push_nested(lua_State *L, int depth, const char *key) {
  int i;
  lua_newtable(L);
  for (i = 1; i < depth; i++) {
    lua_createtable(L, key ? 0 : 1, key ? 1 : 0);
    lua_insert(L, -2);
    if (key) lua_setfield(L, -2, key);
    else lua_rawseti(L, -2, 1);
  }
}

static void check_text(const char *s, size_t length, int depth, const char *key) {
  size_t open = key ? strlen(key) + 4 : 1, i; /* {"a": or [ */
  char head[32];
  if (key) snprintf(head, sizeof(head), "{\"%s\":", key);
  else snprintf(head, sizeof(head), "[");
  if (length != (size_t)(depth - 1) * (open + 1) + 2) die("wrong length", NULL);
  for (i = 0; i < (size_t)depth - 1; i++) {
    if (memcmp(s + i * open, head, open)) die("wrong opening", NULL);
    if (s[length - 1 - i] != (key ? '}' : ']')) die("wrong closing", NULL);
  }
  if (memcmp(s + i * open, "[]", 2)) die("wrong middle", NULL);
}

/* fleece[name](nested, option): the text must be right; with `may_fail` a message is as good. */
static void check(lua_State *L, const char *name, const char *argument, int depth, const char *key, int may_fail) {
  int status;
  lua_getglobal(L, "call");
  lua_pushstring(L, name);
  push_nested(L, depth, key);
  lua_pushstring(L, argument);
  status = lua_pcall(L, 3, 1, 0);
  if (status) {
    if (!may_fail || !lua_isstring(L, -1)) die(name, lua_tostring(L, -1));
  } else if (strcmp(name, "size") == 0) {
    if (lua_tonumber(L, -1) != (lua_Number)(depth - 1) * (key ? strlen(key) + 5 : 2) + 2) die("wrong size", NULL);
  } else {
    size_t length;
    const char *s = lua_tolstring(L, -1, &length);
    if (!s) die("no text", name);
    check_text(s, length, depth, key);
  }
  lua_settop(L, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
}

static const char script[] =
    "local fleece = (...)()\n"
    "local options = {deep = {max_depth = 1000000}, api = {max_depth = 1000000, layout = 'api'},\n"
    "  general = {max_depth = 1000000, sort_keys = true, ascii = true}}\n"
    "function call(name, value, argument)\n"
    "  if name == 'write' then\n"
    "    local pieces = {}\n"
    "    fleece.write(function(piece) pieces[#pieces + 1] = piece end, value, options[argument])\n"
    "    return table.concat(pieces)\n"
    "  end\n"
    "  return fleece[name](value, options[argument] or argument)\n"
    "end\n"
    /* a hook that encodes what has a hook ...: the walks nest in C, so an error must end them before the stack does */
    "function recurse(layout)\n"
    "  local codec, h, p, depth = fleece.new({layout = layout}), {}, {}, 0\n"
    "  setmetatable(h, {__tojson = function() depth = depth + 1; return codec.encode({h}) end})\n"
    "  local ok, message = pcall(codec.encode, h)\n"
    "  assert(not ok and type(message) == 'string' and depth > 10, message)\n"
    "  setmetatable(p, {__len = function() return 1 end, __index = function() return codec.json(p) end})\n"
    "  ok, message = pcall(codec.encode, {x = p})\n"
    "  assert(not ok and type(message) == 'string', message)\n"
    "  local function sink() codec.write(sink, {1}) end\n"
    "  ok, message = pcall(codec.write, sink, {1})\n"
    "  assert(not ok and type(message) == 'string', message)\n"
    "  ok, message = pcall(codec.encode, {print}, {on_error = function() return codec.encode({h}) end})\n"
    "  assert(not ok and type(message) == 'string', message)\n"
    "  assert(codec.encode({1, {2}}) == '[1,[2]]')\n"
    "end\n";

static void *work(void *unused) {
  lua_State *L = luaL_newstate();
  const char *keys[] = {NULL, "a"};
  int i;
  if (!L) die("no state", NULL);
  luaL_openlibs(L);
  lua_gc(L, LUA_GCCOLLECT, 0);
  if (luaL_loadstring(L, script)) die("script", lua_tostring(L, -1));
  lua_pushcfunction(L, luaopen_fleece);
  if (lua_pcall(L, 1, 0, 0)) die("load", lua_tostring(L, -1));
  for (i = 0; i < 2; i++) {
    const char *key = keys[i];
    check(L, "encode", "deep", DEPTH, key, 0);
    check(L, "encode", "general", DEPTH, key, 0);
    check(L, "json", "E0", DEPTH, key, 0);
    check(L, "json", "E4", DEPTH, key, 0);
    check(L, "size", "E4", DEPTH, key, 0);
    check(L, "write", "deep", DEPTH, key, 0);
    check(L, "encode", "api", 10102, key, 0);
    check(L, "write", "api", 10102, key, 0);
    check(L, "encode", "api", DEPTH, key, 1); /* ends where the Lua stack ends */
  }
  for (i = 0; i < 2; i++) {
    lua_getglobal(L, "recurse");
    lua_pushstring(L, i ? "api" : "auto");
    if (lua_pcall(L, 1, 0, 0)) die("recursion", lua_tostring(L, -1));
  }
  lua_close(L);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, STACK)) die("cannot set the stack size", NULL);
  if (pthread_create(&thread, &attributes, work, NULL)) die("cannot start a thread", NULL);
  pthread_join(thread, NULL);
  printf("deep: ok, %d levels on a stack of %d KB\n", DEPTH, STACK / 1024);
  return 0;
}
