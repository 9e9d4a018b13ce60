/* SPDX-License-Identifier: MIT */
#include "sink.h"

/* Calls the sink with one piece. Two results, the first false or nil and the second not nil, are a failure. */
static int mod_sink_call(struct mod_sink *s, const char *bytes, size_t n) {
  lua_State *L = s->L;
  struct api_running call;
  int args = 1;
  compat_need_stack(L, 8);
  lua_pushvalue(L, s->function);
  if (s->kind == MOD_SINK_METHOD) {
    lua_pushvalue(L, s->index);
    args = 2;
  }
  lua_pushlstring(L, bytes, n);
  if (!api_begin_call(s->calls, &call, L)) {
    s->error = "sinks nested too deep";
    return 0;
  }
  const int status = lua_pcall(L, args, 2, 0);
  api_end_call(&call);
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

/* Adds `n` bytes, whole blocks, to the checksum. */
static void mod_sum_blocks(struct mod_sum *sum, const char *bytes, size_t n) {
  uint64_t first0 = sum->first[0], first1 = sum->first[1], second0 = sum->second[0], second1 = sum->second[1];
  for (; n > 0; bytes += MOD_SUM_BLOCK, n -= MOD_SUM_BLOCK) {
    uint64_t word[2];
    memcpy(word, bytes, sizeof word);
    first0 += word[0], first1 += word[1];
    second0 += first0, second1 += first1;
  }
  sum->first[0] = first0, sum->first[1] = first1, sum->second[0] = second0, sum->second[1] = second1;
}

static void mod_sum_add(struct mod_sum *sum, const char *bytes, size_t n) {
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

static int mod_sums_equal(const struct mod_sum *a, const struct mod_sum *b) {
  return memcmp(a->first, b->first, sizeof a->first) == 0 && memcmp(a->second, b->second, sizeof a->second) == 0 &&
         a->n == b->n && memcmp(a->rest, b->rest, a->n) == 0;
}

FL_PRIVATE void mod_sink_again(struct mod_sink *s) {
  if (s->kind == MOD_SINK_COUNT) s->total = 0;
  if (s->skip == 0) s->wanted = s->sum; /* else this attempt wrote less than an earlier one */
  s->skip = s->total;
  memset(&s->sum, 0, sizeof s->sum);
}

FL_PRIVATE int mod_sink_same(struct mod_sink *s, int holds) {
  if (!holds) s->error = "the value has changed while it was written";
  return holds;
}

FL_PRIVATE int mod_sink_drain(void *ud, const char *bytes, size_t n) {
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

FL_PRIVATE void mod_push_sink_error(lua_State *L, const struct mod_sink *s) {
  if (s->thrown || s->refused) lua_pushvalue(L, s->function);
  else lua_pushstring(L, s->error);
}

FL_PRIVATE FILE *mod_to_file(lua_State *L, int index) {
  void *handle = lua_touserdata(L, index);
  if (!handle || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, LUA_FILEHANDLE);
  const int is_file = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  if (!is_file) return NULL;
  if (mod_file_is_closed(handle)) mod_argument_error(L, index, "attempt to use a closed file");
  return *(FILE **)handle;
}

/* Pushes the member of an object; nil if it is cdata that has none, which raises an error. */
static void mod_push_method(lua_State *L, int index, const char *name) {
  if (lua_type(L, index) != API_TCDATA) {
    lua_getfield(L, index, name);
    return;
  }
  lua_pushcfunction(L, api_get_index);
  lua_pushvalue(L, index);
  lua_pushstring(L, name);
  if (lua_pcall(L, 2, 1, 0) == 0) return;
  lua_pop(L, 1);
  lua_pushnil(L);
}

FL_PRIVATE void mod_check_sink(lua_State *L, int index, struct mod_sink *s) {
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
  if (lua_type(L, index) == LUA_TUSERDATA || lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == API_TCDATA) {
    static const char *const methods[] = {"put", "write"};
    for (int i = 0; i < 2; i++) {
      mod_push_method(L, index, methods[i]);
      if (lua_isfunction(L, -1)) {
        lua_replace(L, s->function);
        return;
      }
      lua_pop(L, 1);
    }
  }
  mod_type_error(L, index, "a file, a function or an object with a put or write method");
}
