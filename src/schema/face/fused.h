/* SPDX-License-Identifier: MIT
** fused.h -- a part of fused.c: what a check in one pass knows.
** Must hold: as there. */
#pragma once

#include "../../layout/layouts.h"
#include "schema.h"

enum {
  MOD_SCHEMA_FUSED_LEVELS = 32,   /* before memory is needed: open containers, */
  MOD_SCHEMA_FUSED_CHECKERS = 64, /* checkers in them, */
  MOD_SCHEMA_FUSED_LATER = 16,    /* parts to be checked later */
  MOD_SCHEMA_FUSED_UNITS = 16,    /* limit per value for checkers, and for parts checked later */
  MOD_SCHEMA_FUSED_HASHES = 32,   /* items that are compared one by one */
  MOD_SCHEMA_FUSED_CALLS = 8,     /* nesting of unit calls for the same value */
  MOD_SCHEMA_FUSED_KNOWN = 512    /* known members, in a long text */
};

/* A pending operation on the children of an open container, or on their count. */
struct mod_schema_checker {
  const struct schema_op *op;
  const struct schema_object *object; /* for SCHEMA_OP_OBJECT */
  uint32_t key;     /* of the object in the cache: above that of any before by its members; 0 for others */
  uint32_t hint;    /* for schema_find_property; after an unknown member of a decoded object, another number */
  uint64_t members; /* bits of the members found */
};

/* An open container. */
struct mod_schema_level {
  uint32_t first, count; /* its checkers */
  uint32_t n;            /* items or members so far */
  uint32_t is_array;
  uint32_t item;                      /* the unit of all items, its own stand-in */
  uint32_t least, most;               /* how many items or members it must have */
  uint32_t unique;                    /* all items must be different; then */
  uint32_t has_containers;            /* some are arrays or objects */
  uint32_t in_unique;                 /* a container around it has items that must be different */
  size_t at;                          /* where it began */
  uint32_t has_lists;                 /* some checkers are of items, too */
  struct mod_schema_checker *checker; /* its only checker, if that is of an object; else NULL */
  const struct value_name *tag;       /* the member of this name has chosen the units, */
  uint32_t has_tag;                   /* and may not come again now */
};

/* A cache entry: the unit that an object has for a name. Its place is that of the member before. */
struct mod_schema_known {
  uint32_t key, unit; /* key: of the object */
  uint16_t name;      /* its number in the decoder's shapes */
  uint16_t hint;      /* after this member */
  uint8_t bit;        /* of the member, or 0 */
};

struct mod_schema_fused {
  struct json_to_lua k;
  const struct schema_program *program;
  struct mod_schema_level *level; /* of the innermost container */
  struct mod_schema_checker *checkers;
  uint32_t checker_count;
  const struct schema_unit *unit; /* that the value that begins must pass, its own stand-in, or `several`: */
  struct schema_unit several;     /* what its types are, and the units that test more than these */
  uint32_t unit_count, units[MOD_SCHEMA_FUSED_UNITS];
  int is_failed; /* end the scan; no types are allowed */
  uint32_t known_mask;
  struct schema_run *run;
  struct mod_schema_texts *parts; /* checks parts of the text; NULL while decoding */
  uint32_t budget;                /* steps left */
  uint32_t hashes[MOD_SCHEMA_FUSED_HASHES];
  int slots; /* first stack slot of the blocks */
  struct mod_schema_level *levels, *levels_end;
  size_t checker_room;
  struct mod_schema_later *later;
  size_t later_count, later_room;
  struct mod_schema_level first_levels[MOD_SCHEMA_FUSED_LEVELS];
  struct mod_schema_checker first_checkers[MOD_SCHEMA_FUSED_CHECKERS];
  struct mod_schema_later first_later[MOD_SCHEMA_FUSED_LATER];
  uint32_t *following;                                   /* the schema's, without decoding */
  struct mod_schema_known known[MOD_SCHEMA_FUSED_KNOWN]; /* while decoding */
};

FL_STATIC_ASSERT((MOD_SCHEMA_FUSED_KNOWN & (MOD_SCHEMA_FUSED_KNOWN - 1)) == 0, known_is_a_power_of_two);

/* Makes a list of the only unit. */
FL_INLINE void mod_schema_fused_list(struct mod_schema_fused *f) {
  if (FL_UNLIKELY(f->unit == &f->several)) return;
  f->units[0] = (uint32_t)(f->unit - f->program->units);
  f->unit_count = 1;
}

/* Returns the key of an object, by its number. No two objects have the same properties, so no two have the same keys in
** the range of their hints. */
FL_FUNC uint32_t mod_schema_key(const struct schema_object *o, uint32_t object) { return o->first + object + 1; }

/* Returns the unit that a verdict on a member takes for this one, which may be SCHEMA_NONE. */
FL_FUNC uint32_t mod_schema_verdict_of(const struct schema_program *p, uint32_t unit) {
  return unit == SCHEMA_NONE ? (uint32_t)SCHEMA_UNIT_TRUE : p->units[unit].stand_in;
}

/* Returns whether the operation cannot be tested while a container is read, or at its end. `decodes`: names that repeat
** are found. */
FL_PRIVATE int mod_schema_is_for_later(const struct schema_program *p, const struct schema_op *op, int decodes);
