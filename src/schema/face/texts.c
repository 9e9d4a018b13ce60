/* SPDX-License-Identifier: MIT
** texts.c -- checks a text without making Lua values.
** Must hold: as in schema.h. Invalid texts, and what this form does not support, are left to the check of tables. */
#include "../../values/texts.h"
#include "schema.h"

#define SCHEMA_TEXTS schema_texts
#define SCHEMA_REPORTS 0
#include "../run/texts_template.h"

FL_PRIVATE int mod_schema_is_readable(const struct json_to_lua_options *o) {
  return !(o->grammar & ~(unsigned)VALUE_TEXTS_GRAMMAR) && o->duplicates == JSON_TO_LUA_LAST && !o->numeric_keys &&
         !o->drop_null;
}

/* Prepares to index the text. Returns 0 if another form has to be tried. */
static int mod_schema_begin_text(const struct mod_schema_call *call, int text, struct mod_decode *d,
                                 struct json_scan *j) {
  const struct mod_schema *s = call->schema;
  mod_schema_begin_decode(d, call->L, s, call->values);
  if (!mod_schema_is_readable(&d->o)) return 0;
  mod_set_text(d, text);
  mod_begin_scan(d, j);
  j->utf8 = d->o.bad_text >= JSON_BAD_PASS ? mod_any_text : s->state->utf8;
  j->rules = NULL;
  j->bad_text = d->o.bad_text;
  j->depth = 0;
  j->max_depth = d->o.max_depth;
  return 1;
}

FL_PRIVATE int mod_schema_scan(struct value_texts *values, const struct mod_schema_call *call, int text) {
  struct mod_decode d;
  struct json_scan j;
  const char *p;
  return mod_schema_begin_text(call, text, &d, &j) && (p = mod_skip_first(&d, &j, d.begin)) != NULL &&
         (!d.o.max_values || !json_find_excess(&j, p, d.o.max_values, 0)) &&
         (p = value_texts_scan(values, &j, p, 1)) != NULL && json_read_space(&j, p) == d.end;
}

/* A walk over a text with its first memory. */
struct mod_schema_texts {
  struct mod_schema_call call; /* of a check in one pass */
  struct schema_texts_run_of k;
  struct value_place places[SCHEMA_FEW_PLACES];
  struct schema_texts_frame frames[SCHEMA_FEW_FRAMES];
};

static void mod_schema_begin_texts(struct mod_schema_texts *t, struct mod_schema_call *call) {
  memset(&t->k.values, 0, sizeof t->k.values);
  mod_schema_begin(&t->k.is, &t->k.values.walk, call, NULL, NULL);
  call->places = t->k.values.places = t->places;
  t->k.values.room = SCHEMA_FEW_PLACES;
  call->frames = t->k.is.frames = t->frames;
  t->k.is.room = SCHEMA_FEW_FRAMES;
}

/* Returns whether the value that was scanned passes the part's unit. */
static int mod_schema_passes_part(struct mod_schema_texts *t, uint32_t unit) {
  if (unit == MOD_SCHEMA_ONLY_UNIQUE) return schema_texts_is_unique(&t->k, 0) && !t->k.values.walk.error;
  t->k.is.root = unit;
  schema_forget_results(&t->k.is);
  return schema_texts_evaluate(&t->k, 0);
}

FL_PRIVATE const char *mod_schema_text_part(struct mod_schema_texts *t, const struct json_scan *scan,
                                            const struct mod_schema_later *parts, size_t count,
                                            struct value_walk *walk) {
  struct json_scan j = *scan;
  const char *p = j.begin + parts->at;
  size_t i;
  if (!t->call.run) mod_schema_begin_texts(t, &t->call);
  t->k.values.walk.left = walk->left;
  j.depth--;
  p = value_texts_scan(&t->k.values, &j, p, 1);
  for (i = 0; p && i < count; i++)
    if (!mod_schema_passes_part(t, parts[i].unit)) p = NULL;
  walk->left = t->k.values.walk.left;
  walk->error = t->k.values.walk.error;
  return p ? p - 1 : NULL;
}

FL_PRIVATE int mod_schema_passes(lua_State *L, const struct mod_schema *s, int text, size_t *passed) {
  struct mod_schema_texts t;
  int result;
  if (!s->fuses_verdict || !mod_schema_is_readable(&s->o) || s->o.grammar & ~(unsigned)JSON_BOM ||
      s->o.bad_text != JSON_BAD_ERROR)
    return 0;
  memset(&t.call, 0, offsetof(struct mod_schema_call, own));
  t.call.L = L;
  t.call.schema = s;
  result = mod_schema_check_fused(&t.call, text, &t);
  *passed = t.call.passed;
  return result;
}

FL_PRIVATE enum value_error mod_schema_text(struct mod_schema_call *call, int text) {
  struct mod_schema_texts t;
  if (call->report) return mod_schema_report_text(call, text);
  if (!call->pass && mod_schema_passes(call->L, call->schema, text, &call->passed) > 0)
    return call->is_valid = 1, VALUE_OK;
  lua_settop(call->L, call->blocks + SCHEMA_BLOCKS);
  mod_schema_begin_texts(&t, call);
  if (!mod_schema_scan(&t.k.values, call, text)) return VALUE_ERROR_REDO;
  call->is_valid = schema_texts_evaluate(&t.k, 0);
  return t.k.values.walk.error;
}

FL_PRIVATE int mod_schema_text_later(struct mod_schema_call *call, int text, const struct mod_schema_later *later,
                                     size_t count) {
  lua_State *L = call->L;
  const int top = lua_gettop(L);
  struct mod_schema_texts t;
  struct mod_decode d;
  struct json_scan j;
  size_t i;
  call->blocks = top + 1;
  lua_settop(L, call->blocks + SCHEMA_BLOCKS);
  mod_schema_begin_texts(&t, call);
  if (!mod_schema_begin_text(call, text, &d, &j)) return 0;
  for (i = 0; i < count; i++)
    if (!value_texts_scan(&t.k.values, &j, d.begin + later[i].at, 1) || !mod_schema_passes_part(&t, later[i].unit))
      return 0;
  lua_settop(L, top);
  return 1;
}
