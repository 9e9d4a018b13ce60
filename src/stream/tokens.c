/* SPDX-License-Identifier: MIT
** tokens.c -- tokens(source): iterates over the tokens of a text, without tables.
** Must hold: as documents.h. Only one piece, a token at its end, and a portion of events are in memory: the text may
** have any size. */
#include "../json/events.h"
#include "feed.h"
#include "stream.h"

/* Strings that came twice are remembered: finding one here takes less time than in Lua's own table of strings (18 ns
** instead of 36 for a name of 7 bytes). */
enum { TOKENS_RECENT_BITS = 7, TOKENS_RECENT = 1 << TOKENS_RECENT_BITS, TOKENS_NAME = 40, TOKENS_VALUE = 16 };

struct mod_tokens_recent {
  uint64_t first, last; /* its first and last 8 bytes; together all bytes of a string of up to 16 */
  size_t n;
  int is_kept; /* it is in the table of the iterator */
  char text[TOKENS_NAME];
};

struct mod_tokens {
  struct mod_feed f; /* first, as feed.h says */
  struct json_events k;
  size_t next; /* index of the next event to return */
  int ended;   /* the value has ended */
  int failed;  /* the text has an error after the last event */
  int digits;  /* return the digits of numbers */
  struct mod_tokens_recent recent[TOKENS_RECENT];
};

/* Upvalues of an iterator, after those of feed.h: a table of strings, and the words for the kinds. */
enum { TOKENS_STRINGS = MOD_FEED_UPVALUES + 1, TOKENS_KIND };

enum tokens_word { WORD_OBJECT, WORD_ARRAY, WORD_END, WORD_KEY, WORD_STRING, WORD_NULL, WORD_BOOLEAN, WORD_NUMBER };

static const char *const tokens_words[] = {"object", "array", "end", "key", "string", "null", "boolean", "number"};

enum { TOKENS_UPVALUES = TOKENS_STRINGS + (int)(sizeof tokens_words / sizeof *tokens_words) };

/* Before the value, and after it: skips white space. Returns 1 if the value begins, 0 if more text is needed or it has
** ended, -1 after an error. */
static int mod_tokens_between(struct mod_tokens *t) {
  struct mod_feed *f = &t->f;
  if (!mod_feed_begin_document(f)) return -1;
  if (!f->inside) {
    if (f->s.ended && !t->ended) return json_scan_error(f->scan, JSON_CHECK_EMPTY, f->scan->end), -1;
    return 0;
  }
  if (t->ended && f->s.full && json_is_cut_space(f->scan, f->s.text + f->s.taken, f->scan->end))
    return mod_feed_consume(f, f->s.length - f->s.taken), f->inside = 0, f->scan->cut = 1, 0;
  if (t->ended) return json_scan_error(f->scan, JSON_CHECK_AFTER, f->s.text + f->s.taken), -1;
  json_events_begin(&t->k);
  return 1;
}

/* Reads a portion of events. Returns 0 at the end of the text, -1 after an error, as in mod_feed_load_text. */
static int mod_tokens_read(struct mod_tokens *t) {
  struct mod_feed *f = &t->f;
  const struct mod_documents *s = &f->s;
  struct json_scan *j = f->scan;
  for (;;) {
    if (t->failed) return -1;
    if (!mod_feed_load_text(f)) return -1;
    if (!f->inside) {
      const int begins = mod_tokens_between(t);
      if (begins < 0) return -1;
      if (!begins && s->ended) return 0;
      if (!begins || (mod_feed_is_wide(f) && !f->in_comment)) continue;
    }
    const char *p = s->text + s->taken;
    if (j->stop - p > JSON_EVENT_BYTES) j->stop = p + JSON_EVENT_BYTES;
    const char *q = json_events_scan(&t->k, p);
    t->next = 0;
    if (!q && j->error) {
      t->failed = 1;
    } else {
      f->inside = !q;
      t->ended = q != NULL;
      mod_feed_leave(f, q ? q : j->at);
    }
    if (t->k.count > 0) return 1;
  }
}

/* Reads the next events. Returns -1, or the number of results if there are no more events: at the end, or after an
** error. */
FL_NOINLINE int mod_tokens_more_(struct mod_tokens *t, lua_State *L) {
  struct mod_feed *f = &t->f;
  struct mod_decode d;
  if (!mod_documents_begin(L, &f->s, &d)) return lua_pushnil(L), 1;
  f->L = L;
  d.of = MOD_OF_TOKENS;
  d.several = MOD_SEVERAL_DOCUMENTS;
  if (f->s.most && f->s.source == MOD_SOURCE_STRING && f->s.length > f->s.most && !f->s.full)
    mod_documents_cut_(L, &f->s, f->s.most);
  if (!f->s.begun && !mod_documents_skip_bom(L, &f->s))
    return f->s.waits ? mod_documents_wait(L, &f->s) : mod_documents_error_(&d, &f->s);
  const int read = mod_tokens_read(t);
  if (f->s.waits) return mod_documents_wait(L, &f->s);
  if (read < 0) return mod_feed_error_(f, &d, f->scan);
  if (read == 0) return mod_documents_end(L, &f->s, MOD_FED_COMPLETE);
  f->s.done = 0;
  return -1;
}

/* Pushes a string of at most TOKENS_NAME bytes. */
static void mod_tokens_push_short(struct mod_tokens *t, lua_State *L, const char *s, size_t n) {
  uint64_t first, last = 0;
  if (n >= 8) first = fl_load64(s), last = fl_load64(s + n - 8);
  else if (n >= 4) first = fl_load32(s) | (uint64_t)fl_load32(s + n - 4) << 32;
  else if (n > 0)
    first = (uint64_t)(unsigned char)s[0] | (uint64_t)(unsigned char)s[n / 2] << 8 |
            (uint64_t)(unsigned char)s[n - 1] << 16;
  else first = 0;
  const size_t place = (size_t)(((first ^ (last << 23 | last >> 41) ^ n) * UINT64_C(0x9e3779b97f4a7c15)) >>
                                (64 - TOKENS_RECENT_BITS));
  struct mod_tokens_recent *r = &t->recent[place];
  if (r->first == first && r->last == last && r->n == n && (n <= 16 || memcmp(r->text, s, n) == 0)) {
    if (FL_LIKELY(r->is_kept)) {
      lua_rawgeti(L, lua_upvalueindex(TOKENS_STRINGS), (int)place + 1);
      return;
    }
    lua_pushlstring(L, s, n);
    lua_pushvalue(L, -1);
    lua_rawseti(L, lua_upvalueindex(TOKENS_STRINGS), (int)place + 1);
    r->is_kept = 1;
    return;
  }
  r->is_kept = 0;
  r->first = first, r->last = last, r->n = n;
  if (n > 16) memcpy(r->text, s, n);
  lua_pushlstring(L, s, n);
}

FL_INLINE void mod_tokens_push_text(struct mod_tokens *t, lua_State *L, const char *s, size_t n, size_t most) {
  if (FL_LIKELY(n <= most)) mod_tokens_push_short(t, L, s, n);
  else lua_pushlstring(L, s, n);
}

static void mod_tokens_push_string(struct mod_tokens *t, lua_State *L, const struct json_event *e) {
  struct json_string string;
  if (FL_LIKELY(e->plain)) {
    mod_tokens_push_text(t, L, e->s, e->n, e->kind == JSON_EVENT_KEY ? TOKENS_NAME : TOKENS_VALUE);
  } else {
    t->f.L = L;
    if (!json_events_unescape(&t->k, e, &string)) luaL_error(L, "not enough memory");
    lua_pushlstring(L, string.s, string.n);
  }
}

/* The iterator: kind, value, depth, digits. */
static int mod_tokens_next(lua_State *L) {
  struct mod_tokens *t = (struct mod_tokens *)lua_touserdata(L, lua_upvalueindex(MOD_DOCUMENTS));
  if (FL_UNLIKELY(t->next == t->k.count)) {
    const int results = mod_tokens_more_(t, L);
    if (results >= 0) return results;
  }
  const struct json_event *e = &t->k.event[t->next]; /* counted when everything is pushed, because that may raise */
  if (e->kind <= JSON_EVENT_NULL) {
    lua_pushvalue(L, lua_upvalueindex(TOKENS_KIND + e->kind));
    if (e->kind == JSON_EVENT_KEY || e->kind == JSON_EVENT_STRING) mod_tokens_push_string(t, L, e);
    else lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)e->depth);
    t->next++;
    return 3;
  }
  if (e->kind <= JSON_EVENT_FALSE) {
    lua_pushvalue(L, lua_upvalueindex(TOKENS_KIND + WORD_BOOLEAN));
    lua_pushboolean(L, e->kind == JSON_EVENT_TRUE);
    lua_pushinteger(L, (lua_Integer)e->depth);
    t->next++;
    return 3;
  }
  lua_pushvalue(L, lua_upvalueindex(TOKENS_KIND + WORD_NUMBER));
  if (e->kind == JSON_EVENT_DOUBLE) lua_pushnumber(L, e->is.d);
  else if (e->kind == JSON_EVENT_HUGE) lua_pushnil(L);
  else compat_push_integer(L, e->is.i);
  lua_pushinteger(L, (lua_Integer)e->depth);
  if (t->digits && e->n) mod_tokens_push_text(t, L, e->s, e->n, TOKENS_VALUE / 2); /* longer ones seldom come twice */
  else lua_pushnil(L);
  t->next++;
  return 4;
}

FL_STATIC_ASSERT((int)WORD_OBJECT == JSON_EVENT_OBJECT && (int)WORD_NULL == JSON_EVENT_NULL,
                 kinds_are_numbers_of_words);

FL_PRIVATE int mod_tokens(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  const int is_fed = mod_is_fed(L, 0);
  if (!is_fed) mod_check_source(L);
  lua_settop(L, 2);
  (void)mod_read_reader_options(L, 2, &o, MOD_OF_TOKENS, is_fed);
  o.grammar = mod_settle_grammar(o.grammar);
  compat_need_stack(L, TOKENS_UPVALUES + 4);
  mod_documents_push_upvalues(L, lua_upvalueindex(MOD_VALUES));
  struct mod_tokens *t = (struct mod_tokens *)lua_newuserdata(L, sizeof *t + o.max_depth / 8 + 1);
  memset(t, 0, sizeof *t);
  mod_documents_open(L, &t->f.s, &o, is_fed);
  t->f.s.most = o.max_bytes;
  t->digits = !o.no_digits;
  t->f.scan = &t->k.scan;
  t->k.objects = (unsigned char *)(t + 1);
  t->k.scan.grammar = o.grammar;
  t->k.scan.utf8 = FL_UNLIKELY(o.bad_text >= JSON_BAD_PASS) ? mod_any_text : codec->state->utf8;
  t->k.scan.bad_text = o.bad_text;
  t->k.scan.max_depth = o.max_depth;
  t->k.scan.grow = mod_feed_grow;
  t->k.scan.owner = &t->f;
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_createtable(L, TOKENS_RECENT, 0);
  for (size_t i = 0; i < sizeof tokens_words / sizeof *tokens_words; i++) lua_pushstring(L, tokens_words[i]);
  lua_pushcclosure(L, mod_tokens_next, TOKENS_UPVALUES);
  return is_fed ? mod_return_fed(L, o.safe) : mod_return_reader(L, o.safe);
}
