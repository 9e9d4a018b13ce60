/* SPDX-License-Identifier: MIT
** lua_target.h -- the common part of libFuzzer targets that are written in Lua.
** May call: lua_*, luaopen_fleece.  Must hold: before it, the target defines OPTION_BYTES, the number of bytes before
** the text, and `script`, a chunk that gets the module and returns a function. This is called with each input, and with
** whether the text in it is JSON. An error in it is a finding. */
#ifndef FLEECE_FUZZ_LUA_TARGET_H
#define FLEECE_FUZZ_LUA_TARGET_H

#include <stdio.h>
#include <stdlib.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "../include/fleece-lua.h"

enum { DEEPEST = 1000 }; /* as decode allows */
#include "rfc8259.h"

static lua_State *L;

static void must(int status) {
  if (!status) return;
  fprintf(stderr, "%s\n", lua_tostring(L, -1));
  abort();
}

/* Functions for scripts: clean returns a message without the place in the script, and without what depends on how much of
** the text is known where the error is found: the text near it, and hints. */
static const char functions[] =
    "function merged(o, more)\n"
    "  local all = {}\n"
    "  for k, v in pairs(o) do all[k] = v end\n"
    "  for k, v in pairs(more) do all[k] = v end\n"
    "  return all\n"
    "end\n"
    "function clean(message)\n"
    "  message = message:gsub('^fuzz:%d+: ', ''):gsub(' near .*', ''):gsub(' %(the text is UTF.*', '')\n"
    "  return (message:gsub(' %([%l_%d]+ [^()]*%)$', ''))\n"
    "end\n";

static void start(void) {
  L = luaL_newstate();
  luaL_openlibs(L);
  must(luaL_dostring(L, functions));
  must(luaL_loadbuffer(L, script, sizeof script - 1, "=fuzz"));
  luaL_requiref(L, "fleece", luaopen_fleece, 0);
  must(lua_pcall(L, 1, 1, 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!L) start();
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)data, size);
  lua_pushboolean(L, size >= OPTION_BYTES && is_json(data + OPTION_BYTES, size - OPTION_BYTES));
  must(lua_pcall(L, 2, 0, 0));
  return 0;
}

#endif
