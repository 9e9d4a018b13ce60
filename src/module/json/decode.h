/* SPDX-License-Identifier: MIT
** decode.h -- decode, decode_prefix: text in, one scan (below the API if it can be), a value out.
** May call: lua_*, convert, module, layout, json, number.
** Must hold: the text stays on the Lua stack, and all memory of a decode on the C stack or in userdata on the Lua
** stack: whatever raises leaves nothing behind. */
#ifndef FLEECE_MODULE_JSON_DECODE_H
#define FLEECE_MODULE_JSON_DECODE_H

#include "../../convert/json_to_lua/instances.h"
#include "../../json/grammar/where.h"
#include "decode_options.h"
#include "encode.h"
#include "../core/hints.h"

/* A place in a stream, counted from 0. */
struct mod_stream_position {
  size_t bytes, lines, columns; /* columns: characters since the last line end */
  int cr;                       /* the byte before it is a carriage return: a line feed ends no other line */
};

/* Where lines are counted from: p, or behind a line feed whose line has been counted. */
FL_INLINE const char *mod_line_start(const struct mod_stream_position *at, const char *p, const char *end) {
  return p + (at->cr && p < end && *p == '\n');
}

/* Moves a place over [p, end). */
FL_FUNC void mod_advance(struct mod_stream_position *at, const char *p, const char *end) {
  const char *from = mod_line_start(at, p, end);
  size_t lines, columns;
  if (!json_count_lines(from, end, &lines, &columns)) {
    struct json_where where;
    json_where(from, end, end, &where);
    lines = where.line - 1;
    columns = where.column - 1;
  }
  if (p < end) at->cr = end[-1] == '\r';
  at->bytes += (size_t)(end - p);
  at->lines += lines;
  at->columns = lines > 0 ? columns : at->columns + columns;
}

/* One call. */
struct mod_decode {
  lua_State *L;
  struct mod_state *state;
  struct json_to_lua_options o;
  const char *begin, *end;
  struct mod_stream_position base; /* of `begin`, if there is text before it */
  enum mod_several several;
};

/* ------------------------------------------------------------------------------------- memory of shapes */

/* Pushes new, empty shapes: a table whose first items are for the names, and the one behind them is the memory. */
FL_NOINLINE void mod_new_shapes_(lua_State *L, struct mod_state *m) {
  struct shapes *h;
  lua_createtable(L, SHAPES_NAMES + 1, 0);
  h = (struct shapes *)lua_newuserdata(L, sizeof *h);
  shapes_init(h);
  lua_rawseti(L, -2, SHAPES_NAMES + 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_SHAPES);
  m->shapes = h;
  m->shapes_full = 0;
}

/* Pushes the shapes, which keeps them alive for this call. Full ones are replaced, but not at once: a program
** whose names never repeat would make them anew each time. */
FL_INLINE void mod_push_shapes(lua_State *L, struct mod_state *m) {
  if (FL_LIKELY(m->shapes != NULL) && (FL_LIKELY(!m->shapes->full) || ++m->shapes_full < MOD_SHAPES_PATIENCE))
    lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_SHAPES);
  else mod_new_shapes_(L, m);
}

/* ------------------------------------------------------------------------------------- errors */

FL_FUNC char *mod_put_text(char *w, const char *s, size_t n) {
  memcpy(w, s, n);
  return w + n;
}
#define MOD_PUT_LITERAL(w, s) mod_put_text(w, s, sizeof s - 1)

enum { MOD_MESSAGE = 320 };

/* Writes the message, less than MOD_MESSAGE bytes; answers the position. The text around it may begin before d->begin,
** at `shown`. */
FL_NOINLINE size_t mod_word_decode_error_(const struct mod_decode *d, int error, const char *at, const char *shown,
                                          char *text, size_t *length) {
  char *w = text;
  const char *what = json_check_message(error), *hint;
  const size_t byte = d->base.bytes + (size_t)(at - d->begin) + 1;
  struct json_where where;
  json_where(mod_line_start(&d->base, d->begin, at), d->end, at, &where);
  if (where.line == 1) where.column += d->base.columns;
  where.line += d->base.lines;
  if (FL_UNLIKELY(shown != d->begin)) {
    struct json_where near;
    json_where(at - shown > 4 * JSON_WHERE_BEFORE ? at - 4 * JSON_WHERE_BEFORE : shown, d->end, at, &near);
    where.from = near.from;
    where.to = near.to;
  }
  w = mod_put_text(w, what, strlen(what));
  w = MOD_PUT_LITERAL(w, " at line ");
  w = num_write_u64(w, where.line);
  w = MOD_PUT_LITERAL(w, ", column ");
  w = num_write_u64(w, where.column);
  w = MOD_PUT_LITERAL(w, ", byte ");
  w = num_write_u64(w, byte);
  if (where.from < where.to) {
    w = MOD_PUT_LITERAL(w, " near '");
    w = mod_put_text(w, where.from, (size_t)(where.to - where.from));
    w = MOD_PUT_LITERAL(w, "'");
  }
  hint = mod_hint(d->o.grammar, d->several, error, shown, at, d->end);
  w = mod_put_text(w, hint, strlen(hint));
  *length = (size_t)(w - text);
  return byte;
}

/* The same, pushed. */
FL_NOINLINE size_t mod_push_decode_error_(const struct mod_decode *d, int error, const char *at, const char *shown) {
  char text[MOD_MESSAGE];
  size_t n, byte = mod_word_decode_error_(d, error, at, shown, text, &n);
  lua_pushlstring(d->L, text, n);
  return byte;
}

/* Ends a call whose text is wrong, with the message on top: raises it, or returns nil, message, position. */
FL_NOINLINE int mod_raise_at_(const struct mod_decode *d, size_t byte) {
  if (!d->o.safe) return mod_raise(d->L, 0);
  lua_pushnil(d->L);
  lua_insert(d->L, -2);
  lua_pushinteger(d->L, (lua_Integer)byte);
  return 3;
}

/* The same for an error at a place of the text. */
FL_NOINLINE int mod_decode_error_(const struct mod_decode *d, int error, const char *at) {
  return mod_raise_at_(d, mod_push_decode_error_(d, error, at, d->begin));
}

/* ------------------------------------------------------------------------------------- one value */

/* A text_utf8_fn for texts whose strings may hold any bytes. */
FL_FUNC size_t mod_any_text(const char *s, size_t n) {
  (void)s;
  return n;
}

/* Prepares tables from d's text. On the stack begin what anchors them and the slots that they need. */
FL_INLINE void mod_begin_tables(struct mod_decode *d, struct json_to_lua *k) {
  lua_State *L = d->L;
  struct mod_state *m = d->state;
  const struct json_to_lua_decoder *decoder = d->o.force_api ? NULL : m->decoder;
  compat_need_stack(L, JSON_TO_LUA_FIRST_SLOTS + JSON_TO_LUA_MARGIN + 8);
  k->o = &d->o;
  json_to_lua_find_metatables(k, L, (size_t)(d->end - d->begin));
  mod_push_shapes(L, m);
  k->anchors = lua_gettop(L);
  k->spill = k->anchors + 1;
  k->frames_owner = k->anchors + 2;
  k->scratch_owner = k->anchors + 3;
  k->empty_object = k->anchors + 4;
  k->region = k->anchors + 5;
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, lua_upvalueindex(MOD_EMPTY_OBJECT));
  k->L = L;
  k->frame = k->frames = k->first_frames;
  k->frames_end = k->first_frames + JSON_TO_LUA_FRAMES;
  k->frame->kind = SCAN_ROOT;
  k->frame->start = 0;
  k->frame->flushed = 0;
  k->stride = d->o.duplicates == JSON_TO_LUA_UNIQUE ? 3 : 2;
  k->shape = k->object_shape = d->o.duplicates != JSON_TO_LUA_LAST || d->o.numeric_keys ? JSON_TO_LUA_PAIRS : 0;
  k->spilled = 0;
  k->granted = JSON_TO_LUA_FIRST_SLOTS;
  k->counted_to = d->begin;
  k->recount = 0;
  k->items = 0;
  k->in_parts = 0;
  k->passed = 0;
  k->decoder = decoder;
  k->shapes = m->shapes;
  k->null_word = m->verdict.null_word;
  k->scan.begin = d->begin;
  k->scan.end = d->end;
  k->scan.utf8 = FL_UNLIKELY(d->o.bad_text >= JSON_BAD_PASS) ? mod_any_text : m->utf8;
  k->scan.grammar = d->o.grammar;
  k->scan.rules = d->o.rules;
  k->scan.bad_text = d->o.bad_text;
  k->scan.depth = 0;
  k->scan.max_depth = d->o.max_depth;
  k->scan.scratch = k->first_scratch;
  k->scan.room = JSON_TO_LUA_SCRATCH;
  k->scan.grow = decoder ? decoder->grow : json_to_lua_grow_scratch;
  k->scan.owner = k;
}

/* Reads one value at p, behind white space, and pushes it. Returns the byte behind it, or NULL with the error in
** *failed. The argument slots stay as they are. */
FL_FUNC const char *mod_decode_value(struct mod_decode *d, const char *p, struct json_scan *failed) {
  lua_State *L = d->L;
  struct json_to_lua k;
  mod_begin_tables(d, &k);
  if (FL_LIKELY(k.decoder != NULL)) {
    k.decoder->take(&k);
    p = k.decoder->scan(&k, &k.scan, p);
    k.decoder->give(&k);
  } else {
    p = json_to_lua_api_scan(&k, &k.scan, p);
  }
  if (FL_UNLIKELY(!p)) {
    *failed = k.scan;
    return NULL;
  }
  lua_replace(L, k.anchors);
  lua_settop(L, k.anchors);
  return p;
}

/* ------------------------------------------------------------------------------------- functions */

/* Makes options ready for use: what they imply, and their values on the stack. */
FL_INLINE void mod_settle_decode(struct mod_decode *d, int values) {
  struct json_to_lua_options *o = &d->o;
  if (FL_UNLIKELY(o->null | o->arrays | o->objects | o->int64)) mod_position_of_values_(d->L, o, values);
  if (FL_UNLIKELY(o->grammar & JSON_JSON5))
    o->grammar |= JSON_COMMENTS | JSON_TRAILING_COMMAS | JSON_NAN_LITERALS | JSON_BOM;
}

/* Starts a call whose options may be argument `options`; `names`: see mod_reader. */
FL_INLINE void mod_begin_decode(struct mod_decode *d, lua_State *L, int options, const char *names) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int values = lua_upvalueindex(MOD_VALUES);
  d->L = L;
  d->state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  d->o = codec->decode;
  memset(&d->base, 0, sizeof d->base);
  d->several = MOD_SEVERAL_DOCUMENTS;
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) values = mod_read_decode_options(L, options, &d->o, names);
  mod_settle_decode(d, values);
}

FL_FUNC int mod_check_text(lua_State *L) {
  luaL_checkstring(L, 1);
  return 0;
}

/* An argument 1 that is no text, where faults are returned: nil, and the words of Lua. */
FL_NOINLINE int mod_no_text_(lua_State *L) {
  lua_settop(L, 1);
  lua_pushcfunction(L, mod_check_text);
  lua_insert(L, 1);
  lua_pcall(L, 1, 0, 0);
  return mod_raise(L, 1);
}

FL_INLINE void mod_set_text(struct mod_decode *d, int index) {
  size_t n;
  d->begin = mod_check_string(d->L, index, &n);
  d->end = d->begin + n;
}

FL_INLINE void mod_begin_scan(const struct mod_decode *d, struct json_scan *scan) {
  scan->begin = scan->at = d->begin;
  scan->end = d->end;
  scan->grammar = d->o.grammar;
  scan->error = 0;
}

/* The first byte from p on that can begin a value; NULL: an error, in *scan. What counts as long is the text from p
** on. */
FL_INLINE const char *mod_skip_first(struct mod_decode *d, struct json_scan *scan, const char *p) {
  if (FL_UNLIKELY(d->o.max_bytes) && (size_t)(d->end - p) > d->o.max_bytes)
    return json_scan_error(scan, JSON_CHECK_LENGTH, p + d->o.max_bytes);
  if (FL_UNLIKELY(*p == '\xef') && p == d->begin && d->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
    if (!(d->o.grammar & JSON_BOM)) return json_scan_error(scan, JSON_CHECK_BOM, p);
    p += 3;
  }
  return json_skip_space(scan, p);
}

/* Pushes the one value that the text is; false, with the error in *scan. */
FL_INLINE int mod_scan_whole(struct mod_decode *d, struct json_scan *scan) {
  const char *p;
  mod_begin_scan(d, scan);
  if (!(p = mod_skip_first(d, scan, d->begin))) return 0;
  if (FL_UNLIKELY(p == d->end)) return json_scan_error(scan, JSON_CHECK_EMPTY, p) != NULL;
  if (!(p = mod_decode_value(d, p, scan))) return 0;
  if (!(p = json_skip_space(scan, p))) return 0;
  if (FL_UNLIKELY(p != d->end)) return json_scan_error(scan, JSON_CHECK_AFTER, p) != NULL;
  return 1;
}

FL_INLINE int mod_decode_whole(struct mod_decode *d) {
  struct json_scan scan;
  return FL_LIKELY(mod_scan_whole(d, &scan)) ? 1 : mod_decode_error_(d, scan.error, scan.at);
}

/* decode(text [, options]) -> value */
FL_FUNC int mod_decode(lua_State *L) {
  struct mod_decode d;
  mod_begin_decode(&d, L, 2, NULL);
  mod_set_text(&d, 1);
  return mod_decode_whole(&d);
}

/* decode_prefix(text [, position [, options]]) -> value, the position behind it; nil, nil: nothing is left. */
FL_FUNC int mod_decode_prefix(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  const char *p;
  lua_Number position = mod_optional_number(L, 2, 1);
  mod_begin_decode(&d, L, 3, NULL);
  mod_set_text(&d, 1);
  if (!(position >= 1 && position <= (lua_Number)(d.end - d.begin) + 1)) mod_argument_error(L, 2, "outside the text");
  mod_begin_scan(&d, &scan);
  p = mod_skip_first(&d, &scan, d.begin + (size_t)position - 1);
  if (!p) return mod_decode_error_(&d, scan.error, scan.at);
  if (p == d.end) {
    lua_pushnil(L);
    lua_pushnil(L);
    return 2;
  }
  if (!(p = mod_decode_value(&d, p, &scan))) return mod_decode_error_(&d, scan.error, scan.at);
  lua_pushinteger(L, (lua_Integer)(p - d.begin) + 1);
  return 2;
}

#endif
