/* SPDX-License-Identifier: MIT
** fused_text.h -- template: a part of fused.c, the scan of a text that is only checked.
** Must hold: a name that repeats may only make the verdict unsure. A value before the last of its name is checked, too;
** required members are bits; the member that chooses among schemas may not come again.
** Names are compared where the text has them: each object tries the member that followed the last time. */

/* The scan's memory for a string with escapes. */
static char *mod_schema_fused_grow(void *owner, size_t n) {
  return (char *)mod_schema_fused_block((struct mod_schema_fused *)owner, FUSED_STRING, 2 * n, NULL, 0);
}

FL_INLINE int mod_schema_verdict_null(struct mod_schema_fused *f) {
  return mod_schema_fused_scalar(f, VALUE_NULL, SCHEMA_NULL, NULL, 0);
}

FL_INLINE int mod_schema_verdict_boolean(struct mod_schema_fused *f, int b) {
  return mod_schema_fused_scalar(f, b ? VALUE_TRUE : VALUE_FALSE, SCHEMA_BOOLEAN, NULL, 0);
}

/* As mod_schema_fused_floor, for a number of which only the text is known. */
FL_NOINLINE int mod_schema_verdict_floor_(const struct mod_schema_fused *f, const char *text, size_t n) {
  const char *const begin = text + (*text == '-'), *const end = text + n, *p = begin;
  int64_t floor = 0;
  int is_fraction = 0;
  for (; p < end && (unsigned char)(*p - '0') <= 9; p++) floor = (int64_t)(10 * (uint64_t)floor + (uint64_t)(*p - '0'));
  if (p > begin + 18) return -1;
  if (p < end && *p == '.')
    for (p++; p < end && (unsigned char)(*p - '0') <= 9; p++) is_fraction |= *p != '0';
  if (p < end) return -1;
  return mod_schema_fused_floor(f, *text == '-' ? -floor - is_fraction : floor, is_fraction);
}

FL_NOINLINE int mod_schema_verdict_number_(struct mod_schema_fused *f, const char *text, size_t n) {
  struct num_value number;
  if (text[n] && strchr("0123456789+-.eE", text[n])) return 0; /* no number may end here */
  (void)num_read(text, text + n, &number);
  return mod_schema_fused_number_(f, text, n, &number);
}

/* Returns 1 if a number whose whole part has at most 7 digits passes its only unit; 0 if that is not easy to see. */
FL_INLINE int mod_schema_verdict_is_in_range(const struct mod_schema_fused *f, const char *text) {
  const int is_negative = *text == '-';
  const char *digits = text + is_negative;
  struct num_block block;
  int64_t least, most;
  unsigned n, is_double;
  if (f->k.scan.end - digits < 8) return 0;
  block = num_block_at(digits);
  if (!block.mark) return 0;
  n = num_first_mark(block.mark);
  is_double = digits[n] == '.';
  if (!(f->unit->possible & (is_double ? SCHEMA_NUMBER : SCHEMA_NUMBER | SCHEMA_INTEGER))) return 0;
  least = 2 * (int64_t)num_block_value(block.t, n);
  most = least + is_double; /* also if the fraction is 0 */
  return is_negative ? f->unit->low <= -most && -least <= f->unit->high
                     : f->unit->low <= least && most <= f->unit->high;
}

FL_INLINE int mod_schema_verdict_number(struct mod_schema_fused *f, const char *text, size_t n,
                                        const struct num_value *span) {
  int is_valid;
  if (FL_UNLIKELY(span->kind != NUM_INTEGER)) return 0; /* of another grammar */
  mod_schema_fused_item(f);
  if (f->unit->sure & SCHEMA_NUMBER) return 1;
  if (!(f->unit->possible & (SCHEMA_NUMBER | SCHEMA_INTEGER))) return 0;
  if (!span->i && mod_schema_verdict_is_in_range(f, text)) return 1;
  is_valid = mod_schema_verdict_floor_(f, text, n);
  return FL_LIKELY(is_valid >= 0) ? is_valid : mod_schema_verdict_number_(f, text, n);
}

FL_INLINE int mod_schema_verdict_string(struct mod_schema_fused *f, const char *s, size_t n) {
  return mod_schema_fused_scalar(f, VALUE_STRING, SCHEMA_STRING, s, n);
}

/* Begins a member that this property alone checks. */
FL_INLINE void mod_schema_verdict_member(struct mod_schema_fused *f, struct mod_schema_checker *c,
                                         const struct schema_property *x) {
  mod_schema_fused_note(c, x->bit);
  mod_schema_fused_set(f, x->verdict);
}

/* Returns the byte after the name at p if it is the property that is expected, whose unit is then set; else NULL. */
FL_INLINE const char *mod_schema_verdict_guess(struct mod_schema_fused *f, const char *p) {
  const struct schema_program *of = f->program;
  struct mod_schema_checker *c = f->level->checker;
  const struct schema_property *x;
  uint32_t next;
  size_t n;
  if (!c) return NULL;
  next = f->following[c->place];
  if (FL_UNLIKELY(!next)) return NULL;
  FL_ASSERT(next > c->object->first && next <= c->object->first + c->object->count);
  x = &of->properties[next - 1];
  n = x->name.length;
  if ((size_t)(f->k.scan.end - p) <= n || p[n] != '"' || !schema_is_same(p, of->bytes + x->name.at, n)) return NULL;
  if (FL_UNLIKELY(f->level->tag_count) && mod_schema_fused_is_again(f, x->name.at)) return NULL;
  c->place = x->place_after;
  f->level->n++;
  mod_schema_verdict_member(f, c, x);
  return p + n + 1;
}

/* Handles a name that is not the expected one. */
FL_NOINLINE int mod_schema_verdict_name_(struct mod_schema_fused *f, const char *s, size_t n) {
  struct mod_schema_checker *c = f->level->checker;
  const struct schema_object *o = c ? c->object : NULL;
  const struct schema_property *x;
  if (FL_UNLIKELY(!o) || FL_UNLIKELY(o->names != SCHEMA_NONE)) return mod_schema_fused_name_(f, s, n);
  x = schema_seek_property(f->program, o, s, n);
  f->level->n++;
  if (x) {
    const uint32_t before = c->place;
    c->place = x->place_after;
    if (FL_UNLIKELY(!x->is_plain)) return mod_schema_fused_match_(f, c, x, s, n);
    f->following[before] = (uint32_t)(x - f->program->properties) + 1;
    mod_schema_verdict_member(f, c, x);
    return 1;
  }
  if (!o->is_plain) return mod_schema_fused_match_(f, c, x, s, n);
  mod_schema_fused_set(f, mod_schema_verdict_of(f->program, o->additional));
  return 1;
}

FL_INLINE int mod_schema_verdict_name(struct mod_schema_fused *f, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  if (FL_UNLIKELY(f->level->tag_count) && mod_schema_fused_is_named_again_(f, name.s, name.n)) return 0;
  if (f->level->count) return mod_schema_verdict_name_(f, name.s, name.n);
  f->level->n++;
  mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
  return 1;
}

FL_INLINE void mod_schema_verdict_open(struct mod_schema_fused *f, enum scan_container kind) {
  mod_schema_fused_open(f, kind);
}

/* Checks the container that has begun by a walk over its part of the text. Returns its last byte, or NULL. */
FL_NOINLINE const char *mod_schema_verdict_take_(struct mod_schema_fused *f) {
  const size_t count = f->later_count;
  f->later_count = 0;
  return f->is_failed ? NULL : mod_schema_text_part(f->parts, &f->k.scan, f->later, count, f->run->walk);
}

FL_INLINE const char *mod_schema_verdict_take(struct mod_schema_fused *f, const char *p) {
  return FL_LIKELY(!f->later_count) ? p : mod_schema_verdict_take_(f);
}

FL_INLINE enum scan_container mod_schema_verdict_close(struct mod_schema_fused *f, enum scan_container kind) {
  (void)kind;
  if (!mod_schema_fused_close(f)) return SCAN_STOP;
  return f->level == f->levels ? SCAN_ROOT : f->level->is_array ? SCAN_ARRAY : SCAN_OBJECT;
}

/* Reads a string with escapes, or an invalid one, whose first such byte is q. Nobody looks at the contents of a value
** whose type is enough, so the text stands for them. */
FL_NOINLINE const char *mod_schema_verdict_escaped_(struct mod_schema_fused *f, struct json_scan *j, const char *p,
                                                    const char *q, uint64_t high, struct json_string *out) {
  const unsigned sure = f->level->has_lists ? 0 : f->unit->sure;
  if (*q == '\\' && j->at == p - 1 && sure & SCHEMA_STRING) { /* names are not at j->at */
    uint64_t any = high;
    const char *end = text_check_escapes(q, j->end, &any);
    out->s = p;
    out->n = (size_t)(end - p);
    if (*end == '"' && (!any || j->utf8(p, out->n) == out->n)) return end + 1;
  }
  return *q == '\\' && q[1] != 0 ? json_unescape_(j, p, q, high, out) : json_lenient_string(j, p, out);
}

FL_INLINE const char *mod_schema_verdict_read(struct mod_schema_fused *f, struct json_scan *j, const char *p,
                                              struct json_string *out) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_UNLIKELY(*q != '"')) return mod_schema_verdict_escaped_(f, j, p, q, high, out);
  out->s = p;
  out->n = (size_t)(q - p);
  if (FL_UNLIKELY(high) && FL_UNLIKELY(j->utf8(p, out->n) != out->n)) return json_lenient_string(j, p, out);
  return q + 1;
}

#define SCAN_NAME mod_schema_verdict_scan
#define SCAN_SINK struct mod_schema_fused
#define SCAN_STRING(j, p, out) mod_schema_verdict_read(k, j, p, out)
#define SCAN_NUMBER json_span_number
#define SCAN_SPACE json_skip_strict_space
#define SCAN_GUESSES
#define SCAN_TAKES
#define SCAN(event) mod_schema_verdict_##event
#include "../../json/grammar/scan_template.h"

FL_PRIVATE int mod_schema_check_fused(struct mod_schema_call *call, int text, struct mod_schema_texts *parts) {
  const struct mod_schema *s = call->schema;
  struct mod_schema_fused f;
  struct json_scan *j = &f.k.scan;
  struct value_walk walk;
  struct schema_run run;
  char scratch[MOD_DECODE_SCRATCH];
  size_t n;
  const char *p = lua_tolstring(call->L, text, &n);
  if ((s->o.max_bytes && n > s->o.max_bytes) || s->o.max_values) return 0;
  mod_schema_fused_start(&f, call, &run, &walk);
  f.slots = 0;
  f.k.L = call->L;
  f.parts = parts;
  f.following = s->following;
  f.chosen = s->chosen;
  j->begin = j->at = p;
  j->end = p + n;
  j->utf8 = s->state->utf8;
  j->grammar = 0;
  j->rules = NULL;
  j->bad_text = JSON_BAD_ERROR;
  j->error = 0;
  j->depth = 0;
  j->max_depth = s->o.max_depth;
  j->scratch = scratch;
  j->room = sizeof scratch;
  j->grow = mod_schema_fused_grow;
  j->owner = &f;
  if ((p = json_read_space(j, p)) != NULL && (p = mod_schema_verdict_scan(&f, j, p)) != NULL &&
      json_read_space(j, p) == j->end)
    return 1;
  if (walk.error) return 0;
  call->passed = (size_t)(j->at - j->begin);
  return -1;
}
