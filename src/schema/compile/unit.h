/* SPDX-License-Identifier: MIT
** unit.h -- compiles one unit: a schema's keywords become operations.
** Must hold: the operations of a unit are added in one go; the units that they refer to are only queued. A unit is
** identified by its subject: a schema in a scope, or a constant to compare with. */
#pragma once

#include "../../regex/compile.h"
#include "state.h"

enum schema_task_kind {
  SCHEMA_IS_SCHEMA,
  SCHEMA_IS_CONSTANT, /* equal to the constant at the place */
  SCHEMA_IS_SCALARS,  /* equal to one of the scalars in the array at the place */
  SCHEMA_IS_BOTH      /* for two units: the place and the scope are their numbers */
};

/* What compiling needs to know about a unit. */
struct schema_task {
  uint32_t scope;
  uint32_t callers;
  uint8_t kind;
  uint8_t height;  /* levels of units it calls if it is small; else above SCHEMA_HEIGHT */
  uint8_t visit;   /* search for circles: 0 not visited, 1 in progress, 2 done */
  uint8_t is_part; /* part of another schema for the same value: allOf, then */
  uint8_t types;   /* for strict: types that can be valid, with those of the units it calls */
  uint32_t stamp;  /* for strict: the last list of branches it was in */
};

/* The search for circles in one unit: the current operation, and the i-th unit that it calls. */
struct schema_visit {
  uint32_t unit, op, i;
};

/* Returns the next unit, from number *i on, that an operation calls for the same value; SCHEMA_NONE at the end. */
FL_PRIVATE uint32_t schema_next_called(const struct schema_program *p, const struct schema_op *op, uint32_t *i);

/* Computes the size of each unit. */
FL_PRIVATE void schema_find_sizes(struct schema_compiler *c);

/* Makes the tables of anyOf and oneOf. */
FL_PRIVATE int schema_find_choices(struct schema_compiler *c);

/* Compute what a verdict can skip in a unit: all of it, or, once its decider is set, the rest. The units that it calls
** are settled already. */
FL_PRIVATE void schema_settle(struct schema_program *p, uint32_t unit);
FL_PRIVATE void schema_find_sure(struct schema_program *p, uint32_t unit);

/* Merges the operations of units for the same value, for verdicts. */
FL_PRIVATE int schema_merge_units(struct schema_compiler *c);

/* Returns the unit for members that are not evaluated, if the unit has one and nothing else that tracks; else
** SCHEMA_NONE. */
FL_PRIVATE uint32_t schema_find_closing(const struct schema_program *p, uint32_t unit);

/* Returns whether the objects among a unit's operations, a list of numbers, know all members that others evaluate. */
FL_PRIVATE int schema_is_closed(const struct schema_program *p, const uint32_t *ops, uint32_t count);

/* Returns the number of the branch that requires a member which all others forbid, and sets its name; else
** SCHEMA_NONE. */
FL_PRIVATE uint32_t schema_find_asking(const struct schema_program *p, const struct schema_op *op,
                                       struct value_name *name);

/* Returns whether an operation, IF, asks for a member that `else` forbids. */
FL_PRIVATE int schema_is_alternative(const struct schema_program *p, const struct schema_op *op);

/* Finds the units about whose objects one table says all. */
FL_PRIVATE void schema_find_asks(struct schema_program *p);

/* Finds the ranges of numbers. */
FL_PRIVATE void schema_find_ranges(struct schema_compiler *c);

/* Settles operations that only ask which members an object has. */
FL_PRIVATE int schema_find_presence(struct schema_compiler *c);

/* Refuses units that call themselves for the same value. */
FL_PRIVATE int schema_check_circles(struct schema_compiler *c);

/* The unit that is being compiled. */
struct schema_part {
  struct schema_compiler *c;
  uint32_t source, place, resource, scope;
  unsigned draft;                  /* as a set of drafts */
  uint8_t types;                   /* types that can still be valid */
  uint8_t is_part;                 /* as in schema_task; also set if unknown */
  uint32_t first;                  /* its first operation */
  uint32_t found[SCHEMA_KEYWORDS]; /* places of its keywords' values; 0: missing, or not a keyword here */
};

FL_PRIVATE uint32_t schema_unit_of(struct schema_compiler *c, const struct schema_target *target, uint32_t scope,
                                   enum schema_keyword keyword);

/* Returns the unit that merge.c makes of two, at->place and `other`; SCHEMA_NONE without an error: there are `most`
** units already. */
FL_PRIVATE uint32_t schema_unit_of_two(struct schema_compiler *c, const struct schema_target *at, uint32_t other,
                                       uint32_t most);

/* Returns whether a text has the name as it is, except for needless escapes. */
FL_PRIVATE int schema_is_plain(struct schema_text name);

/* Hashes the properties of an object that has more than a few. */
FL_PRIVATE int schema_hash_properties(struct schema_compiler *c, struct schema_object *object);

/* Returns the unit of the schema at a place in the part's own text; for the keyword CONST, of the constant there. */
FL_PRIVATE uint32_t schema_unit_at(struct schema_part *p, uint32_t place, enum schema_keyword keyword);

/* Returns the unit of another kind for the place. */
FL_PRIVATE uint32_t schema_unit_of_value(struct schema_part *p, uint32_t place, enum schema_task_kind kind);

/* Compiles a schema only to find its errors. */
FL_PRIVATE int schema_check_unit(struct schema_compiler *c, const struct schema_target *at);

/* Compiles the next unit on the list. */
FL_PRIVATE int schema_compile_unit(struct schema_compiler *c, uint32_t unit);

/* Adds an operation of a keyword. */
FL_PRIVATE int schema_put_op(struct schema_part *p, enum schema_op_code code, unsigned types,
                             enum schema_keyword keyword, uint32_t a, uint32_t b, uint32_t d);

/* Like schema_put_op, with the place to report. */
FL_PRIVATE int schema_put_op_at(struct schema_part *p, enum schema_op_code code, unsigned types,
                                enum schema_keyword keyword, uint32_t place, uint32_t a, uint32_t b, uint32_t d);

/* Appends n zeros to the program's list of numbers. Returns the index of the first. */
FL_PRIVATE uint32_t schema_add_numbers(struct schema_compiler *c, uint32_t n);

/* Appends the units of an array's items, as schema_unit_at finds them, SCHEMA_NONE and 0. Sets *first. */
FL_PRIVATE int schema_put_units(struct schema_part *p, uint32_t place, enum schema_keyword keyword, uint32_t *first);

FL_INLINE char schema_first_of(const struct schema_part *p, uint32_t place) {
  return schema_first(p->c, p->source, place);
}

FL_INLINE int schema_refuse_part(struct schema_part *p, uint32_t place, enum schema_keyword keyword,
                                 const char *message) {
  return schema_refuse(p->c, p->source, place, keyword, message);
}

/* Returns whether the keyword's value begins with `first`, { or [; if not, reports the error. */
FL_PRIVATE int schema_expect(struct schema_part *p, enum schema_keyword keyword, char first);

/* Reads a count such as minItems, at most UINT32_MAX. */
FL_PRIVATE int schema_read_count(struct schema_part *p, enum schema_keyword keyword, uint32_t *n);

/* Compile groups of keywords, in the order in which operations run. */
FL_PRIVATE int schema_put_types(struct schema_part *p);
FL_PRIVATE int schema_put_constants(struct schema_part *p);
FL_PRIVATE int schema_put_numbers(struct schema_part *p);
FL_PRIVATE int schema_put_strings(struct schema_part *p);
FL_PRIVATE int schema_put_counts(struct schema_part *p);
FL_PRIVATE int schema_put_object(struct schema_part *p);
FL_PRIVATE int schema_put_dependencies(struct schema_part *p);
FL_PRIVATE int schema_put_items(struct schema_part *p);
FL_PRIVATE int schema_put_branches(struct schema_part *p);
FL_PRIVATE int schema_put_dependent_schemas(struct schema_part *p);
FL_PRIVATE int schema_put_customs(struct schema_part *p);
FL_PRIVATE int schema_put_unevaluated(struct schema_part *p);

/* Compiles a reference in a draft that ignores its siblings. Returns 0 in other drafts, without a reference, or after
** an error. */
FL_PRIVATE int schema_put_reference(struct schema_part *p, enum schema_keyword keyword);

/* Compile units that compare: with one constant, and with one of several scalars. */
FL_PRIVATE int schema_put_constant(struct schema_part *p);
FL_PRIVATE int schema_put_scalars(struct schema_part *p);
FL_PRIVATE int schema_put_equal_object(struct schema_part *p);

/* Refuses likely mistakes (the option strict). */
FL_PRIVATE int schema_check_strictly(struct schema_part *p);

/* Does so between the units of a program, after the search for circles. */
FL_PRIVATE int schema_check_units_strictly(struct schema_compiler *c);

/* Adds the scalar at a place as a literal. Returns its number. */
FL_PRIVATE uint32_t schema_add_literal(struct schema_part *p, uint32_t place);

/* Returns the bit of a scalar's type; of a whole number SCHEMA_INTEGER. */
FL_PRIVATE unsigned schema_type_of(const struct value *v);

/* Puts number i + 1 into a free slot of mask + 1. */
FL_PRIVATE int schema_fill_slots(struct schema_compiler *c, uint32_t *slots, uint32_t mask, uint32_t hash, uint32_t i);

/* Returns the mask, a power of two minus 1, of a table for n entries. */
FL_INLINE uint32_t schema_slot_mask(uint32_t n) {
  uint32_t mask = 15;
  while (mask / 2 < n) mask = 2 * mask + 1;
  return mask;
}

/* Compiles a regular expression. Returns its number. */
FL_PRIVATE uint32_t schema_add_regex(struct schema_part *p, uint32_t place, enum schema_keyword keyword,
                                     struct schema_text text);

/* Returns the index of a name in a list of the user's, or `count` if it is not there. */
FL_PRIVATE uint32_t schema_find_text(const struct schema_text *list, uint32_t count, struct schema_text name);
