/* SPDX-License-Identifier: MIT
** host.c -- a C program that embeds Lua: scripts can require fleece without files, C reads and writes values as JSON.
**
**   cc -o host examples/embed/host.c $(pkg-config --cflags --libs fleece-lua5.4 lua5.4) -lm && ./host
**
** It prints the script's answer to an event, and the error message for a value that cannot be encoded. */
#include <fleece-lua.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static const char script[] =
    "local fleece = require 'fleece'\n"
    "function on_event(event)\n"
    "  return { id = event.id, sum = event.values[1] + event.values[2], none = fleece.array() }\n"
    "end\n"
    "options = { sort_keys = true }\n";

/* Prints the message on top of the stack, and pops it. */
static int failed(lua_State *L, const char *what) {
  const char *message = lua_tostring(L, -1);
  fprintf(stderr, "%s: %s\n", what, message ? message : "no message");
  lua_pop(L, 1);
  return 1;
}

/* Calls on_event with a JSON text; the answer goes to `out`. */
static int on_event(lua_State *L, const char *event, fleece_bytes *out) {
  const int top = lua_gettop(L);
  int status = 0;
  lua_getglobal(L, "on_event");
  lua_getglobal(L, "options");
  lua_insert(L, -2); /* options, function */
  if (fleece_decode(L, event, strlen(event), 0, FLEECE_TERMINATED)) status = failed(L, "decode");
  else if (lua_pcall(L, 1, 1, 0)) status = failed(L, "on_event");
  else if (fleece_encode(L, -1, -2, out)) status = failed(L, "encode");
  lua_settop(L, top);
  return status;
}

int main(void) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  lua_State *L = luaL_newstate();
  if (!L) return 1;
  luaL_openlibs(L);
  if (fleece_register(L)) return failed(L, "register");
  if (luaL_loadstring(L, script) || lua_pcall(L, 0, 0, 0)) return failed(L, "script");

  if (on_event(L, "{\"id\": \"x1\", \"values\": [40, 2]}", &out)) return 1;
  printf("%s\n", out.data);

  lua_getglobal(L, "print"); /* a type that JSON does not have */
  if (fleece_encode(L, -1, 0, &out)) {
    printf("%s\n", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  fleece_bytes_free(&out);
  lua_close(L);
  return 0;
}
