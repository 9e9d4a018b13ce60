/* SPDX-License-Identifier: MIT
** threads.c -- many threads, each with Lua states of its own, load the module at the same moment, encode and
** decode; every result must be right. Meant for the thread sanitizer too (make tsan).
** Build: cc -std=gnu99 -pthread -Isrc -I<lua headers> tests/c/module/threads.c src/fleece.c -l<lua> -lm -ldl -o threads
** FLEECE_TEST_ROUNDS=x: x times as many states. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

int luaopen_fleece(lua_State *L);
int luaopen_fleece_safe(lua_State *L);

enum { THREADS = 8, ROUNDS = 100 }; /* rounds in each state */

/* Values differ from thread to thread and from round to round; the expected text is built with plain Lua. */
static const char script[] =
    "local open, id, safe = ...\n"
    "local fleece = open()\n"
    "safe = safe()\n"
    "local api = fleece.new({layout = 'api'})\n"
    "local pretty = fleece.new({indent = 1, sort_keys = true, ascii = true})\n"
    "local hook = setmetatable({}, {__tojson = function() return fleece.encode({'hook', id}) end})\n"
    "return function(round)\n"
    "  local t, parts = {}, {}\n"
    "  for i = 1, 50 + round % 50 do\n"
    "    local s = ('t%dr%d'):format(id, round):rep(i % 13)\n"
    "    t[i] = i % 3 == 0 and s or i % 3 == 1 and {x = id * 1000 + i} or {i + 0.5, {s}}\n"
    "    parts[i] = i % 3 == 0 and '\"' .. s .. '\"' or i % 3 == 1 and '{\"x\":' .. id * 1000 + i .. '}'\n"
    "      or '[' .. i .. '.5,[\"' .. s .. '\"]]'\n"
    "  end\n"
    "  local text = '[' .. table.concat(parts, ',') .. ']'\n"
    "  assert(fleece.encode(t) == text, 'encode')\n"
    "  assert(fleece.json(t, 'E4') == text, 'json')\n"
    "  assert(fleece.size(t) == #text, 'size')\n"
    "  assert(api.encode(t) == text, 'api')\n"
    "  for i = 1, 2 do\n" /* what is learnt from the first serves the second */
    "    assert(fleece.encode(fleece.decode(text)) == text, 'decode')\n"
    "    assert(fleece.encode(api.decode(text)) == text, 'decode, api')\n"
    "  end\n"
    "  local pieces = {}\n"
    "  fleece.write(function(piece) pieces[#pieces + 1] = piece end, t)\n"
    "  assert(table.concat(pieces) == text, 'write')\n"
    "  assert(pretty.encode({b = id, a = 0.1}) == '{\\n \"a\": 0.1,\\n \"b\": ' .. id .. '\\n}', 'pretty')\n"
    "  assert(fleece.encode({hook, id}) == '[[\"hook\",' .. id .. '],' .. id .. ']', 'hook')\n"
    "  local ok, message = safe.encode({id = {print}})\n"
    "  assert(not ok and message == 'cannot encode a function at .id[1]', message)\n"
    "end\n";

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int waiting, go;
static int states = 5; /* of each thread, one after the other, so that loading repeats as well */

struct worker {
  pthread_t thread;
  int id;
  long rounds;
  char error[256];
};

/* All threads leave together: the first load in the process happens in all of them at once. */
static void wait_for_all(void) {
  pthread_mutex_lock(&gate);
  if (++waiting == THREADS) {
    go = 1;
    pthread_cond_broadcast(&opened);
  }
  while (!go) pthread_cond_wait(&opened, &gate);
  pthread_mutex_unlock(&gate);
}

static int run_state(lua_State *L, struct worker *w) {
  int n;
  luaL_openlibs(L);
  if (w->rounds == 0) wait_for_all();
  if (luaL_loadstring(L, script)) return 1;
  lua_pushcfunction(L, luaopen_fleece);
  lua_pushinteger(L, w->id);
  lua_pushcfunction(L, luaopen_fleece_safe);
  if (lua_pcall(L, 3, 1, 0)) return 1;
  for (n = 0; n < ROUNDS; n++) {
    lua_pushvalue(L, 1);
    lua_pushinteger(L, (lua_Integer)w->rounds++);
    if (lua_pcall(L, 1, 0, 0)) return 1;
  }
  return 0;
}

static void *work(void *argument) {
  struct worker *w = (struct worker *)argument;
  int i;
  for (i = 0; i < states && !w->error[0]; i++) {
    lua_State *L = luaL_newstate();
    if (!L || run_state(L, w)) {
      const char *message = L ? lua_tostring(L, -1) : "no state";
      snprintf(w->error, sizeof(w->error), "%s", message ? message : "no message");
    }
    if (L) lua_close(L);
  }
  return NULL;
}

int main(void) {
  static struct worker workers[THREADS];
  const char *share = getenv("FLEECE_TEST_ROUNDS");
  int i, failed = 0;
  long rounds = 0;
  if (share) states = (int)(states * atof(share));
  if (states < 1) states = 1;
  for (i = 0; i < THREADS; i++) {
    workers[i].id = i + 1;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) {
      fprintf(stderr, "threads: cannot start a thread\n");
      return 1;
    }
  }
  for (i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    rounds += workers[i].rounds;
    if (workers[i].error[0]) {
      fprintf(stderr, "threads: thread %d: %s\n", i + 1, workers[i].error);
      failed = 1;
    }
  }
  if (!failed) printf("threads: ok, %d threads, %ld rounds\n", THREADS, rounds);
  return failed;
}
