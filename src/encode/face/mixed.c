/* SPDX-License-Identifier: MIT */
#include "mixed.h"

enum {
  MIXED_PIECE = 2 * BUF_DRAIN_FROM, /* bytes of text between two pauses to a sink, or a little more */
  MIXED_LOSS = 64,                  /* what a raw walk costs that fails at once, in bytes of text */
  MIXED_LOSSES = 256 * 1024,        /* raw walks may lose so many bytes more than were written */
  MIXED_PAIRS = 64,                 /* how many pairs of a list the raw encoder takes at least */
  MIXED_TAIL = 1                    /* the byte in front of a level's text: a comma or its bracket */
};

/* One raw walk. */
struct mixed_run {
  struct mod_holder *holder;
  struct api_walk *a;
  struct encode_state *raw;
  int table;    /* stack index of the table; its level, if it is one */
  size_t outer; /* levels around it */
  int is_level; /* the walk goes on in the innermost level */
};

FL_FUNC struct mod_holder *mixed_holder(struct api_walk *a) {
  return (struct mod_holder *)(void *)((char *)a - offsetof(struct mod_holder, api));
}

FL_FUNC size_t mixed_written(const struct mixed_run *r, const char *w) {
  const struct mod_sink *sink = r->holder->mixed.sink;
  return (size_t)(w - r->a->walk->out.buffer.begin) + (sink ? sink->total : 0);
}

/* False: too much was lost by now, or the public API has to word an error. */
static int mixed_prepare(struct mixed_run *r, struct api_walk *a, const char *w, int is_level) {
  const size_t depth = a->depth - (size_t)is_level;
  r->a = a;
  r->holder = mixed_holder(a);
  r->raw = &r->holder->raw;
  r->table = is_level ? api_slot(a) : lua_gettop(a->L);
  r->outer = depth;
  r->is_level = is_level;
  if (r->holder->mixed.lost > mixed_written(r, w) + MIXED_LOSSES) return 0;
  if (depth >= a->walk->out.style->max_depth) return 0;
  struct json_style *style = &r->holder->raw_style;
  style->max_depth = a->walk->out.style->max_depth - (uint32_t)depth;
  style->first_level = a->walk->out.style->first_level + depth;
  return 1;
}

/* Makes the innermost level the table in which the raw encoder goes on. */
static int mixed_set_frame(const struct mixed_run *r) {
  lua_State *L = r->a->L;
  struct encode_state *c = r->raw;
  const struct encode_frame *level = &r->a->walk->frames[r->outer];
  const int kind = (int)level->kind, key = r->table + 1;
  if (!encode_need_frames(c, 1)) return 0;
  struct encode_frame *frame = &c->frames[0];
  c->paused = 1;
  memset(&c->at, 0, sizeof c->at);
  frame->table = level->table;
  frame->base = level->base != level->table ? level->base : NULL;
  frame->kind = kind == API_ITEMS ? ENCODE_ITEMS : kind == API_PAIRS ? ENCODE_LIST_OBJECT : ENCODE_NODES;
  frame->i = kind == API_ITEMS ? level->i : level->list_start;
  frame->n = level->n;
  frame->list_start = SIZE_MAX;
  if (kind == API_ITEMS) return 1;
  if (kind == API_PAIRS) {
    c->pairs = (const char *)lua_topointer(L, key);
    c->pairs_at = level->i;
    c->pairs_most = level->list_start ? level->list_start : MIXED_PAIRS;
    return 1;
  }
  if (lua_type(L, key) == LUA_TSTRING) {
    c->at.type = ENCODE_KEY_STRING;
    c->at.text = lua_tolstring(L, key, &c->at.length);
  } else if (lua_type(L, key) != LUA_TNUMBER) {
    frame->list_start = frame->i;
  } else if (compat_is_integer(L, key)) {
    c->at.type = ENCODE_KEY_INTEGER;
    c->at.integer = compat_to_integer(L, key);
  } else {
    c->at.type = ENCODE_KEY_FLOAT;
    c->at.number = lua_tonumber(L, key);
  }
  return 1;
}

/* Gives the raw encoder the buffer that it writes to: the text from `w` on, or its own. The rest of a level begins
** after a comma or the bracket. */
static int mixed_set_buffer(const struct mixed_run *r, char *w, int opened) {
  struct encode_state *c = r->raw;
  struct buffer *b = &c->out.buffer, *text = &r->a->walk->out.buffer;
  if (!r->holder->mixed.sink) {
    if (r->is_level && !opened) *w++ = ',';
    c->start = (size_t)(w - text->begin);
    *b = *text;
    text->begin = text->end = NULL;
    return 1;
  }
  if (!b->begin && !buf_resize(b, BUF_FIRST)) return 0;
  c->start = r->is_level ? MIXED_TAIL : 0;
  if (r->is_level) b->begin[0] = opened ? w[-1] : ',';
  return 1;
}

/* Runs the raw encoder, which appends to the text that ends at `w`. Looks up what it does not know. */
static enum encode_result mixed_run(const struct mixed_run *r, const char *w, int opened) {
  struct encode_state *c = r->raw;
  struct mod_state *m = r->holder->state;
  struct buffer *text = &r->a->walk->out.buffer;
  const size_t place = (size_t)(w - text->begin);
  enum encode_result result;
  int again;
  do {
    c->out.error = FL_ERROR_NONE;
    c->out.buffer.refused = 0;
    c->unknown_metatable = 0;
    c->unknown_are_plain = r->a->refreshed;
    c->more = 0;
    c->finish = NULL;
    if (r->is_level && !mixed_set_frame(r)) return ENCODE_MEMORY;
    if (!mixed_set_buffer(r, text->begin + place, opened)) return ENCODE_MEMORY;
    result = m->encode->raw(c, r->is_level ? NULL : (const char *)lua_topointer(r->a->L, r->table), c->speed);
    if (!r->holder->mixed.sink) {
      *text = c->out.buffer;
      c->out.buffer.begin = c->out.buffer.end = NULL;
    }
    if (result == ENCODE_CHANGED) {
      (void)order_update(r->a->L, r->a->book, c, 1);
      result = ENCODE_DONE;
    }
    if (result != ENCODE_REDO) break;
    again = mod_learn_boxes(r->a->L, m, c);
    if (c->unknown_metatable && api_refresh(r->a)) again = 1;
  } while (again);
  return result;
}

/* Pushes the key that was stored at *at, and moves *at to the next one. Returns where its text was, or NULL. */
static const char *mixed_push_key(lua_State *L, const char **at) {
  struct encode_key key;
  memcpy(&key, *at, sizeof key);
  *at += sizeof key;
  switch (key.type) {
  case ENCODE_KEY_STRING: lua_pushlstring(L, *at, key.length); break;
  case ENCODE_KEY_INTEGER: compat_push_integer(L, key.integer); break;
  case ENCODE_KEY_FLOAT: lua_pushnumber(L, key.number); break;
  default: lua_pushnil(L);
  }
  *at += key.length;
  return key.text;
}

static void mixed_push_value(struct api_walk *a) {
  lua_State *L = a->L;
  const struct encode_frame *level = &a->walk->frames[a->depth - 1];
  const int slot = api_slot(a);
  lua_settop(L, slot + 1);
  switch ((int)level->kind) {
  case API_ITEMS: (void)api_push_item(L, slot, level->i); break;
  case API_PAIRS: lua_rawgeti(L, slot + 1, (int)(2 * level->i)); break;
  default: lua_pushvalue(L, slot + 1); lua_rawget(L, slot);
  }
}

/* Returns the metatable of the value on top if that is a table that has one. */
static const void *mixed_metatable(lua_State *L) {
  if (lua_type(L, -1) != LUA_TTABLE || !lua_getmetatable(L, -1)) return NULL;
  const void *metatable = lua_topointer(L, -1);
  lua_pop(L, 1);
  return metatable;
}

/* Pushes the value in front of which the raw encoder has paused. */
static void mixed_push_stop(const struct mixed_run *r) {
  struct api_walk *a = r->a;
  mixed_push_value(a);
  a->tried = lua_type(a->L, -1) == LUA_TTABLE;
  r->holder->mixed.hook = mixed_metatable(a->L);
}

/* Is the next value of the level one at which the raw encoder would pause again? */
static int mixed_meets_hook(struct api_walk *a) {
  struct encode_frame *level = &a->walk->frames[a->depth - 1];
  const void *const hook = mixed_holder(a)->mixed.hook;
  if (!hook || (int)level->kind == API_NEXT || level->i >= level->n) return 0;
  level->i++;
  mixed_push_value(a);
  level->i--;
  const int meets = mixed_metatable(a->L) == hook;
  lua_pop(a->L, 1);
  return meets;
}

/* Sets the position of the level, whose key is on the stack. The raw encoder may go on there later if it iterated the
** table in place; after a key, if that is the very object that the table has. */
static void mixed_set_position(struct api_walk *a, const struct encode_frame *from, const char *text) {
  struct encode_frame *level = &a->walk->frames[a->depth - 1];
  const int key = api_slot(a) + 1;
  const size_t list = from->kind >= ENCODE_LIST_ARRAY ? from->list_start : 0;
  level->calls = a->shared->calls.count - 1; /* the key may be gone */
  level->base = from->kind <= ENCODE_NODES ? from->base : (int)level->kind == API_PAIRS ? level->table : NULL;
  if ((int)level->kind != API_NEXT) {
    level->i = from->i - list;
    return;
  }
  level->list_start = from->i;
  level->n = from->n;
  if (text && lua_tostring(a->L, key) != text) level->base = NULL;
}

/* Sets the position of the level that is a list of pairs. When the raw encoder goes on there it takes a few more pairs,
** and four times as many if it came to their end: hooks in all values of a large list must not take the square. */
static void mixed_set_pair(const struct mixed_run *r, struct encode_frame *level, const char **at) {
  const struct encode_state *c = r->raw;
  struct encode_key key;
  memcpy(&key, *at, sizeof key);
  *at += sizeof key + key.length;
  level->i = c->pairs_at + c->frames[0].i;
  level->list_start = c->paused > 1 || c->stopped ? MIXED_PAIRS : 4 * c->pairs_most;
  if (r->holder->mixed.sink)
    level->list_start = MIXED_PAIRS; /* while there are pairs its buffer does not become full */
}

/* Replaces the key on top by the list of the pairs of the table below, in the order in which they are written. Returns
** the number of the pair with that key; 0: it is not there, or the public API has to ask on_error for other keys. */
static size_t mixed_push_pairs(struct api_walk *a, const struct encode_frame *from, int table, struct api_opened *f) {
  lua_State *L = a->L;
  size_t i = from->kind == ENCODE_NODES ? 0 : from->i - from->list_start;
  int n, found = i > 0;
  if (a->on_error) return 0;
  n = api_list_raw(L, table);
  if ((found && (size_t)n != f->n) || !api_sort_list(a, n, a->order)) return 0;
  f->kind = API_PAIRS, f->n = (size_t)n;
  while (!found && i < (size_t)n) {
    lua_rawgeti(L, table + 2, (int)(2 * i++ + 1));
    found = lua_rawequal(L, -1, table + 1);
    lua_pop(L, 1);
  }
  lua_remove(L, table + 1);
  return found ? i : 0;
}

/* Makes the table on top a level, as the frame of the raw encoder says. False: the walk is to do that itself. */
static int mixed_push_level(const struct mixed_run *r, const struct encode_frame *from, const char **at) {
  struct api_walk *a = r->a;
  lua_State *L = a->L;
  const int table = lua_gettop(L);
  const char *text = NULL;
  if (lua_type(L, table) != LUA_TTABLE || lua_topointer(L, table) != from->table) return 0;
  if (api_is_open(a, from->table) || !encode_need_frames(a->walk, a->depth + 1)) return 0;
  struct api_opened f = {0};
  f.is_array = from->kind == ENCODE_ITEMS || from->kind == ENCODE_LIST_ARRAY;
  f.kind = f.is_array ? API_ITEMS : API_NEXT;
  f.n = from->kind >= ENCODE_LIST_ARRAY ? from->n - from->list_start : from->n;
  if (f.is_array) lua_pushnil(L);
  else text = mixed_push_key(L, at);
  if (!f.is_array && (a->walk->out.style->sort_keys || a->order)) {
    const size_t pairs = mixed_push_pairs(a, from, table, &f);
    if (!pairs) return 0;
    api_push_level(a, &f, table);
    mixed_set_position(a, from, NULL);
    a->walk->frames[a->depth - 1].i = pairs;
    return 1;
  }
  api_push_level(a, &f, table);
  mixed_set_position(a, from, text);
  return 1;
}

/* The levels are again those from before the raw walk, whose text is lost. */
static void mixed_restore(const struct mixed_run *r, const struct encode_frame *before) {
  struct api_walk *a = r->a;
  lua_State *L = a->L;
  a->walk->out.error = FL_ERROR_NONE;
  while (a->depth > r->outer + (size_t)r->is_level) api_pop_level(a);
  if (r->is_level) {
    struct encode_frame *level = &a->walk->frames[r->outer];
    lua_settop(L, r->table);
    *level = *before;
    level->base = NULL;
  } else {
    lua_settop(L, r->table - 1);
  }
  lua_pushvalue(L, a->own_order);
}

/* Makes levels of the tables in which the raw encoder has paused. Making a key may run finalizers, so a table that is
** looked up is compared with the one that was. False: nothing has changed, and the raw walk was in vain. */
static int mixed_push_levels(const struct mixed_run *r) {
  struct api_walk *a = r->a;
  struct encode_state *c = r->raw;
  lua_State *L = a->L;
  const char *at = c->finish;
  struct encode_frame before = {0};
  size_t k = 0;
  lua_settop(L, r->table + r->is_level);
  lua_pushvalue(L, -1); /* own_order is free while no table is opened */
  lua_replace(L, a->own_order);
  if (r->is_level) {
    struct encode_frame *level = &a->walk->frames[r->outer];
    const char *text = NULL;
    before = *level;
    if ((int)level->kind == API_NEXT) {
      lua_settop(L, r->table);
      text = mixed_push_key(L, &at);
    }
    if ((int)level->kind == API_PAIRS) mixed_set_pair(r, level, &at);
    else mixed_set_position(a, &c->frames[0], text);
    k = 1;
  }
  for (; k < c->paused; k++) {
    if (k > 0) mixed_push_value(a);
    if (mixed_push_level(r, &c->frames[k], &at)) continue;
    mixed_restore(r, &before);
    return 0;
  }
  return 1;
}

/* Appends what the raw encoder has in its own buffer to the text of the walk; a sink may get it at once. */
static char *mixed_append(const struct mixed_run *r, char *w, const char *s, size_t n) {
  struct json_out *out = &r->a->walk->out;
  if (n >= BUF_DRAIN_FROM && out->buffer.drain) {
    w = buf_flush(&out->buffer, w, 0);
    if (!w || !out->buffer.drain(out->buffer.drain_ud, s, n - 1)) {
      out->buffer.refused = 1;
      return json_fail(out, FL_ERROR_SINK);
    }
    *w++ = s[n - 1]; /* the walk looks at the byte before its own */
    return w;
  }
  w = json_reserve(out, w, n + JSON_TEXT_ROOM);
  if (!w) return NULL;
  if (n) memcpy(w, s, n);
  return w + n;
}

/* The end of the text of the walk, with that of the raw encoder up to `finish`. */
static char *mixed_take_text(const struct mixed_run *r, char *w, char *finish, int opened) {
  const char *from = r->raw->out.buffer.begin;
  if (!r->holder->mixed.sink) return finish;
  if (r->is_level && opened) from += MIXED_TAIL;
  return mixed_append(r, w, from, (size_t)(finish - from));
}

/* The raw encoder has paused. NULL without an error: in vain. */
static char *mixed_pause(const struct mixed_run *r, char *w, int *opened) {
  char *finish = r->raw->finish;
  const int was_opened = *opened;
  if (!mixed_push_levels(r)) return NULL;
  *opened = API_VALUE;
  if (!r->raw->stopped) {
    *opened = finish[-1] == ',' ? API_AFTER_VALUE : API_OPENED;
    finish -= *opened == API_AFTER_VALUE;
  }
  w = mixed_take_text(r, w, finish, was_opened);
  if (w && r->raw->stopped) mixed_push_stop(r);
  return w;
}

/* Counts the text of a raw walk that was in vain. */
static void mixed_count_loss(const struct mixed_run *r, const char *finish) {
  const struct buffer *b = r->holder->mixed.sink ? &r->raw->out.buffer : &r->a->walk->out.buffer;
  const size_t n = finish ? (size_t)(finish - b->begin) - r->raw->start : MIXED_PIECE;
  r->holder->mixed.lost += r->raw->out.buffer.refused ? BUF_SOFT_MOST * MIXED_PIECE : MIXED_LOSS + n;
}

/* Runs the raw encoder. NULL: an error, or nothing was written. */
static char *mixed_write(const struct mixed_run *r, char *w, int *opened) {
  const size_t place = (size_t)(w - r->a->walk->out.buffer.begin);
  const enum encode_result result = mixed_run(r, w, *opened);
  char *end = NULL;
  w = r->a->walk->out.buffer.begin + place;
  if (result == ENCODE_DONE) {
    end = mixed_take_text(r, w, r->raw->finish, *opened);
    if (r->is_level) *opened = API_AFTER_VALUE;
    if (end && r->is_level) api_pop_level(r->a);
    return end;
  }
  if (result == ENCODE_PAUSED) {
    end = mixed_pause(r, w, opened);
    if (end || r->a->walk->out.error) return end;
  }
  mixed_count_loss(r, result == ENCODE_MEMORY ? NULL : r->raw->finish);
  return NULL;
}

static char *mixed_write_table(struct api_walk *a, char *w, int *opened) {
  struct mixed_run r;
  if (!mixed_prepare(&r, a, w, 0) || api_is_open(a, lua_topointer(a->L, r.table))) return NULL;
  return mixed_write(&r, w, opened);
}

static char *mixed_go_on(struct api_walk *a, char *w, int *opened) {
  struct mixed_run r;
  const size_t place = (size_t)(w - a->walk->out.buffer.begin);
  char *end = NULL;
  const int may = mixed_prepare(&r, a, w, 1);
  lua_settop(a->L, r.table + 1);
  if (mixed_meets_hook(a)) return a->tried = 1, w;
  if (may) end = mixed_write(&r, w, opened);
  if (end) return end;
  if (a->walk->out.error) { /* a sink that refused, or no memory */
    if (!a->thrown) api_push_message(a, 0);
    return NULL;
  }
  a->walk->frames[a->depth - 1].base = NULL;
  return a->walk->out.buffer.begin + place;
}

static const struct api_callbacks mixed_callbacks = {mod_refresh_marks, mixed_write_table, mixed_go_on};

/* Moves a buffer's block, but not its drain. */
static void mixed_move_block(struct buffer *to, struct buffer *from) {
  buf_soften(from, 0);
  buf_free(to);
  to->begin = from->begin, to->end = from->end;
  from->begin = from->end = NULL;
}

static void mixed_set_options(struct mod_holder *h, const struct mod_call *call) {
  struct encode_state *c = &h->raw;
  const struct mod_options *o = call->options;
  h->mixed.sink = call->sink;
  h->mixed.lost = 0;
  h->mixed.hook = NULL;
  h->raw_style = o->style;
  c->out.style = &h->raw_style;
  c->policy = &o->policy;
  c->speed = o->speed;
  c->boxes = h->state->encode->boxes;
  c->out.buffer.busy = &c->list_length;
  h->api.callbacks = &mixed_callbacks;
}

FL_PRIVATE int mixed_begin(struct mod_holder *h, const struct mod_call *call) {
  struct encode_state *c = &h->raw;
  const buf_drain drain = h->walk.out.buffer.drain;
  mod_free_encode_state(c);
  encode_move(c, &h->walk);
  c->out.buffer.drain = NULL;
  h->walk.out.buffer.drain = drain;
  mixed_set_options(h, call);
  if (!call->sink) return mixed_move_block(&h->walk.out.buffer, &c->out.buffer), 1;
  buf_soften(&c->out.buffer, MIXED_PIECE);
  return buf_resize(&h->walk.out.buffer, BUF_FIRST);
}

FL_PRIVATE char *mixed_continue(struct mod_holder *h, const struct mod_call *call, const struct encode_state *c) {
  struct encode_state *raw = &h->raw;
  const struct buffer text = h->walk.out.buffer;
  struct mixed_run r;
  char *w;
  mod_free_encode_state(raw);
  encode_move(raw, &h->walk);
  h->walk.out.buffer = text;
  raw->out.buffer.drain = NULL;
  raw->out.buffer.begin = raw->out.buffer.end = NULL;
  mixed_set_options(h, call);
  if (call->sink) buf_soften(&raw->out.buffer, MIXED_PIECE);
  raw->finish = w = c->finish;
  raw->paused = c->paused;
  (void)mixed_prepare(&r, &h->api, w, 0);
  if (!mixed_push_levels(&r)) return NULL;
  mixed_push_stop(&r);
  return w;
}

FL_PRIVATE void mixed_end(struct mod_holder *h) {
  struct buffer text = h->walk.out.buffer;
  if (h->raw.out.buffer.begin) mixed_move_block(&text, &h->raw.out.buffer); /* all was passed on */
  h->walk.out.buffer.begin = h->walk.out.buffer.end = NULL;
  mod_free_encode_state(&h->walk);
  encode_move(&h->walk, &h->raw);
  h->walk.out.buffer = text;
}
