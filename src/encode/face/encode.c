/* SPDX-License-Identifier: MIT */
#include "encode.h"
#include "width.h"

/* ------------------------------------------------------------------------------------- results */

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

FL_PRIVATE_NOINLINE void mod_push_short(lua_State *L, const char *bytes, size_t n) {
  char copy[MOD_SMALL];
  memcpy(copy, bytes, n);
  lua_pushlstring(L, copy, n);
}

/* ------------------------------------------------------------------------------------- one call */

FL_PRIVATE_NOINLINE int mod_raise_sink(struct mod_call *call) {
  mod_push_sink_error(call->L, call->sink);
  if (call->sink->thrown && !call->options->safe) return lua_error(call->L);
  return mod_raise(call->L, call->options->safe);
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
  return mod_raise(L, safe);
}

/* ------------------------------------------------------------------------------------- texts in pieces */

/* Encodes to a Lua function piece by piece with the raw encoder, which pauses while the function runs. Then the tables
** that the walk is in are on the Lua stack as levels of the public-API walk, each with its current key. If the raw
** encoder cannot continue from there, that walk does. */
enum {
  PIECES_SIZE = 2 * BUF_DRAIN_FROM, /* bytes of text between two pauses, roughly */
  PIECES_LOSS = 64,                 /* cost of a raw walk that fails at once, in bytes of text */
  PIECES_LOSSES = 256 * 1024        /* how many bytes more than it wrote its failed attempts may cost */
};

FL_STATIC_ASSERT(PIECES_SIZE >= 2 * ENCODE_TAIL, a_piece_is_longer_than_what_stays_of_it);

FL_FUNC struct mod_holder *pieces_holder(struct api_walk *a) {
  return (struct mod_holder *)(void *)((char *)a - offsetof(struct mod_holder, api));
}

FL_FUNC struct mod_sink *pieces_sink(const struct api_walk *a) {
  return (struct mod_sink *)a->walk->out.buffer.drain_ud;
}

/* Runs the raw encoder from `root`, or, if that is NULL, from where it paused. Looks up what it does not know. */
static enum encode_result pieces_run(struct mod_pieces *p, const char *root) {
  struct encode_state *c = p->raw;
  struct mod_state *m = p->holder->state;
  enum encode_result result;
  int again = 0;
  do {
    c->out.error = FL_ERROR_NONE;
    c->out.buffer.refused = 0;
    c->unknown_metatable = 0;
    c->finish = NULL;
    result = m->encode->raw(c, root, c->speed);
    if (result != ENCODE_REDO || !root) break;
    again = mod_learn_boxes(p->a->L, m, c);
    if (c->unknown_metatable && api_refresh(p->a)) again = c->unknown_are_plain = 1;
  } while (again--);
  if (result > ENCODE_DONE && result < ENCODE_PAUSED) {
    const size_t lost = c->finish ? (size_t)(c->finish - c->out.buffer.begin) : PIECES_SIZE;
    p->sink->lost += PIECES_LOSS + (c->out.buffer.refused ? BUF_SOFT_MOST * PIECES_SIZE : lost);
  }
  return result;
}

/* Pushes the key that was stored at `at`. Returns its end. */
static const char *pieces_push_key(lua_State *L, const char *at) {
  struct encode_key key;
  memcpy(&key, at, sizeof key);
  at += sizeof key;
  switch (key.type) {
  case ENCODE_KEY_STRING: lua_pushlstring(L, at, key.length); break;
  case ENCODE_KEY_INTEGER: compat_push_integer(L, key.integer); break;
  case ENCODE_KEY_FLOAT: lua_pushnumber(L, key.number); break;
  default: lua_pushnil(L);
  }
  return at + key.length;
}

/* Returns the number of levels on the stack, from the table on, that the raw encoder is still in. */
static size_t pieces_common_levels(const struct mod_pieces *p) {
  const struct encode_state *c = p->raw;
  const size_t on_stack = p->passed ? p->a->depth - p->outer : 1;
  size_t k = 1;
  while (k < c->paused && k < on_stack && lua_topointer(p->a->L, p->table + 2 * (int)k) == c->frames[k].table) k++;
  return k;
}

/* Makes levels of the tables in which the raw encoder has paused. Those that were levels at the previous pause stay on
** the stack, so a function may remove them from the value. The others are looked up by the keys. Pushing a key may run
** finalizers, so a table found is compared before anything is read from it. Returns 0 if one of them was not there, or,
** with out->error set, if out of memory or a table contains itself. */
static int pieces_push_levels(struct mod_pieces *p) {
  struct api_walk *a = p->a;
  struct encode_state *c = p->raw;
  lua_State *L = a->L;
  const char *at = c->finish;
  const size_t common = pieces_common_levels(p);
  size_t k;
  lua_settop(L, p->table + 2 * (int)common - 1);
  a->depth = p->outer;
  if (!encode_need_frames(a->walk, p->outer + c->paused)) return api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
  for (k = 0; k < c->paused; k++) {
    const struct encode_frame *from = &c->frames[k];
    struct encode_frame *to = &a->walk->frames[p->outer + k];
    const int slot = p->table + 2 * (int)k, is_array = from->kind == ENCODE_ITEMS;
    FL_ASSERT(from->kind <= ENCODE_NODES);
    if (lua_type(L, slot) != LUA_TTABLE || lua_topointer(L, slot) != from->table) return 0;
    a->depth = p->outer + k;
    if (api_is_open(a, from->table)) return api_fail(a, FL_ERROR_CYCLE, NULL) != NULL;
    if (is_array) lua_pushnil(L);
    else at = pieces_push_key(L, at);
    if (k < common) lua_replace(L, slot + 1);
    memset(to, 0, sizeof *to);
    to->table = from->table;
    to->kind = (enum encode_kind)(is_array ? API_ITEMS : API_NEXT);
    to->is_array = (int8_t)is_array;
    to->i = is_array ? from->i : 0;
    to->n = is_array ? from->n : 0;
    to->calls = a->shared->calls.count - 1; /* the keys were looked up, so lua_next cannot rely on them */
    if (k + 1 < common || k + 1 == c->paused) continue;
    if (is_array) {
      lua_rawgeti(L, slot, (int)from->i);
    } else {
      lua_pushvalue(L, slot + 1);
      lua_rawget(L, slot);
    }
  }
  a->depth = p->outer + c->paused;
  return 1;
}

/* After a pause: passes the text to the sink except its last bytes, which stay in the encoder's buffer. The public-API
** walk gets the first of those, because it looks at the byte before its own. Returns the end of its text, or NULL. */
static char *pieces_pass(struct mod_pieces *p, char *w) {
  struct json_out *out = &p->a->walk->out;
  struct buffer *b = &p->raw->out.buffer;
  const size_t n = (size_t)(p->raw->finish - b->begin) - ENCODE_TAIL;
  if (p->passed) w = out->buffer.begin;
  w = buf_flush(&out->buffer, w, 0);
  if (!w || !out->buffer.drain(out->buffer.drain_ud, b->begin, n)) {
    out->buffer.refused = 1;
    return json_fail(out, FL_ERROR_SINK);
  }
  memmove(b->begin, b->begin + n, ENCODE_TAIL);
  *w++ = b->begin[0];
  p->last = b->begin[1];
  p->passed = 1;
  return w;
}

/* The raw encoder has written the whole table: passes the rest of the text, or appends it to that of the levels
** around. */
static char *pieces_finish(struct mod_pieces *p, char *w) {
  struct json_out *out = &p->a->walk->out;
  struct buffer *b = &p->raw->out.buffer;
  const size_t n = (size_t)(p->raw->finish - b->begin);
  lua_settop(p->a->L, p->table);
  p->a->depth = p->outer;
  if (p->passed) w = out->buffer.begin;
  if (p->outer > 0) {
    w = json_reserve(out, w, n + JSON_TEXT_ROOM);
    if (!w) return NULL;
    memcpy(w, b->begin, n);
    return w + n;
  }
  if (out->buffer.drain(out->buffer.drain_ud, b->begin, n)) return w;
  out->buffer.refused = 1;
  return json_fail(out, FL_ERROR_SINK);
}

/* The raw encoder cannot continue. If something was passed, the public-API walk continues from the levels. */
static char *pieces_leave(const struct mod_pieces *p, char *w, int *opened) {
  if (!p->passed) return NULL;
  *opened = p->last != ',';
  if (*opened) *w++ = p->last;
  return w;
}

static int pieces_prepare(struct mod_pieces *p, struct api_walk *a) {
  struct encode_state *c;
  p->a = a;
  p->holder = pieces_holder(a);
  p->raw = c = &p->holder->pieces;
  p->sink = pieces_sink(a);
  p->table = lua_gettop(a->L);
  p->outer = a->depth;
  p->passed = 0;
  if (api_is_open(a, lua_topointer(a->L, p->table))) return 0;
  if (a->depth >= a->walk->out.style->max_depth || a->depth + 2 >= API_LEVELS) return 0;
  if (p->sink->lost > p->sink->total + PIECES_LOSSES) return 0;
  p->holder->pieces_style = *a->walk->out.style;
  p->holder->pieces_style.max_depth -= (uint32_t)a->depth;
  p->holder->pieces_style.first_level += a->depth;
  c->out.style = &p->holder->pieces_style;
  c->pause_depth = API_LEVELS - 2 - a->depth;
  return 1;
}

/* api_callbacks.try_raw. */
static char *pieces_write_table(struct api_walk *a, char *w, int *opened) {
  struct mod_pieces *p = &pieces_holder(a)->pieces_now; /* not on the C stack, like the holder's api */
  enum encode_result result;
  if (!pieces_prepare(p, a)) return NULL;
  result = pieces_run(p, (const char *)lua_topointer(a->L, p->table));
  while (result == ENCODE_PAUSED) {
    if (!pieces_push_levels(p)) {
      if (a->walk->out.error) return NULL;
      if (p->passed) return mod_sink_same(p->sink, 0), json_fail(&a->walk->out, FL_ERROR_SINK);
      lua_settop(a->L, p->table);
      return NULL;
    }
    w = pieces_pass(p, w);
    if (!w) return NULL;
    result = pieces_run(p, NULL);
  }
  return result == ENCODE_DONE ? pieces_finish(p, w) : pieces_leave(p, w, opened);
}

static const struct api_callbacks pieces_callbacks = {mod_refresh_marks, pieces_write_table};

/* Lets a public-API walk that has just begun write its tables with the raw encoder. Returns 0 if out of memory. */
static int pieces_begin(struct mod_holder *h, const struct mod_options *o) {
  struct encode_state *c = &h->pieces;
  const buf_drain drain = h->walk.out.buffer.drain;
  mod_free_encode_state(c);
  encode_move(c, &h->walk);
  c->out.buffer.drain = NULL;
  c->policy = &o->policy;
  c->speed = o->speed;
  c->boxes = h->state->encode->boxes;
  c->unknown_are_plain = 0;
  c->out.buffer.busy = &c->list_length;
  buf_soften(&c->out.buffer, PIECES_SIZE);
  h->walk.out.buffer.drain = drain;
  h->api.callbacks = &pieces_callbacks;
  return buf_resize(&h->walk.out.buffer, BUF_FIRST);
}

/* Ends what pieces_begin began, whether the walk was successful or not. The holder's walk gets back the memory. */
static void pieces_end(struct mod_holder *h) {
  const buf_drain drain = h->walk.out.buffer.drain;
  buf_soften(&h->pieces.out.buffer, 0);
  mod_free_encode_state(&h->walk);
  encode_move(&h->walk, &h->pieces);
  h->walk.out.buffer.drain = drain;
}

/* ------------------------------------------------------------------------------------- walks by the public API */

static const struct api_callbacks mod_api_callbacks = {mod_refresh_marks, NULL};

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

FL_PRIVATE int mod_begin_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c,
                                  struct mod_holder *holder) {
  lua_State *L = call->L;
  struct mod_state *m = call->state;
  const struct mod_options *o = call->options;
  struct encode_state *held = &holder->walk;
  mod_init_api_walk(a, m, o);
  a->book = mod_push_book_for(call);
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
  if (o->raise) return o->raise(call, &a, error);
  if (a.thrown) return lua_error(L);
  if (error == FL_ERROR_SINK || (sink && (sink->thrown || sink->refused || sink->error))) return mod_raise_sink(call);
  return mod_raise(L, o->safe);
}

FL_PRIVATE int mod_end_api_walk(struct api_walk *a, struct mod_call *call, struct encode_state *c, char *end) {
  if (FL_UNLIKELY(end == NULL)) return mod_fail_api_walk_(a, call, c);
  if (FL_LIKELY(a->walk != c)) mod_return_walk(call->state, mod_holder_of(a->walk));
  return mod_finish(call, c, end);
}

/* Returns whether this call writes to a function or method, and the raw encoder may write its pieces. */
static int mod_writes_pieces(const struct mod_call *call) {
  const struct mod_options *o = call->options;
  return call->sink && !call->sink->raw && call->state->encode->raw && lua_type(call->L, call->value) == LUA_TTABLE &&
         !o->force_api && !mod_orders_by_api(o) && !o->on_error && !o->policy.ops && !call->state->finalized;
}

FL_PRIVATE_NOINLINE int mod_encode_by_api(struct mod_call *call, struct encode_state *c) {
  struct mod_holder *holder = mod_holder_for_call(call, c);
  struct api_walk *a = &holder->api;
  char *end;
  const int by_pieces = mod_writes_pieces(call);
  if (!mod_begin_api_walk(a, call, c, holder)) return mod_raise_memory_(call->L, call->options->safe);
  if (by_pieces && !pieces_begin(holder, call->options)) {
    api_fail(a, FL_ERROR_MEMORY, NULL);
    api_push_message(a, 0);
    pieces_end(holder);
    return mod_end_api_walk(a, call, c, NULL);
  }
  a->special = call->special;
  end = api_write(a, a->walk->out.buffer.begin);
  if (end && call->sink) end = buf_flush(&a->walk->out.buffer, end, 0);
  if (by_pieces) {
    pieces_end(holder);
    if (end) end = a->walk->out.buffer.begin;
  }
  return mod_end_api_walk(a, call, c, end);
}

FL_PRIVATE char *mod_write_scalar(lua_State *L, int value, struct json_out *out) {
  char *w = json_reserve(out, out->buffer.begin, JSON_TEXT_ROOM);
  size_t n;
  const char *s;
  if (!w) return NULL;
  switch (lua_type(L, value)) {
  case LUA_TSTRING: s = lua_tolstring(L, value, &n); return json_write_string(out, w, s, n, (int)out->style->escape);
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
  if (call->sink) mod_sink_again(call->sink);
  if (result == ENCODE_MEMORY) {
    mod_free_encode_state(c);
    call->state->encode->hint = 0;
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

FL_PRIVATE_NOINLINE int mod_run_in_width_(struct mod_call *call) {
  struct mod_options o = *call->options;
  struct mod_width x;
  int results;
  if (!o.style.indent_length) {
    call->own = o;
    call->own.style.width = 0;
    call->options = &call->own;
    return mod_run(call);
  }
  if (!mod_width_begin(&x, call->L, call->state, &o, call->sink)) return mod_raise_memory_(call->L, o.safe);
  call->own = o;
  mod_options_in_a_row(&call->own);
  call->options = &call->own;
  call->sink = mod_width_sink(&x);
  results = mod_run(call);
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
  const char *flag;
  mod_check_any(L, 1);
  mod_start_call(call, L, codec->state, &codec->json, 1);
  if (lua_isnoneornil(L, 2)) return;
  if (FL_UNLIKELY(lua_type(L, 2) != LUA_TSTRING)) mod_no_flag_(L);
  flag = lua_tolstring(L, 2, &n);
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
  return mod_run_any(&call);
}

FL_PRIVATE int mod_json(lua_State *L) {
  struct mod_call call;
  mod_begin_json(&call, L);
  return mod_run_any(&call);
}

FL_PRIVATE int mod_size(lua_State *L) {
  struct mod_call call;
  struct mod_sink sink;
  int results;
  mod_begin_json(&call, L);
  memset(&sink, 0, sizeof sink);
  sink.kind = MOD_SINK_COUNT;
  sink.raw = 1;
  call.sink = &sink;
  results = mod_run_any(&call);
  if (results != 1) return results;
  lua_pushinteger(L, (lua_Integer)sink.total);
  return 1;
}

FL_PRIVATE int mod_write(lua_State *L) {
  struct mod_call call;
  struct mod_sink sink;
  int results;
  mod_check_any(L, 2);
  mod_begin(&call, L, 2, 3);
  mod_check_sink(L, 1, &sink);
  call.sink = &sink;
  sink.calls = &call.state->encode->shared.calls;
  results = mod_run_any(&call);
  if (results != 1) return results;
  lua_pushboolean(L, 1);
  return 1;
}
