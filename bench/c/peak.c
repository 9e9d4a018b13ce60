/* SPDX-License-Identifier: MIT
** peak.c -- counts the memory of a Lua state, its peak and its blocks, with an allocator that wraps the state's own.
** Use: `count = require "peak"` as the first module of a process that ends with os.exit; then `now, most, made = count()`,
** where `most` is the peak since the previous call, and `made` how many blocks were ever allocated, not enlarged.
** May call: the public API of Lua, libc.  Must hold: every request goes to the original allocator. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

typedef struct {
  lua_Alloc alloc;
  void *ud;
  size_t now, most, made;
} counter;

static void *allocate(void *ud, void *p, size_t old, size_t size) {
  counter *c = (counter *)ud;
  void *q = c->alloc(c->ud, p, old, size);
  if (!p && q) c->made++;
  if (!p) old = 0; /* since Lua 5.2 `old` of a new block is a type tag */
  if (q || size == 0) c->now += size - old;
  if (c->now > c->most) c->most = c->now;
  return q;
}

static int count(lua_State *L) {
  counter *c = (counter *)lua_touserdata(L, lua_upvalueindex(1));
  lua_pushnumber(L, (lua_Number)c->now);
  lua_pushnumber(L, (lua_Number)c->most);
  lua_pushnumber(L, (lua_Number)c->made);
  c->most = c->now;
  return 3;
}

int luaopen_peak(lua_State *L) {
  counter *c = (counter *)calloc(1, sizeof *c); /* outlives the state, which uses it until its end */
  if (!c) return luaL_error(L, "not enough memory");
  c->alloc = lua_getallocf(L, &c->ud);
  c->now = (size_t)lua_gc(L, LUA_GCCOUNT, 0) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB, 0);
  lua_setallocf(L, allocate, c);
  lua_pushlightuserdata(L, c);
  lua_pushcclosure(L, count, 1);
  return 1;
}
