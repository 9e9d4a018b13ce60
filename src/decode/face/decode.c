/* SPDX-License-Identifier: MIT */
#include "decode.h"
#include "../../files/file.h"
#include "partial.h"
#include "../../encode/face/marks.h"

FL_PRIVATE void mod_default_decode_options(struct json_to_lua_options *o) {
  memset(o, 0, sizeof *o);
  o->max_depth = MOD_DEPTH;
}

/* Pushes a function (text, number) that returns an int64_t or uint64_t cdata, or the number if it fits neither. LuaJIT
** only. */
static void mod_push_int64(const struct mod_reader *r) {
  static const char source[] =
      "local ffi = require 'ffi'\n"
      "local int64, uint64 = ffi.typeof 'int64_t', ffi.typeof 'uint64_t'\n"
      "return function(text, number)\n"
      "  local sign, digits = text:match '^([-+]?)(%d+)$'\n"
      "  local base, most = 10, '18446744073709551615'\n"
      "  if not digits then\n" /* JSON5 */
      "    sign, digits = text:match '^([-+]?)0[xX]0*(%x+)$'\n"
      "    base, most = 16, 'ffffffffffffffff'\n"
      "  end\n"
      "  if not digits or #digits > #most or #digits == #most and digits:lower() > most then return number end\n"
      "  local n = uint64(0)\n"
      "  for i = 1, #digits do n = n * base + tonumber(digits:sub(i, i), 16) end\n"
      "  if sign ~= '-' then return n < 2ULL ^ 63 and int64(n) or n end\n"
      "  if n > 9223372036854775808ULL then return number end\n"
      "  return -int64(n)\n"
      "end\n";
  lua_getglobal(r->L, "jit");
  if (!lua_istable(r->L, -1) || luaL_loadbuffer(r->L, source, sizeof source - 1, "=fleece") != 0 ||
      lua_pcall(r->L, 0, 1, 0) != 0)
    mod_bad_option(r, "another word here: \"int64\" needs LuaJIT and its ffi");
  lua_remove(r->L, -2);
}

/* Stores a copy of the value on top as item `place` of the values. */
static int mod_keep_value(const struct mod_reader *r, int place) {
  compat_set_item(r->L, r->values, place, -1);
  return 1;
}

static void mod_read_null(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  const int usual = lua_islightuserdata(r->L, -1) && lua_touserdata(r->L, -1) == NULL;
  o->drop_null = lua_type(r->L, -1) == LUA_TSTRING && strcmp(lua_tostring(r->L, -1), "nil") == 0;
  o->null = !usual && !o->drop_null && mod_keep_value(r, MOD_VALUE_NULL);
}

/* Reads the option arrays or objects: a metatable; "marked": the mark's; "plain" or false: none. */
static int mod_read_metatable(const struct mod_reader *r, int place, int mark) {
  if (lua_isboolean(r->L, -1) && !lua_toboolean(r->L, -1)) return 0;
  if (lua_type(r->L, -1) == LUA_TSTRING) {
    size_t n;
    const char *word = lua_tolstring(r->L, -1, &n);
    const int is_marked = mod_find_word(word, n, "plain|marked");
    if (is_marked == 0) return 0;
    if (is_marked == 1) mod_push_mark(r->L, mark);
  }
  if (!lua_istable(r->L, -1)) mod_bad_option(r, "a metatable, \"marked\" or \"plain\"");
  return mod_keep_value(r, place);
}

static void mod_read_arrays(struct mod_reader *r) {
  ((struct json_to_lua_options *)r->into)->arrays = mod_read_metatable(r, MOD_VALUE_ARRAYS, MOD_MARK_ARRAY);
}

static void mod_read_objects(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->objects = mod_read_metatable(r, MOD_VALUE_OBJECTS, MOD_MARK_OBJECT);
  o->plain_objects = (unsigned)!o->objects & (unsigned)(lua_type(r->L, -1) == LUA_TSTRING);
}

static void mod_read_big_numbers(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->big = (enum json_to_lua_big)mod_read_word(r, "double|string|error|int64");
  o->int64 = o->big == JSON_TO_LUA_BIG_INT64;
  if (!o->int64) return;
  mod_push_int64(r);
  lua_rawseti(r->L, r->values, MOD_VALUE_INT64);
}

/* From the first use on, this Lua state's encoders look up whether a table has an order. */
static void mod_read_order(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->order = mod_read_boolean(r);
  if (!o->order) return;
  mod_push_book(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_ORDER);
}

static void mod_read_numbers(struct mod_reader *r) {
  struct json_to_lua_options *const o = r->into;
  o->exact = mod_read_word(r, "lua|exact");
  if (!o->exact) return;
  mod_push_exact_metatable(r->L);
  lua_rawseti(r->L, r->values, MOD_VALUE_EXACT);
}

static void mod_read_decode_layout(struct mod_reader *r) {
  ((struct json_to_lua_options *)r->into)->layout_api = mod_read_word(r, MOD_LAYOUTS) == MOD_LAYOUT_API;
}

static void mod_read_done(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a string");
  mod_keep_value(r, MOD_VALUE_DONE);
}

/* That of a codec is for what it writes. */
static void mod_read_reader_on_error(struct mod_reader *r) {
  if (r->of == MOD_OF_NEW) return;
  if (lua_type(r->L, -1) != LUA_TFUNCTION) mod_bad_option(r, "a function");
  ((struct json_to_lua_options *)r->into)->on_error = 1;
  mod_keep_value(r, MOD_VALUE_ON_ERROR);
}

#define MOD_DECODE_ROW(name, kind, member, takers) \
  MOD_OPTION(name, struct json_to_lua_options, member, takers, MOD_IS_##kind)
#define MOD_HINTED_ROW(name, kind, member, takers, value, grammar, errors) \
  MOD_OPTION(name, struct json_to_lua_options, member, takers, MOD_IS_##kind)
static const struct mod_option mod_decode_rows[] = {MOD_DECODE_OPTIONS(MOD_DECODE_ROW, MOD_HINTED_ROW){0}};

/* Pushes a copy of a table of values. `all`: including those of codecs. */
static void mod_copy_values(lua_State *L, int values, int all) {
  const int last = all ? MOD_VALUE_LAST : MOD_VALUES_END - 1;
  lua_createtable(L, last, 0);
  for (int i = 1; i <= last && lua_istable(L, values); i++) {
    lua_rawgeti(L, values, i);
    lua_rawseti(L, -2, i);
  }
}

FL_PRIVATE_NOINLINE int mod_read_decode_options(lua_State *L, int arg, struct json_to_lua_options *o,
                                                enum mod_taker of) {
  struct mod_reader r;
  mod_copy_values(L, lua_upvalueindex(MOD_VALUES), (MOD_VIEWS | MOD_OF(EVENTS) | MOD_OF(NEW)) >> of & 1);
  mod_begin_reader(&r, L, arg, of, mod_decode_rows, o);
  r.values = lua_gettop(L);
  mod_read_table(&r);
  o->force_api = o->layout_api || o->order || o->exact;
  return r.values;
}

FL_PRIVATE_NOINLINE void mod_position_of_values_(lua_State *L, struct json_to_lua_options *o, int values) {
  int *const fields[] = {&o->null, &o->arrays, &o->objects, &o->int64, &o->order, &o->exact};
  compat_need_stack(L, MOD_VALUES_END);
  values = values > 0 ? lua_absindex(L, values) : values;
  for (int i = 0; i < MOD_VALUES_END - 1; i++) {
    if (!*fields[i]) continue;
    lua_rawgeti(L, values, i + 1);
    *fields[i] = lua_gettop(L);
  }
}

FL_PRIVATE void mod_keep_big(struct mod_decode *d, size_t *kept) {
  if (d->o.big != JSON_TO_LUA_BIG_DOUBLE || d->o.exact || d->o.grammar & JSON_JSON5) return;
  mod_push_exact_metatable(d->L);
  d->o.int64 = lua_gettop(d->L);
  d->o.big = JSON_TO_LUA_BIG_KEPT;
  d->o.kept = kept;
}

FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m) {
  if (m->decode->write_tries == 0) return m->decode->decoder;
  probe_writing(L, &m->verdict);
  if (!m->verdict.write_failed) m->decode->decoder = json_to_lua_decoder_of(m->verdict.facts);
  m->decode->write_tries = m->verdict.write_failed && strcmp(m->verdict.write_failed, "memory") == 0
                               ? m->decode->write_tries - 1
                               : 0;
  return m->decode->decoder;
}

/* Returns where to begin counting lines: p, or after a line feed that is counted already. */
FL_FUNC const char *mod_line_start(const struct mod_stream_position *at, const char *p, const char *end) {
  return p + (at->cr && p < end && *p == '\n');
}

/* Keeps the end of the line before the position, which moves over [p, end). */
static void mod_keep_line(struct mod_stream_position *at, const char *p, const char *end) {
  size_t n = 0, kept = at->shown;
  while (n < JSON_WHERE_BEFORE && n < (size_t)(end - p) && json_where_shows(end[-1 - (ptrdiff_t)n])) n++;
  if (n < (size_t)(end - p)) kept = 0;
  else if (kept > JSON_WHERE_BEFORE - n) kept = JSON_WHERE_BEFORE - n;
  memmove(at->line, at->line + at->shown - kept, kept);
  memcpy(at->line + kept, end - n, n);
  at->shown = (unsigned)(kept + n);
}

FL_PRIVATE void mod_advance(struct mod_stream_position *at, const char *p, const char *end) {
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
  mod_pass_before(&at->before, p, end);
  mod_keep_line(at, p, end);
}

/* Pushes empty shapes: a table with items for the names, and then their memory, which is not yet initialized. */
static struct shapes *mod_push_empty_shapes(lua_State *L, unsigned room) {
  lua_createtable(L, (int)room + 1, 0);
  struct shapes *h = (struct shapes *)lua_newuserdata(L, shapes_bytes(room));
  lua_rawseti(L, -2, (int)room + 1);
  return h;
}

/* Makes the shapes of the table on top those of the state. */
static void mod_keep_shapes(lua_State *L, struct mod_state *m, struct shapes *h) {
  compat_registry_get(L, &mod_anchor_key);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, MOD_ANCHOR_SHAPES);
  lua_pop(L, 1);
  m->decode->shapes = h;
  m->decode->shapes_full = 0;
}

FL_PRIVATE_NOINLINE void mod_new_shapes_(lua_State *L, struct mod_state *m) {
  const unsigned room = m->decode->shapes ? m->decode->shapes->room : SHAPES_NAMES_FIRST;
  struct shapes *h = mod_push_empty_shapes(L, room);
  shapes_init(h, room);
  mod_keep_shapes(L, m, h);
}

FL_PRIVATE int mod_grow_shapes(struct json_to_lua *k) {
  lua_State *L = k->L;
  struct mod_state *m = (struct mod_state *)k->shapes_owner;
  struct shapes *from = k->shapes, *h;
  const unsigned room = 2u * from->room;
  if (room > SHAPES_NAMES) return 0;
  h = mod_push_empty_shapes(L, room); /* may run a finalizer that decodes, which uses `from` */
  for (unsigned i = 1; i <= from->names; i++) {
    lua_rawgeti(L, k->anchors, (int)i);
    lua_rawseti(L, -2, (int)i); /* within the array part, so nothing is allocated */
  }
  shapes_init(h, room);
  shapes_copy(h, from);
  if (m->decode->shapes == from || m->decode->shapes->room < room) mod_keep_shapes(L, m, h);
  lua_replace(L, k->anchors);
  k->shapes = h;
  if (k->decoder && !k->decoder->lossless) json_to_lua_take_lists(k); /* the lists are in the same table */
  return 1;
}

FL_PRIVATE char *mod_put_text(char *w, const char *s, size_t n) {
  memcpy(w, s, n);
  return w + n;
}

/* Writes what is near the error: the end of its line before it, which may begin before the text, and [at, to). */
static char *mod_put_near(char *w, const struct mod_decode *d, const char *at, const char *to) {
  char line[2 * JSON_WHERE_BEFORE];
  const char *from = at, *end;
  while (from > d->begin && at - from < JSON_WHERE_BEFORE && json_where_shows(from[-1])) from--;
  const size_t kept = from == d->begin ? d->base.shown : 0;
  memcpy(line, d->base.line, kept);
  memcpy(line + kept, from, (size_t)(at - from));
  end = line + kept + (at - from);
  from = end - line > JSON_WHERE_BEFORE ? end - JSON_WHERE_BEFORE : line;
  while (from < end && json_is_inside(*from)) from++;
  if (from == end && to == at) return w;
  w = MOD_PUT_LITERAL(w, " near '");
  w = mod_put_text(w, from, (size_t)(end - from));
  w = mod_put_text(w, at, (size_t)(to - at));
  return MOD_PUT_LITERAL(w, "'");
}

FL_PRIVATE_NOINLINE FL_COLD size_t mod_word_decode_error_(const struct mod_decode *d, int error, const char *at,
                                                          char *text, struct mod_failure *failure) {
  char *w = text;
  const char *what = json_check_message(error), *end = d->end;
  const size_t byte = d->base.bytes + (size_t)(at - d->begin) + 1;
  struct json_where where;
  struct mod_fault fault;
  if (d->base.in_pieces && end > at)
    end = at + (error == JSON_CHECK_BOM                                     ? 3
                : error == JSON_CHECK_NOWHERE || error == JSON_CHECK_LENGTH ? 0
                                                                            : (unsigned char)*at < 0x80);
  json_where(mod_line_start(&d->base, d->begin, at), end, at, &where);
  if (where.line == 1) where.column += d->base.columns;
  where.line += d->base.lines;
  w = mod_put_text(w, what, strlen(what));
  w = MOD_PUT_LITERAL(w, " at line ");
  w = num_write_u64(w, where.line);
  w = MOD_PUT_LITERAL(w, ", column ");
  w = num_write_u64(w, where.column);
  w = MOD_PUT_LITERAL(w, ", byte ");
  w = num_write_u64(w, byte);
  w = mod_put_near(w, d, at, where.to);
  fault.begin = d->begin, fault.at = at, fault.end = end;
  fault.before = &d->base.before;
  fault.error = error;
  fault.in_pieces = d->base.in_pieces;
  fault.line = d->base.line, fault.kept = d->base.shown;
  fault.grammar = d->o.grammar;
  fault.of = d->of;
  fault.several = d->several;
  w = mod_put_hint(w, &fault, &failure->option);
  failure->kind = json_check_kind(error);
  failure->byte = byte, failure->line = where.line, failure->column = where.column;
  failure->path = 0;
  return (size_t)(w - text);
}

FL_PRIVATE_NOINLINE void mod_push_decode_error_(const struct mod_decode *d, int error, const char *at,
                                                struct mod_failure *failure) {
  char text[MOD_MESSAGE];
  lua_pushlstring(d->L, text, mod_word_decode_error_(d, error, at, text, failure));
}

FL_PRIVATE_NOINLINE int mod_decode_error_(const struct mod_decode *d, int error, const char *at) {
  struct mod_failure failure;
  mod_push_decode_error_(d, error, at, &failure);
  return mod_raise_failure(d->L, d->o.safe, &failure);
}

FL_PRIVATE size_t mod_any_text(const char *s, size_t n) {
  (void)s;
  return n;
}

static const char *mod_decode_simple_string(struct mod_decode *d, const char *p, int tested) {
  struct json_scan j;
  uint64_t high = 0;
  j.end = d->end;
  const char *q = json_scan_plain(&j, p, &high);
  const size_t n = (size_t)(q - p);
  if (FL_UNLIKELY(*q != '"') || (FL_UNLIKELY(high) && !tested && d->state->utf8(p, n) != n)) return NULL;
  lua_pushlstring(d->L, p, n);
  return q + 1;
}

static const char *mod_decode_simple_number(struct mod_decode *d, const char *p) {
  struct num_value v;
  if (FL_UNLIKELY(d->o.grammar & JSON_JSON5) || FL_UNLIKELY(d->o.exact) || FL_UNLIKELY(d->o.rules)) return NULL;
  const char *q = num_parse(p, d->end, &v);
  if (FL_LIKELY(v.kind == NUM_INTEGER) && json_to_lua_integer_fits(v.i)) compat_push_integer(d->L, v.i);
  else if (v.kind == NUM_DOUBLE) lua_pushnumber(d->L, v.d);
  else return NULL;
  return q;
}

static const char *mod_decode_empty(struct mod_decode *d, const char *p, int metatable) {
  if (FL_UNLIKELY(d->o.force_api) || FL_UNLIKELY(d->o.max_depth == 0)) return NULL;
  lua_createtable(d->L, 0, 0);
  if (metatable) {
    lua_pushvalue(d->L, metatable);
    lua_setmetatable(d->L, -2);
  }
  return p + 2;
}

FL_PRIVATE const char *mod_decode_simple(struct mod_decode *d, const char *p, int tested) {
  lua_State *L = d->L;
  const size_t left = (size_t)(d->end - p);
  switch (*p) {
  case '{':
    if (left < 2 || p[1] != '}') return NULL;
    if (d->o.objects | d->o.plain_objects) return mod_decode_empty(d, p, d->o.objects);
    return mod_decode_empty(d, p, lua_upvalueindex(MOD_EMPTY_OBJECT));
  case '[':
    if (left < 2 || p[1] != ']') return NULL;
    return mod_decode_empty(d, p, d->o.arrays);
  case '"': return mod_decode_simple_string(d, p + 1, tested);
  case 't':
    if (left < 4 || memcmp(p, "true", 4) != 0) return NULL;
    lua_pushboolean(L, 1);
    return p + 4;
  case 'f':
    if (left < 5 || memcmp(p, "false", 5) != 0) return NULL;
    lua_pushboolean(L, 0);
    return p + 5;
  case 'n':
    if (left < 4 || memcmp(p, "null", 4) != 0) return NULL;
    if (d->o.drop_null) lua_pushnil(L);
    else if (d->o.null) lua_pushvalue(L, d->o.null);
    else lua_pushlightuserdata(L, NULL);
    return p + 4;
  default: return *p == '-' || json_is_digit(*p) ? mod_decode_simple_number(d, p) : NULL;
  }
}

FL_PRIVATE_NOINLINE const char *mod_count_values_(struct mod_decode *d, struct json_scan *scan, const char *p) {
  const char *excess;
  mod_begin_scan(d, scan);
  excess = json_find_excess(scan, p, d->o.max_values, d->o.lines);
  return excess ? json_scan_error(scan, JSON_CHECK_VALUES, excess) : p;
}

FL_PRIVATE const char *mod_decode_value(struct mod_decode *d, const char *p, struct json_scan *failed) {
  lua_State *L = d->L;
  struct json_to_lua k;
  /* on the C stack, since a Lua block for each call would leave garbage as long as the text */
  char scratch[MOD_DECODE_SCRATCH];
  if (FL_UNLIKELY(d->o.max_values) && !mod_count_values_(d, failed, p)) return NULL;
  mod_begin_tables(d, &k);
  k.scan.scratch = scratch;
  k.scan.room = sizeof scratch;
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

static int mod_check_text(lua_State *L) {
  luaL_checkstring(L, 1);
  return 0;
}

FL_PRIVATE_NOINLINE int mod_no_text_(lua_State *L) {
  lua_settop(L, 1);
  lua_pushcfunction(L, mod_check_text);
  lua_insert(L, 1);
  lua_pcall(L, 1, 0, 0);
  return mod_raise(L, 1);
}

FL_PRIVATE int mod_decode(lua_State *L) {
  struct mod_decode d;
  mod_begin_decode(&d, L, 2, MOD_OF_DECODE);
  mod_set_text(&d, 1);
  if (FL_UNLIKELY(d.o.partial | d.o.unfinished)) return mod_decode_partial_(&d);
  return mod_decode_whole(&d);
}

FL_PRIVATE int mod_decode_prefix(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  lua_Number position = mod_optional_number(L, 2, 1);
  mod_begin_decode(&d, L, 3, MOD_OF_PREFIX);
  mod_set_text(&d, 1);
  if (!(position >= 1 && position <= (lua_Number)(d.end - d.begin) + 1)) mod_argument_error(L, 2, "outside the text");
  mod_begin_scan(&d, &scan);
  const char *p = mod_skip_first(&d, &scan, d.begin + (size_t)position - 1);
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

FL_PRIVATE int mod_decode_file(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  struct mod_failure failure;
  const char *path = mod_check_file_name(L);
  size_t n;
  mod_begin_decode(&d, L, 2, MOD_OF_PREFIX);
  compat_need_stack(L, 8);
  FILE **file = mod_push_file(L);
  errno = 0;
  *file = file_open(path, "rb");
  if (!*file) return mod_file_error(L, "open", path, d.o.safe);
  d.begin = mod_read_rest(L, *file, &n);
  mod_close_file(file);
  if (!d.begin) return mod_file_error(L, "read", path, d.o.safe);
  d.end = d.begin + n;
  if (FL_LIKELY(mod_scan_whole(&d, &scan))) return 1;
  mod_push_decode_error_(&d, scan.error, scan.at, &failure);
  lua_pushfstring(L, "%s: %s", path, lua_tostring(L, -1));
  return mod_raise_failure(d.L, d.o.safe, &failure);
}
