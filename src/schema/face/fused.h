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
  MOD_SCHEMA_FUSED_TAGS = 8,      /* members of an object that choose its units, */
  MOD_SCHEMA_FUSED_LOOKS = 16,    /* and how many are looked at to find these */
  MOD_SCHEMA_FUSED_KNOWN = 512    /* known members, in a long text */
};

/* A pending operation on the children of an open container, or on their count. UNEVALUATED_PROPERTIES is about members
** that no checker from number `from` of its level up to its own has evaluated. */
struct mod_schema_checker {
  const struct schema_op *op;
  const struct schema_object *object; /* for SCHEMA_OP_OBJECT */
  uint64_t members;                   /* bits of the members found */
  uint32_t from;
  uint32_t is_evaluated; /* the last member was */
  uint32_t hint;         /* for schema_find_property; after an unknown member of a decoded object, another number */
  uint32_t key;          /* of the object in the cache: above that of any before by its members; 0 for others */
  uint32_t place;        /* in a verdict: where `following` has the next member */
};

/* An open container. */
struct mod_schema_level {
  uint32_t is_array, count;           /* count: of its checkers; these eight are constants when it begins */
  uint32_t n, least;                  /* items or members so far, and how many it must have */
  uint32_t unique;                    /* all items must be different */
  uint32_t has_lists;                 /* some checkers are of items, too */
  uint32_t tag_count;                 /* the members of these names have chosen the units; */
  uint32_t tags_seen;                 /* those with a bit here may not come (again) */
  struct mod_schema_checker *checker; /* its only checker, if that is of an object; else NULL */
  const struct schema_unit *item;     /* the unit of all items, its own stand-in */
  uint32_t first;                     /* its first checker */
  uint32_t most;                      /* how many items or members it may have */
  uint32_t has_containers;            /* if unique: some items are arrays or objects */
  uint32_t in_unique;                 /* a container around it has items that must be different */
  size_t at;                          /* if unique: where it began */
  const struct value_name *tags[MOD_SCHEMA_FUSED_TAGS];
};

/* A member of the object that begins, which has been looked at. */
struct mod_schema_look {
  const char *name, *value;
  size_t length;
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
  int is_failed;            /* end the scan; no types are allowed */
  uint32_t tracks, is_lost; /* units being entered that need to know what is evaluated; a part of one is for later */
  /* Of the object that begins: its tags, NOTHING if one is missing; the members that were looked at. */
  struct value tags[MOD_SCHEMA_FUSED_TAGS];
  struct mod_schema_look looks[MOD_SCHEMA_FUSED_LOOKS];
  uint32_t look_count;
  int has_more;   /* what looking at one more has said: see mod_schema_fused_look */
  unsigned reads; /* what its units depend on: see fused_chosen.h */
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
  uint32_t *following;                                   /* the schema's, without decoding; */
  struct mod_schema_chosen *chosen;                      /* likewise */
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

/* Returns the stand-in of a unit. */
FL_INLINE const struct schema_unit *mod_schema_fused_unit(const struct schema_program *p, uint32_t unit) {
  return &p->units[p->units[unit].stand_in];
}

/* Returns whether values of one of these types can pass the unit. */
FL_INLINE int mod_schema_may_be(const struct schema_program *p, uint32_t unit, unsigned types) {
  return (p->units[p->units[unit].stand_in].possible & types) != 0;
}

/* Returns the table of anyOf or oneOf, or NULL. */
FL_FUNC const struct schema_choice *mod_schema_choice_of(const struct schema_program *p, const struct schema_op *op) {
  const uint32_t number = p->numbers[op->a + op->b + 1];
  return number ? &p->choices[number - 1] : NULL;
}

/* Returns the operation of a condition on an object that depends on the scalars of its members, or on whether they are
** there; NULL if it depends on more. */
FL_FUNC const struct schema_op *mod_schema_condition_of(const struct schema_program *p, uint32_t unit) {
  const struct schema_unit *u = &p->units[p->units[unit].stand_in];
  const struct schema_op *op = p->ops + u->decider;
  const struct schema_object *o;
  if (schema_tracks(u) || op[0].code == SCHEMA_OP_END || op[1].code != SCHEMA_OP_END) return NULL;
  if (op->code == SCHEMA_OP_REQUIRED) return op->b <= MOD_SCHEMA_FUSED_TAGS ? op : NULL;
  if (op->code != SCHEMA_OP_OBJECT) return NULL;
  o = &p->objects[op->a];
  return o->is_plain && o->additional == SCHEMA_NONE && o->count <= MOD_SCHEMA_FUSED_TAGS ? op : NULL;
}
