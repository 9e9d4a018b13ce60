/* SPDX-License-Identifier: MIT
** sizes.c -- finds the small units (run/decide_template.h) by adding up how many units one value may meet in each.
** Must hold: a unit is counted after those that it calls. Units of pass n have n levels, and there are at most
** SCHEMA_HEIGHT passes, so the time is linear and recursive units are never small. */
#include "../unit.h"

struct schema_sizes {
  const struct schema_compiler *c;
  int pass;
};

/* Returns the size of a unit that an earlier pass has counted, else a size that is too large. */
static uint32_t schema_size_of(const struct schema_sizes *is, uint32_t unit) {
  if (unit == SCHEMA_NONE || unit < SCHEMA_UNITS) return 0;
  return is->c->tasks[unit].height < is->pass ? is->c->to.units[unit].size : SCHEMA_SMALL + 1;
}

static uint32_t schema_larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Each member meets one property or the additional one, and every pattern. */
static uint32_t schema_size_of_object(const struct schema_sizes *is, const struct schema_object *o) {
  const struct schema_program *p = &is->c->to;
  uint32_t size = schema_size_of(is, o->additional), i;
  for (i = 0; i < o->count; i++) size = schema_larger(size, schema_size_of(is, p->properties[o->first + i].unit));
  size += schema_size_of(is, o->names);
  for (i = 0; i < o->pattern_count && size <= SCHEMA_SMALL; i++)
    size += schema_size_of(is, p->patterns[o->patterns + i].unit);
  return size;
}

static uint32_t schema_size_of_op(const struct schema_sizes *is, const struct schema_op *op) {
  const struct schema_program *p = &is->c->to;
  uint32_t size = 0, i;
  switch (op->code) {
  case SCHEMA_OP_OBJECT: return schema_size_of_object(is, &p->objects[op->a]);
  case SCHEMA_OP_ITEMS:
    for (i = 0; i < op->b; i++) size = schema_larger(size, schema_size_of(is, p->numbers[op->a + i]));
    return schema_larger(size, schema_size_of(is, op->c));
  case SCHEMA_OP_CONTAINS: return schema_size_of(is, p->contains[op->a].unit);
  case SCHEMA_OP_UNEVALUATED_ITEMS:
  case SCHEMA_OP_UNEVALUATED_PROPERTIES: return SCHEMA_SMALL + 1;
  default: break;
  }
  for (i = 0; size <= SCHEMA_SMALL;) {
    const uint32_t unit = schema_next_called(p, op, &i);
    if (unit == SCHEMA_NONE) break;
    size += schema_size_of(is, unit);
  }
  return size;
}

FL_PRIVATE void schema_find_sizes(struct schema_compiler *c) {
  struct schema_sizes is = {c, 1};
  int is_over = 0;
  uint32_t unit;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++) c->tasks[unit].height = SCHEMA_HEIGHT + 1;
  for (; is.pass <= SCHEMA_HEIGHT && !is_over; is.pass++) {
    is_over = 1;
    for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++) {
      struct schema_unit *u = &c->to.units[unit];
      const struct schema_op *op;
      if (c->tasks[unit].height <= SCHEMA_HEIGHT) continue;
      u->size = 1;
      for (op = &c->to.ops[u->decider]; op->code != SCHEMA_OP_END && u->size <= SCHEMA_SMALL; op++)
        u->size += schema_size_of_op(&is, op);
      if (u->size > SCHEMA_SMALL) continue;
      c->tasks[unit].height = (uint8_t)is.pass;
      is_over = 0;
    }
  }
}
