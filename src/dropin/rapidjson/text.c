/* SPDX-License-Identifier: MIT
** text.c -- tests a text, and writes it as lua-rapidjson does: a sink of the scanner.
** Must hold: as json/grammar/scan.h. Doubles always have a point or an exponent, so that they are read as doubles
** again. Every value is written with a comma, which a closing bracket or the end replaces. No Lua code runs between the
** beginning of a scan and its end. */
#include "../../base/bits.h"
#include "../../json/grammar/scan.h"
#include "../../json/index/locate.h"
#include "rapidjson.h"

struct rapidjson_writer {
  struct json_scan scan;
  struct json_out *out;
  char *w;
  unsigned char *objects; /* bits for all levels that the text can open: 1 for an object */
  struct mod_state *state;
};

static char *rapidjson_grow_scratch(void *owner, size_t n) {
  struct rapidjson_writer *k = (struct rapidjson_writer *)owner;
  return (char *)k->state->alloc(k->state->alloc_ud, k->scan.scratch, k->scan.room, n);
}

/* Reserves room for a value or name, and writes the line break before it. `is_name`: a member begins. */
static char *rapidjson_reserve(struct rapidjson_writer *k, int is_name) {
  struct json_out *out = k->out;
  char *w = k->w;
  if (out->style->indent_length && (is_name || json_container_at(k->objects, k->scan.depth) == SCAN_ARRAY) &&
      !(w = json_write_line(out, w, k->scan.depth)))
    return NULL;
  return json_reserve(out, w, JSON_TEXT_ROOM);
}

static int rapidjson_put(struct rapidjson_writer *k, char *w, char after) {
  if (!w) return 0;
  *w++ = after;
  k->w = w;
  return 1;
}

static int rapidjson_put_word(struct rapidjson_writer *k, const char *word) {
  const size_t n = strlen(word);
  char *w;
  if (!(w = rapidjson_reserve(k, 0))) return 0;
  memcpy(w, word, n);
  return rapidjson_put(k, w + n, ',');
}

static int rapidjson_put_string(struct rapidjson_writer *k, const char *s, size_t n, int is_name) {
  char *w;
  if (!(w = rapidjson_reserve(k, is_name)) || !(w = json_write_string(k->out, w, s, n, JSON_ESCAPE_UPPER))) return 0;
  if (!rapidjson_put(k, w, is_name ? ':' : ',')) return 0;
  if (is_name && k->out->style->indent_length) *k->w++ = ' ';
  return 1;
}

/* Writes an integer beyond int64: with all its digits if it is within 64 bits, else as a double. */
static char *rapidjson_write_big(char *w, const char *text, size_t n, double d) {
  uint64_t u = 0;
  size_t i;
  for (i = 0; i < n && text[i] >= '0' && text[i] <= '9' && u <= (UINT64_MAX - (uint64_t)(text[i] - '0')) / 10; i++)
    u = 10 * u + (uint64_t)(text[i] - '0');
  return i < n ? num_write_ecma_float(w, d) : num_write_u64(w, u);
}

static int rapidjson_put_number(struct rapidjson_writer *k, const char *text, size_t n, const struct num_value *v) {
  char *w;
  if (v->kind == NUM_HUGE) return json_scan_error(&k->scan, JSON_CHECK_HUGE, text) != NULL;
  if (!(w = rapidjson_reserve(k, 0))) return 0;
  if (v->kind == NUM_INTEGER) w = num_write_i64(w, v->i);
  else if (v->kind == NUM_DOUBLE) w = num_write_ecma_float(w, v->d);
  else w = rapidjson_write_big(w, text, n, v->d);
  return rapidjson_put(k, w, ',');
}

/* The events of json/grammar/scan_template.h, which calls them by the macro SCAN below. */
FL_INLINE int dropin_on_null(struct rapidjson_writer *k) { return rapidjson_put_word(k, "null"); }

FL_INLINE int dropin_on_boolean(struct rapidjson_writer *k, int b) {
  return rapidjson_put_word(k, b ? "true" : "false");
}

FL_INLINE int dropin_on_number(struct rapidjson_writer *k, const char *text, size_t n, const struct num_value *v) {
  return rapidjson_put_number(k, text, n, v);
}

FL_INLINE int dropin_on_string(struct rapidjson_writer *k, const char *s, size_t n) {
  return rapidjson_put_string(k, s, n, 0);
}

FL_INLINE int dropin_on_name(struct rapidjson_writer *k, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  return rapidjson_put_string(k, name.s, name.n, 1);
}

/* If there is no memory the scan continues; then dropin_on_close ends it. */
static void dropin_on_open(struct rapidjson_writer *k, enum scan_container kind) {
  k->scan.depth--; /* the bracket is indented like a value of the enclosing container */
  char *w = rapidjson_reserve(k, 0);
  k->scan.depth++;
  (void)rapidjson_put(k, w, kind == SCAN_ARRAY ? '[' : '{');
  fl_set_bit(k->objects, k->scan.depth - 1, kind == SCAN_OBJECT);
}

static enum scan_container dropin_on_close(struct rapidjson_writer *k, enum scan_container kind) {
  const enum scan_container in = json_container_at(k->objects, k->scan.depth);
  char *w = k->w;
  if (k->out->error) return SCAN_STOP;
  if (w[-1] == ',') {
    w--;
    if (k->out->style->indent_length && !(w = json_write_line(k->out, w, k->scan.depth))) return SCAN_STOP;
  }
  if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return SCAN_STOP;
  *w++ = kind == SCAN_ARRAY ? ']' : '}';
  return rapidjson_put(k, w, ',') ? in : SCAN_STOP;
}

#define SCAN_CALLS
#define SCAN_NAME dropin_scan
#define SCAN_SINK struct rapidjson_writer
#define SCAN(event) dropin_on_##event
#include "../../json/grammar/scan_template.h"

/* Reads d's text, with k->objects set. Returns 0 if it is not JSON, or out of memory. */
static int rapidjson_read(const struct mod_decode *d, struct rapidjson_writer *k) {
  struct json_scan *j = &k->scan;
  memset(j, 0, sizeof *j);
  mod_begin_scan(d, j);
  j->utf8 = mod_any_text;
  j->bad_text = d->o.bad_text;
  j->max_depth = d->o.max_depth;
  j->grow = rapidjson_grow_scratch;
  j->owner = k;
  k->state = d->state;
  const char *p = dropin_scan(k, j, json_read_space(j, d->begin));
  p = p && !k->out->error ? json_read_space(j, p) : NULL;
  if (j->room) d->state->alloc(d->state->alloc_ud, j->scratch, j->room, 0);
  return p == d->end;
}

FL_PRIVATE int rapidjson_push_text(const struct mod_decode *d, const struct mod_options *o) {
  lua_State *L = d->L;
  const int slot = lua_gettop(L) + 1;
  const size_t length = (size_t)(d->end - d->begin); /* a text opens no more levels than it has bytes */
  struct rapidjson_writer k;
  struct mod_call call;
  k.objects = (unsigned char *)lua_newuserdata(L, JSON_CONTAINERS(length < d->o.max_depth ? length : d->o.max_depth));
  struct encode_state *c = mod_encode_state_for_call(L, d->state);
  mod_start_call(&call, L, d->state, o, 0);
  if (!mod_make_ready(&call, c)) {
    mod_free_encode_state(c);
    return luaL_error(L, "not enough memory");
  }
  k.out = &c->out;
  k.out->style = &o->style;
  k.out->error = FL_ERROR_NONE;
  k.w = k.out->buffer.begin;
  if (!rapidjson_read(d, &k)) {
    const int failed = k.out->error || k.scan.error == JSON_CHECK_MEMORY;
    mod_free_encode_state(c);
    lua_settop(L, slot - 1);
    return failed ? luaL_error(L, "not enough memory") : 0;
  }
  (void)mod_finish(&call, c, k.w - 1);
  lua_replace(L, slot);
  lua_settop(L, slot);
  return 1;
}

FL_PRIVATE const char *rapidjson_set_text(struct mod_decode *d, int index) {
  mod_set_text(d, index);
  const char *origin = d->begin;
  if (d->end - d->begin >= 3 && memcmp(d->begin, "\xef\xbb\xbf", 3) == 0) d->begin += 3;
  return origin;
}

FL_PRIVATE void rapidjson_push_encoded(lua_State *L, int value) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_call call;
  struct mod_decode d;
  compat_need_stack(L, 12);
  rapidjson_begin_decode(&d, L);
  rapidjson_begin(&call, L, lua_gettop(L) + 1);
  call.options = &codec->json;
  call.value = value;
  mod_run(&call);
  mod_set_text(&d, lua_gettop(L));
  if (rapidjson_push_written(&d)) { /* raw values may be written otherwise */
    lua_remove(L, -2);
    return;
  }
  (void)rapidjson_return_fault_(&d, d.begin, "%s");
  mod_raise(L, 0);
}
