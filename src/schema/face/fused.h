/* SPDX-License-Identifier: MIT
** fused.h -- a text that is decoded and checked in one pass: the events of the scan, in order, against the units of the
** values that they are about.
** Must hold: it only accepts. What it says is valid is valid; whatever else happens (a value is not valid, the text is
** wrong, a name repeats, there are too many steps) is said and told by the ways that read the text again. A container
** whose unit has more than children and counts to check (branches, contains, uniqueItems ...) is checked by itself as
** a text after the scan. Memory is userdata on the Lua stack. */
#pragma once

#include "schema.h"

enum {
  MOD_SCHEMA_FUSED_LEVELS = 32,   /* open containers without memory; */
  MOD_SCHEMA_FUSED_CHECKERS = 64, /* what is checked in them; */
  MOD_SCHEMA_FUSED_LATER = 16,    /* what is checked later */
  MOD_SCHEMA_FUSED_UNITS = 16,    /* of one value; so many checkers, and so many parts that are checked later */
  MOD_SCHEMA_FUSED_CALLS = 8,     /* units one in another for the same value */
  MOD_SCHEMA_FUSED_KNOWN = 512,   /* members that are known by their shape, in a long text; */
  MOD_SCHEMA_FUSED_SHAPES = SHAPES_PER_NAME * SHAPES_NAMES,
  MOD_SCHEMA_FUSED_OBJECTS = 1 << 20 /* of programs whose members are known so */
};

/* An operation on the children of an open container, or on their number. */
struct mod_schema_checker {
  const struct schema_op *op;
  const struct schema_object *object; /* of SCHEMA_OP_OBJECT */
  uint32_t key;                       /* of what is known of its members; 0: that depends on more than their name */
  uint32_t required, hint;            /* required members so far; as in schema_find_property */
};

/* An open container. */
struct mod_schema_level {
  uint32_t first, count; /* its checkers */
  uint32_t n;            /* items or members so far */
  uint32_t is_array;
};

/* What the last name of a shape means to an object: its unit, and whether it is required. */
struct mod_schema_known {
  uint32_t key, unit; /* key: the object's, and the shape; 0: free */
  int is_required;
};

struct mod_schema_fused {
  struct json_to_lua k;
  const struct schema_program *program;
  struct mod_schema_level *level; /* the innermost container's */
  struct mod_schema_checker *checkers;
  uint32_t checker_count;
  uint32_t unit_count; /* of the value that begins: 0: anything is valid */
  uint32_t units[MOD_SCHEMA_FUSED_UNITS];
  int is_failed; /* the scan has to end */
  uint32_t known_mask;
  struct value_walk walk;
  struct schema_run run;
  uint32_t budget; /* units that one value may still meet */
  int slots;       /* of the blocks of memory on the Lua stack */
  struct mod_schema_level *levels, *levels_end;
  size_t checker_room;
  struct mod_schema_later *later;
  size_t later_count, later_room;
  struct mod_schema_level first_levels[MOD_SCHEMA_FUSED_LEVELS];
  struct mod_schema_checker first_checkers[MOD_SCHEMA_FUSED_CHECKERS];
  struct mod_schema_later first_later[MOD_SCHEMA_FUSED_LATER];
  struct mod_schema_known known[MOD_SCHEMA_FUSED_KNOWN];
};

/* ------------------------------------------------------------------------------------- what is rare */

/* Does a scalar pass the unit, which its type alone does not decide? */
FL_PRIVATE_NOINLINE int mod_schema_fused_test_(struct mod_schema_fused *f, uint32_t unit, const struct value *v,
                                               unsigned types);

/* A number that is no plain integer, or whose units ask for more than that. */
FL_PRIVATE_NOINLINE int mod_schema_fused_number_(struct mod_schema_fused *f, const char *text, size_t n,
                                                 const struct num_value *number);

/* A name. False: it is wrong, or what it needs is not there. */
FL_PRIVATE_NOINLINE int mod_schema_fused_name_(struct mod_schema_fused *f, const char *s, size_t n);

/* Finds out what the name, the last one of its shape, means to the checker. */
FL_PRIVATE_NOINLINE void mod_schema_fused_learn_(struct mod_schema_fused *f, const struct mod_schema_checker *c,
                                                 const char *s, size_t n, struct mod_schema_known *to);

/* The units of the next item. */
FL_PRIVATE_NOINLINE int mod_schema_fused_item_(struct mod_schema_fused *f);

/* A container that has units begins: finds what is to be checked in it. */
FL_PRIVATE_NOINLINE int mod_schema_fused_open_(struct mod_schema_fused *f, unsigned type);

/* Makes room for one more level, and for what can be checked in it. */
FL_PRIVATE_NOINLINE void mod_schema_fused_more_(struct mod_schema_fused *f);

/* A container in which something is checked has ended. */
FL_PRIVATE_NOINLINE int mod_schema_fused_close_(struct mod_schema_fused *f);

/* ------------------------------------------------------------------------------------- events */

/* A value begins: its units are to be known. */
FL_INLINE int mod_schema_fused_begin(struct mod_schema_fused *f) {
  if (FL_UNLIKELY(f->is_failed)) return 0;
  if (!f->level->is_array) return 1;
  f->level->n++;
  if (f->level->count == 0) return f->unit_count = 0, 1;
  return mod_schema_fused_item_(f);
}

FL_INLINE int mod_schema_fused_is_decided(const struct mod_schema_fused *f, const struct schema_unit *u) {
  return f->program->ops[u->decider].code == SCHEMA_OP_END;
}

FL_INLINE int mod_schema_fused_scalar(struct mod_schema_fused *f, enum value_type type, unsigned types, const char *s,
                                      size_t n) {
  uint32_t i;
  if (!mod_schema_fused_begin(f)) return 0;
  for (i = 0; i < f->unit_count; i++) {
    const struct schema_unit *u = &f->program->units[f->units[i]];
    if (!(u->types & types)) return 0;
    if (!mod_schema_fused_is_decided(f, u)) {
      struct value v;
      v.type = type;
      v.s = s, v.n = n;
      if (!mod_schema_fused_test_(f, f->units[i], &v, types)) return 0;
    }
  }
  return 1;
}

FL_INLINE int mod_schema_fused_number(struct mod_schema_fused *f, const char *text, size_t n,
                                      const struct num_value *number) {
  uint32_t i;
  if (!mod_schema_fused_begin(f)) return 0;
  for (i = 0; i < f->unit_count; i++) {
    const struct schema_unit *u = &f->program->units[f->units[i]];
    const unsigned allowed = u->types & (SCHEMA_NUMBER | SCHEMA_INTEGER);
    if (!allowed) return 0;
    if (!mod_schema_fused_is_decided(f, u) || (number->kind != NUM_INTEGER && !(allowed & SCHEMA_NUMBER)))
      return mod_schema_fused_number_(f, text, n, number);
  }
  return 1;
}

/* A name that leads to this shape. */
FL_INLINE void mod_schema_fused_known_name(struct mod_schema_fused *f, const char *s, size_t n, uint32_t shape) {
  struct mod_schema_checker *c = &f->checkers[f->level->first];
  struct mod_schema_known *known;
  uint32_t key;
  f->unit_count = 0;
  if (f->level->count == 0) return;
  if (FL_UNLIKELY(f->level->count > 1) || FL_UNLIKELY(!c->key)) {
    if (!mod_schema_fused_name_(f, s, n)) f->is_failed = 1;
    return;
  }
  f->level->n++;
  key = c->key + shape;
  known = &f->known[(key * 0x9e3779b1u >> 16) & f->known_mask];
  if (FL_UNLIKELY(known->key != key)) {
    mod_schema_fused_learn_(f, c, s, n, known);
    known->key = key;
  }
  c->required += (uint32_t)known->is_required;
  f->units[0] = known->unit;
  f->unit_count = known->unit != SCHEMA_UNIT_TRUE;
}

FL_INLINE void mod_schema_fused_open(struct mod_schema_fused *f, enum scan_container kind) {
  if (!mod_schema_fused_begin(f)) f->is_failed = 1;
  if (FL_UNLIKELY(f->level + 1 == f->levels_end) ||
      FL_UNLIKELY(f->checker_count + MOD_SCHEMA_FUSED_UNITS > f->checker_room) ||
      FL_UNLIKELY(f->later_count + MOD_SCHEMA_FUSED_UNITS > f->later_room))
    mod_schema_fused_more_(f);
  f->level++;
  f->level->first = f->checker_count;
  f->level->count = f->level->n = 0;
  f->level->is_array = kind == SCAN_ARRAY;
  if (f->unit_count && !f->is_failed && !mod_schema_fused_open_(f, kind == SCAN_ARRAY ? SCHEMA_ARRAY : SCHEMA_OBJECT))
    f->is_failed = 1;
}

/* A container has ended. False: it is not valid. */
FL_INLINE int mod_schema_fused_close(struct mod_schema_fused *f) {
  int is_valid = !f->is_failed;
  if (f->level->count && is_valid) is_valid = mod_schema_fused_close_(f);
  f->checker_count = f->level->first;
  f->level--;
  return is_valid;
}
