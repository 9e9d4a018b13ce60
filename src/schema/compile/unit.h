/* SPDX-License-Identifier: MIT
** unit.h -- one unit is compiled: a schema's keywords become operations.
** Must hold: a unit's operations are added one after the other; the units that they name are only put on the list, and
** compiled later. A unit is named by what it is about: a schema in a scope, or a value that is to be equal to. */
#pragma once

#include "../../regex/compile.h"
#include "state.h"

enum schema_task_kind {
  SCHEMA_IS_SCHEMA,
  SCHEMA_IS_CONSTANT, /* the value at the place, which is to be equal to */
  SCHEMA_IS_SCALARS   /* one of the scalars in the array at the place */
};

/* What is known of a unit besides. */
struct schema_task {
  uint32_t scope;
  uint32_t callers;
  uint8_t kind;
  uint8_t height;  /* of a small unit: levels of units that it calls; else above SCHEMA_HEIGHT */
  uint8_t visit;   /* of the search for circles: 0 not visited, 1 on the way, 2 done */
  uint8_t is_part; /* of another schema for the same value: allOf, then */
};

/* Where the search for circles is in a unit: at an operation, and at the i-th unit that it calls. */
struct schema_visit {
  uint32_t unit, op, i;
};

/* The next unit that an operation calls for the same value, from number *i on; SCHEMA_NONE: there are no more. */
FL_PRIVATE uint32_t schema_next_called(const struct schema_program *p, const struct schema_op *op, uint32_t *i);

/* Finds the size of each unit. */
FL_PRIVATE void schema_find_sizes(struct schema_compiler *c);

/* Refuses units that call themselves for the same value. */
FL_PRIVATE int schema_check_circles(struct schema_compiler *c);

/* The unit that is compiled. */
struct schema_part {
  struct schema_compiler *c;
  uint32_t source, place, resource, scope;
  unsigned draft;                  /* as a set of drafts */
  uint8_t types;                   /* what is left of those that can be valid */
  uint8_t is_part;                 /* as in schema_task, or not known */
  uint32_t first;                  /* of its operations */
  uint32_t found[SCHEMA_KEYWORDS]; /* the places of its keywords' values; 0: not there, or no keyword here */
};

/* Returns the number of the unit for a schema. */
FL_PRIVATE uint32_t schema_unit_of(struct schema_compiler *c, const struct schema_target *target, uint32_t scope,
                                   enum schema_keyword keyword);

/* The same for a place in the same text as the part, which is a schema there; with CONST a value to be equal to. */
FL_PRIVATE uint32_t schema_unit_at(struct schema_part *p, uint32_t place, enum schema_keyword keyword);

/* Returns the number of the unit of another kind. */
FL_PRIVATE uint32_t schema_unit_of_value(struct schema_part *p, uint32_t place, enum schema_task_kind kind);

/* Compiles a schema for its errors alone. */
FL_PRIVATE int schema_check_unit(struct schema_compiler *c, const struct schema_target *at);

/* Compiles the next unit on the list. */
FL_PRIVATE int schema_compile_unit(struct schema_compiler *c, uint32_t unit);

/* ------------------------------------------------------------------------------------- operations */

/* Adds an operation of a keyword. */
FL_PRIVATE int schema_put_op(struct schema_part *p, enum schema_op_code code, unsigned types,
                             enum schema_keyword keyword, uint32_t a, uint32_t b, uint32_t d);

/* The same with a place of its own. */
FL_PRIVATE int schema_put_op_at(struct schema_part *p, enum schema_op_code code, unsigned types,
                                enum schema_keyword keyword, uint32_t place, uint32_t a, uint32_t b, uint32_t d);

/* Adds n numbers, 0 at first, to the program's list. Returns the number of the first. */
FL_PRIVATE uint32_t schema_add_numbers(struct schema_compiler *c, uint32_t n);

/* The same of the units of an array's items, which are as schema_unit_at says. */
FL_PRIVATE int schema_put_units(struct schema_part *p, uint32_t place, enum schema_keyword keyword, uint32_t *first);

FL_INLINE char schema_first_of(const struct schema_part *p, uint32_t place) {
  return schema_first(p->c, p->source, place);
}

FL_INLINE int schema_refuse_part(struct schema_part *p, uint32_t place, enum schema_keyword keyword,
                                 const char *message) {
  return schema_refuse(p->c, p->source, place, keyword, message);
}

/* Is the keyword's value an array or object, as `first` says? Else it is an error, with %s for the keyword. */
FL_PRIVATE int schema_expect(struct schema_part *p, enum schema_keyword keyword, char first);

/* Reads the number of a keyword such as minItems; UINT32_MAX stands for all that are larger. */
FL_PRIVATE int schema_read_count(struct schema_part *p, enum schema_keyword keyword, uint32_t *n);

/* The groups of keywords, in the order of their operations. */
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

/* A reference of a draft where it has no siblings. False: the draft is another, or there is none, or an error. */
FL_PRIVATE int schema_put_reference(struct schema_part *p, enum schema_keyword keyword);

/* What a value at a place is to be equal to, and one of the scalars there. */
FL_PRIVATE int schema_put_constant(struct schema_part *p);
FL_PRIVATE int schema_put_scalars(struct schema_part *p);
FL_PRIVATE int schema_put_equal_object(struct schema_part *p);

/* Refuses what is likely to be a mistake. */
FL_PRIVATE int schema_check_strictly(struct schema_part *p);

/* ------------------------------------------------------------------------------------- literals, patterns, names */

/* Adds the scalar at a place. Returns its number. */
FL_PRIVATE uint32_t schema_add_literal(struct schema_part *p, uint32_t place);

/* The bit of a scalar's type; of a whole number SCHEMA_INTEGER. */
FL_PRIVATE unsigned schema_type_of(const struct value *v);

/* Puts thing i, counted from 0, into a free one of mask + 1 slots. */
FL_PRIVATE int schema_fill_slots(struct schema_compiler *c, uint32_t *slots, uint32_t mask, uint32_t hash, uint32_t i);

/* Slots for n things: mask, a power of two minus 1. */
FL_INLINE uint32_t schema_slot_mask(uint32_t n) {
  uint32_t mask = 15;
  while (mask / 2 < n) mask = 2 * mask + 1;
  return mask;
}

/* Returns the number of the regular expression that is the string. */
FL_PRIVATE uint32_t schema_add_regex(struct schema_part *p, uint32_t place, enum schema_keyword keyword,
                                     struct schema_text text);
