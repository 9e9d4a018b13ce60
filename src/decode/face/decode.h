/* SPDX-License-Identifier: MIT
** decode.h -- decode, decode_prefix: options, text in, one scan (below the API if possible), a value out.
** Must hold: the text stays on the Lua stack, and all memory of a decode on the C stack or in userdata on the Lua
** stack, so an error leaves nothing behind. */
#pragma once

#include "../lossless.h"
#include "../parts.h"
#include "../../json/grammar/where.h"
#include "../../encode/face/encode.h"
#include "../../lua/guard.h"
#include "../../lua/options/hints.h"
#include "../../lua/state.h"
#include "../../lua/options/options.h"

enum { MOD_SHAPES_PATIENCE = 32 }; /* calls that keep using full shapes */

enum { MOD_WRITE_TRIES = 4 }; /* attempts of the proof of writing when memory is lacking */

/* Decode's slice of the state. */
struct decode_slice {
  const struct json_to_lua_decoder *decoder; /* NULL: only the public API, or not yet looked for: mod_find_decoder_ */
  int write_tries;                           /* how often it may still be looked for */
  struct shapes *shapes;                     /* what decoding remembers, or NULL */
  int shapes_full;                           /* calls that found it full */
};

/* Returns the state's decoder. Writing is proven only when the first decode needs it: that makes creating a state that
** only encodes a third faster. */
FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m);

/* Items of the table of values that Lua keeps (for null, metatables, a function): an upvalue of the codec's functions,
** or of this call. json_to_lua_options has a flag for each until mod_position_of_values_ makes it an index. */
enum {
  MOD_VALUE_NULL = 1,
  MOD_VALUE_ARRAYS,
  MOD_VALUE_OBJECTS,
  MOD_VALUE_INT64,
  MOD_VALUE_ORDER,
  MOD_VALUE_EXACT,
  MOD_VALUES_END, /* from here on: only of codecs, for functions that do not decode */
  MOD_VALUE_DONE = MOD_VALUES_END,
  MOD_VALUE_ON_ERROR, /* of a call alone */
  MOD_VALUE_KEYS,
  MOD_VALUE_BASE,
  MOD_VALUE_PATH,
  MOD_VALUE_POINTER,
  MOD_VALUE_PACK, /* the codec's pack, for mutable views */
  MOD_VALUE_LAST = MOD_VALUE_PACK
};

FL_PRIVATE void mod_default_decode_options(struct json_to_lua_options *o);

/* Reads the options of one call: those of argument `arg` over the codec's. Leaves a table on the stack. */
FL_PRIVATE_NOINLINE int mod_read_decode_options(lua_State *L, int arg, struct json_to_lua_options *o,
                                                enum mod_taker of);

/* Pushes the values for which the options have flags, and replaces the flags by their stack indices. */
FL_PRIVATE_NOINLINE void mod_position_of_values_(lua_State *L, struct json_to_lua_options *o, int values);

/* A position in a text, counted from 0. For texts that come in pieces: messages are the same however the text is
** divided, so they need what precedes the position, and quote nothing after the invalid byte, which may not be there
** yet. */
struct mod_stream_position {
  size_t bytes, lines, columns; /* columns: characters since the last line end */
  int cr;                       /* the byte before it is a carriage return, so a line feed does not end another line */
  int in_pieces;
  struct mod_before before;
  unsigned shown; /* bytes of its line before it, for messages */
  char line[JSON_WHERE_BEFORE];
};

/* Moves a position over [p, end). */
FL_PRIVATE void mod_advance(struct mod_stream_position *at, const char *p, const char *end);

struct mod_decode {
  lua_State *L;
  struct mod_state *state;
  struct json_to_lua_options o;
  const char *begin, *end;
  struct mod_stream_position base; /* position of `begin`, if there is text before it */
  enum mod_taker of;               /* the function whose options hints may name */
  enum mod_several several;
};

/* Pushes new, empty shapes, which replace the state's. */
FL_PRIVATE_NOINLINE void mod_new_shapes_(lua_State *L, struct mod_state *m);

/* json_to_lua.grow_shapes: makes a copy of twice the size, which the state keeps, too, unless it has larger ones. */
FL_PRIVATE int mod_grow_shapes(struct json_to_lua *k);

/* Pushes the shapes, which keeps them alive for this call. Full ones that cannot grow are replaced, but not at once: a
** program whose names never repeat would create them again and again. */
FL_FUNC void mod_push_shapes(lua_State *L, struct mod_state *m) {
  if (FL_LIKELY(m->decode->shapes != NULL) &&
      (FL_LIKELY(!m->decode->shapes->full) || ++m->decode->shapes_full < MOD_SHAPES_PATIENCE))
    lua_rawgeti(L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_SHAPES);
  else mod_new_shapes_(L, m);
}

FL_PRIVATE char *mod_put_text(char *w, const char *s, size_t n);
#define MOD_PUT_LITERAL(w, s) mod_put_text(w, s, sizeof s - 1)

enum { MOD_MESSAGE = 320 + MOD_HINT };

/* Writes the message, less than MOD_MESSAGE bytes, and returns its length. */
FL_PRIVATE_NOINLINE size_t mod_word_decode_error_(const struct mod_decode *d, int error, const char *at, char *text,
                                                  struct mod_failure *failure);

/* Pushes the message. */
FL_PRIVATE_NOINLINE void mod_push_decode_error_(const struct mod_decode *d, int error, const char *at,
                                                struct mod_failure *failure);

/* Ends a call with an invalid text: raises the message, or returns nil, message, failure. */
FL_PRIVATE_NOINLINE int mod_decode_error_(const struct mod_decode *d, int error, const char *at);

/* A text_utf8_fn for texts whose strings may contain any bytes. */
FL_PRIVATE size_t mod_any_text(const char *s, size_t n);

/* Returns the decoder for the text, or NULL for the public API. */
FL_FUNC const struct json_to_lua_decoder *mod_decoder_for(const struct mod_decode *d) {
  const struct json_to_lua_decoder *decoder;
  if (FL_LIKELY(!d->o.force_api))
    return FL_LIKELY(d->state->decode->decoder != NULL) ? d->state->decode->decoder : mod_find_decoder_(d->L, d->state);
  if (!d->o.order && !d->o.exact) return NULL;
  if (d->o.layout_api) return &json_to_lua_lossless_decoder;
  decoder = d->state->decode->decoder ? d->state->decode->decoder : mod_find_decoder_(d->L, d->state);
  return decoder ? decoder->lossless : &json_to_lua_lossless_decoder;
}

/* Room on the C stack for unescaped strings; longer ones use Lua's memory. */
enum { MOD_DECODE_SCRATCH = 16 * 1024 };

/* Prepares to build tables from d's text. Pushes what anchors them and the slots they need. */
FL_SHARED void mod_begin_tables(struct mod_decode *d, struct json_to_lua *k) {
  lua_State *L = d->L;
  struct mod_state *m = d->state;
  const struct json_to_lua_decoder *decoder = mod_decoder_for(d);
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
  k->shape = k->object_shape = d->o.numeric_keys ? JSON_TO_LUA_PAIRS : 0;
  k->spilled = 0;
  k->granted = JSON_TO_LUA_FIRST_SLOTS;
  k->counted_to = d->begin;
  k->recount = 0;
  k->items = 0;
  k->in_parts = 0;
  k->passed = 0;
  k->decoder = decoder;
  k->shapes = m->decode->shapes;
  k->grow_shapes = mod_grow_shapes;
  k->shapes_owner = m;
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

/* Pushes the value at p, unless it is a non-empty array or object, and returns the byte after it: preparing tables
** takes longer than reading a short string. `tested`: the text is known to be valid. NULL: mod_decode_value must read
** it. If something other than white space follows, the value may be another one than by the grammar. */
FL_PRIVATE const char *mod_decode_simple(struct mod_decode *d, const char *p, int tested);

/* Reads one value at p, after white space, and pushes it. Returns the byte after it, or NULL with the error in *failed.
** The argument slots do not change. */
FL_PRIVATE const char *mod_decode_value(struct mod_decode *d, const char *p, struct json_scan *failed);

/* Returns p if the value there has at most max_values values, as far as it is complete; else NULL, with an error. */
FL_PRIVATE_NOINLINE const char *mod_count_values_(struct mod_decode *d, struct json_scan *scan, const char *p);

FL_IDENTITY mod_query_of_edit_magic = 0;

/* The third argument of q:paths, a userdata that only edit makes: its options, instead of the query's own. */
struct mod_query_of_edit {
  const char *magic;
  const struct json_to_lua_options *o;
};

/* Completes the options: what they imply, and their values on the stack. */
FL_FUNC void mod_settle_decode(struct mod_decode *d, int values) {
  struct json_to_lua_options *o = &d->o;
  if (FL_UNLIKELY(o->null | o->arrays | o->objects | o->int64 | o->order | o->exact))
    mod_position_of_values_(d->L, o, values);
  o->grammar = mod_settle_grammar(o->grammar);
}

/* Begins a call with these options, which are completed here. */
FL_FUNC void mod_start_decode(struct mod_decode *d, lua_State *L, struct mod_state *m,
                              const struct json_to_lua_options *o, enum mod_taker of) {
  d->L = L;
  d->state = m;
  d->o = *o;
  memset(&d->base, 0, offsetof(struct mod_stream_position, line));
  d->of = of;
  d->several = MOD_SEVERAL_DOCUMENTS;
}

/* Unless options say what becomes of integers that lose digits: they become exact numbers, counted in *kept. */
FL_PRIVATE void mod_keep_big(struct mod_decode *d, size_t *kept);

/* Begins a call whose options may be argument `options`. */
FL_SHARED void mod_begin_decode(struct mod_decode *d, lua_State *L, int options, enum mod_taker of) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int values = lua_upvalueindex(MOD_VALUES);
  mod_start_decode(d, L, codec->state, &codec->decode, of);
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) values = mod_read_decode_options(L, options, &d->o, of);
  mod_settle_decode(d, values);
}

/* Handles an argument 1 that is not a text in functions that return errors: nil, and Lua's message. */
FL_PRIVATE_NOINLINE int mod_no_text_(lua_State *L);

FL_FUNC void mod_set_text(struct mod_decode *d, int index) {
  size_t n;
  d->begin = mod_check_string(d->L, index, &n);
  d->end = d->begin + n;
}

FL_FUNC void mod_begin_scan(const struct mod_decode *d, struct json_scan *scan) {
  scan->begin = scan->at = d->begin;
  scan->end = d->end;
  scan->grammar = d->o.grammar;
  scan->error = 0;
}

/* Sets up a scan for a reader outside this room. */
FL_FUNC void mod_set_scan(const struct mod_decode *d, struct json_scan *scan) {
  mod_begin_scan(d, scan);
  scan->utf8 = d->o.bad_text >= JSON_BAD_PASS ? mod_any_text : d->state->utf8;
  scan->rules = d->o.rules;
  scan->bad_text = d->o.bad_text;
  scan->max_depth = d->o.max_depth;
}

/* Returns the first byte from p on that can begin a value. NULL with the error in *scan. The text's length is counted
** from p. */
FL_SHARED const char *mod_skip_first(struct mod_decode *d, struct json_scan *scan, const char *p) {
  if (FL_UNLIKELY(d->o.max_bytes) && (size_t)(d->end - p) > d->o.max_bytes)
    return json_scan_error(scan, JSON_CHECK_LENGTH, p + d->o.max_bytes);
  if (FL_UNLIKELY(*p == '\xef') && p == d->begin && d->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
    if (!(d->o.grammar & JSON_BOM)) return json_scan_error(scan, JSON_CHECK_BOM, p);
    p += 3;
  }
  return json_skip_space(scan, p);
}

/* The same, and the value there must not have more than max_values. */
FL_SHARED const char *mod_skip_counted(struct mod_decode *d, struct json_scan *scan, const char *p) {
  p = mod_skip_first(d, scan, p);
  return p && FL_UNLIKELY(d->o.max_values) ? mod_count_values_(d, scan, p) : p;
}

/* Pushes the one value of the text. Returns 0 with the error in *scan. */
FL_SHARED int mod_scan_whole(struct mod_decode *d, struct json_scan *scan) {
  const char *p, *simple;
  mod_begin_scan(d, scan);
  if (!(p = mod_skip_first(d, scan, d->begin))) return 0;
  if (FL_UNLIKELY(p == d->end)) return json_scan_error(scan, JSON_CHECK_EMPTY, p) != NULL;
  if ((simple = mod_decode_simple(d, p, 0)) == d->end) return 1;
  if (FL_UNLIKELY(simple != NULL)) lua_pop(d->L, 1);
  if (!(p = mod_decode_value(d, p, scan))) return 0;
  if (!(p = json_skip_space(scan, p))) return 0;
  if (FL_UNLIKELY(p != d->end)) return json_scan_error(scan, JSON_CHECK_AFTER, p) != NULL;
  return 1;
}

FL_FUNC int mod_decode_whole(struct mod_decode *d) {
  struct json_scan scan;
  return FL_LIKELY(mod_scan_whole(d, &scan)) ? 1 : mod_decode_error_(d, scan.error, scan.at);
}

/* decode(text [, options]) -> value */
FL_PRIVATE int mod_decode(lua_State *L);

/* decode_prefix(text [, position [, options]]) -> value, the position after it; nil, nil if nothing is left */
FL_PRIVATE int mod_decode_prefix(lua_State *L);

/* decode_file(path [, options]) -> value: as decode. */
FL_PRIVATE int mod_decode_file(lua_State *L);
