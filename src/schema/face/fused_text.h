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

/* Tests a number of which only the text is known. */
FL_NOINLINE int mod_schema_verdict_number_(struct mod_schema_fused *f, const char *text, size_t n) {
  struct num_value number;
  if (text[n] && strchr("0123456789+-.eE", text[n])) return 0; /* no number may end here */
  (void)num_read(text, text + n, &number);
  return mod_schema_fused_number_(f, text, n, &number);
}

FL_INLINE int mod_schema_verdict_number(struct mod_schema_fused *f, const char *text, size_t n,
                                        const struct num_value *span) {
  if (FL_UNLIKELY(span->kind != NUM_INTEGER)) return 0; /* of another grammar */
  if (!mod_schema_fused_begin(f, SCHEMA_NUMBER | SCHEMA_INTEGER)) return 0;
  return (!f->unit_count && f->types & SCHEMA_NUMBER) || mod_schema_verdict_number_(f, text, n);
}

FL_INLINE int mod_schema_verdict_string(struct mod_schema_fused *f, const char *s, size_t n) {
  return mod_schema_fused_scalar(f, VALUE_STRING, SCHEMA_STRING, s, n);
}

/* Returns the byte after the name at p if it is the property that is expected, whose unit is then set; else NULL. */
FL_INLINE const char *mod_schema_verdict_guess(struct mod_schema_fused *f, const char *p) {
  const struct schema_program *of = f->program;
  struct mod_schema_checker *c = &f->checkers[f->level->first];
  const struct schema_object *o;
  const struct schema_property *x;
  uint32_t next, unit;
  size_t n;
  if (f->level->count != 1 || f->level->choice) return NULL;
  o = c->object;
  if (!o || o->names != SCHEMA_NONE) return NULL;
  next = f->of.following[(o->first + c->hint) % MOD_SCHEMA_FUSED_FOLLOWING];
  if (!next) next = c->hint + 1;
  if (FL_UNLIKELY(next > o->count)) return NULL;
  x = &of->properties[o->first + next - 1];
  n = x->name.length;
  if ((size_t)(f->k.scan.end - p) <= n || p[n] != '"' || !x->is_plain || memcmp(p, of->bytes + x->name.at, n) != 0)
    return NULL;
  c->hint = next;
  mod_schema_fused_note(c, x->required);
  unit = x->unit != SCHEMA_NONE ? x->unit : o->additional != SCHEMA_NONE ? o->additional : (uint32_t)SCHEMA_UNIT_TRUE;
  unit = of->units[unit].stand_in;
  f->types = of->units[unit].types;
  f->units[0] = unit;
  f->unit_count = (uint32_t)mod_schema_has_more(of, unit);
  return p + n + 1;
}

/* Handles a name that is not the expected one. */
FL_NOINLINE int mod_schema_verdict_name_(struct mod_schema_fused *f, const char *s, size_t n) {
  const struct schema_choice *choice = f->level->choice;
  struct mod_schema_checker *c = &f->checkers[f->level->first];
  uint32_t before = 0;
  if (choice && f->level->n > 0 && choice->name.length == n && memcmp(f->program->bytes + choice->name.at, s, n) == 0)
    return 0;
  if (f->level->count) before = c->hint;
  if (!mod_schema_fused_name_(f, s, n)) return 0;
  if (f->level->count && c->object && c->hint != before && c->hint <= UINT16_MAX)
    f->of.following[(c->object->first + before) % MOD_SCHEMA_FUSED_FOLLOWING] = (uint16_t)c->hint;
  return 1;
}

FL_INLINE int mod_schema_verdict_name(struct mod_schema_fused *f, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  if (f->level->count || f->level->choice) return mod_schema_verdict_name_(f, name.s, name.n);
  f->types = SCHEMA_ANY_TYPE;
  f->unit_count = 0;
  return 1;
}

FL_INLINE void mod_schema_verdict_open(struct mod_schema_fused *f, enum scan_container kind) {
  mod_schema_fused_open(f, kind);
}

/* Checks the container that has begun by a walk over its part of the text. Returns its last byte, or NULL. */
FL_NOINLINE const char *mod_schema_verdict_take_(struct mod_schema_fused *f) {
  const size_t count = f->later_count;
  f->later_count = 0;
  return f->is_failed ? NULL : mod_schema_text_part(f->parts, &f->k.scan, f->later, count);
}

FL_INLINE const char *mod_schema_verdict_take(struct mod_schema_fused *f, const char *p) {
  return FL_LIKELY(!f->later_count) ? p : mod_schema_verdict_take_(f);
}

FL_INLINE enum scan_container mod_schema_verdict_close(struct mod_schema_fused *f, enum scan_container kind) {
  (void)kind;
  if (!mod_schema_fused_close(f)) return SCAN_STOP;
  return f->level == f->levels ? SCAN_ROOT : f->level->is_array ? SCAN_ARRAY : SCAN_OBJECT;
}

#define SCAN_NAME mod_schema_verdict_scan
#define SCAN_SINK struct mod_schema_fused
#define SCAN_NUMBER json_span_number
#define SCAN_GUESSES
#define SCAN_TAKES
#define SCAN(event) mod_schema_verdict_##event
#include "../../json/grammar/scan_template.h"

FL_PRIVATE const char *mod_schema_check_fused(struct mod_schema_call *call, const struct json_scan *j, const char *p,
                                              struct mod_schema_texts *parts, struct schema_run *run) {
  lua_State *L = call->L;
  struct mod_schema_fused f;
  char scratch[MOD_DECODE_SCRATCH];
  f.slots = lua_gettop(L) + 1;
  lua_settop(L, f.slots + FUSED_BLOCKS - 1);
  f.k.L = L;
  f.k.scan = *j;
  f.k.scan.scratch = scratch;
  f.k.scan.room = sizeof scratch;
  f.k.scan.grow = mod_schema_fused_grow;
  f.k.scan.owner = &f;
  f.run = run;
  f.parts = parts;
  mod_schema_fused_start(&f, call);
  memset(f.of.following, 0, sizeof f.of.following);
  p = mod_schema_verdict_scan(&f, &f.k.scan, p);
  return p ? json_read_space(&f.k.scan, p) : NULL;
}
