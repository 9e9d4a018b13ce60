/* SPDX-License-Identifier: MIT
** fused.h -- decodes and checks a text in one pass: each event of the scan is tested by the units of its value.
** Must hold: only success counts. After anything else (an invalid value, an invalid text, a duplicate name, too many
** steps) the text is read again by other code, which finds the result and the message. A container whose unit tests
** more than children and counts (branches, contains, uniqueItems ...) is checked as a text after the scan. Memory is
** userdata on the Lua stack. */
#pragma once

#include "schema.h"

enum {
  MOD_SCHEMA_FUSED_LEVELS = 32,   /* before memory is needed: open containers, */
  MOD_SCHEMA_FUSED_CHECKERS = 64, /* checkers in them, */
  MOD_SCHEMA_FUSED_LATER = 16,    /* parts to be checked later */
  MOD_SCHEMA_FUSED_UNITS = 16,    /* limit per value for checkers, and for parts checked later */
  MOD_SCHEMA_FUSED_CALLS = 8,     /* nesting of unit calls for the same value */
  MOD_SCHEMA_FUSED_KNOWN = 512,   /* members known by shape, in a long text */
  MOD_SCHEMA_FUSED_SHAPES = SHAPES_PER_NAME * SHAPES_NAMES,
  MOD_SCHEMA_FUSED_OBJECTS = 1 << 20 /* objects with larger numbers use no shapes */
};

/* A pending operation on the children of an open container, or on their count. */
struct mod_schema_checker {
  const struct schema_op *op;
  const struct schema_object *object; /* for SCHEMA_OP_OBJECT */
  uint32_t key;                       /* key of its members' cache entries; 0 if more than the name decides */
  uint32_t required, hint;            /* required members found; hint for schema_find_property */
};

/* An open container. */
struct mod_schema_level {
  uint32_t first, count; /* its checkers */
  uint32_t n;            /* items or members so far */
  uint32_t is_array;
};

/* A cache entry: the unit that an object has for the last name of a shape, and whether it is required. */
struct mod_schema_known {
  uint32_t key, unit; /* key: of object and shape, 0 if free */
  uint8_t types;      /* allowed by the unit */
  uint8_t has_more;   /* the unit tests more than the type */
  uint8_t is_required;
};

struct mod_schema_fused {
  struct json_to_lua k;
  const struct schema_program *program;
  struct mod_schema_level *level; /* of the innermost container */
  struct mod_schema_checker *checkers;
  uint32_t checker_count;
  /* About the value that begins: allowed types, and units that test more than a type. */
  uint32_t types, unit_count;
  uint32_t units[MOD_SCHEMA_FUSED_UNITS];
  int is_failed; /* end the scan; no types are allowed */
  uint32_t known_mask;
  struct value_walk walk;
  struct schema_run run;
  uint32_t budget; /* steps left */
  int slots;       /* first stack slot of the blocks */
  struct mod_schema_level *levels, *levels_end;
  size_t checker_room;
  struct mod_schema_later *later;
  size_t later_count, later_room;
  struct mod_schema_level first_levels[MOD_SCHEMA_FUSED_LEVELS];
  struct mod_schema_checker first_checkers[MOD_SCHEMA_FUSED_CHECKERS];
  struct mod_schema_later first_later[MOD_SCHEMA_FUSED_LATER];
  struct mod_schema_known known[MOD_SCHEMA_FUSED_KNOWN];
};

/* Returns whether a scalar of one of the types passes the units. */
FL_PRIVATE_NOINLINE int mod_schema_fused_scalar_(struct mod_schema_fused *f, enum value_type type, unsigned types,
                                                 const char *s, size_t n);
FL_PRIVATE_NOINLINE int mod_schema_fused_number_(struct mod_schema_fused *f, const char *text, size_t n,
                                                 const struct num_value *number);

/* Handles a name. Returns 0 if it is invalid, or out of memory. */
FL_PRIVATE_NOINLINE int mod_schema_fused_name_(struct mod_schema_fused *f, const char *s, size_t n);

/* Finds what the name means to the checker. */
FL_PRIVATE_NOINLINE void mod_schema_fused_learn_(struct mod_schema_fused *f, const struct mod_schema_checker *c,
                                                 const char *s, size_t n, struct mod_schema_known *to);

/* Sets the units of the next item. */
FL_PRIVATE_NOINLINE void mod_schema_fused_item_(struct mod_schema_fused *f);

/* Begins a container that has units. If it is not valid, neither is anything in it. */
FL_PRIVATE_NOINLINE void mod_schema_fused_open_(struct mod_schema_fused *f, unsigned type, int is_valid);

/* Makes room for one more level and its checkers. */
FL_PRIVATE_NOINLINE void mod_schema_fused_more_(struct mod_schema_fused *f);

/* Ends a container that has checkers. Returns whether it is valid. */
FL_PRIVATE_NOINLINE int mod_schema_fused_close_(struct mod_schema_fused *f);

/* A value of one of these types begins: returns whether it is allowed; sets its units. */
FL_INLINE int mod_schema_fused_begin(struct mod_schema_fused *f, unsigned types) {
  if (f->level->is_array) {
    f->types = SCHEMA_ANY_TYPE;
    f->unit_count = 0;
    if (f->level->count) mod_schema_fused_item_(f);
  }
  return (f->types & types) != 0;
}

FL_INLINE int mod_schema_fused_scalar(struct mod_schema_fused *f, enum value_type type, unsigned types, const char *s,
                                      size_t n) {
  if (!mod_schema_fused_begin(f, types)) return 0;
  return FL_LIKELY(!f->unit_count) || mod_schema_fused_scalar_(f, type, types, s, n);
}

FL_INLINE int mod_schema_fused_number(struct mod_schema_fused *f, const char *text, size_t n,
                                      const struct num_value *number) {
  if (!mod_schema_fused_begin(f, SCHEMA_NUMBER | SCHEMA_INTEGER)) return 0;
  if (!f->unit_count && (number->kind == NUM_INTEGER || f->types & SCHEMA_NUMBER)) return 1;
  return mod_schema_fused_number_(f, text, n, number);
}

/* Handles a name whose shape is known. */
FL_INLINE void mod_schema_fused_known_name(struct mod_schema_fused *f, const char *s, size_t n, uint32_t shape) {
  struct mod_schema_checker *c = &f->checkers[f->level->first];
  struct mod_schema_known *known;
  uint32_t key;
  if (f->level->count == 0) {
    f->types = SCHEMA_ANY_TYPE;
    f->unit_count = 0;
    return;
  }
  if (FL_UNLIKELY(f->level->count > 1) || FL_UNLIKELY(!c->key)) {
    if (!mod_schema_fused_name_(f, s, n)) f->types = 0;
    return;
  }
  f->level->n++;
  key = c->key + shape;
  known = &f->known[(key * 0x9e3779b1u >> 16) & f->known_mask];
  if (FL_UNLIKELY(known->key != key)) {
    mod_schema_fused_learn_(f, c, s, n, known);
    known->key = key;
  }
  c->required += known->is_required;
  f->types = known->types;
  f->units[0] = known->unit;
  f->unit_count = known->has_more;
}

FL_INLINE void mod_schema_fused_open(struct mod_schema_fused *f, enum scan_container kind) {
  const unsigned type = kind == SCAN_ARRAY ? SCHEMA_ARRAY : SCHEMA_OBJECT;
  const int is_valid = mod_schema_fused_begin(f, type);
  if (FL_UNLIKELY(f->level + 1 == f->levels_end) ||
      FL_UNLIKELY(f->checker_count + MOD_SCHEMA_FUSED_UNITS > f->checker_room) ||
      FL_UNLIKELY(f->later_count + MOD_SCHEMA_FUSED_UNITS > f->later_room))
    mod_schema_fused_more_(f);
  f->level++;
  f->level->first = f->checker_count;
  f->level->count = f->level->n = 0;
  f->level->is_array = kind == SCAN_ARRAY;
  if (!is_valid || f->unit_count) mod_schema_fused_open_(f, type, is_valid);
}

/* Ends a container. Returns whether it is valid. */
FL_INLINE int mod_schema_fused_close(struct mod_schema_fused *f) {
  int is_valid = !f->is_failed;
  if (f->level->count && is_valid) is_valid = mod_schema_fused_close_(f);
  f->checker_count = f->level->first;
  f->level--;
  return is_valid;
}
