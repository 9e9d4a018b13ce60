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

/* Narrows the range of a unit's number of items. */
static void schema_narrow_items(struct schema_unit *u, uint32_t least, uint32_t most) {
  if (u->least < least) u->least = least;
  if (u->most > most) u->most = most;
}

/* Returns the only operation that a verdict on a value of this type, array or object, has to do with. */
static uint32_t schema_find_only(const struct schema_program *p, struct schema_unit *u, unsigned type) {
  const struct schema_op *op = p->ops + u->decider, *found = NULL;
  uint32_t unit = SCHEMA_NONE;
  if (schema_tracks(u)) return SCHEMA_NONE;
  for (; op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & type) || op->code == SCHEMA_OP_TYPE) continue;
    if (type == SCHEMA_OBJECT && op->types & SCHEMA_OP_SETTLED) continue;
    if (op->code == SCHEMA_OP_MIN_ITEMS) {
      schema_narrow_items(u, op->a, u->most);
      continue;
    }
    if (op->code == SCHEMA_OP_MAX_ITEMS) {
      schema_narrow_items(u, 0, op->a);
      continue;
    }
    if (found) return SCHEMA_NONE;
    found = op;
  }
  if (!found) return (uint32_t)(op - p->ops);
  switch (found->code) {
  case SCHEMA_OP_OBJECT: return p->objects[found->a].required <= SCHEMA_BITS ? (uint32_t)(found - p->ops) : SCHEMA_NONE;
  case SCHEMA_OP_ITEMS: return found->b == 0 && found->c != SCHEMA_NONE ? (uint32_t)(found - p->ops) : SCHEMA_NONE;
  case SCHEMA_OP_CALL:
    if (!found->is_branch) unit = p->units[found->a].stand_in;
    break;
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF: unit = schema_branch_of(p, found, type); break;
  default: break;
  }
  if (unit == SCHEMA_NONE || !(p->units[unit].possible & type)) return SCHEMA_NONE;
  schema_narrow_items(u, p->units[unit].least, p->units[unit].most);
  return p->units[unit].only[type == SCHEMA_OBJECT];
}

/* Adds SCHEMA_INTEGER to SCHEMA_NUMBER, and the other way round. */
static unsigned schema_with_numbers(unsigned types) {
  const unsigned numbers = SCHEMA_NUMBER | SCHEMA_INTEGER;
  return types & numbers ? types | numbers : types;
}

/* Returns the types whose values always pass the operation. */
static unsigned schema_sure_types(const struct schema_program *p, const struct schema_op *op) {
  unsigned sure = 0, twice = 0, seen = 0;
  uint32_t i;
  switch (op->code) {
  case SCHEMA_OP_TYPE: return op->b ? SCHEMA_ANY_TYPE & ~schema_with_numbers(SCHEMA_NUMBER) : SCHEMA_ANY_TYPE;
  case SCHEMA_OP_CALL: return op->is_branch ? 0 : p->units[op->a].sure;
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF:
    for (i = 0; i < op->b; i++) {
      const struct schema_unit *u = &p->units[p->numbers[op->a + i]];
      const unsigned types = schema_with_numbers(u->possible);
      sure |= u->sure;
      twice |= seen & types;
      seen |= types;
    }
    return op->code == SCHEMA_OP_ANY_OF ? sure : sure & ~twice;
  default: return SCHEMA_ANY_TYPE & ~schema_with_numbers(op->types);
  }
}

/* Returns the types whose values can pass the operation. */
static unsigned schema_possible_types(const struct schema_program *p, const struct schema_op *op) {
  unsigned types = 0;
  uint32_t i;
  if (op->code == SCHEMA_OP_CALL && !op->is_branch) return p->units[op->a].possible;
  if (op->code != SCHEMA_OP_ANY_OF && op->code != SCHEMA_OP_ONE_OF) return SCHEMA_ANY_TYPE;
  for (i = 0; i < op->b; i++) types |= p->units[p->numbers[op->a + i]].possible;
  return types;
}

FL_PRIVATE void schema_find_sure(struct schema_program *p, uint32_t unit) {
  struct schema_unit *u = &p->units[unit];
  const struct schema_op *next;
  u->possible = (uint8_t)(u->types & SCHEMA_NUMBER ? u->types | SCHEMA_INTEGER : u->types);
  for (next = p->ops + u->decider; next->code != SCHEMA_OP_END; next++)
    u->possible &= (uint8_t)(schema_possible_types(p, next) | (SCHEMA_ANY_TYPE & ~schema_with_numbers(next->types)));
  u->sure = u->possible;
  for (next = p->ops + u->decider; next->code != SCHEMA_OP_END; next++)
    u->sure &= (uint8_t)(schema_sure_types(p, next) | (SCHEMA_ANY_TYPE & ~schema_with_numbers(next->types)));
  u->flags &= (uint8_t)~SCHEMA_UNIT_PLAIN;
  if (p->ops[u->decider].code == SCHEMA_OP_END) u->flags |= SCHEMA_UNIT_PLAIN;
  u->least = 0;
  u->most = UINT32_MAX;
  u->only[0] = schema_find_only(p, u, SCHEMA_ARRAY);
  u->only[1] = schema_find_only(p, u, SCHEMA_OBJECT);
}

FL_PRIVATE void schema_settle(struct schema_program *p, uint32_t unit) {
  struct schema_unit *u = &p->units[unit];
  const struct schema_op *op = &p->ops[u->first];
  u->decider = u->first + (op->code == SCHEMA_OP_TYPE && !op->b);
  schema_find_sure(p, unit);
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
