/* SPDX-License-Identifier: MIT
** encode.h -- encode, json, size and write: read the arguments and options, encode the value (with the raw encoder if
** possible) and return the result, a string.
** Must hold: whenever something may raise, all memory has an owner: the mod_state, or a holder while Lua code may
** run. The raw encoder never calls Lua. The public-API encoder calls Lua code only in protected mode. The bytes of a
** result are copied, or the buffer is detached, before the string is created, which may run finalizers that encode.
** Errors of options are raised before memory for encoding is allocated. */
#pragma once

#include "../../lua/guard.h"
#include "../../lua/options/options.h"
#include "sink.h"
#include "state.h"

FL_PRIVATE void mod_default_options(struct mod_options *o, int escape);

/* Computes what depends on several options. Call it after each change. */
FL_PRIVATE void mod_settle_options(struct mod_options *o);

/* Returns whether key_order has names that the raw walks do not find. */
FL_INLINE int mod_orders_by_api(const struct mod_options *o) { return o->order && !o->policy.ranks; }

/* Reads the table at `arg` into `to`; other options keep their values. Leaves Lua values on the stack. */
FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, enum mod_taker of);

/* Returns the options of encode, for readers that also have others. */
FL_PRIVATE const struct mod_option *mod_encode_options(void);

enum {
  MOD_TINY = 64,       /* bytes; up to here a copy of a constant size, for which a block always has room (BUF_SLACK) */
  MOD_SMALL = 2048,    /* bytes; up to here a copy on the C stack is cheaper than a protected call */
  MOD_EXTERNAL = 16384 /* Lua 5.5 adopts results from here on instead of copying them */
};

/* In Lua 5.1 and LuaJIT an allocation of any size causes one small step of the collector (lgc.c, luaC_step: 1 KB of the
** debt); the rest is left to later allocations. A program that creates little except long texts makes too few of them:
** 420 texts of canada.json left 810 MB of garbage. So there is one small allocation for each 16 KB of a text. Then it
** is 80 MB. On 5.1 it takes 9 to 25 % less time, because memory is reused while it is in the cache; on LuaJIT 2 to 6 %
** more. It is not lua_gc, because a collector that was stopped must stay stopped. */
enum { MOD_COLLECT_PER = 16384 };

FL_FUNC void mod_let_collect(lua_State *L, size_t n) {
#if LUA_VERSION_NUM < 502
  for (; n >= MOD_COLLECT_PER; n -= MOD_COLLECT_PER) {
    lua_pushliteral(L, "");
    lua_pop(L, 1);
  }
#else
  (void)L, (void)n;
#endif
}

struct mod_piece {
  const char *bytes;
  size_t n;
};

/* The upvalue MOD_PUSH: pushes a mod_piece as a string. Runs protected. */
FL_PRIVATE int mod_push_piece(lua_State *L);

/* Pushes a long result. The detached buffer is kept or freed even if finalizers encode meanwhile. */
FL_PRIVATE_NOINLINE void mod_push_long_(lua_State *L, struct mod_state *m, size_t n);

/* Pushes a short result. Before Lua 5.3 lua_pushlstring may run finalizers, which may encode, before it copies the
** bytes; there they are copied first. */
#if LUA_VERSION_NUM >= 503
FL_INLINE void mod_push_short(lua_State *L, const char *bytes, size_t n) { lua_pushlstring(L, bytes, n); }
#else
FL_PRIVATE_NOINLINE void mod_push_short(lua_State *L, const char *bytes, size_t n);
#endif

FL_FUNC void mod_push_result(lua_State *L, struct mod_state *m, struct encode_state *c, const char *end) {
  size_t n = (size_t)(end - c->out.buffer.begin);
  if (FL_UNLIKELY(c != &m->encode->walk)) { /* in a nested call the holder owns the buffer */
    lua_pushlstring(L, c->out.buffer.begin, n);
    mod_free_encode_state(c);
  } else if (FL_LIKELY(n <= MOD_SMALL)) {
    mod_push_short(L, c->out.buffer.begin, n);
  } else {
    mod_push_long_(L, m, n);
  }
}

struct mod_call;

/* The raw and the public-API encoder of a call. */
struct mod_walks {
  enum encode_result (*raw)(struct mod_call *call, struct encode_state *c);
  int (*by_api)(struct mod_call *call, struct encode_state *c); /* returns the number of Lua results */
};

/* One call of encode, json, size, write or pack. */
struct mod_call {
  lua_State *L;
  struct mod_state *state;
  const struct mod_walks *walks; /* mod_text_walks or mod_pack_walks */
  const struct mod_options *options;
  struct mod_options own; /* options of this call */
  int value;              /* stack index */
  struct mod_sink *sink;  /* NULL: the result is a string */
  void *special;          /* data of the policy's functions (options->policy.ops) */
  enum fl_kind kind;      /* of the error that has ended it */
};

static const struct mod_walks mod_text_walks;

/* Initializes a call that encodes the value at the stack index `value` to a string. */
FL_FUNC void mod_start_call(struct mod_call *call, lua_State *L, struct mod_state *m, const struct mod_options *o,
                            int value) {
  call->L = L;
  call->state = m;
  call->options = o;
  call->value = value;
  call->walks = &mod_text_walks;
  call->sink = NULL;
  call->special = NULL;
  call->kind = FL_KIND_NONE;
}

/* Ends a call whose sink failed. */
FL_PRIVATE_NOINLINE int mod_raise_sink(struct mod_call *call);

/* Frees memory after a call that used more than is always kept. `settled`: keep the buffer, because the code for long
** results has decided that already. */
FL_PRIVATE_NOINLINE void mod_trim_(struct mod_state *m, struct encode_state *c, size_t used, int settled);

/* Ends a successful call whose output ends at `end`: passes the rest to the sink, or pushes the string. */
FL_SHARED int mod_finish(struct mod_call *call, struct encode_state *c, char *end) {
  struct mod_state *m = call->state;
  size_t used = (size_t)(end - c->out.buffer.begin);
  if (FL_LIKELY(!call->sink)) {
    mod_push_result(call->L, m, c, end);
  } else {
    const int sunk = buf_flush(&c->out.buffer, end, 0) != NULL && mod_sink_same(call->sink, call->sink->skip == 0);
    c->out.buffer.drain = NULL;
    if (c != &m->encode->walk) mod_free_encode_state(c);
    if (!sunk) return mod_raise_sink(call);
  }
  if (FL_UNLIKELY(buf_capacity(&c->out.buffer) > MOD_KEEP || c->frame_room > ENCODE_FRAMES_FIRST ||
                  c->list_room > ENCODE_LIST_FIRST))
    mod_trim_(m, c, used, !call->sink && used > MOD_SMALL);
  return 1;
}

/* Allocates the first block of the output, as large as the last long result. If out of memory, collects garbage and
** tries again. That may run finalizers that encode, so the drain is set after it. */
FL_PRIVATE_NOINLINE int mod_first_block_(struct mod_call *call, struct encode_state *c);

/* Allocates the output buffer and sets its drain. After this, nothing may collect garbage until encoding begins or a
** holder has the memory: a finalizer that encodes uses the same buffer, and may free it. */
FL_FUNC int mod_make_ready(struct mod_call *call, struct encode_state *c) {
  if (FL_UNLIKELY(!c->out.buffer.begin) && !mod_first_block_(call, c)) return 0;
  c->out.buffer.drain = call->sink ? mod_sink_drain : NULL;
  c->out.buffer.drain_ud = call->sink;
  c->out.buffer.refused = 0;
  return 1;
}

/* End a call that has run out of memory. */
FL_PRIVATE_NOINLINE int mod_raise_memory_(lua_State *L, int safe);
FL_PRIVATE_NOINLINE int mod_call_memory_(struct mod_call *call);

/* Initializes the public-API encoder with these options; mod_push_api_slots pushes its stack slots. */
FL_PRIVATE void mod_init_api_walk(struct api_walk *a, struct mod_state *m, const struct mod_options *o);

/* Pushes the slots that the encoder needs below its levels. The caller pushes the root next. */
FL_PRIVATE void mod_push_api_slots(struct api_walk *a, lua_State *L, int order, int on_error);

/* Pushes the holder for a call by the public API. The stack has only the arguments. */
FL_PRIVATE struct mod_holder *mod_holder_for_call(struct mod_call *call, struct encode_state *c);

/* Begins to encode the value of the call, with the memory of `c`, which moves to the holder. Returns 0 if out of
** memory. */
FL_PRIVATE int mod_begin_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c,
                                  struct mod_holder *holder);

/* Ends a call by the public API and returns the number of Lua results. `end`: the end of the output; NULL after an
** error, with the message or error object on top. */
FL_PRIVATE int mod_end_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c, char *end);

/* Encodes any value to text by the public API. */
FL_PRIVATE_NOINLINE int mod_encode_by_api(struct mod_call *call, struct encode_state *c);

/* Writes a string, number, boolean or nil to w. `type`: that of the value. NULL if it failed; the public-API encoder
** then tries again and makes the message. */
FL_PRIVATE char *mod_write_scalar(lua_State *L, int value, int type, struct json_out *out, char *w);

FL_FUNC enum encode_result mod_encode_raw(struct mod_call *call, struct encode_state *c) {
  const struct mod_options *o = call->options;
  c->out.style = &o->style;
  c->policy = &o->policy;
  c->out.error = FL_ERROR_NONE;
  c->unknown_metatable = 0;
  return call->state->encode->raw(c, (const char *)lua_topointer(call->L, call->value), o->speed);
}

FL_PRIVATE_NOINLINE enum encode_result mod_encode_raw_(struct mod_call *call, struct encode_state *c);

static const struct mod_walks mod_text_walks = {mod_encode_raw_, mod_encode_by_api};

/* Ends a call whose sink failed while no Lua code ran. */
FL_PRIVATE_NOINLINE int mod_refused_(struct mod_call *call, struct encode_state *c);

/* After the raw encoder has failed: looks up unknown metatables, or frees memory, and runs it once more. If it fails
** again, the public-API encoder does the whole value. */
FL_PRIVATE_NOINLINE int mod_encode_again_(struct mod_call *call, struct encode_state *c, enum encode_result result);

/* mod_run, in place: the set-up is a third of encoding a small value. */
FL_INLINE int mod_run_here(struct mod_call *call) {
  lua_State *L = call->L;
  struct mod_state *m = call->state;
  const struct mod_options *o = call->options;
  struct encode_state *c = mod_encode_state_for_call(L, m);
  if (!mod_make_ready(call, c)) return mod_call_memory_(call);
  /* With a handler the raw encoder could write a beginning that the handler's replacement makes wrong. */
  if (call->sink && (!call->sink->raw || o->on_error)) return mod_encode_by_api(call, c);
  const int type = lua_type(L, call->value);
  if (FL_LIKELY(type == LUA_TTABLE)) {
    if (!m->encode->raw || o->force_api || mod_orders_by_api(o)) return mod_encode_by_api(call, c);
    const enum encode_result result = mod_encode_raw(call, c);
    if (FL_UNLIKELY(result != ENCODE_DONE)) return mod_encode_again_(call, c, result);
    return mod_finish(call, c, c->finish);
  }
  c->out.style = &o->style;
  c->out.error = FL_ERROR_NONE;
  char *end = mod_write_scalar(L, call->value, type, &c->out, c->out.buffer.begin);
  if (FL_LIKELY(end != NULL)) return mod_finish(call, c, end);
  return c->out.error == FL_ERROR_SINK ? mod_refused_(call, c) : mod_encode_by_api(call, c);
}

/* Runs the call and returns the number of Lua results: the string, or nil and a message. */
FL_SHARED int mod_run(struct mod_call *call) { return mod_run_here(call); }

/* mod_run for a text with `width`, which is laid out after it was written. */
FL_PRIVATE_NOINLINE int mod_run_in_width_(struct mod_call *call);

FL_FUNC int mod_run_any(struct mod_call *call) {
  return FL_UNLIKELY(call->options->style.width) ? mod_run_in_width_(call) : mod_run(call);
}

/* Begins a call: argument `value` is encoded; argument `options` is a table of options or absent. */
FL_INLINE void mod_begin(struct mod_call *call, lua_State *L, int value, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  mod_start_call(call, L, codec->state, &codec->encode, value);
  if (FL_LIKELY(lua_gettop(L) == value)) return;
  mod_check_any(L, value);
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) {
    call->own = codec->encode;
    mod_read_options(L, options, &call->own, MOD_OF_ENCODE);
    call->options = &call->own;
  }
}

/* encode(value [, options]) -> text: always valid RFC 8259. */
FL_PRIVATE int mod_encode(lua_State *L);

/* json(value [, flags]) -> text, escaped as the flag says; "E0", the default, escapes nothing. */
FL_PRIVATE int mod_json(lua_State *L);

/* size(value [, flags]) -> the length in bytes of what json would return, without building it. */
FL_PRIVATE int mod_size(lua_State *L);

/* write(sink, value [, options]) -> true: as encode, in pieces. */
FL_PRIVATE int mod_write(lua_State *L);
