/* SPDX-License-Identifier: MIT
** sink.h -- where streamed output goes: a counter, a file, a C function, a function, an object with put or write.
** May call: lua_*, stdio, convert, layout, module/core/arguments.h.
** Must hold: file, counter and C function may be drained into during a raw walk; the others call Lua and may not. */
#ifndef FLEECE_MODULE_JSON_SINK_H
#define FLEECE_MODULE_JSON_SINK_H

#include <errno.h>
#include <stdio.h>

#include "../../convert/lua_to_json/api/state.h"
#include "../core/arguments.h"

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

/* Calls the sink with one piece. Two results, the first false or nil and the second not nil, are a failure. */
FL_FUNC int mod_sink_call(struct mod_sink *s, const char *bytes, size_t n) {
  lua_State *L = s->L;
  int args = 1, status;
  compat_need_stack(L, 8);
  lua_pushvalue(L, s->function);
  if (s->kind == MOD_SINK_METHOD) {
    lua_pushvalue(L, s->index);
    args = 2;
  }
  lua_pushlstring(L, bytes, n);
  if (s->calls->nesting >= API_NESTING) {
    s->error = "sinks nested too deep";
    return 0;
  }
  s->calls->nesting++;
  s->calls->count++;
  status = lua_pcall(L, args, 2, 0);
  s->calls->nesting--;
  if (status != 0) {
    s->thrown = 1;
    lua_replace(L, s->function);
    return 0;
  }
  if (!lua_toboolean(L, -2) && !lua_isnil(L, -1)) {
    s->refused = 1;
    lua_replace(L, s->function);
    lua_pop(L, 1);
    return 0;
  }
  lua_pop(L, 2);
  return 1;
}

/* Is a Lua file handle closed? Its FILE is gone then, whatever its first word says. Calls no Lua. */
FL_INLINE int mod_file_is_closed(const void *handle) {
#if LUA_VERSION_NUM >= 502
  return ((const luaL_Stream *)handle)->closef == NULL;
#else
  return *(FILE *const *)handle == NULL;
#endif
}

/* Adds `n` bytes, whole blocks. */
FL_FUNC void mod_sum_blocks(struct mod_sum *sum, const char *bytes, size_t n) {
  uint64_t first0 = sum->first[0], first1 = sum->first[1], second0 = sum->second[0], second1 = sum->second[1];
  for (; n > 0; bytes += MOD_SUM_BLOCK, n -= MOD_SUM_BLOCK) {
    uint64_t word[2];
    memcpy(word, bytes, sizeof word);
    first0 += word[0], first1 += word[1];
    second0 += first0, second1 += first1;
  }
  sum->first[0] = first0, sum->first[1] = first1, sum->second[0] = second0, sum->second[1] = second1;
}

FL_FUNC void mod_sum_add(struct mod_sum *sum, const char *bytes, size_t n) {
  if (sum->n) {
    const size_t part = n < MOD_SUM_BLOCK - sum->n ? n : MOD_SUM_BLOCK - sum->n;
    memcpy(sum->rest + sum->n, bytes, part);
    sum->n += part, bytes += part, n -= part;
    if (sum->n < MOD_SUM_BLOCK) return;
    mod_sum_blocks(sum, sum->rest, MOD_SUM_BLOCK);
  }
  sum->n = n % MOD_SUM_BLOCK;
  mod_sum_blocks(sum, bytes, n - sum->n);
  memcpy(sum->rest, bytes + n - sum->n, sum->n);
}

FL_FUNC int mod_sums_equal(const struct mod_sum *a, const struct mod_sum *b) {
  return memcmp(a->first, b->first, sizeof a->first) == 0 && memcmp(a->second, b->second, sizeof a->second) == 0 &&
         a->n == b->n && memcmp(a->rest, b->rest, a->n) == 0;
}

/* The value is walked again, from its beginning: what went out must come again. */
FL_FUNC void mod_sink_again(struct mod_sink *s) {
  if (s->kind == MOD_SINK_COUNT) s->total = 0;
  if (s->skip == 0) s->wanted = s->sum; /* else this walk has not come as far as one before it */
  s->skip = s->total;
  memset(&s->sum, 0, sizeof s->sum);
}

/* What is left of the bytes that went out already must be none at the walk's end, and their sum the same once they
** are done: a finalizer, or the collector in a weak table, can change the value between two walks. */
FL_FUNC int mod_sink_same(struct mod_sink *s, int holds) {
  if (!holds) s->error = "the value has changed while it was written";
  return holds;
}

/* A buf_drain. */
FL_FUNC int mod_sink_drain(void *ud, const char *bytes, size_t n) {
  struct mod_sink *s = (struct mod_sink *)ud;
  if (s->raw && s->kind != MOD_SINK_COUNT) {
    const size_t skip = s->skip < n ? s->skip : n;
    mod_sum_add(&s->sum, bytes, skip);
    s->skip -= skip;
    if (skip && s->skip == 0 && !mod_sink_same(s, mod_sums_equal(&s->sum, &s->wanted))) return 0;
    bytes += skip, n -= skip;
    mod_sum_add(&s->sum, bytes, n);
  }
  s->total += n;
  if (n == 0 || s->kind == MOD_SINK_COUNT) return 1;
  if (s->kind == MOD_SINK_HOST) {
    if (s->host(s->host_ud, bytes, n)) return 1;
    s->error = s->host_error;
    return 0;
  }
  if (s->kind != MOD_SINK_FILE) return mod_sink_call(s, bytes, n);
  if (mod_file_is_closed(s->file)) {
    s->error = "attempt to use a closed file";
    return 0;
  }
  errno = 0;
  if (fwrite(bytes, 1, n, *(FILE *const *)s->file) == n) return 1;
  s->error = errno == EBADF ? "cannot write to the file: it is not open for writing"
             : errno        ? strerror(errno)
                            : "cannot write to the file";
  return 0;
}

/* Pushes the message, or the error object, of a sink that failed. */
FL_FUNC void mod_push_sink_error(lua_State *L, const struct mod_sink *s) {
  if (s->thrown || s->refused) lua_pushvalue(L, s->function);
  else lua_pushstring(L, s->error);
}

/* The FILE of a Lua file handle at `index`; NULL: not a handle. Every Lua keeps it in the first word. It is gone once
** Lua code has run, and every allocation may run some: a finalizer may close the handle. */
FL_FUNC FILE *mod_to_file(lua_State *L, int index) {
  void *handle = lua_touserdata(L, index);
  int is_file;
  if (!handle || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, LUA_FILEHANDLE);
  is_file = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  if (!is_file) return NULL;
  if (mod_file_is_closed(handle)) mod_argument_error(L, index, "attempt to use a closed file");
  return *(FILE **)handle;
}

/* Reads the sink argument at `index`; pushes one slot. */
FL_FUNC void mod_check_sink(lua_State *L, int index, struct mod_sink *s) {
  memset(s, 0, sizeof *s);
  s->L = L;
  s->index = index;
  s->function = index;
  lua_pushnil(L);
  if (lua_isfunction(L, index)) {
    s->kind = MOD_SINK_CALL;
    return;
  }
  if (mod_to_file(L, index)) {
    s->file = lua_touserdata(L, index);
    s->kind = MOD_SINK_FILE;
    s->raw = 1;
    return;
  }
  s->kind = MOD_SINK_METHOD;
  s->function = lua_gettop(L);
  if (lua_type(L, index) == LUA_TUSERDATA || lua_type(L, index) == LUA_TTABLE) {
    static const char *const methods[] = {"put", "write"};
    int i;
    for (i = 0; i < 2; i++) {
      lua_getfield(L, index, methods[i]);
      if (lua_isfunction(L, -1)) {
        lua_replace(L, s->function);
        return;
      }
      lua_pop(L, 1);
    }
  }
  mod_argument_error(L, index, "a file, a function or an object with a put or write method expected");
}

#endif
