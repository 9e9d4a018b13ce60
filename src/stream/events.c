/* SPDX-License-Identifier: MIT
** events.c -- events(source): iterates over server-sent events whose data is JSON.
** Must hold: as documents.h, with the data of one event instead of a document. Memory is that of one piece and of
** the fields of one event, which max_bytes bounds; each byte is read once before the data is decoded. */
#include "../decode/face/partial.h"
#include "../text/sse.h"
#include "documents.h"
#include "stream.h"

/* A value being collected, in a userdata that is an upvalue. */
struct mod_event_field {
  char *s;
  size_t n, room;
};

struct mod_events {
  struct mod_documents s; /* first, because documents.h expects it at MOD_DOCUMENTS */
  struct text_sse lines;
  struct mod_event_field data, name, id;
  int has_data, bad_retry;
  size_t count;                /* events so far */
  lua_Number retry, new_retry; /* milliseconds, or -1 */
};

/* Upvalues of an iterator, after those of one over documents: the memory of the fields, the last id, and the data that
** ends the stream. */
enum {
  MOD_EVENTS_DATA = MOD_ITERATOR_UPVALUES + 1,
  MOD_EVENTS_NAME,
  MOD_EVENTS_NEW_ID,
  MOD_EVENTS_ID,
  MOD_EVENTS_DONE,
  MOD_EVENTS_UPVALUES = MOD_EVENTS_DONE
};

enum { MOD_EVENTS_SHOWN = 40 /* longest part of an event's name in messages */ };

/* Appends to a field, whose memory is at the upvalue, with a 0 after it. */
static void mod_events_append(lua_State *L, struct mod_event_field *f, int upvalue, const char *s, size_t n) {
  if (f->room - f->n <= n) {
    const size_t room = 2 * (f->n + n) + 64;
    char *to = (char *)lua_newuserdata(L, room);
    if (f->n) memcpy(to, f->s, f->n);
    lua_replace(L, lua_upvalueindex(upvalue));
    f->s = to;
    f->room = room;
  }
  memcpy(f->s + f->n, s, n);
  f->n += n;
  f->s[f->n] = 0;
}

static void mod_events_begin_field(struct mod_events *e) {
  switch (e->lines.field) {
  case TEXT_SSE_EVENT: e->name.n = 0; break;
  case TEXT_SSE_ID: e->id.n = 0; break;
  case TEXT_SSE_RETRY: e->new_retry = -1, e->bad_retry = 0; break;
  default: break;
  }
}

/* Adds digits of the field retry, in milliseconds. */
static void mod_events_add_to_retry(struct mod_events *e, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!json_is_digit(s[i])) e->bad_retry = 1;
    e->new_retry = (e->new_retry < 0 ? 0 : e->new_retry * 10) + (lua_Number)(s[i] - '0');
  }
}

/* Adds a part of a value. Returns 0 if the event is too long. */
static int mod_events_add(lua_State *L, struct mod_events *e, const char *s, size_t n) {
  const size_t most = e->s.o.max_bytes, field = (size_t)e->lines.field, used = e->data.n + e->name.n + e->id.n;
  if (e->s.skips) return 1;
  if (field == TEXT_SSE_RETRY) mod_events_add_to_retry(e, s, n);
  if (field >= TEXT_SSE_RETRY) return 1;
  if (most && n + used > most) {
    const size_t fits = most > used ? most - used : 0;
    if (field == TEXT_SSE_DATA) mod_events_append(L, &e->data, MOD_EVENTS_DATA, s, fits);
    return mod_documents_fail(&e->s, JSON_CHECK_LENGTH, s + fits);
  }
  if (field == TEXT_SSE_DATA) mod_events_append(L, &e->data, MOD_EVENTS_DATA, s, n);
  else if (field == TEXT_SSE_EVENT) mod_events_append(L, &e->name, MOD_EVENTS_NAME, s, n);
  else mod_events_append(L, &e->id, MOD_EVENTS_NEW_ID, s, n);
  return 1;
}

static void mod_events_end_field(lua_State *L, struct mod_events *e) {
  switch (e->lines.field) {
  case TEXT_SSE_DATA:
    mod_events_append(L, &e->data, MOD_EVENTS_DATA, "\n", 1);
    e->has_data = 1;
    break;
  case TEXT_SSE_ID:
    if (e->id.n && memchr(e->id.s, 0, e->id.n)) break;
    if (e->id.n) lua_pushlstring(L, e->id.s, e->id.n);
    else lua_pushnil(L);
    lua_replace(L, lua_upvalueindex(MOD_EVENTS_ID));
    break;
  case TEXT_SSE_RETRY:
    if (e->new_retry >= 0 && !e->bad_retry) e->retry = e->new_retry;
    break;
  default: break;
  }
}

static void mod_events_reset(struct mod_events *e) {
  e->data.n = e->name.n = e->id.n = 0;
  e->has_data = 0;
}

/* Reads up to the end of an event that has data. Returns 1 if found, 0 at the end of the stream, -1 with s->error set
** or a message on the stack, or if it waits. */
static int mod_events_read(lua_State *L, struct mod_events *e) {
  struct mod_documents *s = &e->s;
  const char *p, *part = NULL;
  size_t n = 0;
  s->error = JSON_CHECK_OK;
  for (;;) {
    p = s->text + s->taken;
    const enum text_sse_kind kind = text_sse_next(&e->lines, &p, s->text + s->length, &part, &n);
    s->taken = (size_t)(p - s->text);
    switch (kind) {
    case TEXT_SSE_NOTHING:
      if (s->ended) return 0;
      if (!mod_documents_read_piece(L, s)) return -1;
      break;
    case TEXT_SSE_BEGIN: mod_events_begin_field(e); break;
    case TEXT_SSE_PART:
      if (!mod_events_add(L, e, part, n)) return -1;
      break;
    case TEXT_SSE_END:
      if (!s->skips) mod_events_end_field(L, e);
      break;
    case TEXT_SSE_BLANK:
      if (e->has_data) return 1;
      s->skips = 0;
      mod_events_reset(e);
    }
  }
}

/* Pushes the name of the event, "message" if it has none. */
static void mod_events_push_name(lua_State *L, const struct mod_events *e, size_t most) {
  if (e->name.n) lua_pushlstring(L, e->name.s, e->name.n < most ? e->name.n : most);
  else lua_pushliteral(L, "message");
}

/* Ends a call whose data is not JSON. Returns 0 to go on. */
FL_NOINLINE int mod_events_fail_(struct mod_decode *d, struct mod_events *e, const struct json_scan *failed) {
  lua_State *L = d->L;
  struct mod_failure failure;
  mod_push_decode_error_(d, failed->error, failed->at, &failure);
  mod_events_push_name(L, e, MOD_EVENTS_SHOWN);
  lua_pushfstring(L, "%s, in the data of event %d (%s)", lua_tostring(L, -2), json_to_lua_count(e->count),
                  lua_tostring(L, -1));
  lua_replace(L, -3);
  lua_pop(L, 1);
  return mod_documents_refuse_(d, &e->s, d->begin, (size_t)(d->end - d->begin), &failure);
}

/* Ends a call whose event cannot be read. Returns 0 to go on: it is too long. */
FL_NOINLINE int mod_events_stop_(struct mod_decode *d, struct mod_events *e) {
  struct mod_documents *const s = &e->s;
  struct mod_failure failure;
  if (!s->error || !s->o.on_error) return mod_documents_error_(d, s);
  e->count++;
  s->skips = 1;
  mod_documents_forget(s, s->at);
  d->begin = s->text, d->end = s->text + s->length, d->base = s->base;
  mod_push_decode_error_(d, s->error, s->at, &failure);
  return mod_documents_refuse_(d, s, e->data.n ? e->data.s : "", e->data.n, &failure);
}

/* Returns whether this data ends the stream. */
static int mod_events_is_done(lua_State *L, const char *data, size_t n) {
  size_t length;
  const char *done = lua_tolstring(L, lua_upvalueindex(MOD_EVENTS_DONE), &length);
  return done && n == length && memcmp(data, done, n) == 0;
}

/* Returns whether the stream has ended within an event that has data, or within a line. */
static int mod_events_is_cut(const struct mod_events *e) {
  return e->has_data || e->data.n > 0 || e->s.skips ||
         (e->lines.in != TEXT_SSE_START && e->lines.in != TEXT_SSE_COMMENT);
}

static enum mod_partial mod_events_push_value(struct mod_decode *d, struct json_scan *failed) {
  if (d->o.raw) return lua_pushlstring(d->L, d->begin, (size_t)(d->end - d->begin)), MOD_PARTIAL_COMPLETE;
  if (d->o.partial) return mod_push_partial(d, failed);
  return mod_scan_whole(d, failed) ? MOD_PARTIAL_COMPLETE : MOD_PARTIAL_FAILED;
}

/* Returns the number of results, or 0 to go on. */
static int mod_events_read_one(struct mod_decode *d, struct mod_events *e) {
  lua_State *const L = d->L;
  struct json_scan failed;
  memset(&d->base, 0, sizeof d->base);
  do { /* an event with empty data has no value */
    if (!e->s.is_within) mod_events_reset(e);
    const int found = mod_events_read(L, e);
    e->s.is_within = e->s.waits;
    if (e->s.waits) return mod_documents_wait(L, &e->s);
    if (found < 0) return mod_events_stop_(d, e);
    if (found == 0) return mod_documents_end(L, &e->s, mod_events_is_cut(e) ? MOD_FED_CUT : MOD_FED_COMPLETE);
    e->count++;
  } while (e->data.n == 1 && !d->o.raw);
  d->begin = e->data.s;
  d->end = d->begin + e->data.n - 1;
  e->data.s[e->data.n - 1] = 0;
  if (mod_events_is_done(L, d->begin, e->data.n - 1)) return mod_documents_end(L, &e->s, MOD_FED_DONE);
  const enum mod_partial state = mod_events_push_value(d, &failed);
  if (state == MOD_PARTIAL_FAILED) return mod_events_fail_(d, e, &failed);
  mod_documents_replace_nil(L);
  mod_events_push_name(L, e, SIZE_MAX);
  lua_pushvalue(L, lua_upvalueindex(MOD_EVENTS_ID));
  mod_push_partial_state(L, state);
  if (e->retry >= 0 && e->retry <= INT_MAX) lua_pushinteger(L, (lua_Integer)e->retry);
  else if (e->retry >= 0) lua_pushnumber(L, e->retry);
  else lua_pushnil(L);
  e->s.done = 0;
  return 5;
}

/* The iterator; nil at the end. */
static int mod_events_next(lua_State *L) {
  struct mod_events *e = (struct mod_events *)lua_touserdata(L, lua_upvalueindex(MOD_DOCUMENTS));
  struct mod_decode d;
  int results;
  do {
    if (!mod_documents_begin(L, &e->s, &d)) return lua_pushnil(L), 1;
    results = mod_events_read_one(&d, e);
  } while (results == 0);
  return results;
}

FL_PRIVATE int mod_events(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int i;
  struct json_to_lua_options o = codec->decode;
  const int is_fed = mod_is_fed(L, 0);
  if (!is_fed) mod_check_source(L);
  lua_settop(L, 2);
  const int values = mod_read_reader_options(L, 2, &o, MOD_OF_EVENTS, is_fed);
  if (o.unfinished && !o.partial) return mod_argument_error(L, 2, "option 'unfinished' needs 'partial'");
  compat_need_stack(L, MOD_EVENTS_UPVALUES + 4);
  mod_documents_push_upvalues(L, values);
  struct mod_events *e = (struct mod_events *)lua_newuserdata(L, sizeof *e);
  memset(e, 0, sizeof *e);
  e->retry = -1;
  mod_documents_open(L, &e->s, &o, is_fed);
  lua_pushvalue(L, 1);
  for (i = MOD_BUFFER; i < MOD_EVENTS_DONE; i++) lua_pushnil(L);
  if (lua_istable(L, values)) lua_rawgeti(L, values, MOD_VALUE_DONE);
  else lua_pushnil(L);
  lua_pushcclosure(L, mod_events_next, MOD_EVENTS_UPVALUES);
  return is_fed ? mod_return_fed(L, o.safe) : mod_return_reader(L, o.safe);
}
