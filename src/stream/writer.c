/* SPDX-License-Identifier: MIT
** writer.c -- writer(value, options): encodes in pieces, each with a bounded amount of work.
** Must hold: the public-API walk holds the open tables. A table with a short text is written by one raw walk into a
** buffer of limited size. No address of a Lua object is kept between two pieces. A piece is written in protected
** mode; what it raises becomes the writer's error. */
#include "../encode/api/walk.h"
#include "../encode/face/encode.h"
#include "../encode/face/state.h"
#include "../encode/face/steps.h"
#include "../encode/face/width.h"
#include "../lua/guard.h"
#include "../lua/state.h"
#include "stream.h"

struct mod_writer {
  struct mod_steps steps;
  struct api_walk a;
  struct encode_state walk, whole; /* for the text, and for raw walks */
  struct mod_options o;
  struct json_style inner; /* for raw walks, with the rest of max_depth */
  struct mod_state *state;
  int begun;
  struct heap_user user; /* for the allocator of both walks */
  unsigned losses;
  size_t limit;
  /* For `width`; else fold.out is NULL. */
  struct json_fold fold;
  struct encode_state lines; /* the text as laid out */
  struct json_style style;   /* with its indentation, which `o` then lacks */
  char indent[JSON_INDENT_LIMIT];
};

/* Items of the environment. */
enum {
  WRITER_VALUE = 1,
  WRITER_SPILL,
  WRITER_ORDER,
  WRITER_ON_ERROR,
  WRITER_NULL,
  WRITER_STATE,
  WRITER_ANCHORS,
  WRITER_FOLD, /* the memory of p->fold */
  WRITER_ERROR,
  WRITER_FAILURE, /* the third result of fleece.safe */
  WRITER_END
};

enum {
  WRITER_PIECE = 64 * 1024, /* in bytes */
  WRITER_WHOLE = 64 * 1024, /* size of the buffer for raw walks */
  /* Bounds the cost of failing raw walks in one piece: long tables nested in each other would take the square of the
  ** depth. */
  WRITER_LOSS_LONG = 16,
  WRITER_LOSS = 1,
  WRITER_LOSSES = 16 * WRITER_LOSS_LONG
};

static const char writer_magic = 0, writer_key[2] = {0};

/* The drain of the buffer for raw walks: the text is too long. */
static int writer_refuse(void *ud, const char *bytes, size_t n) {
  (void)ud, (void)bytes, (void)n;
  return 0;
}

/* Writes the table on top by a raw walk. NULL if its text is too long, or needs the API. */
static char *writer_write_short_table(struct api_walk *a, char *w, int *opened) {
  struct mod_writer *p = (struct mod_writer *)(void *)((char *)a - offsetof(struct mod_writer, a));
  struct encode_state *c = &p->whole;
  enum encode_result result;
  (void)opened;
  FL_ASSERT(p->state->encode->raw != NULL);
  if (a->depth >= p->o.style.max_depth || p->losses >= WRITER_LOSSES) return NULL;
  if (buf_capacity(&c->out.buffer) != WRITER_WHOLE && !buf_resize(&c->out.buffer, WRITER_WHOLE)) return NULL;
  p->inner = p->o.style;
  p->inner.max_depth -= (uint32_t)a->depth;
  c->out.style = &p->inner;
  c->policy = &p->o.policy;
  c->unknown_metatable = 0;
  do {
    c->out.error = FL_ERROR_NONE;
    c->out.buffer.refused = 0;
    result = p->state->encode->raw(c, (const char *)lua_topointer(a->L, -1), p->o.speed);
  } while (result == ENCODE_REDO && mod_learn_boxes(a->L, p->state, c));
  if (result == ENCODE_CHANGED) (void)order_update(a->L, a->book, c, 1);
  else if (result != ENCODE_DONE) {
    p->losses += c->out.buffer.refused ? WRITER_LOSS_LONG : WRITER_LOSS;
    return NULL;
  }
  const size_t n = (size_t)(c->finish - c->out.buffer.begin);
  w = json_reserve(&a->walk->out, w, n + JSON_TEXT_ROOM);
  if (!w) return NULL;
  memcpy(w, c->out.buffer.begin, n);
  return w + n;
}

static const struct api_callbacks writer_callbacks = {mod_refresh_marks, writer_write_short_table, NULL};

/* Stores the error of the walk, which is on top. */
static int writer_fail(struct mod_writer *p, lua_State *L, int env) {
  const struct mod_failure failure = {encode_kind(p->walk.out.error), 0, 0, 0, NULL, p->a.path};
  if (p->a.thrown) return lua_error(L);
  mod_push_failure(L, &failure);
  lua_rawseti(L, env, WRITER_FAILURE);
  lua_rawseti(L, env, WRITER_ERROR);
  p->steps.status = STEP_FAILED;
  return 0;
}

/* With `width`: lays out the next n bytes and pushes what is ready. Returns 0 if out of memory. */
static int writer_push_lines(struct mod_writer *p, lua_State *L, const char *s, size_t n) {
  struct buffer *b = &p->lines.out.buffer;
  if (!json_fold_feed(&p->fold, s, n) || (p->a.depth == 0 && !json_fold_end(&p->fold))) return 0;
  lua_pushlstring(L, b->begin, (size_t)(p->fold.w - b->begin));
  p->fold.w = b->begin;
  return 1;
}

/* Writes the next piece of the writer at 1. Runs protected. */
static int writer_make_piece(lua_State *L) {
  struct mod_writer *p = (struct mod_writer *)lua_touserdata(L, 1);
  struct api_walk *a = &p->a;
  struct buffer *b = &p->walk.out.buffer;
  char *w;
  compat_need_stack(L, API_STACK + WRITER_END);
  mod_push_env(L, 1);
  lua_rawgeti(L, 2, WRITER_ORDER);
  lua_rawgeti(L, 2, WRITER_ON_ERROR);
  lua_rawgeti(L, 2, WRITER_ANCHORS);
  lua_rawgeti(L, 5, MOD_ANCHOR_BOOK);
  a->book = p->state->encode->order.slots && p->o.policy.rules->keeps_order ? 6 : 0;
  mod_push_api_slots(a, L, p->o.order ? 3 : 0, p->o.on_error ? 4 : 0);
  lua_rawgeti(L, 2, WRITER_SPILL);
  lua_replace(L, a->spill);
  a->refreshed = 0;
  p->losses = 0;
  a->limit = p->limit;
  if (a->limit < 2 * a->depth) a->limit = 2 * a->depth; /* the cost of unparking the levels */
  if (!b->begin && !buf_resize(b, BUF_FIRST)) return luaL_error(L, "not enough memory");
  if (!p->begun) {
    p->begun = 1;
    lua_rawgeti(L, 2, WRITER_VALUE);
    w = api_write(a, b->begin);
  } else {
    api_unpark(a);
    w = api_write_levels(a, b->begin + 1, a->opened);
  }
  if (!w) return writer_fail(p, L, 2);
  size_t n = (size_t)(w - b->begin);
  if (a->depth > 0) {
    api_park(a);
    n--; /* the last byte, a comma or bracket, stays in the buffer */
  }
  compat_set_item(L, 2, WRITER_SPILL, a->spill);
  if (!p->fold.out) lua_pushlstring(L, b->begin, n);
  else if (!writer_push_lines(p, L, b->begin, n)) return luaL_error(L, "not enough memory");
  b->begin[0] = w[-1];
  if (a->depth == 0) p->steps.status = STEP_FINISHED;
  return 1;
}

static void writer_free(struct mod_writer *p) {
  mod_free_encode_state(&p->walk);
  mod_free_encode_state(&p->whole);
  mod_free_encode_state(&p->lines);
}

static struct mod_writer *writer_check(lua_State *L) {
  struct mod_writer *p = (struct mod_writer *)mod_test_userdata(L, 1, &writer_magic, sizeof *p);
  if (!p) mod_type_error(L, 1, "writer");
  if (heap_is_dead(L, &p->user)) p->steps.status = STEP_COLLECTED;
  return p;
}

static int writer_gc(lua_State *L) {
  struct mod_writer *p = writer_check(L);
  if (p->steps.status == STEP_RUNNING) return mod_error(L, "the writer is in use");
  if (p->steps.status != STEP_COLLECTED) writer_free(p);
  p->steps.status = STEP_COLLECTED;
  return 0;
}

/* Ends a call of a writer that has failed, and frees its memory. */
FL_NOINLINE int writer_raise_(struct mod_writer *p, lua_State *L, unsigned safe) {
  writer_free(p);
  step_push_error(L, WRITER_ERROR);
  if (p->steps.status == STEP_THREW) return lua_error(L);
  if (!safe) return mod_raise(L, 0);
  lua_pushnil(L);
  lua_insert(L, -2);
  lua_rawgeti(L, -3, WRITER_FAILURE);
  return 3;
}

/* Returns the next piece, of about p->limit bytes. */
static int writer_run(struct mod_writer *p, lua_State *L, unsigned safe) {
  switch (p->steps.status) {
  case STEP_RUNNING: return mod_error(L, "the writer is in use");
  case STEP_FAILED:
  case STEP_THREW: return writer_raise_(p, L, safe);
  case STEP_FINISHED: return lua_pushnil(L), 1;
  case STEP_COLLECTED: return mod_error(L, "the writer was collected");
  case STEP_OPEN: break;
  }
  mod_use_heap(p->state);
  while (step_run(L, &p->steps, writer_make_piece, 1, WRITER_ERROR) && p->steps.status == STEP_OPEN &&
         lua_rawlen(L, -1) == 0) {} /* everything waits for the end of a line */
  mod_leave_heap(p->state);
  if (heap_is_dead(L, &p->user)) {
    p->steps.status = STEP_COLLECTED;
    return mod_error(L, "the writer was collected");
  }
  if (p->steps.status == STEP_OPEN) return 1;
  writer_free(p);
  step_forget(L, WRITER_ERROR);
  return p->steps.status == STEP_FINISHED ? 1 : writer_raise_(p, L, safe);
}

/* writer:next([bytes]) -> the next piece, or nil at the end */
static int writer_next(lua_State *L) {
  struct mod_writer *p = writer_check(L);
  lua_Number limit = mod_optional_number(L, 2, WRITER_PIECE);
  if (!(limit >= 1)) mod_argument_error(L, 2, "a number of bytes expected");
  if (p->steps.status == STEP_OPEN) p->limit = limit < (lua_Number)(SIZE_MAX / 4) ? (size_t)limit + 1 : SIZE_MAX / 4;
  return writer_run(p, L, p->o.safe);
}

/* The writer as an iterator: in a `for` nil and a message would look like the end, so it raises. */
static int writer_call(lua_State *L) {
  struct mod_writer *p = writer_check(L);
  if (p->steps.status == STEP_OPEN) p->limit = WRITER_PIECE + 1;
  return writer_run(p, L, 0);
}

FL_INLINE int writer_has_lines(const struct mod_options *o) { return o->style.width && o->style.indent_length; }

/* Prepares the writer on top for `width`. Returns 0 if out of memory. */
static int writer_begin_lines(struct mod_writer *p, lua_State *L, const struct mod_options *o) {
  void *block = lua_newuserdata(L, json_fold_bytes(o->style.width));
  mod_push_env(L, -2);
  lua_insert(L, -2);
  lua_rawseti(L, -2, WRITER_FOLD);
  lua_pop(L, 1);
  memcpy(p->indent, o->indent, sizeof p->indent);
  p->style = o->style;
  p->style.indent = p->indent;
  p->lines.out.style = &p->style;
  if (!buf_resize(&p->lines.out.buffer, BUF_FIRST)) return 0;
  json_fold_begin(&p->fold, &p->lines.out, o->style.width, block);
  return 1;
}

/* Sets what does not change from piece to piece. */
static void writer_init(struct mod_writer *p, lua_State *L, const struct mod_options *o) {
  struct api_walk *a = &p->a;
  struct mod_state *m = p->state;
  p->o = *o;
  mod_settle_options(&p->o);
  if (writer_has_lines(o)) mod_options_in_a_row(&p->o);
  mod_init_encode_state(L, &p->walk, m);
  mod_init_encode_state(L, &p->whole, m);
  mod_init_encode_state(L, &p->lines, m);
  p->walk.out.buffer.alloc = p->whole.out.buffer.alloc = p->lines.out.buffer.alloc = heap_alloc;
  p->walk.out.buffer.alloc_ud = p->whole.out.buffer.alloc_ud = p->lines.out.buffer.alloc_ud = &p->user;
  heap_begin(L, &p->user, m);
  p->walk.out.style = &p->o.style;
  p->walk.policy = &p->o.policy;
  p->whole.out.buffer.drain = writer_refuse;
  mod_init_api_walk(a, m, &p->o);
  a->walk = &p->walk;
  if (m->encode->raw && !p->user.late && !p->o.force_api && !mod_orders_by_api(&p->o) && !p->o.style.indent_length)
    a->callbacks = &writer_callbacks;
}

FL_PRIVATE const luaL_Reg writer_methods[] = {{"next", writer_next}, {NULL, NULL}};

FL_PRIVATE int mod_writer(lua_State *L) {
  struct mod_call call;
  mod_check_any(L, 1);
  lua_settop(L, 2);
  compat_need_stack(L, 20);
  mod_begin(&call, L, 1, 2);
  struct mod_writer *p = (struct mod_writer *)mod_new_userdata(L, sizeof *p);
  memset(p, 0, sizeof *p);
  p->steps.magic = &writer_magic;
  p->state = call.state;
  writer_init(p, L, call.options);
  lua_createtable(L, WRITER_END, 0);
  const int env = lua_gettop(L);
  compat_set_item(L, env, WRITER_VALUE, 1);
  compat_set_item(L, env, WRITER_STATE, lua_upvalueindex(MOD_STATE));
  compat_set_item(L, env, WRITER_ANCHORS, lua_upvalueindex(MOD_ANCHORS));
  if (call.options->order) { compat_set_item(L, env, WRITER_ORDER, call.options->order); }
  if (call.options->on_error) { compat_set_item(L, env, WRITER_ON_ERROR, call.options->on_error); }
  if (call.options->null) { compat_set_item(L, env, WRITER_NULL, call.options->null); }
  mod_set_env(L, -2);
  mod_push_class(L, writer_key, (int)p->o.safe, "fleece.writer", writer_methods, writer_gc);
  lua_pushcfunction(L, writer_call);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
  if (writer_has_lines(call.options) && !writer_begin_lines(p, L, call.options))
    return mod_raise_memory_(L, (int)p->o.safe);
  return 1;
}
