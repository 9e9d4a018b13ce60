/* SPDX-License-Identifier: MIT */
#include "format.h"

enum {
  MOD_FORMAT_PIECE = 256 * 1024,
  MOD_FORMAT_DEPTH = 1024, /* depth of a text that is tested with memory on the C stack */
  /* An incomplete value is read again with each piece, as long as all repeated reading is at most so many times the
  ** text. Beyond that it waits until there is twice as much text. */
  MOD_FORMAT_AGAIN = 32,
  MOD_FORMAT_MOST = 32 * 1024 * 1024 /* the maximum of `again` */
};

/* A reformat_memory_fn. The previous block can be read until Lua allocates again. */
static void *mod_format_alloc(void *owner, enum reformat_memory what, size_t n) {
  struct mod_format *f = (struct mod_format *)owner;
  void *block = lua_newuserdata(f->d.L, n);
  lua_replace(f->d.L, f->slots + (int)what);
  return block;
}

/* Begins a call whose last argument, number `options`, may be options. */
static void mod_begin_format(struct mod_format *f, lua_State *L, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_style *style = &f->own.style;
  const enum mod_taker of = options > 2 ? MOD_OF_FORMAT_STREAM : MOD_OF_FORMAT;
  memset(f, 0, sizeof *f);
  lua_settop(L, options);
  compat_need_stack(L, REFORMAT_MEMORIES + 24);
  mod_begin_decode(&f->d, L, options, of);
  f->d.several = MOD_SEVERAL_LINES;
  f->own = codec->encode;
  if (!lua_isnil(L, options)) mod_read_options(L, options, &f->own, of);
  mod_settle_options(&f->own);
  if (style->canonical) f->d.of = MOD_OF_CANONICAL_TEXT;
  if (style->canonical && options > 2) mod_unfit_option(L, options, "canonical", "false");
  if (style->canonical && f->d.o.colors) mod_unfit_option(L, options, "colors", "false");
  if (style->canonical && f->d.o.bad_text != JSON_BAD_ERROR) mod_unfit_option(L, options, "invalid_utf8", "\"error\"");
  style->whole_are_integers = 0; /* a text tells 2.0 from 2 */
  style->escape = JSON_ESCAPE_JSON;
  style->text.invalid = f->d.o.bad_text == JSON_BAD_PASS ? TEXT_INVALID_PASS : TEXT_INVALID_ERROR;
}

/* Prepares to read and write. Returns 0 if out of memory, with the message on top. */
static int mod_format_prepare(struct mod_format *f) {
  lua_State *L = f->d.L;
  struct json_to_json *k = &f->k;
  struct json_style *style = &f->own.style;
  k->objects = (unsigned char *)lua_newuserdata(L, JSON_CONTAINERS(f->d.o.max_depth));
  f->slots = lua_gettop(L) + 1;
  for (int i = 0; i < REFORMAT_MEMORIES; i++) lua_pushnil(L);
  f->walk = &mod_push_holder(L, f->d.state)->walk;
  if (!buf_resize(&f->walk->out.buffer, BUF_FIRST)) {
    lua_pushliteral(L, "not enough memory");
    return 0;
  }
  if (style->width && style->indent_length) {
    f->lines = f->own;
    if (!mod_width_begin(&f->width, L, f->d.state, &f->lines, NULL)) {
      lua_pushliteral(L, "not enough memory");
      return 0;
    }
    mod_options_in_a_row(&f->own);
    k->drain = mod_width_drain;
    k->drain_ud = &f->width;
  }
  k->out = &f->walk->out;
  k->out->style = style;
  k->w = k->out->buffer.begin;
  k->colors = f->d.o.colors;
  k->lines = f->d.o.lines;
  k->sorts = style->sort_keys;
  k->memory = mod_format_alloc;
  k->owner = f;
  k->scan.grammar = f->d.o.grammar;
  k->scan.bad_text = f->d.o.bad_text;
  k->scan.max_depth = f->d.o.max_depth;
  k->scan.utf8 = f->d.state->utf8;
  k->scan.grow = reformat_grow_scratch;
  k->scan.owner = k;
  return 1;
}

/* Before the text before p is dropped: records a line of NDJSON in it that continues in the next line. */
static void mod_format_note_line(struct mod_format *f, const char *text, const char *p) {
  const struct json_to_json *k = &f->k;
  const char *line, *end = text + f->length;
  if (!k->lines || k->where != REFORMAT_INSIDE || !k->document || k->document >= p) return;
  if (!(line = mod_cut_line(k->document, end, end, f->d.o.grammar))) return;
  f->cut = f->d.base;
  mod_advance(&f->cut, text, line);
  f->cut_document = k->documents + 1;
}

/* In NDJSON an error in a line that continues the previous one is reported for the previous line. */
static void mod_format_find_line(struct mod_format *f) {
  struct json_to_json *k = &f->k;
  const char *line = NULL;
  if (!k->lines || k->where != REFORMAT_INSIDE) return;
  if (!k->document && f->cut_document > k->documents) { /* the line is gone */
    f->d.base = f->cut;
    f->d.begin = f->d.end = k->scan.at = "";
    k->scan.error = JSON_CHECK_END;
  }
  if (!k->document) return;
  line = mod_cut_line(k->document, k->scan.at, f->d.end, f->d.o.grammar);
  if (line) (void)json_scan_error(&k->scan, JSON_CHECK_END, line);
}

FL_INLINE void mod_format_free_lines(struct mod_format *f) {
  if (f->width.L) mod_free_encode_state(f->width.walk);
}

FL_NOINLINE int mod_format_error_(struct mod_format *f) {
  lua_State *L = f->d.L;
  const enum fl_error error = f->k.out->error;
  mod_free_encode_state(f->walk);
  mod_format_free_lines(f);
  if (!error && f->k.scan.error != JSON_CHECK_MEMORY) mod_format_find_line(f);
  if (!error && f->k.scan.error != JSON_CHECK_MEMORY) return mod_decode_error_(&f->d, f->k.scan.error, f->k.scan.at);
  if (error == FL_ERROR_SINK && f->width.L) mod_width_fail(&f->width, &f->sink);
  if (error == FL_ERROR_SINK) mod_push_sink_error(L, &f->sink);
  else lua_pushstring(L, encode_message(error ? error : FL_ERROR_MEMORY));
  if (error == FL_ERROR_SINK && f->sink.thrown && !f->d.o.safe) return lua_error(L);
  return mod_raise_kind(L, f->d.o.safe, encode_kind(error ? error : FL_ERROR_MEMORY));
}

/* Reads [begin + before, end) as far as possible; the bytes before that are for messages. */
static const char *mod_format_read(struct mod_format *f, const char *begin, size_t before, const char *end, int more) {
  struct json_to_json *k = &f->k;
  FL_ASSERT(before <= (size_t)(end - begin) && *end == 0);
  f->d.begin = k->scan.begin = begin;
  f->d.end = k->scan.end = end;
  k->scan.at = begin;
  k->more = more;
  return reformat_read(k, begin + before);
}

static int mod_format_end_lines(struct mod_format *f) {
  return !f->width.L || mod_width_end(&f->width) || json_fail(f->k.out, FL_ERROR_SINK) != NULL;
}

FL_PRIVATE int mod_format(lua_State *L) {
  struct mod_format f;
  size_t n;
  const char *text = mod_check_string(L, 1, &n);
  mod_begin_format(&f, L, 2);
  if (!mod_format_prepare(&f)) return mod_raise_memory_(L, f.d.o.safe);
  (void)buf_resize(&f.walk->out.buffer, n + n / 16 + BUF_FIRST); /* a smaller buffer would grow */
  f.k.w = f.k.out->buffer.begin;
  f.d.begin = text, f.d.end = text + n;
  if (f.d.o.max_bytes && n > f.d.o.max_bytes) {
    (void)json_scan_error(&f.k.scan, JSON_CHECK_LENGTH, text + f.d.o.max_bytes);
    return mod_format_error_(&f);
  }
  const size_t mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (f.d.o.max_values && !mod_count_values_(&f.d, &f.k.scan, text + mark)) return mod_format_error_(&f);
  if (!mod_format_read(&f, text, 0, text + n, 0)) return mod_format_error_(&f);
  if (f.width.L) {
    if (!reformat_drain_(&f.k, 0) || !mod_format_end_lines(&f)) return mod_format_error_(&f);
    mod_free_encode_state(f.walk);
    return mod_width_push(&f.width), 1;
  }
  n = (size_t)(f.k.w - f.k.out->buffer.begin);
  luajit_reserve_heap(f.d.state, n);
  lua_pushlstring(L, f.k.out->buffer.begin, n);
  mod_free_encode_state(f.walk);
  mod_let_collect(L, n);
  return 1;
}

/* Makes room for n more bytes of text and a 0. */
static char *mod_format_reserve(struct mod_format *f, size_t n) {
  char *text = (char *)lua_touserdata(f->d.L, f->text), *wider;
  if (f->length + n + 1 <= f->room) return text + f->length;
  f->room = 2 * f->length + n + 1;
  wider = (char *)lua_newuserdata(f->d.L, f->room);
  if (f->length) memcpy(wider, text, f->length);
  lua_replace(f->d.L, f->text);
  return wider + f->length;
}

FL_INLINE int mod_format_is_long(const struct mod_format *f) {
  return f->d.o.max_bytes && f->d.base.bytes + f->length > f->d.o.max_bytes;
}

/* Appends the next piece of the source, argument 1, to the text. Returns 0 if it cannot be read, with the message on
** top. */
static int mod_format_read_piece(struct mod_format *f) {
  lua_State *L = f->d.L;
  size_t n = 0;
  char *to;
  if (f->from_file) {
    to = mod_format_reserve(f, MOD_FORMAT_PIECE);
    FILE *file = mod_source_file(L, 1);
    errno = 0;
    n = file_read(file, to, MOD_FORMAT_PIECE);
    if (n == 0 && ferror(file)) return mod_push_read_error(L), 0;
  } else {
    const char *piece = mod_call_source(L, 1, "the source of format_stream", f->d.o.closed, &f->state, &n);
    if (!piece) return 0;
    to = mod_format_reserve(f, n);
    memcpy(to, piece, n);
    lua_pop(L, 1);
  }
  f->length += n;
  f->again = n < MOD_FORMAT_MOST && f->again < MOD_FORMAT_MOST ? f->again + MOD_FORMAT_AGAIN * n : f->again;
  to[n] = 0;
  f->ended = n == 0;
  f->full = mod_format_is_long(f);
  if (!f->full) return 1;
  f->length = f->d.o.max_bytes - f->d.base.bytes;
  ((char *)lua_touserdata(L, f->text))[f->length] = 0;
  return 1;
}

/* Returns whether a number or word may contain c. Accepting more than the grammar only delays an error. */
FL_INLINE int mod_format_is_word(const struct mod_format *f, char c) {
  const unsigned char letter = (unsigned char)((c | 0x20) - 'a');
  return json_is_number_byte(c) || ((f->d.o.grammar & JSON_JSON5) &&
                                    (letter < 26 || c == '_' || c == '$' || c == '\\' || (unsigned char)c >= 0x80));
}

/* Returns whether white space may contain c. JSON5 has white space that is not ASCII. */
FL_INLINE int mod_format_is_blank(const struct mod_format *f, char c) {
  return json_is_blank(c) || ((f->d.o.grammar & JSON_JSON5) && ((unsigned char)c >= 0x80 || c == '\v' || c == '\f'));
}

/* Finds the token in which [p, end) ends. The text is incomplete, and begins outside strings and comments. */
static void mod_format_find_tail(struct mod_format *f, const char *p, const char *end) {
  const unsigned grammar = f->d.o.grammar;
  const char last = p < end ? end[-1] : 0;
  struct json_part *s = &f->in;
  memset(s, 0, sizeof *s);
  while (p) p = json_safe_end(s, p, end, (grammar & JSON_JSON5) != 0);
  if (s->in == PART_SLASH || (s->in > PART_SLASH && !(grammar & JSON_COMMENTS))) s->in = PART_BEGIN;
  else if (s->in != PART_BEGIN) return;
  else if (mod_format_is_blank(f, last) || last == '/') s->in = PART_SPACE; /* such a '/' ends a comment */
  else if (mod_format_is_word(f, last)) s->in = PART_WORD;
}

/* Returns whether the token in which the text before p ends continues up to `end`. (A string, a number or word, or
** white space with comments.) Then the text is not read again: each small piece of a long token would cost the time of
** the whole. */
static int mod_format_is_inside_token(struct mod_format *f, const char *p, const char *end) {
  struct json_part *s = &f->in;
  for (; p < end; p++) {
    const enum json_part_in before = s->in;
    switch (before) {
    case PART_BEGIN: return 0;
    case PART_WORD:
      if (!mod_format_is_word(f, *p)) return 0;
      break;
    case PART_SPACE:
      if (*p == '/' && (f->d.o.grammar & JSON_COMMENTS)) s->in = PART_SLASH;
      else if (!mod_format_is_blank(f, *p)) return 0;
      break;
    default:
      if (before == PART_STRING && (unsigned char)*p < 0x20) return 0; /* usually an error */
      (void)json_safe_end(s, p, p + 1, (f->d.o.grammar & JSON_JSON5) != 0);
      if (before == PART_SLASH && s->in < PART_SLASH) return 0;
      if (before > PART_SLASH && s->in == PART_BEGIN) s->in = PART_SPACE;
    }
  }
  return s->in != PART_BEGIN;
}

/* Returns whether to wait for more text before reading. `kept` bytes were read before; [seen, length) is new. */
static int mod_format_should_wait(struct mod_format *f, const char *text, size_t kept, size_t seen, int in_token) {
  if (f->ended || f->state == MOD_SOURCE_FAILED || f->length >= 2 * kept || f->full) return 0;
  if (in_token && mod_format_is_inside_token(f, text + seen, text + f->length)) return 1;
  f->in.in = PART_BEGIN;
  if (f->again < f->length) return 1;
  f->again -= f->length;
  return 0;
}

/* Returns how many bytes before p to keep: those of a document whose first two lines have not ended. */
static size_t mod_format_before(const struct mod_format *f, const char *p) {
  const struct json_to_json *k = &f->k;
  if (!k->lines || k->where != REFORMAT_INSIDE || !k->document || k->document >= p) return 0;
  return mod_cut_line_is_open(k->document, f->d.end + 1, f->d.end) ? (size_t)(p - k->document) : 0;
}

/* After an error: reads what decides for which line it is reported. */
static void mod_format_await_line(struct mod_format *f) {
  struct json_scan *j = &f->k.scan;
  const struct json_to_json *k = &f->k;
  while (k->lines && k->where == REFORMAT_INSIDE && k->document && !f->ended && !k->out->error && !f->full &&
         mod_cut_line_is_open(k->document, j->at, f->d.end)) {
    const size_t at = (size_t)(j->at - f->d.begin), document = (size_t)(k->document - f->d.begin);
    const int top = lua_gettop(f->d.L);
    if (!mod_format_read_piece(f)) f->ended = 1, lua_settop(f->d.L, top);
    f->d.begin = (const char *)lua_touserdata(f->d.L, f->text);
    f->d.end = f->d.begin + f->length;
    j->at = f->d.begin + at;
    f->k.document = f->d.begin + document;
  }
}

/* Reading has ended at p, because max_bytes allows no more text: reports the first error after p, or that. */
static int mod_format_fail_long(struct mod_format *f, const char *p) {
  if (reformat_is_right(&f->k, p)) (void)json_scan_error(&f->k.scan, JSON_CHECK_LENGTH, f->d.end);
  return 0;
}

/* Reads all pieces of the source. Returns 0 with *said set and a message on top, or with the error in f. */
static int mod_format_pieces(struct mod_format *f, int *said) {
  size_t kept = 0, before = 0, seen;
  size_t document = SIZE_MAX; /* offset of the current document in the text */
  int in_token;
  do {
    const char *text, *p;
    do {
      seen = f->length;
      in_token = f->in.in != PART_BEGIN;
      if (!mod_format_read_piece(f)) return *said = 1, 0;
      text = (const char *)lua_touserdata(f->d.L, f->text);
    } while (mod_format_should_wait(f, text, kept, seen, in_token));
    f->k.document = document < SIZE_MAX ? text + document : NULL;
    p = mod_format_read(f, text, before, text + f->length, !f->ended);
    if (!p) return mod_format_await_line(f), 0;
    if (f->full) return mod_format_fail_long(f, p);
    /* a reader of the output gets each document at once */
    if (f->k.where == REFORMAT_BETWEEN && f->k.w > f->k.out->buffer.begin &&
        (!reformat_drain_(&f->k, 0) || !mod_format_end_lines(f)))
      return 0;
    before = mod_format_before(f, p);
    p -= before;
    mod_format_note_line(f, text, p);
    document = f->k.where == REFORMAT_INSIDE && f->k.document >= p ? (size_t)(f->k.document - p) : SIZE_MAX;
    mod_advance(&f->d.base, text, p);
    kept = f->length - (size_t)(p - text);
    memmove((char *)(uintptr_t)text, p, kept + 1);
    f->length = kept;
    mod_format_find_tail(f, text + before, text + kept);
  } while (!f->ended);
  return 1;
}

/* Returns whether argument 1 is a text that is only tested, not written, and one valid document. If not, it must be
** read to tell. */
static int mod_format_is_plain(const struct mod_format *f) {
  lua_State *L = f->d.L;
  const struct json_to_lua_options *o = &f->d.o;
  unsigned char objects[JSON_CONTAINERS(MOD_FORMAT_DEPTH)];
  size_t n;
  if (lua_type(L, 1) != LUA_TSTRING || !lua_isnil(L, 2) || o->lines) return 0;
  const char *text = lua_tolstring(L, 1, &n);
  if (o->max_bytes && n > o->max_bytes) return 0;
  const uint32_t depth = n < o->max_depth ? (uint32_t)n : o->max_depth;
  return json_is_text(text, n, depth,
                      depth <= MOD_FORMAT_DEPTH ? objects : (unsigned char *)lua_newuserdata(L, JSON_CONTAINERS(depth)),
                      f->d.state->cpu);
}

FL_PRIVATE int mod_format_stream(lua_State *L) {
  struct mod_format f;
  int said = 0, fine;
  if (!lua_isfunction(L, 1) && !lua_tostring(L, 1) && !mod_to_file(L, 1)) {
    mod_check_source(L);
    mod_type_error(L, 1, "a string, a file or a function");
  }
  mod_begin_format(&f, L, 3);
  if (mod_format_is_plain(&f)) return lua_pushinteger(L, 1), 1;
  if (!mod_format_prepare(&f)) return mod_raise_memory_(L, f.d.o.safe);
  if (!lua_isnil(L, 2)) mod_check_sink(L, 2, &f.sink);
  f.sink.calls = &f.d.state->encode->shared.calls;
  f.sink.raw = 0; /* no part is written twice */
  lua_pushnil(L);
  f.text = lua_gettop(L);
  f.from_file = !lua_isfunction(L, 1);
  f.d.base.in_pieces = !lua_isstring(L, 1);
  if (f.width.L) {
    mod_width_pass(&f.width, &f.sink);
  } else {
    f.k.drain = mod_sink_drain;
    f.k.drain_ud = &f.sink;
  }
  if (lua_type(L, 1) == LUA_TSTRING) {
    const char *text = lua_tolstring(L, 1, &f.length), *p = NULL;
    f.full = mod_format_is_long(&f);
    if (f.full) {
      lua_pushlstring(L, text, f.length = f.d.o.max_bytes);
      text = lua_tostring(L, -1);
    }
    fine = (p = mod_format_read(&f, text, 0, text + f.length, f.full)) != NULL;
    if (fine && f.full) fine = mod_format_fail_long(&f, p);
  } else {
    fine = mod_format_pieces(&f, &said);
  }
  if (said) return mod_format_free_lines(&f), mod_free_encode_state(f.walk), mod_raise_kind(L, f.d.o.safe, FL_KIND_IO);
  if (!fine || !reformat_drain_(&f.k, 0) || !mod_format_end_lines(&f)) return mod_format_error_(&f);
  mod_format_free_lines(&f);
  mod_free_encode_state(f.walk);
  lua_pushinteger(L, (lua_Integer)f.k.documents);
  return 1;
}
