/* SPDX-License-Identifier: MIT */
#include "pieces.h"
#include "foreign_marks.h"

FL_STATIC_ASSERT(PIECES_SIZE >= 2 * ENCODE_TAIL, a_piece_is_longer_than_what_stays_of_it);

FL_FUNC struct mod_holder *pieces_holder(struct api_walk *a) {
  return (struct mod_holder *)(void *)((char *)a - offsetof(struct mod_holder, api));
}

FL_FUNC struct mod_sink *pieces_sink(const struct api_walk *a) {
  return (struct mod_sink *)a->walk->out.buffer.drain_ud;
}

/* Runs the raw encoder from `root`, or NULL: from where it paused. Looks up what it does not know. */
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

/* Pushes the key that was stored at `at`; returns the end of it. */
static const char *pieces_push_key(lua_State *L, const char *at) {
  struct encode_key key;
  at = encode_read_key(&key, at);
  switch (key.type) {
  case ENCODE_KEY_STRING: lua_pushlstring(L, at, key.length); break;
  case ENCODE_KEY_INTEGER: compat_push_integer(L, key.integer); break;
  case ENCODE_KEY_FLOAT: lua_pushnumber(L, key.number); break;
  default: lua_pushnil(L);
  }
  return at + key.length;
}

/* The number of levels on the stack, from the table on, that the raw encoder is still in. */
static size_t pieces_common_levels(const struct mod_pieces *p) {
  const struct encode_state *c = p->raw;
  const size_t on_stack = p->passed ? p->a->depth - p->outer : 1;
  size_t k = 1;
  while (k < c->paused && k < on_stack && lua_topointer(p->a->L, p->table + 2 * (int)k) == c->frames[k].table) k++;
  return k;
}

/* Makes levels of the tables in which the raw encoder has paused. Those that were levels at the pause before stay on
** the stack, so a function may take them out of the value. The others are looked up by the keys. Pushing a key may run
** finalizers, so a table found is compared before anything is read from it. False: one of them was not there, or there
** is no memory or a table contains itself, which out->error says. */
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
    to->calls = a->shared->calls.count - 1; /* the keys are looked up, not those of lua_next */
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

/* After a pause: passes the text to the sink but for its last bytes, which stay in the encoder's buffer. Of those the
** public-API walk gets the first, because it looks at the byte before its own. Returns the end of its text, or NULL. */
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

/* The raw encoder has written the table to its end: passes the rest of the text, or adds it to that of the levels
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

/* The raw encoder cannot go on. If something was passed, the public-API walk goes on from the levels. */
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

/* The walk's try_raw. */
static char *pieces_write_table(struct api_walk *a, char *w, int *opened) {
  struct mod_pieces *p = &pieces_holder(a)->pieces_now; /* not on the C stack, as the holder's api */
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

FL_PRIVATE int pieces_begin(struct mod_holder *h, const struct mod_options *o) {
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

FL_PRIVATE void pieces_end(struct mod_holder *h) {
  const buf_drain drain = h->walk.out.buffer.drain;
  buf_soften(&h->pieces.out.buffer, 0);
  mod_free_encode_state(&h->walk);
  encode_move(&h->walk, &h->pieces);
  h->walk.out.buffer.drain = drain;
}
