/* SPDX-License-Identifier: MIT
** closed.c -- finds units whose unevaluatedProperties can be additionalProperties for a verdict: all members that any
** schema for the same value evaluates are known by name or pattern, as where `$ref` adds what extensions may be called.
** Must hold: an object evaluates the same members whichever branches it passes. Visits are limited, so the time is
** linear. */
#include "../unit.h"

enum { SCHEMA_CLOSED_DEPTH = 8 }; /* so deep may a schema call others for the same value */

struct schema_closing {
  const struct schema_program *p;
  const uint32_t *ops; /* the operations that every object passes */
  uint32_t count, visits;
};

FL_PRIVATE uint32_t schema_find_closing(const struct schema_program *p, uint32_t unit) {
  const struct schema_op *op = p->ops + p->units[unit].first;
  if (!(p->units[unit].flags & SCHEMA_UNIT_TRACKS)) return SCHEMA_NONE;
  while (op->code < SCHEMA_OP_UNEVALUATED_ITEMS && op->code != SCHEMA_OP_END) op++;
  return op->code == SCHEMA_OP_UNEVALUATED_PROPERTIES && op[1].code == SCHEMA_OP_END ? op->a : SCHEMA_NONE;
}

/* Returns the i-th object that every object passes, or NULL. */
static const struct schema_object *schema_object_passed(const struct schema_closing *is, uint32_t i) {
  const struct schema_op *op = &is->p->ops[is->ops[i]];
  return op->code == SCHEMA_OP_OBJECT ? &is->p->objects[op->a] : NULL;
}

static int schema_is_evaluated(const struct schema_closing *is, const struct schema_property *x) {
  uint32_t i;
  for (i = 0; i < is->count; i++) {
    const struct schema_object *o = schema_object_passed(is, i);
    const struct schema_property *y;
    if (!o) continue;
    y = schema_seek_property(is->p, o, is->p->bytes + x->name.at, x->name.length);
    if (y && y->unit != SCHEMA_NONE) return 1;
  }
  return 0;
}

static int schema_is_matched(const struct schema_closing *is, uint32_t regex) {
  uint32_t i, k;
  for (i = 0; i < is->count; i++) {
    const struct schema_object *o = schema_object_passed(is, i);
    for (k = 0; o && k < o->pattern_count; k++)
      if (is->p->patterns[o->patterns + k].regex == regex) return 1;
  }
  return 0;
}

/* Returns whether the members that an object of a branch evaluates are evaluated anyway. */
static int schema_evaluates_no_other(struct schema_closing *is, const struct schema_object *o) {
  uint32_t i;
  if (o->additional != SCHEMA_NONE || is->visits + o->count + o->pattern_count > SCHEMA_SMALL) return 0;
  is->visits += o->count + o->pattern_count;
  for (i = 0; i < o->count; i++) {
    const struct schema_property *x = &is->p->properties[o->first + i];
    if (x->unit != SCHEMA_NONE && !schema_is_evaluated(is, x)) return 0;
  }
  for (i = 0; i < o->pattern_count; i++)
    if (!schema_is_matched(is, is->p->patterns[o->patterns + i].regex)) return 0;
  return 1;
}

static int schema_calls_no_other(struct schema_closing *is, const struct schema_op *op, unsigned depth);

static int schema_unit_evaluates_no_other(struct schema_closing *is, uint32_t unit, unsigned depth) {
  const struct schema_op *op = is->p->ops + is->p->units[unit].first;
  if (depth == SCHEMA_CLOSED_DEPTH || is->visits++ > SCHEMA_SMALL) return 0;
  for (; op->code != SCHEMA_OP_END; op++) {
    if (op->code == SCHEMA_OP_UNEVALUATED_PROPERTIES) return 0;
    if (op->code == SCHEMA_OP_OBJECT && !schema_evaluates_no_other(is, &is->p->objects[op->a])) return 0;
    if (!schema_calls_no_other(is, op, depth + 1)) return 0;
  }
  return 1;
}

static int schema_calls_no_other(struct schema_closing *is, const struct schema_op *op, unsigned depth) {
  uint32_t i, unit;
  if (op->code == SCHEMA_OP_NOT) return 1; /* evaluates nothing (2020-12 Core, section 7.7.1.3) */
  for (i = 0; (unit = schema_next_called(is->p, op, &i)) != SCHEMA_NONE;)
    if (!schema_unit_evaluates_no_other(is, unit, depth)) return 0;
  return 1;
}

FL_PRIVATE int schema_is_closed(const struct schema_program *p, const uint32_t *ops, uint32_t count) {
  struct schema_closing is;
  uint32_t i;
  int has_object = 0;
  is.p = p;
  is.ops = ops;
  is.count = count;
  is.visits = 0;
  for (i = 0; i < count; i++) {
    const struct schema_object *o = schema_object_passed(&is, i);
    has_object |= o != NULL;
    if (o && o->additional != SCHEMA_NONE) return 0;
    if (!schema_calls_no_other(&is, &p->ops[ops[i]], 0)) return 0;
  }
  return has_object;
}
