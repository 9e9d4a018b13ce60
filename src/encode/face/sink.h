/* SPDX-License-Identifier: MIT
** sink.h -- destinations of streamed output: a counter, a file, a C function, a Lua function, an object with a method
** put or write.
** Must hold: the raw encoder may write to a file, counter or C function; the others call Lua, so it may not. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include "../api/state.h"
#include "../../lua/options/arguments.h"

enum mod_sink_kind { MOD_SINK_COUNT, MOD_SINK_FILE, MOD_SINK_HOST, MOD_SINK_CALL, MOD_SINK_METHOD };

/* A checksum of the output, independent of its division into pieces: Fletcher's two sums ("An arithmetic checksum for
** serial transmissions", 1982) of 64-bit words, twice side by side. It uses only the first 16 bytes of each block. That
** is enough: if the beginning of one text and the rest of another are not valid JSON together, a length differs, and
** then all later bytes are at other offsets. (With all bytes, writing twitter.json to /dev/null took 20 % longer.) */
enum { MOD_SUM_BLOCK = 64 };

struct mod_sum {
  uint64_t first[2], second[2];
  char rest[MOD_SUM_BLOCK]; /* the `n` bytes after the last whole block */
  size_t n;
};

struct mod_sink {
  enum mod_sink_kind kind;
  int raw;               /* the raw encoder may write to it, and the value may have to be encoded again */
  size_t total;          /* bytes written */
  size_t skip;           /* when the value is encoded again: bytes not to write, because they were written before */
  struct mod_sum sum;    /* of this attempt's bytes */
  struct mod_sum wanted; /* of the previous attempt's bytes; both must be equal */
  lua_State *L;
  int index; /* stack index of the sink; `function` is that of its method, right after it */
  int function;
  struct api_calls *calls;
  const void *file; /* the Lua file handle, which `index` keeps alive; hooks and finalizers may close it */
  buf_drain host;   /* a C function, which does not call Lua */
  void *host_ud;
  const char *host_error; /* the message if it returns 0 */
  const char *error;      /* the message of a file or C function that failed */
  int refused;            /* a Lua function returned a failure; the message is in the slot `function` */
  int thrown;             /* it raised an error; the error object is in the slot `function` */
};

/* Returns whether a Lua file handle is closed. Then its FILE must not be used, even if its first word is not NULL. Does
** not call Lua. */
FL_FUNC int mod_file_is_closed(const void *handle) {
#if LUA_VERSION_NUM >= 502
  return ((const luaL_Stream *)handle)->closef == NULL;
#else
  return *(FILE *const *)handle == NULL;
#endif
}

/* Called before the value is encoded again from its beginning: the same bytes must come again, and are not written
** again. */
FL_PRIVATE void mod_sink_again(struct mod_sink *s);

/* Returns `holds`, and sets the error if it is 0. The second attempt must be as long as what was written and have the
** same checksum; between the two a finalizer, or the collector in a weak table, can change the value. */
FL_PRIVATE int mod_sink_same(struct mod_sink *s, int holds);

/* A buf_drain. */
FL_PRIVATE int mod_sink_drain(void *ud, const char *bytes, size_t n);

/* Pushes the message or the error object of a sink that failed. */
FL_PRIVATE void mod_push_sink_error(lua_State *L, const struct mod_sink *s);

/* Returns the FILE of a Lua file handle at `index`, or NULL for other values. Every Lua keeps it in the first word. It
** may be gone once Lua code has run, and every allocation may run some: a finalizer may close the handle. */
FL_PRIVATE FILE *mod_to_file(lua_State *L, int index);

/* Reads the sink argument at `index`; pushes one slot. */
FL_PRIVATE void mod_check_sink(lua_State *L, int index, struct mod_sink *s);
