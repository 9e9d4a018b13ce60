/* SPDX-License-Identifier: MIT
** circles.c -- refuses schemas that refer to themselves for the same value, since checking would never end (2020-12
** Core, section 9.4.1).
** Must hold: a depth-first search with an explicit stack looks at each operation once. A unit is settled after the
** units that it calls. */
#include "unit.h"

FL_PRIVATE uint32_t schema_next_called(const struct schema_program *p, const struct schema_op *op, uint32_t *i) {
  const uint32_t n = (*i)++;
  switch (op->code) {
  case SCHEMA_OP_CALL:
  case SCHEMA_OP_NOT: return n == 0 ? op->a : SCHEMA_NONE;
  case SCHEMA_OP_DEPENDENT_SCHEMA: return n == 0 ? op->b : SCHEMA_NONE;
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF: return n < op->b ? p->numbers[op->a + n] : SCHEMA_NONE;
  case SCHEMA_OP_IF: return n == 0 ? op->a : n == 1 ? op->b : n == 2 ? op->c : SCHEMA_NONE;
  default: return SCHEMA_NONE;
  }
}

/* Computes what a verdict can skip in this unit. The units that it calls are settled already. */
static void schema_settle(struct schema_program *p, uint32_t unit) {
  struct schema_unit *u = &p->units[unit];
  const struct schema_op *op = &p->ops[u->first];
  u->decider = u->first + (op->code == SCHEMA_OP_TYPE && !op->b);
  if (p->ops[u->decider].code == SCHEMA_OP_END) u->flags |= SCHEMA_UNIT_PLAIN;
  u->stand_in = op->code == SCHEMA_OP_CALL && !op->is_branch && op[1].code == SCHEMA_OP_END ? p->units[op->a].stand_in
                                                                                            : unit;
}

static int schema_search_circle(struct schema_compiler *c, uint32_t from) {
  uint32_t count = 0;
  for (;;) {
    struct schema_visit *v;
    const struct schema_op *op;
    uint32_t unit;
    if (from != SCHEMA_NONE) {
      if (!SCHEMA_GROW(c, VISITS, c->visits, count, 1)) return 0;
      c->visits[count].unit = from;
      c->visits[count].op = c->to.units[from].first;
      c->visits[count++].i = 0;
      c->tasks[from].visit = 1;
    }
    v = &c->visits[count - 1];
    op = &c->to.ops[v->op];
    if (op->code == SCHEMA_OP_END) {
      c->tasks[v->unit].visit = 2;
      schema_settle(&c->to, v->unit);
      if (--count == 0) return 1;
      from = SCHEMA_NONE;
      continue;
    }
    unit = schema_next_called(&c->to, op, &v->i);
    from = SCHEMA_NONE;
    if (unit == SCHEMA_NONE) v->op++, v->i = 0;
    else if (c->tasks[unit].visit == 0) from = unit;
    else if (c->tasks[unit].visit == 1)
      return schema_refuse(c, c->to.units[v->unit].source, op->place, (enum schema_keyword)op->keyword,
                           "the schema comes back to itself for the same value: checking it would have no end");
  }
}

FL_PRIVATE int schema_check_circles(struct schema_compiler *c) {
  uint32_t unit;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++)
    if (c->tasks[unit].visit == 0 && !schema_search_circle(c, unit)) return 0;
  return 1;
}
