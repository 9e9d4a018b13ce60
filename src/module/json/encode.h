/* SPDX-License-Identifier: MIT
** encode.h -- json, size, encode, write: arguments in, one walk (raw if it can be), a result out.
** May call: base, number, json, layout, convert, lua_*.
** Must hold: no memory without an owner when something may raise. A walk's memory belongs to the mod_state, or
** while it may run Lua code to a holder. A raw walk calls no Lua. A public-API walk protects each call of Lua
** code. */
#ifndef FLEECE_MODULE_JSON_ENCODE_H
#define FLEECE_MODULE_JSON_ENCODE_H

#include "../core/foreign_marks.h"
#include "../core/options.h"
#include "../core/results.h"
#include "sink.h"
#include "../core/state.h"
#include "../view/json.h"

struct mod_call;

/* The two walks of a call. */
struct mod_walks {
  enum encode_result (*raw)(struct mod_call *call, struct encode_state *c);
  int (*by_api)(struct mod_call *call, struct encode_state *c); /* the results of the call */
};

/* One call of encode, json, size, write or pack. */
struct mod_call {
  lua_State *L;
  struct mod_state *state;
  const struct mod_walks *walks; /* to text, or to binary */
  const struct mod_options *options;
  struct mod_options own; /* options of this call */
  int value;              /* stack index */
  struct mod_sink *sink;  /* NULL: a string is wanted */
  void *special;          /* of the options' ops: what they keep for this call */
};

static const struct mod_walks mod_text_walks;

/* A call for the value at the index, with nothing special. */
FL_INLINE void mod_start_call(struct mod_call *call, lua_State *L, struct mod_state *m, const struct mod_options *o,
                              int value) {
  call->L = L;
  call->state = m;
  call->options = o;
  call->value = value;
  call->walks = &mod_text_walks;
  call->sink = NULL;
  call->special = NULL;
}

/* Raises the message on top, or returns it behind nil. */
FL_NOINLINE int mod_raise(lua_State *L, int safe) {
  if (safe) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

/* Ends a call whose sink failed. */
FL_NOINLINE int mod_raise_sink(struct mod_call *call) {
  mod_push_sink_error(call->L, call->sink);
  if (call->sink->thrown && !call->options->safe) return lua_error(call->L);
  return mod_raise(call->L, call->options->safe);
}

/* ------------------------------------------------------------------------------------- walks */

/* After a walk that left more memory than is always kept. `settled`: a long result has seen to its buffer. */
FL_NOINLINE void mod_trim_(struct mod_state *m, struct encode_state *c, size_t used, int settled) {
  int keep = settled || mod_should_keep_block(m, buf_capacity(&c->out.buffer), used);
  if (!keep) m->hint = 0;
  encode_trim(c, keep ? SIZE_MAX : MOD_KEEP);
}

/* Ends a successful walk that wrote up to `end`: hands the sink the rest, or pushes the string. */
FL_INLINE int mod_finish(struct mod_call *call, struct encode_state *c, char *end) {
  struct mod_state *m = call->state;
  size_t used = (size_t)(end - c->out.buffer.begin);
  int sunk;
  if (FL_LIKELY(!call->sink)) {
    mod_push_result(call->L, m, c, end);
  } else {
    sunk = buf_flush(&c->out.buffer, end, 0) != NULL && mod_sink_same(call->sink, call->sink->skip == 0);
    c->out.buffer.drain = NULL;
    if (c != &m->walk) mod_free_encode_state(c);
    if (!sunk) return mod_raise_sink(call);
  }
  if (FL_UNLIKELY(buf_capacity(&c->out.buffer) > MOD_KEEP || c->frame_room > ENCODE_FRAMES_FIRST ||
                  c->list_room > ENCODE_LIST_FIRST))
    mod_trim_(m, c, used, !call->sink && used > MOD_SMALL);
  return 1;
}

/* A walk's first block: what is kept, else as much as the last long result needed. A collection may help, and
** may run finalizers that encode, so the drain is set after it. */
FL_NOINLINE int mod_first_block_(struct mod_call *call, struct encode_state *c) {
  struct mod_state *m = call->state;
  struct buffer *b = &c->out.buffer;
  if (m->hint > BUF_FIRST && !call->sink && buf_resize(b, m->hint)) return 1;
  if (buf_resize(b, BUF_FIRST)) return 1;
  mod_free_encode_state(c);
  lua_gc(call->L, LUA_GCCOLLECT, 0);
  return b->begin || buf_resize(b, BUF_FIRST);
}

FL_INLINE void mod_set_drain(struct mod_call *call, struct encode_state *c) {
  c->out.buffer.drain = call->sink ? mod_sink_drain : NULL;
  c->out.buffer.drain_ud = call->sink;
  c->out.buffer.refused = 0;
}

/* The walk's memory is there, and where it goes is set. Must hold: nothing that can collect comes between this and
** the walk or its move to a holder: a finalizer that encodes uses the same, and may leave none. */
FL_INLINE int mod_make_ready(struct mod_call *call, struct encode_state *c) {
  if (FL_UNLIKELY(!c->out.buffer.begin) && !mod_first_block_(call, c)) return 0;
  mod_set_drain(call, c);
  return 1;
}

FL_NOINLINE int mod_raise_memory_(lua_State *L, int safe) {
  lua_pushliteral(L, "not enough memory");
  return mod_raise(L, safe);
}

/* ------------------------------------------------------------------------------------- walks by the public API */

static const struct api_callbacks mod_api_callbacks = {mod_refresh_marks, view_is_value, view_write_json, NULL};

/* Prepares a walk with these options; what it needs on a stack comes from mod_push_api_slots. */
FL_FUNC void mod_init_api_walk(struct api_walk *a, struct mod_state *m, const struct mod_options *o) {
  memset(a, 0, sizeof *a);
  a->shared = &m->shared;
  a->callbacks = &mod_api_callbacks;
  a->owner = m;
  a->guarded = (o->safe && o->policy.rules->errors == ENCODE_ERRORS_WITH_PATH) || o->on_error;
  a->ops = o->policy.ops;
  a->skips = a->ops && a->ops->skips ? a->ops->skips : o->style.skip_unsupported ? api_skips : NULL;
  a->guards = o->on_error || (a->ops && a->ops->write_value);
  a->bulk_scalars = o->speed == ENCODE_FASTEST && o->style.escape == JSON_ESCAPE_JSON && !o->on_error;
  a->pairs_honours_meta = o->pairs_honours_meta;
}

/* Pushes the slots that a walk needs below its levels. The next value to be pushed is the root. */
FL_FUNC void mod_push_api_slots(struct api_walk *a, lua_State *L, int order, int on_error) {
  lua_settop(L, lua_gettop(L) + 2);
  a->L = L;
  a->order = order;
  a->on_error = on_error;
  a->spill = lua_gettop(L) - 1;
  a->own_order = a->spill + 1;
  a->levels = a->spill + 2;
}

/* Starts a walk of the value of the call, in a holder that gets the memory of `c`; false: out of memory. The stack
** holds the arguments. */
FL_FUNC int mod_begin_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c) {
  lua_State *L = call->L;
  struct mod_state *m = call->state;
  const struct mod_options *o = call->options;
  struct encode_state *held = c;
  compat_need_stack(L, API_STACK);
  if (o->begin) o->begin(call);
  if (FL_LIKELY(c == &m->walk)) held = &mod_take_holder(L, m)->walk;
  mod_init_api_walk(a, m, o);
  mod_push_api_slots(a, L, o->order, o->on_error);
  lua_pushvalue(L, call->value);
  if (call->sink) mod_sink_again(call->sink);
  if (!mod_make_ready(call, c)) return 0;
  if (FL_LIKELY(held != c)) encode_move(held, c);
  held->out.style = &o->style;
  held->policy = &o->policy;
  held->out.error = FL_ERROR_NONE;
  held->list_length = 0;
  a->walk = held;
  return 1;
}

/* Ends a walk: its results. `end`: of what was written; NULL: an error, whose message or error object is on top. */
FL_FUNC int mod_end_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c, char *end) {
  lua_State *L = call->L;
  const struct mod_sink *sink = call->sink;
  const struct mod_options *o = call->options;
  const enum fl_error error = a->walk->out.error;
  if (FL_LIKELY(a->walk != c)) mod_return_walk(call->state, mod_holder_of(a->walk));
  if (FL_LIKELY(end != NULL)) return mod_finish(call, c, end);
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  if (o->raise) return o->raise(call, a, error);
  if (a->thrown) return lua_error(L);
  if (error == FL_ERROR_SINK || (sink && (sink->thrown || sink->refused || sink->error))) return mod_raise_sink(call);
  return mod_raise(L, o->safe);
}

/* Any value to text. */
FL_NOINLINE int mod_encode_by_api(struct mod_call *call, struct encode_state *c) {
  struct api_walk a;
  char *end;
  if (!mod_begin_api_walk(&a, call, c)) return mod_raise_memory_(call->L, call->options->safe);
  a.special = call->special;
  end = api_write(&a, a.walk->out.buffer.begin);
  if (end && call->sink) end = buf_flush(&a.walk->out.buffer, end, 0);
  return mod_end_api_walk(&a, call, c, end);
}

/* ------------------------------------------------------------------------------------- raw walks */

/* A string, number, boolean or nil by itself; NULL: an error, which the public-API walk words. */
FL_FUNC char *mod_write_scalar(lua_State *L, int value, struct json_out *out) {
  char *w = json_reserve(out, out->buffer.begin, JSON_TEXT_ROOM);
  size_t n;
  const char *s;
  if (!w) return NULL;
  switch (lua_type(L, value)) {
  case LUA_TSTRING: s = lua_tolstring(L, value, &n); return json_write_string(out, w, s, n, (int)out->style->escape);
  case LUA_TNUMBER:
    if (compat_is_integer(L, value)) return num_write_i64(w, compat_to_integer(L, value));
    return json_write_double_styled(out, w, lua_tonumber(L, value));
  case LUA_TBOOLEAN: s = lua_toboolean(L, value) ? "true" : "false"; return json_write_raw(out, w, s, strlen(s));
  case LUA_TNIL: return json_write_raw(out, w, "null", 4);
  default: return NULL;
  }
}

FL_INLINE enum encode_result mod_encode_raw(struct mod_call *call, struct encode_state *c) {
  const struct mod_options *o = call->options;
  c->out.style = &o->style;
  c->policy = &o->policy;
  c->out.error = FL_ERROR_NONE;
  c->unknown_metatable = 0;
  return call->state->raw(c, (const char *)lua_topointer(call->L, call->value), o->speed);
}

FL_NOINLINE enum encode_result mod_encode_raw_(struct mod_call *call, struct encode_state *c) {
  return mod_encode_raw(call, c);
}

static const struct mod_walks mod_text_walks = {mod_encode_raw_, mod_encode_by_api};

/* The sink did not take what a walk without Lua handed it. */
FL_NOINLINE int mod_refused_(struct mod_call *call, struct encode_state *c) {
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  return mod_raise_sink(call);
}

/* Asks what the walk met first: metatables that it did not know, or boxed integers. False: nothing that it could know
** better now. */
FL_FUNC int mod_refresh_known_metatables(struct mod_call *call, struct encode_state *c) {
  if (!mod_learn_boxes(call->L, call->state, c) && !c->unknown_metatable) return 0;
  mod_refresh_marks(call->L, call->state);
  return 1;
}

/* The raw walk did not come through: learns what it met, or makes room, and tries once more; then the public API. */
FL_NOINLINE int mod_encode_again_(struct mod_call *call, struct encode_state *c, enum encode_result result) {
  lua_State *L = call->L;
  if (call->sink) mod_sink_again(call->sink);
  if (result == ENCODE_MEMORY) {
    mod_free_encode_state(c);
    call->state->hint = 0;
    lua_gc(L, LUA_GCCOLLECT, 0);
    result = mod_make_ready(call, c) ? call->walks->raw(call, c) : ENCODE_MEMORY;
  } else if (result == ENCODE_REDO && mod_refresh_known_metatables(call, c)) {
    if (!mod_make_ready(call, c)) return mod_raise_memory_(L, call->options->safe);
    c->unknown_are_plain = 1;
    result = call->walks->raw(call, c);
    c->unknown_are_plain = 0;
  }
  if (result == ENCODE_DONE) return mod_finish(call, c, c->finish);
  if (result == ENCODE_REDO) return call->walks->by_api(call, c);
  if (result == ENCODE_SINK) return mod_refused_(call, c);
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  return mod_raise_memory_(L, call->options->safe);
}

/* Does what the call asks; returns the number of Lua results: the string, or nil and a message. */
FL_INLINE int mod_run(struct mod_call *call) {
  lua_State *L = call->L;
  struct mod_state *m = call->state;
  const struct mod_options *o = call->options;
  struct encode_state *c = mod_encode_state_for_call(L, m);
  enum encode_result result;
  char *end;
  if (!mod_make_ready(call, c)) return mod_raise_memory_(L, o->safe);
  /* What a handler puts in a value's place may be known only after the raw walk has written its beginning. */
  if (call->sink && (!call->sink->raw || o->on_error)) return mod_encode_by_api(call, c);
  if (FL_LIKELY(lua_type(L, call->value) == LUA_TTABLE)) {
    if (!m->raw || o->force_api || o->order) return mod_encode_by_api(call, c);
    result = mod_encode_raw(call, c);
    if (FL_UNLIKELY(result != ENCODE_DONE)) return mod_encode_again_(call, c, result);
    return mod_finish(call, c, c->finish);
  }
  c->out.style = &o->style;
  c->out.error = FL_ERROR_NONE;
  end = FL_LIKELY(!o->policy.ops) || !o->policy.ops->write_value ? mod_write_scalar(L, call->value, &c->out) : NULL;
  if (FL_LIKELY(end != NULL)) return mod_finish(call, c, end);
  return c->out.error == FL_ERROR_SINK ? mod_refused_(call, c) : mod_encode_by_api(call, c);
}

/* ------------------------------------------------------------------------------------- functions */

/* Starts a call whose value is argument `value` and whose options may be argument `options`. */
FL_INLINE void mod_begin(struct mod_call *call, lua_State *L, int value, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  mod_start_call(call, L, codec->state, &codec->encode, value);
  if (FL_LIKELY(lua_gettop(L) == value)) return;
  mod_check_any(L, value);
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) {
    call->own = codec->encode;
    mod_read_options(L, options, &call->own, NULL);
    call->options = &call->own;
  }
}

/* Raises that argument 2 is no flag. */
FL_NOINLINE int mod_no_flag_(lua_State *L) {
  if (lua_type(L, 2) != LUA_TNUMBER) return mod_type_error(L, 2, "string");
  return mod_argument_error(L, 2, lua_pushfstring(L, "invalid flag '%s'; " MOD_SEVERAL_RESULTS, lua_tostring(L, 2)));
}

/* Starts a call of json or size: argument 2 is a flag "E", "E0" .. "E4". */
FL_INLINE void mod_begin_json(struct mod_call *call, lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  size_t n;
  const char *flag;
  mod_check_any(L, 1);
  mod_start_call(call, L, codec->state, &codec->json, 1);
  if (lua_isnoneornil(L, 2)) return;
  if (FL_UNLIKELY(lua_type(L, 2) != LUA_TSTRING)) mod_no_flag_(L);
  flag = lua_tolstring(L, 2, &n);
  if (n < 1 || n > 2 || flag[0] != 'E' || (n == 2 && (flag[1] < '0' || flag[1] > '4')))
    mod_argument_error(L, 2, lua_pushfstring(L, "invalid flag '%s'", flag));
  if (n == 2 && flag[1] == '0') return;
  call->own = codec->json;
  call->own.style.escape = n == 1 ? JSON_ESCAPE_E4 : (enum json_escape)(JSON_ESCAPE_E0 + (flag[1] - '0'));
  mod_settle_options(&call->own);
  call->options = &call->own;
}

/* encode(value [, options]) -> text: always valid RFC 8259. */
FL_FUNC int mod_encode(lua_State *L) {
  struct mod_call call;
  mod_begin(&call, L, 1, 2);
  return mod_run(&call);
}

/* json(value [, flags]) -> text, escaped as the flag says; "E0", the default, escapes nothing. */
FL_FUNC int mod_json(lua_State *L) {
  struct mod_call call;
  mod_begin_json(&call, L);
  return mod_run(&call);
}

/* size(value [, flags]) -> the length in bytes of what json would return, without building it. */
FL_FUNC int mod_size(lua_State *L) {
  struct mod_call call;
  struct mod_sink sink;
  int results;
  mod_begin_json(&call, L);
  memset(&sink, 0, sizeof sink);
  sink.kind = MOD_SINK_COUNT;
  sink.raw = 1;
  call.sink = &sink;
  results = mod_run(&call);
  if (results != 1) return results;
  lua_pushinteger(L, (lua_Integer)sink.total);
  return 1;
}

/* write(sink, value [, options]) -> true: as encode, in pieces. */
FL_FUNC int mod_write(lua_State *L) {
  struct mod_call call;
  struct mod_sink sink;
  int results;
  mod_check_any(L, 2);
  mod_begin(&call, L, 2, 3);
  mod_check_sink(L, 1, &sink);
  call.sink = &sink;
  sink.calls = &call.state->shared.calls;
  results = mod_run(&call);
  if (results != 1) return results;
  lua_pushboolean(L, 1);
  return 1;
}

#endif
