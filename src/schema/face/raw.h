/* SPDX-License-Identifier: MIT
** raw.h -- template: a schema over Lua tables below the API, included by raw.c once for each layout.
** Must hold: as values/tables/raw.h.
**
** Parameter: LAYOUT, the prefix of the layout's readers. */
#define LAY(name) FL_PASTE(LAYOUT, name)
#define VALUE(name) FL_PASTE(LAYOUT, value_##name)
#define SCHEMA(name) FL_PASTE(LAYOUT, schema_##name)
#define SCHEMA_REPORTS 0
#define SCHEMA_LOOKS_UP 1
#define SCHEMA_DECIDES 1
#include "../run/evaluate_template.h"

FL_INLINE uintptr_t LAY(schema_identity)(struct LAY(schema_run_of) * k, struct lay_value v) {
  return (void)k, (uintptr_t)LAY(pointer)(v);
}

FL_INLINE int LAY(schema_is_either)(struct LAY(schema_run_of) * k, struct lay_value v) {
  const char *t = LAY(pointer)(v);
  LAY(value_cursor) c;
  struct lay_value key, child;
  if (LAY(metatable)(t)) return 0;
  LAY(value_begin_pairs)(&k->values, &c, t);
  return !LAY(value_next_pair)(&c, &key, &child) && LAY(value_class)(&k->values, t) == ENCODE_PLAIN;
}

static enum value_error LAY(schema)(struct mod_schema_walk *w) {
  struct LAY(schema_run_of) k;
  struct LAY(schema_frame) frames[SCHEMA_FEW_FRAMES];
  k.values = w->values;
  mod_schema_begin(&k.is, &k.values.walk, w->call, mod_schema_walk_memory, w);
  w->frames = k.is.frames = frames;
  k.is.room = SCHEMA_FEW_FRAMES;
  k.is.empty = (enum schema_empty)w->call->schema->own.empty;
  k.is.whole_is_integer = LUA_VERSION_NUM < 503;
  w->call->is_valid = LAY(schema_evaluate)(&k, LAY(slot)(LAY(top)(w->call->L) - LAY(slot_bytes)));
  return k.values.walk.error;
}
#undef LAY
