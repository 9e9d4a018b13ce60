/* SPDX-License-Identifier: MIT
** fused_raw.h -- template: the scan of a text whose values are made below the API and checked meanwhile, for one
** layout: each event is checked, and then is one of decode/raw_tables.h.
** Must hold: raw_tables.h of the same layout is included before.
**
** Parameter, stays defined: LAYOUT. */
#define LAY(name) FL_PASTE(LAYOUT, name)

FL_INLINE int LAY(schema_fused_null)(struct mod_schema_fused *f) {
  return mod_schema_fused_scalar(f, VALUE_NULL, SCHEMA_NULL, NULL, 0) && LAY(json_to_lua_null)(&f->k);
}

FL_INLINE int LAY(schema_fused_boolean)(struct mod_schema_fused *f, int b) {
  return mod_schema_fused_scalar(f, b ? VALUE_TRUE : VALUE_FALSE, SCHEMA_BOOLEAN, NULL, 0) &&
         LAY(json_to_lua_boolean)(&f->k, b);
}

FL_INLINE int LAY(schema_fused_number)(struct mod_schema_fused *f, const char *text, size_t n,
                                       const struct num_value *v) {
  return mod_schema_fused_number(f, text, n, v) && LAY(json_to_lua_number)(&f->k, text, n, v);
}

FL_INLINE int LAY(schema_fused_string)(struct mod_schema_fused *f, const char *s, size_t n) {
  return mod_schema_fused_scalar(f, VALUE_STRING, SCHEMA_STRING, s, n) && LAY(json_to_lua_string)(&f->k, s, n);
}

FL_INLINE const char *LAY(schema_fused_guess)(struct mod_schema_fused *f, const char *p) {
  const char *after = LAY(json_to_lua_guess)(&f->k, p);
  if (FL_LIKELY(after != NULL))
    mod_schema_fused_known_name(f, p, (size_t)(after - p) - 1, f->k.shapes->shape[f->k.shape].name);
  return after;
}

FL_INLINE int LAY(schema_fused_name)(struct mod_schema_fused *f, struct json_string name, const char *p, int plain) {
  if (!LAY(json_to_lua_name)(&f->k, name, p, plain)) return 0;
  if (f->k.shape == JSON_TO_LUA_PAIRS) return mod_schema_fused_name_(f, name.s, name.n);
  mod_schema_fused_known_name(f, name.s, name.n, f->k.shapes->shape[f->k.shape].name);
  return !f->is_failed;
}

FL_INLINE void LAY(schema_fused_open)(struct mod_schema_fused *f, enum scan_container kind) {
  mod_schema_fused_open(f, kind);
  LAY(json_to_lua_open)(&f->k, kind);
}

/* Returns whether the table has fewer members than its object, as after a duplicate name. */
FL_NOINLINE int LAY(schema_fused_repeats_)(const char *table, size_t members) {
  const char *nodes = LAY(nodes)(table);
  size_t i;
  for (i = 0; i < LAY(node_count)(table); i++) members -= !LAY(node_is_nil)(nodes + i * LAY(node_bytes));
  return members != 0;
}

FL_INLINE enum scan_container LAY(schema_fused_close)(struct mod_schema_fused *f, enum scan_container kind) {
  const uint32_t shape = f->k.shape, members = f->level->n;
  const int asks = kind == SCAN_OBJECT && (f->level->count > 0 || f->level->tag_count > 0 || f->level->least > 1);
  enum scan_container in;
  if (!mod_schema_fused_close(f)) return SCAN_STOP;
  in = LAY(json_to_lua_close)(&f->k, kind);
  if (!asks) return in;
  if (FL_LIKELY(shape != JSON_TO_LUA_PAIRS)) return FL_LIKELY(!f->k.shapes->shape[shape].repeats) ? in : SCAN_STOP;
  return LAY(schema_fused_repeats_)(LAY(pointer)(LAY(slot)(f->k.top - LAY(slot_bytes))), members) ? SCAN_STOP : in;
}

#define SCAN_NAME LAY(schema_fused_scan)
#define SCAN_SINK struct mod_schema_fused
#define SCAN_GUESSES
#define SCAN(event) FL_PASTE(LAYOUT, schema_fused_##event)
#include "../../json/grammar/scan_template.h"

#undef LAY
