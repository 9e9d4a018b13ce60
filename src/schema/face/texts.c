/* SPDX-License-Identifier: MIT
** texts.c -- a schema over a text: no Lua value is made.
** Must hold: as schema.h. The errors of a text, and what this form does not take, are left to the way over tables. */
#include "../../values/texts.h"
#include "schema.h"

#define SCHEMA_TEXTS schema_texts
#define SCHEMA_REPORTS 0
#include "../run/texts_template.h"

FL_PRIVATE int mod_schema_scan(struct value_texts *values, const struct mod_schema_call *call, int text) {
  const struct mod_schema *s = call->schema;
  struct mod_decode d;
  struct json_scan j;
  const char *p;
  mod_schema_begin_decode(&d, call->L, s, lua_upvalueindex(MOD_VALUES));
  if (d.o.grammar & ~(unsigned)VALUE_TEXTS_GRAMMAR || d.o.duplicates != JSON_TO_LUA_LAST || d.o.numeric_keys ||
      d.o.drop_null)
    return 0;
  mod_set_text(&d, text);
  mod_begin_scan(&d, &j);
  j.utf8 = d.o.bad_text >= JSON_BAD_PASS ? mod_any_text : s->state->utf8;
  j.rules = NULL;
  j.bad_text = d.o.bad_text;
  j.depth = 0;
  j.max_depth = d.o.max_depth;
  return (p = mod_skip_first(&d, &j, d.begin)) != NULL && (p = value_texts_scan(values, &j, p, 1)) != NULL &&
         json_read_space(&j, p) == d.end;
}

enum { SCHEMA_FEW_PLACES = 64, SCHEMA_FEW_FRAMES = 8 };

FL_PRIVATE enum value_error mod_schema_text(struct mod_schema_call *call, int text) {
  struct value_place places[SCHEMA_FEW_PLACES]; /* enough for most requests, so they need no memory of Lua */
  struct schema_texts_frame frames[SCHEMA_FEW_FRAMES];
  struct schema_texts_run_of k;
  if (call->report) return mod_schema_report_text(call, text);
  memset(&k.values, 0, sizeof k.values);
  mod_schema_begin(&k.is, &k.values.walk, call, NULL, NULL);
  call->places = k.values.places = places;
  k.values.room = SCHEMA_FEW_PLACES;
  call->frames = k.is.frames = frames;
  k.is.room = SCHEMA_FEW_FRAMES;
  if (!mod_schema_scan(&k.values, call, text)) return VALUE_ERROR_REDO;
  call->is_valid = schema_texts_evaluate(&k, 0);
  return k.values.walk.error;
}
