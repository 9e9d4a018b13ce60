/* SPDX-License-Identifier: MIT */
#include "encode.h"
#include "mixed.h"
#include "width.h"

FL_PRIVATE int mod_push_piece(lua_State *L) {
  const struct mod_piece *piece = (const struct mod_piece *)lua_touserdata(L, 1);
  lua_pushlstring(L, piece->bytes, piece->n);
  return 1;
}

#if LUA_VERSION_NUM >= 505
/* Makes the block itself the string. Lua frees it through the same allocator, as n + 1 bytes. The collector does not
** count these bytes, so a step of that size is requested. */
static int mod_adopt(lua_State *L, struct buffer *b, size_t n) {
  char *block = (char *)b->alloc(b->alloc_ud, b->begin, buf_capacity(b), n + 1);
  if (!block) return 0;
  block[n] = 0;
  lua_pushexternalstring(L, block, n, b->alloc, b->alloc_ud);
  if (lua_gc(L, LUA_GCISRUNNING)) lua_gc(L, LUA_GCSTEP, n);
  return 1;
}
#endif

FL_PRIVATE_NOINLINE void mod_push_long_(lua_State *L, struct mod_state *m, size_t n) {
  struct buffer detached = m->encode->walk.out.buffer;
  struct mod_piece piece;
  int status;
  m->encode->walk.out.buffer.begin = m->encode->walk.out.buffer.end = NULL;
#if LUA_VERSION_NUM >= 505
  m->encode->hint = n + n / 16 + BUF_FIRST;
  if (n >= MOD_EXTERNAL && mod_adopt(L, &detached, n)) return;
#endif
  luajit_reserve_heap(m, n);
  piece.bytes = detached.begin, piece.n = n;
  lua_pushvalue(L, lua_upvalueindex(MOD_PUSH));
  lua_pushlightuserdata(L, &piece);
  status = lua_pcall(L, 1, 1, 0);
  mod_keep_buffer(m, &detached, n);
  if (status) lua_error(L);
  mod_let_collect(L, n);
}

#if LUA_VERSION_NUM < 503
/* Not inlined, so that the copy takes C stack only while the string is created. */
FL_PRIVATE_NOINLINE void mod_push_short(lua_State *L, const char *bytes, size_t n) {
  char copy[MOD_SMALL];
  if (n <= MOD_TINY) memcpy(copy, bytes, MOD_TINY);
  else memcpy(copy, bytes, n);
  lua_pushlstring(L, copy, n);
}
#endif

/* Ends a call whose error has call->kind, with the message on top. `path`: as in struct mod_failure. Calls that word
** their errors themselves get only the message. */
static int mod_call_fail(const struct mod_call *call, int path) {
  const struct mod_failure failure = {call->kind, 0, 0, 0, NULL, path};
  const struct mod_options *o = call->options;
  if (o->raise || o->policy.rules->errors != ENCODE_ERRORS_WITH_PATH) return mod_raise(call->L, o->safe);
  return mod_raise_failure(call->L, o->safe, &failure);
}

FL_PRIVATE_NOINLINE int mod_call_memory_(struct mod_call *call) {
  lua_pushliteral(call->L, "not enough memory");
  call->kind = FL_KIND_MEMORY;
  return mod_call_fail(call, 0);
}

FL_PRIVATE_NOINLINE int mod_raise_sink(struct mod_call *call) {
  mod_push_sink_error(call->L, call->sink);
  if (call->sink->thrown && !call->options->safe) return lua_error(call->L);
  call->kind = FL_KIND_IO;
  return mod_call_fail(call, 0);
}

FL_PRIVATE_NOINLINE void mod_trim_(struct mod_state *m, struct encode_state *c, size_t used, int settled) {
  int keep = settled || mod_should_keep_block(m, buf_capacity(&c->out.buffer), used);
  if (!keep) m->encode->hint = 0;
  encode_trim(c, keep ? SIZE_MAX : MOD_KEEP);
}

FL_PRIVATE_NOINLINE int mod_first_block_(struct mod_call *call, struct encode_state *c) {
  struct mod_state *m = call->state;
  struct buffer *b = &c->out.buffer;
  if (m->encode->hint > BUF_FIRST && !call->sink && buf_resize(b, m->encode->hint)) return 1;
  if (buf_resize(b, BUF_FIRST)) return 1;
  mod_free_encode_state(c);
  lua_gc(call->L, LUA_GCCOLLECT, 0);
  return b->begin || buf_resize(b, BUF_FIRST);
}

FL_PRIVATE_NOINLINE int mod_raise_memory_(lua_State *L, int safe) {
  lua_pushliteral(L, "not enough memory");
  return mod_raise_kind(L, safe, FL_KIND_MEMORY);
}

static const struct api_callbacks mod_api_callbacks = {mod_refresh_marks, NULL, NULL};

FL_PRIVATE void mod_init_api_walk(struct api_walk *a, struct mod_state *m, const struct mod_options *o) {
  memset(a, 0, sizeof *a);
  a->shared = &m->encode->shared;
  a->callbacks = &mod_api_callbacks;
  a->owner = m;
  a->guarded = (o->safe && o->policy.rules->errors == ENCODE_ERRORS_WITH_PATH) || o->on_error;
  a->ops = o->policy.ops;
  a->skips = o->style.skip_unsupported;
  a->bulk_scalars = o->speed == ENCODE_FASTEST && o->style.escape == JSON_ESCAPE_JSON && !o->on_error;
  a->pairs_honours_meta = o->pairs_honours_meta;
}

FL_PRIVATE void mod_push_api_slots(struct api_walk *a, lua_State *L, int order, int on_error) {
  lua_settop(L, lua_gettop(L) + 2);
  a->L = L;
  a->order = order;
  a->on_error = on_error;
  a->spill = lua_gettop(L) - 1;
  a->own_order = a->spill + 1;
  a->levels = a->spill + 2;
}

FL_PRIVATE struct mod_holder *mod_holder_for_call(struct mod_call *call, struct encode_state *c) {
  compat_need_stack(call->L, API_STACK);
  if (call->options->begin) call->options->begin(call);
  return FL_LIKELY(c == &call->state->encode->walk) ? mod_take_holder(call->L, call->state) : mod_holder_of(c);
}

/* Pushes the book of orders. Returns its index, or 0 if nothing is remembered. */
static int mod_push_book_for(const struct mod_call *call) {
  if (FL_LIKELY(!call->state->encode->order.slots) || !call->options->policy.rules->keeps_order) return 0;
  lua_rawgeti(call->L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_BOOK);
  return lua_gettop(call->L);
}

/* Pushes what a walk needs below its levels, and the root, but for its memory. */
static void mod_push_walk(struct api_walk *a, const struct mod_call *call) {
  const struct mod_options *o = call->options;
  mod_init_api_walk(a, call->state, o);
  a->book = mod_push_book_for(call);
  mod_push_api_slots(a, call->L, o->order, o->on_error);
  lua_pushvalue(call->L, call->value);
  a->special = call->special;
}

/* The walk gets the memory of `c`, which moves to the holder. */
static void mod_take_memory(struct api_walk *a, const struct mod_call *call, struct encode_state *c,
                            struct mod_holder *holder) {
  struct encode_state *held = &holder->walk;
  if (FL_LIKELY(held != c)) encode_move(held, c);
  held->out.style = &call->options->style;
  held->policy = &call->options->policy;
  held->out.error = FL_ERROR_NONE;
  held->list_length = 0;
  a->walk = held;
}

FL_PRIVATE int mod_begin_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c,
                                  struct mod_holder *holder) {
  mod_push_walk(a, call);
  if (call->sink) mod_sink_again(call->sink);
  if (!mod_make_ready(call, c)) return 0;
  mod_take_memory(a, call, c, holder);
  return 1;
}

/* Works on a copy of the walk, because another call may take the holder as soon as it is returned. */
FL_NOINLINE int mod_fail_api_walk_(const struct api_walk *of_holder, struct mod_call *call, struct encode_state *c) {
  lua_State *L = call->L;
  const struct mod_sink *sink = call->sink;
  const struct mod_options *o = call->options;
  struct api_walk a = *of_holder;
  const enum fl_error error = a.walk->out.error;
  if (a.detail == of_holder->detail_room) a.detail = a.detail_room;
  if (FL_LIKELY(a.walk != c)) mod_return_walk(call->state, mod_holder_of(a.walk));
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  if (error) call->kind = encode_kind(error);
  if (o->raise) return o->raise(call, &a, error);
  if (a.thrown) return lua_error(L);
  if (error == FL_ERROR_SINK || (sink && (sink->thrown || sink->refused || sink->error))) return mod_raise_sink(call);
  return mod_call_fail(call, a.path);
}

FL_PRIVATE int mod_end_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c, char *end) {
  if (FL_UNLIKELY(end == NULL)) return mod_fail_api_walk_(a, call, c);
  if (FL_LIKELY(a->walk != c)) mod_return_walk(call->state, mod_holder_of(a->walk));
  return mod_finish(call, c, end);
}

/* May the raw encoder write tables of the walk by the public API? */
static int mod_may_mix(const struct mod_call *call) {
  const struct mod_options *o = call->options;
  return call->state->encode->raw && lua_type(call->L, call->value) == LUA_TTABLE && !o->force_api &&
         !mod_orders_by_api(o) && !o->policy.ops && o->policy.rules->errors == ENCODE_ERRORS_WITH_PATH &&
         !call->state->finalized;
}

/* Ends a call whose text ends at `end`, or NULL. A sink gets the rest of it while the memory is the holder's. */
static int mod_end_text(struct mod_holder *holder, struct mod_call *call, struct encode_state *c, char *end,
                        int mixed) {
  if (end && call->sink) end = buf_flush(&holder->walk.out.buffer, end, 0);
  if (mixed) mixed_end(holder);
  if (end && call->sink) end = holder->walk.out.buffer.begin;
  return mod_end_api_walk(&holder->api, call, c, end);
}

FL_PRIVATE_NOINLINE int mod_encode_by_api(struct mod_call *call, struct encode_state *c) {
  struct mod_holder *holder = mod_holder_for_call(call, c);
  struct api_walk *a = &holder->api;
  if (!mod_begin_api_walk(a, call, c, holder)) return mod_call_memory_(call);
  if (!mod_may_mix(call)) return mod_end_text(holder, call, c, api_write(a, a->walk->out.buffer.begin), 0);
  if (mixed_begin(holder, call)) return mod_end_text(holder, call, c, api_write(a, a->walk->out.buffer.begin), 1);
  api_fail(a, FL_ERROR_MEMORY, NULL);
  api_push_message(a, 0);
  return mod_end_text(holder, call, c, NULL, 1);
}

/* Is there a holder for which nothing has to be allocated? */
FL_FUNC int mod_holder_is_free(const struct mod_state *m, const struct encode_state *c) {
  return m->encode->holder && !m->encode->holder_used && c == &m->encode->walk;
}

/* The raw encoder has met a value that needs the public API: goes on from there. No Lua object is made before all is
** on the stack, because a finalizer that encodes would use the same memory. */
FL_NOINLINE int mod_encode_on_(struct mod_call *call, struct encode_state *c) {
  struct mod_holder *holder = mod_holder_for_call(call, c);
  struct api_walk *a = &holder->api;
  mod_push_walk(a, call);
  mod_take_memory(a, call, c, holder);
  char *w = mixed_continue(holder, call, c);
  if (w) return mod_end_text(holder, call, c, api_write_levels(a, w, API_VALUE), 1);
  if (call->sink) mod_sink_again(call->sink);
  return mod_end_text(holder, call, c, api_write(a, a->walk->out.buffer.begin), 1);
}

/* Ends a call whose value has tables that are to get new orders. If making these may run Lua code, a holder has the
** memory meanwhile. */
FL_NOINLINE int mod_finish_changed_(struct mod_call *call, struct encode_state *c) {
  lua_State *L = call->L;
  struct mod_state *m = call->state;
  char *const end = c->finish;
  const int top = lua_gettop(L), book = mod_push_book_for(call);
  FL_ASSERT(book);
  if (!order_update(L, book, c, 0)) {
    if (!mod_holder_is_free(m, c)) return lua_settop(L, top), call->walks->by_api(call, c);
    struct mod_holder *holder = mod_take_holder(L, m);
    encode_move(&holder->walk, c);
    (void)order_update(L, book, &holder->walk, 1);
    mod_return_walk(m, holder);
  }
  lua_settop(L, top);
  if (c->changed_room > ENCODE_CHANGED_FIRST) encode_trim(c, SIZE_MAX);
  return mod_finish(call, c, end);
}

FL_PRIVATE char *mod_write_scalar(lua_State *L, int value, int type, struct json_out *out, char *w) {
  size_t n;
  const char *s;
  if (!(w = json_reserve(out, w, JSON_TEXT_ROOM))) return NULL;
  switch (type) {
  case LUA_TSTRING:
    s = lua_tolstring(L, value, &n);
    return json_write_string_styled(out, w, s, n, (int)out->style->escape);
  case LUA_TNUMBER:
    if (compat_is_integer(L, value)) return json_write_integer_styled(out, w, compat_to_integer(L, value));
    return json_write_double_styled(out, w, lua_tonumber(L, value));
  case LUA_TBOOLEAN: s = lua_toboolean(L, value) ? "true" : "false"; return json_write_raw(out, w, s, strlen(s));
  case LUA_TNIL: return json_write_raw(out, w, "null", 4);
  default: return NULL;
  }
}

FL_PRIVATE_NOINLINE enum encode_result mod_encode_raw_(struct mod_call *call, struct encode_state *c) {
  return mod_encode_raw(call, c);
}

FL_PRIVATE_NOINLINE int mod_refused_(struct mod_call *call, struct encode_state *c) {
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  return mod_raise_sink(call);
}

/* Looks up what stopped the raw encoder: unknown metatables or boxed integers. Returns 0 if nothing new is known, so it
** would stop again. */
static int mod_refresh_known_metatables(struct mod_call *call, struct encode_state *c) {
  if (!mod_learn_boxes(call->L, call->state, c) && !c->unknown_metatable) return 0;
  mod_refresh_marks(call->L, call->state);
  return 1;
}

FL_PRIVATE_NOINLINE int mod_encode_again_(struct mod_call *call, struct encode_state *c, enum encode_result result) {
  lua_State *L = call->L;
  if (result == ENCODE_CHANGED) return mod_finish_changed_(call, c);
  if (result == ENCODE_PAUSED) {
    if (FL_LIKELY(mod_holder_is_free(call->state, c))) return mod_encode_on_(call, c);
    result = ENCODE_REDO;
  }
  if (call->sink) mod_sink_again(call->sink);
  if (result == ENCODE_MEMORY) {
    mod_free_encode_state(c);
    call->state->encode->hint = 0;
    lua_gc(L, LUA_GCCOLLECT, 0);
    result = mod_make_ready(call, c) ? call->walks->raw(call, c) : ENCODE_MEMORY;
  } else if (result == ENCODE_REDO && mod_refresh_known_metatables(call, c)) {
    if (!mod_make_ready(call, c)) return mod_call_memory_(call);
    c->unknown_are_plain = 1;
    result = call->walks->raw(call, c);
    c->unknown_are_plain = 0;
  }
  if (result == ENCODE_DONE) return mod_finish(call, c, c->finish);
  if (result == ENCODE_CHANGED) return mod_finish_changed_(call, c);
  if (result == ENCODE_PAUSED && mod_holder_is_free(call->state, c)) return mod_encode_on_(call, c);
  if (result == ENCODE_REDO || result == ENCODE_PAUSED) return call->walks->by_api(call, c);
  if (result == ENCODE_SINK) return mod_refused_(call, c);
  c->out.buffer.drain = NULL;
  mod_free_encode_state(c);
  return mod_call_memory_(call);
}

FL_PRIVATE_NOINLINE int mod_run_in_width_(struct mod_call *call) {
  struct mod_options o = *call->options;
  struct mod_width x;
  if (!o.style.indent_length) {
    call->own = o;
    call->own.style.width = 0;
    call->options = &call->own;
    return mod_run(call);
  }
  if (!mod_width_begin(&x, call->L, call->state, &o, call->sink)) return mod_call_memory_(call);
  call->own = o;
  mod_options_in_a_row(&call->own);
  call->options = &call->own;
  call->sink = mod_width_sink(&x);
  const int results = mod_run(call);
  if (results != 1) return mod_free_encode_state(x.walk), results;
  if (!mod_width_end(&x)) {
    mod_width_fail(&x, call->sink);
    mod_free_encode_state(x.walk);
    return mod_raise_sink(call);
  }
  if (x.to) mod_free_encode_state(x.walk);
  else mod_width_push(&x);
  return 1;
}

/* Raises an error: argument 2 is not a valid flag. */
FL_NOINLINE int mod_no_flag_(lua_State *L) {
  const int type = lua_type(L, 2);
  if (type != LUA_TNUMBER && type != LUA_TSTRING) return mod_type_error(L, 2, "string");
  return mod_argument_error(L, 2,
                            lua_pushfstring(L, "invalid flag '%s': flags are \"E\" and \"E0\" to \"E4\"%s",
                                            lua_tostring(L, 2), type == LUA_TNUMBER ? "; " MOD_SEVERAL_RESULTS : ""));
}

/* Begins a call of json or size: argument 2 is a flag "E", "E0" .. "E4". */
FL_FUNC void mod_begin_json(struct mod_call *call, lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  size_t n;
  mod_check_any(L, 1);
  mod_start_call(call, L, codec->state, &codec->json, 1);
  if (lua_isnoneornil(L, 2)) return;
  if (FL_UNLIKELY(lua_type(L, 2) != LUA_TSTRING)) mod_no_flag_(L);
  const char *flag = lua_tolstring(L, 2, &n);
  if (n < 1 || n > 2 || flag[0] != 'E' || (n == 2 && (flag[1] < '0' || flag[1] > '4'))) mod_no_flag_(L);
  if (n == 2 && flag[1] == '0') return;
  call->own = codec->json;
  call->own.style.escape = n == 1 ? JSON_ESCAPE_E4 : (enum json_escape)(JSON_ESCAPE_E0 + (flag[1] - '0'));
  mod_settle_options(&call->own);
  call->options = &call->own;
}

FL_PRIVATE int mod_encode(lua_State *L) {
  struct mod_call call;
  mod_begin(&call, L, 1, 2);
  return FL_UNLIKELY(call.options->style.width) ? mod_run_in_width_(&call) : mod_run_here(&call);
}

FL_PRIVATE int mod_json(lua_State *L) {
  struct mod_call call;
  mod_begin_json(&call, L);
  return mod_run_any(&call);
}

FL_PRIVATE int mod_size(lua_State *L) {
  struct mod_call call;
  mod_begin_json(&call, L);
  struct mod_sink sink = {0};
  sink.kind = MOD_SINK_COUNT;
  sink.raw = 1;
  call.sink = &sink;
  const int results = mod_run_any(&call);
  if (results != 1) return results;
  lua_pushinteger(L, (lua_Integer)sink.total);
  return 1;
}

FL_PRIVATE int mod_write(lua_State *L) {
  struct mod_call call;
  struct mod_sink sink;
  mod_check_any(L, 2);
  mod_begin(&call, L, 2, 3);
  mod_check_sink(L, 1, &sink);
  call.sink = &sink;
  sink.calls = &call.state->encode->shared.calls;
  const int results = mod_run_any(&call);
  if (results != 1) return results;
  lua_pushboolean(L, 1);
  return 1;
}
