/* SPDX-License-Identifier: MIT
** sink.h -- where streamed output goes: a counter, a file, a C function, a function, an object with put or write.
** May call: base, layout, convert, lua_*, stdio.
** Must hold: file, counter and C function may be drained into during a raw walk; the others call Lua and may not. */
#ifndef FLEECE_MODULE_JSON_SINK_H
#define FLEECE_MODULE_JSON_SINK_H

#include <errno.h>
#include <stdio.h>
#include "../../convert/lua_to_json/api/state.h"
#include "../options/arguments.h"

enum mod_sink_kind { MOD_SINK_COUNT, MOD_SINK_FILE, MOD_SINK_HOST, MOD_SINK_CALL, MOD_SINK_METHOD };

/* A checksum of the bytes that a walk has handed out, however they were cut: Fletcher's two sums ("An arithmetic
** checksum for serial transmissions", 1982) of 64-bit words, twice side by side. Of each block it looks at the first
** 16 bytes: what makes two texts no JSON together is another length, and that moves all bytes behind it. (All bytes
** cost a write of twitter.json to /dev/null 20 %.) */
enum { MOD_SUM_BLOCK = 64 };

struct mod_sum {
  uint64_t first[2], second[2];
  char rest[MOD_SUM_BLOCK]; /* the `n` bytes behind the last whole block */
  size_t n;
};

struct mod_sink {
  enum mod_sink_kind kind;
  int raw;               /* may be drained into during a raw walk, which another one may have to repeat */
  size_t total;          /* bytes that went out */
  size_t skip;           /* bytes of a second walk that went out in the first; they must be the same */
  struct mod_sum sum;    /* of the bytes of this walk, */
  struct mod_sum wanted; /* and of all that went out in the walk before */
  lua_State *L;
  int index; /* stack index of the sink, and for a method of its function behind it */
  int function;
  struct api_calls *calls;
  const void *file; /* the Lua file handle, anchored at `index`: hooks and finalizers may close it */
  buf_drain host;   /* a C function, which calls no Lua; */
  void *host_ud;
  const char *host_error; /* and what it means if it refuses */
  const char *error;      /* of a file or C function */
  int refused;            /* its message is in the slot `function` */
  int thrown;             /* it raised: its error object is in the slot `function` */
};

/* Is a Lua file handle closed? Its FILE is gone then, whatever its first word says. Calls no Lua. */
FL_INLINE int mod_file_is_closed(const void *handle) {
#if LUA_VERSION_NUM >= 502
  return ((const luaL_Stream *)handle)->closef == NULL;
#else
  return *(FILE *const *)handle == NULL;
#endif
}

/* The value is walked again, from its beginning: what went out must come again. */
FL_PRIVATE void mod_sink_again(struct mod_sink *s);

/* What is left of the bytes that went out already must be none at the walk's end, and their sum the same once they
** are done: a finalizer, or the collector in a weak table, can change the value between two walks. */
FL_PRIVATE int mod_sink_same(struct mod_sink *s, int holds);

/* A buf_drain. */
FL_PRIVATE int mod_sink_drain(void *ud, const char *bytes, size_t n);

/* Pushes the message, or the error object, of a sink that failed. */
FL_PRIVATE void mod_push_sink_error(lua_State *L, const struct mod_sink *s);

/* The FILE of a Lua file handle at `index`; NULL: not a handle. Every Lua keeps it in the first word. It is gone once
** Lua code has run, and every allocation may run some: a finalizer may close the handle. */
FL_PRIVATE FILE *mod_to_file(lua_State *L, int index);

/* Reads the sink argument at `index`; pushes one slot. */
FL_PRIVATE void mod_check_sink(lua_State *L, int index, struct mod_sink *s);

#endif
