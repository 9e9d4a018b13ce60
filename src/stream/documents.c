/* SPDX-License-Identifier: MIT */
#include "documents.h"
#include "../decode/face/partial.h"
#include "../lua/guard.h"
#include "stream.h"

#if defined(__unix__) || defined(__APPLE__)
#define MOD_HAS_FSTAT 1
#endif

enum { MOD_PIECE = 64 * 1024 };

/* reader:next() -> what the iterator returns; after an error nil, message, failure */
static int mod_reader_next(lua_State *L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushlightuserdata(L, (void *)(uintptr_t)&mod_reader_key);
  if (FL_LIKELY(mod_call_guarded(L, 1))) return lua_gettop(L);
  lua_pushnil(L);
  lua_insert(L, -3);
  return 3;
}

FL_PRIVATE int mod_return_reader(lua_State *L, int safe) {
  const int iterator = lua_gettop(L);
  if (!safe) return 1;
  compat_need_stack(L, 6);
  (void)lua_newuserdata(L, 0);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, iterator);
  lua_setfield(L, -2, "__call"); /* called by a `for`, whose arguments are ignored */
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, iterator);
  lua_pushcclosure(L, mod_reader_next, 1);
  lua_setfield(L, -2, "next");
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "fleece.reader");
  lua_setfield(L, -2, "__name");
  lua_setmetatable(L, -2);
  return 1;
}

/* Returns the state of the iterator that the method was made for. */
static struct mod_documents *mod_fed_documents(lua_State *L) {
  lua_getupvalue(L, lua_upvalueindex(1), MOD_DOCUMENTS);
  struct mod_documents *const s = (struct mod_documents *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  return s;
}

/* reader:feed(piece) -> reader */
static int mod_fed_feed(lua_State *L) {
  struct mod_documents *const s = mod_fed_documents(L);
  size_t n;
  (void)mod_check_string(L, 2, &n);
  if (s->is_finished) return mod_error(L, "attempt to feed a finished reader");
  lua_settop(L, 2);
  if (n == 0 || s->done) return lua_settop(L, 1), 1; /* after its end, what follows does not count */
  if (s->next_piece > s->last_piece) s->next_piece = 1, s->last_piece = 0;
  if (s->last_piece == INT_MAX) return mod_error(L, "too many pieces that were not read");
  lua_getupvalue(L, lua_upvalueindex(1), MOD_SOURCE);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, s->last_piece + 1);
  s->last_piece++;
  lua_settop(L, 1);
  return 1;
}

/* reader:finish() -> reader */
static int mod_fed_finish(lua_State *L) {
  mod_fed_documents(L)->is_finished = 1;
  lua_settop(L, 1);
  return 1;
}

/* reader:status() -> "open", "complete", "cut", "done" or "failed" */
static int mod_fed_status(lua_State *L) {
  static const char *const words[] = {"open", "complete", "cut", "done", "failed"};
  const struct mod_documents *const s = mod_fed_documents(L);
  lua_pushstring(L, words[s->done ? s->status : MOD_FED_OPEN]);
  return 1;
}

FL_PRIVATE int mod_is_fed(lua_State *L, int more) {
  const int n = lua_gettop(L);
  if (n > 1 + more || (n > 0 && !lua_istable(L, 1))) return 0;
  lua_settop(L, 1 + more);
  lua_pushnil(L);
  lua_insert(L, 1);
  return 1;
}

FL_PRIVATE int mod_read_reader_options(lua_State *L, int arg, struct json_to_lua_options *o, enum mod_taker of,
                                       int is_fed) {
  const unsigned char closed = o->closed;
  if (lua_isnil(L, arg)) return lua_upvalueindex(MOD_VALUES);
  const int values = mod_read_decode_options(L, arg, o, of);
  if (is_fed && o->closed && !closed) mod_argument_error(L, 1, "option 'closed' has no effect without a source");
  return values;
}

FL_PRIVATE int mod_return_fed(lua_State *L, int safe) {
  static const luaL_Reg methods[] = {{"feed", mod_fed_feed}, {"finish", mod_fed_finish}, {"status", mod_fed_status}};
  compat_need_stack(L, 8);
  const int iterator = lua_gettop(L);
  mod_return_reader(L, 1);
  lua_getmetatable(L, -1);
  lua_getfield(L, -1, "__index");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    lua_pushvalue(L, iterator);
    lua_pushcclosure(L, methods[i].func, 1);
    lua_setfield(L, -2, methods[i].name);
  }
  if (!safe) lua_pushvalue(L, iterator), lua_setfield(L, -2, "next");
  lua_pop(L, 2);
  return 1;
}

/* Makes room for n more bytes after the text: moves the rest of the text to the front, or to a new buffer. */
static char *mod_documents_reserve(lua_State *L, struct mod_documents *s, size_t n) {
  size_t rest = s->length - s->taken;
  char *to = (char *)(uintptr_t)s->text;
  FL_ASSERT(s->taken <= s->length && s->source != MOD_SOURCE_STRING);
  if (s->room < rest + n + 1) {
    size_t room = 2 * rest + n + 1;
    to = (char *)lua_newuserdata(L, room);
    s->room = room;
    if (rest) memcpy(to, s->text + s->taken, rest);
    mod_advance(&s->base, s->text, s->text + s->taken);
    lua_replace(L, lua_upvalueindex(MOD_BUFFER)); /* now the old one may be collected */
  } else if (s->taken) {
    mod_advance(&s->base, s->text, s->text + s->taken);
    memmove(to, to + s->taken, rest);
  }
  s->text = to;
  s->length = rest;
  s->taken = 0;
  return to + rest;
}

/* Reads a piece of a file: a block of a regular file, else up to the end of a line. */
static size_t mod_read_piece(FILE *file, char *to) {
  size_t n = 0;
  int c;
#if defined(MOD_HAS_FSTAT)
  struct stat about;
  if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) return file_read(file, to, MOD_PIECE);
#endif
  do
    while (n < MOD_PIECE && (c = getc(file)) != EOF) {
      to[n++] = (char)c;
      if (c == '\n') return n;
    }
  while (n < MOD_PIECE && file_interrupted(file));
  return n;
}

FL_PRIVATE FILE *mod_source_file(lua_State *L, int index) {
  if (mod_file_is_closed(lua_touserdata(L, index))) mod_error(L, "attempt to use a closed file as the source");
  return mod_to_file(L, index);
}

FL_PRIVATE void mod_push_read_error(lua_State *L) {
  lua_pushfstring(L, "cannot read the file: %s",
                  errno == EBADF ? "it is not open for reading"
                  : errno        ? strerror(errno)
                                 : "unknown reason");
}

/* The source function at the index has returned no piece, but a message, and maybe the last piece: the three on top.
** Leaves that piece, or nil. */
FL_NOINLINE void mod_end_source_(lua_State *L, int index, int closed, enum mod_source_state *state) {
  const char *message = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  *state = closed && strcmp(message, "closed") == 0 ? MOD_SOURCE_ENDED : MOD_SOURCE_FAILED;
  /* for example the number of an error of file:read */
  if (lua_type(L, -1) != LUA_TSTRING) lua_pop(L, 1), lua_pushnil(L);
  lua_replace(L, -3);
  lua_replace(L, index);
}

FL_PRIVATE const char *mod_call_source(lua_State *L, int index, const char *name, int closed,
                                       enum mod_source_state *state, size_t *n) {
  if (*state == MOD_SOURCE_OPEN) {
    lua_pushvalue(L, index);
    lua_call(L, 0, 3);
    if (!lua_toboolean(L, -3) && !lua_isnil(L, -2)) mod_end_source_(L, index, closed, state);
    else lua_pop(L, 2);
  } else {
    lua_pushnil(L);
  }
  if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "%s returned a %s", name, luaL_typename(L, -1));
  *n = (size_t)lua_rawlen(L, -1);
  if (*n > 0) return lua_tostring(L, -1);
  if (*state != MOD_SOURCE_FAILED) return "";
  lua_pop(L, 1);
  lua_pushvalue(L, index);
  return NULL;
}

FL_PRIVATE_NOINLINE void mod_documents_cut_(lua_State *L, struct mod_documents *s, size_t n) {
  s->full = 1;
  s->length = n;
  if (s->source != MOD_SOURCE_STRING) {
    ((char *)(uintptr_t)s->text)[n] = 0;
    return;
  }
  lua_pushlstring(L, s->text, n);
  s->text = lua_tostring(L, -1);
  lua_replace(L, lua_upvalueindex(MOD_SOURCE));
  s->ended = 0;
}

/* Appends the next piece that was fed, if there is one. Returns its length. */
static size_t mod_take_piece(lua_State *L, struct mod_documents *s, char **to) {
  size_t n = 0;
  const char *piece = "";
  lua_pushnil(L);
  if (s->next_piece <= s->last_piece) {
    lua_pop(L, 1);
    lua_rawgeti(L, lua_upvalueindex(MOD_SOURCE), s->next_piece);
    lua_pushnil(L);
    lua_rawseti(L, lua_upvalueindex(MOD_SOURCE), s->next_piece++);
    piece = lua_tolstring(L, -1, &n);
  }
  memcpy(*to = mod_documents_reserve(L, s, n), piece, n);
  lua_pop(L, 1);
  return n;
}

FL_PRIVATE int mod_documents_read_piece(lua_State *L, struct mod_documents *s) {
  char *to;
  size_t n;
  if (s->full) return mod_documents_fail(s, JSON_CHECK_LENGTH, s->text + s->length);
  if (s->source == MOD_SOURCE_FED) {
    if (s->next_piece > s->last_piece && !s->is_finished) return s->waits = 1, 0;
    n = mod_take_piece(L, s, &to);
  } else if (s->source == MOD_SOURCE_COPIED) {
    const char *text = lua_tolstring(L, lua_upvalueindex(MOD_SOURCE), &n);
    const size_t at = s->base.bytes + s->length;
    n = n - at < MOD_PIECE ? n - at : MOD_PIECE;
    memcpy(to = mod_documents_reserve(L, s, n), text + at, n);
  } else if (s->source == MOD_SOURCE_FILE) {
    to = mod_documents_reserve(L, s, MOD_PIECE);
    FILE *file = mod_source_file(L, lua_upvalueindex(MOD_SOURCE));
    errno = 0;
    n = mod_read_piece(file, to);
    if (n == 0 && ferror(file)) return mod_push_read_error(L), 0;
  } else {
    const char *piece = mod_call_source(L, lua_upvalueindex(MOD_SOURCE), "the source", s->o.closed, &s->state, &n);
    if (!piece) return 0;
    to = mod_documents_reserve(L, s, n);
    memcpy(to, piece, n);
    lua_pop(L, 1);
  }
  s->length += n;
  to[n] = 0;
  s->ended = n == 0;
  if (s->most && s->base.bytes + s->length > s->most) mod_documents_cut_(L, s, s->most - s->base.bytes);
  return 1;
}

FL_PRIVATE_NOINLINE const char *mod_documents_long_(struct mod_decode *d, const char *p, struct json_scan *failed) {
  const int top = lua_gettop(d->L);
  struct mod_decode part = *d;
  compat_need_stack(d->L, 4);
  lua_pushlstring(d->L, p, d->o.max_bytes);
  part.begin = lua_tostring(d->L, -1);
  part.end = part.begin + d->o.max_bytes;
  part.o.max_bytes = 0;
  if (mod_push_partial(&part, failed) != MOD_PARTIAL_FAILED) (void)json_scan_error(failed, JSON_CHECK_LENGTH, part.end);
  failed->at = p + (failed->at - part.begin);
  lua_settop(d->L, top);
  return NULL;
}

FL_PRIVATE_NOINLINE void mod_documents_note_comment_(lua_State *L, struct mod_documents *s, size_t start) {
  struct mod_decode d;
  d.L = L;
  d.begin = s->text;
  d.end = s->text + s->length;
  d.base = s->base;
  d.o.grammar = s->o.grammar;
  d.of = MOD_OF_NOTHING;
  d.several = MOD_SEVERAL_NOTHING;
  s->comment = s->base.bytes + start;
  s->words = mod_word_decode_error_(&d, JSON_CHECK_COMMENT, s->text + start, s->message, &s->comment_failure);
}

FL_PRIVATE_NOINLINE int mod_documents_error_(struct mod_decode *d, const struct mod_documents *s) {
  if (!s->error) return mod_raise_kind(d->L, d->o.safe, FL_KIND_IO);
  if (!s->at) {
    lua_pushlstring(d->L, s->message, s->words);
    return mod_raise_failure(d->L, d->o.safe, &s->comment_failure);
  }
  d->begin = s->text;
  d->end = s->text + s->length;
  d->base = s->base;
  return mod_decode_error_(d, s->error, s->at);
}

FL_PRIVATE void mod_documents_forget(struct mod_documents *s, const char *p) {
  const size_t n = (size_t)(p - s->text);
  FL_ASSERT(n <= s->taken);
  mod_advance(&s->base, s->text, p);
  s->text = p;
  s->length -= n;
  s->taken -= n;
  if (s->room) s->room -= n;
}

/* Ends a call with 0: the next mod_documents_begin finds the stack that this one found. */
static int mod_documents_again(struct mod_decode *d) {
  lua_settop(d->L, 0);
  if (d->o.safe) lua_pushlightuserdata(d->L, (void *)(uintptr_t)&mod_reader_key);
  return 0;
}

FL_PRIVATE_NOINLINE int mod_documents_refuse_(struct mod_decode *d, struct mod_documents *s, const char *text, size_t n,
                                              const struct mod_failure *failure) {
  lua_State *const L = d->L;
  if (!s->o.on_error || failure->kind == FL_KIND_MEMORY) return mod_raise_failure(L, d->o.safe, failure);
  compat_need_stack(L, 8);
  lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), MOD_VALUE_ON_ERROR);
  lua_pushlstring(L, text, n);
  mod_push_failure(L, failure);
  lua_pushvalue(L, -4);
  s->done = 0; /* the handler may read on, feed, or raise an error */
  lua_call(L, 3, 0);
  return mod_documents_again(d);
}

/* Before a document, in a comment that continues after the text: consumes the text. */
static void mod_documents_drop_comment(lua_State *L, struct mod_documents *s) {
  if (s->split.start != SIZE_MAX) mod_documents_note_comment_(L, s, s->taken + s->split.start);
  s->split.fed = 0;
  s->split.start = SIZE_MAX; /* until another one begins */
  s->taken = s->length;
}

FL_PRIVATE int mod_documents_find_end(lua_State *L, struct mod_documents *s, const char **end) {
  const int json5 = (s->o.grammar & JSON_JSON5) != 0, comments = json5 || (s->o.grammar & JSON_COMMENTS);
  s->error = JSON_CHECK_OK;
  s->split.most = s->o.max_bytes;
  for (;;) {
    const char *from = s->text + s->taken + s->split.fed;
    *end = json_split(&s->split, from, s->text + s->length, json5, comments);
    if (s->split.kind == SPLIT_LONG) return mod_documents_fail(s, JSON_CHECK_LENGTH, *end);
    if (*end) return 1;
    *end = s->text + s->length;
    if (s->split.kind == SPLIT_NOTHING && s->split.in == SPLIT_TEXT) { /* only blanks */
      s->taken = s->length;
      s->split.fed = 0;
    } else if (s->split.kind == SPLIT_NOTHING && s->split.in >= SPLIT_LINE) {
      if (s->ended && s->split.in > SPLIT_LINE && s->split.start == SIZE_MAX)
        return mod_documents_fail(s, JSON_CHECK_COMMENT, NULL);
      if (!s->ended) mod_documents_drop_comment(L, s);
    } else if (s->o.max_bytes && s->split.kind > SPLIT_ODD) {
      /* a slash after a number or word may begin a comment, which does not count */
      const size_t slash = s->split.kind == SPLIT_WORD && s->split.in == SPLIT_SLASH;
      if (s->length - s->taken - s->split.start - slash > s->o.max_bytes) return 1;
    }
    if (s->ended) return 1;
    if (!mod_documents_read_piece(L, s)) return 0;
  }
}

FL_PRIVATE int mod_documents_skip_bom(lua_State *L, struct mod_documents *s) {
  static const char mark[] = "\xef\xbb\xbf";
  while (s->length < 3 && !s->ended && memcmp(s->text, mark, s->length) == 0)
    if (!mod_documents_read_piece(L, s)) return 0;
  s->begun = 1; /* a mark that is not allowed is left to decoding, as an error */
  if ((s->o.grammar & (JSON_BOM | JSON_JSON5)) && s->length >= 3 && memcmp(s->text, mark, 3) == 0) s->taken = 3;
  return 1;
}

/* Ends a call with an error in the document, whose text up to `end` counts. */
FL_NOINLINE int mod_documents_decode_error_(struct mod_decode *d, const char *document, const char *end,
                                            const struct json_scan *failed) {
  const char *line = mod_cut_line(document, failed->at, end, d->o.grammar);
  return line ? mod_decode_error_(d, JSON_CHECK_END, line) : mod_decode_error_(d, failed->error, failed->at);
}

/* Skips white space before the next document. Returns 0 if the source cannot be read. */
static int mod_documents_skip_space(lua_State *L, struct mod_documents *s) {
  s->error = JSON_CHECK_OK;
  for (;;) {
    while (s->taken < s->length && json_split_is_space(s->text[s->taken])) s->taken++;
    if (s->taken < s->length || s->ended) return 1;
    if (!mod_documents_read_piece(L, s)) return 0;
  }
}

static void mod_documents_set_text(struct mod_decode *d, const struct mod_documents *s) {
  d->begin = s->text;
  d->end = s->text + s->length;
  d->base = s->base;
}

/* Decodes a document whose beginning is in the text. NULL if it is invalid, or continues after the text. */
static const char *mod_documents_try(struct mod_decode *d, const struct mod_documents *s) {
  const int top = lua_gettop(d->L);
  struct json_scan scan;
  mod_documents_set_text(d, s);
  const char *after = mod_decode_value(d, s->text + s->taken, &scan);
  if (!after) lua_settop(d->L, top);
  return after;
}

/* Returns value and position: the document is text[p .. after). */
static int mod_documents_return(lua_State *L, struct mod_documents *s, const char *p, const char *after) {
  mod_documents_replace_nil(L);
  lua_pushinteger(L, (lua_Integer)(s->base.bytes + (size_t)(p - s->text) + 1));
  s->taken = (size_t)(after - s->text);
  s->last = (size_t)(after - p);
  FL_ASSERT(s->taken <= s->length);
  memset(&s->split, 0, sizeof s->split);
  s->done = 0;
  return 2;
}

static int mod_documents_decode(struct mod_decode *d, struct mod_documents *s) {
  lua_State *L = d->L;
  struct json_scan scan;
  const char *p, *end, *after;
  const int is_found = mod_documents_find_end(L, s, &end);
  s->is_within = s->waits;
  if (!is_found) return s->waits ? mod_documents_wait(L, s) : mod_documents_error_(d, s);
  if (s->split.kind == SPLIT_NOTHING && (s->split.in == SPLIT_TEXT || s->split.in == SPLIT_LINE))
    return mod_documents_end(L, s, MOD_FED_COMPLETE);
  mod_documents_set_text(d, s);
  p = s->text + s->taken + s->split.start;
  if (s->base.bytes == 0 && p == s->text && d->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
    return mod_decode_error_(d, JSON_CHECK_BOM, p);
  mod_begin_scan(d, &scan);
  if (!(p = json_read_space(&scan, p))) return mod_decode_error_(d, scan.error, scan.at);
  const int is_long = d->o.max_bytes && (size_t)(end - p) > d->o.max_bytes;
  after = is_long ? mod_documents_long_(d, p, &scan) : mod_decode_value(d, p, &scan);
  if (!after) return mod_documents_decode_error_(d, p, is_long ? p + d->o.max_bytes : d->end, &scan);
  if (after < end) { /* a number followed by a comment, or by something else */
    const char *next = json_read_space(&scan, after);
    if (!next) return mod_decode_error_(d, scan.error, scan.at);
    if (next < end) return mod_decode_error_(d, JSON_CHECK_AFTER, next);
  }
  return mod_documents_return(L, s, p, after);
}

static int mod_documents_next_value(struct mod_decode *d, struct mod_documents *s) {
  const char *p, *after;
  if (s->is_within) return mod_documents_decode(d, s);
  if (!mod_documents_skip_space(d->L, s)) return s->waits ? mod_documents_wait(d->L, s) : mod_documents_error_(d, s);
  p = s->text + s->taken;
  if (mod_documents_may_try(s, p) && (after = mod_documents_try(d, s)) != NULL)
    return mod_documents_return(d->L, s, p, after);
  return mod_documents_decode(d, s);
}

/* Consumes the rest of a line, and white space with empty lines. Sets *end to the end of the line that follows, or of
** its beginning that is longer than max_bytes. Returns 0 if the source cannot be read. */
static int mod_documents_find_line(lua_State *L, struct mod_documents *s, const char **end) {
  for (;;) {
    if (!s->skips && !mod_documents_skip_space(L, s)) return 0;
    const char *const line = s->text + s->taken;
    const size_t n = s->length - s->taken;
    *end = (const char *)memchr(line + s->split.fed, '\n', n - s->split.fed);
    if (*end && !s->skips) return 1;
    if (s->skips) {
      s->taken = *end ? (size_t)(*end - s->text) : s->length;
      s->skips = !*end && !s->ended;
      if (!s->skips) continue;
    } else {
      *end = line + n;
      if (s->ended || (s->o.max_bytes && n > s->o.max_bytes)) return 1;
      s->split.fed = n;
    }
    if (!mod_documents_read_piece(L, s)) return 0;
  }
}

/* Pushes the value of the line that is the text of d. Returns its beginning, the end of the line if it has only
** comments, or NULL with an error in *scan. */
static const char *mod_documents_decode_line(struct mod_decode *d, struct json_scan *scan) {
  mod_begin_scan(d, scan);
  const char *const p = mod_skip_first(d, scan, d->begin);
  if (!p || p == d->end) return p;
  const char *after = mod_decode_value(d, p, scan);
  if (!after || !(after = json_skip_space(scan, after))) return NULL;
  return after == d->end ? p : json_scan_error(scan, JSON_CHECK_AFTER, after);
}

/* With `lines`. Returns 0 to be called again. */
static int mod_documents_next_line(struct mod_decode *d, struct mod_documents *s) {
  struct json_scan scan;
  struct mod_failure failure;
  const char *end;
  if (!mod_documents_find_line(d->L, s, &end))
    return s->waits ? mod_documents_wait(d->L, s) : mod_documents_error_(d, s);
  const char *const line = s->text + s->taken;
  if (line == end) return mod_documents_end(d->L, s, MOD_FED_COMPLETE);
  char *const stop = (char *)(uintptr_t)end, at_end = *stop;
  mod_documents_set_text(d, s);
  d->begin = line, d->end = end;
  *stop = 0;
  const char *const p = mod_documents_decode_line(d, &scan);
  *stop = at_end;
  s->skips = end == s->text + s->length && !s->ended;
  if (p && p < end) return mod_documents_return(d->L, s, p, end);
  s->taken = (size_t)(end - s->text);
  s->split.fed = 0;
  if (p) return s->done = 0, mod_documents_again(d);
  mod_documents_forget(s, line);
  d->base = s->base;
  memset(&d->base.before, 0, sizeof d->base.before);
  if (scan.error == JSON_CHECK_LENGTH) d->end = scan.at; /* what follows may not be there yet */
  mod_push_decode_error_(d, scan.error, scan.at, &failure);
  return mod_documents_refuse_(d, s, line, (size_t)(d->end - line), &failure);
}

/* The iterator: value, position of its first byte; nil at the end. */
static int mod_documents_next(lua_State *L) {
  struct mod_documents *s = (struct mod_documents *)lua_touserdata(L, lua_upvalueindex(MOD_DOCUMENTS));
  struct mod_decode d;
  int results;
  do {
    if (!mod_documents_begin(L, s, &d)) return lua_pushnil(L), 1;
    if (!s->begun && !mod_documents_skip_bom(L, s))
      return s->waits ? mod_documents_wait(L, s) : mod_documents_error_(&d, s);
    results = s->o.lines ? mod_documents_next_line(&d, s) : mod_documents_next_value(&d, s);
  } while (results == 0);
  return results;
}

FL_PRIVATE void mod_documents_open(lua_State *L, struct mod_documents *s, const struct json_to_lua_options *o,
                                   int is_fed) {
  memset(s, 0, sizeof *s);
  s->o = *o;
  s->base.in_pieces = !lua_isstring(L, 1);
  s->text = "";
  if (is_fed) {
    s->source = MOD_SOURCE_FED;
    s->next_piece = 1;
    lua_createtable(L, 1, 0);
    lua_replace(L, 1);
  } else if (lua_isstring(L, 1)) {
    s->source = MOD_SOURCE_STRING;
    s->text = lua_tolstring(L, 1, &s->length);
    s->ended = 1;
  } else if (lua_isfunction(L, 1)) {
    s->source = MOD_SOURCE_FUNCTION;
  } else if (mod_to_file(L, 1)) {
    s->source = MOD_SOURCE_FILE;
  } else {
    mod_type_error(L, 1, "a string, a file or a function");
  }
}

FL_PRIVATE void mod_documents_push_upvalues(lua_State *L, int values) {
  for (int i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, i == MOD_VALUES ? values : lua_upvalueindex(i));
}

FL_PRIVATE int mod_documents(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  const int is_fed = mod_is_fed(L, 0);
  if (!is_fed) mod_check_source(L);
  lua_settop(L, 2);
  const int values = mod_read_reader_options(L, 2, &o, MOD_OF_DOCUMENTS, is_fed);
  compat_need_stack(L, MOD_ITERATOR_UPVALUES + 4);
  if (o.on_error && !o.lines) return mod_argument_error(L, 2, "option 'on_error' needs 'lines'");
  mod_documents_push_upvalues(L, values);
  struct mod_documents *const s = (struct mod_documents *)lua_newuserdata(L, sizeof *s);
  mod_documents_open(L, s, &o, is_fed);
  if (o.lines) { /* a line is whole when it is decoded, and ends with a 0 then */
    s->base.in_pieces = 0;
    if (s->source == MOD_SOURCE_STRING) s->source = MOD_SOURCE_COPIED, s->text = "", s->length = 0, s->ended = 0;
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_pushcclosure(L, mod_documents_next, MOD_ITERATOR_UPVALUES);
  return is_fed ? mod_return_fed(L, o.safe) : mod_return_reader(L, o.safe);
}
