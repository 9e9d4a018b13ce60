/* SPDX-License-Identifier: MIT
** asks.c -- finds branches between which the presence of one member decides, as a reference by `$ref` or the thing
** itself.
** Must hold: an object with the member is invalid for all branches but one, which an object without it does not pass.
*/
#include "../unit.h"

/* Returns the members of all objects that the unit accepts, or NULL if that is not one operation. */
static const struct schema_object *schema_members_of(const struct schema_program *p, uint32_t unit) {
  const struct schema_op *op = p->ops + p->units[p->units[unit].stand_in].decider;
  while (op->code != SCHEMA_OP_OBJECT && op->code != SCHEMA_OP_END) op++;
  return op->code == SCHEMA_OP_OBJECT ? &p->objects[op->a] : NULL;
}

/* Returns whether no object with a member of this name passes the unit. */
static int schema_forbids(const struct schema_program *p, uint32_t unit, struct value_name name) {
  const struct schema_object *o = schema_members_of(p, unit);
  uint32_t i;
  if (!(p->units[p->units[unit].stand_in].types & SCHEMA_OBJECT)) return 1;
  if (!o || o->additional != SCHEMA_UNIT_FALSE || schema_seek_property(p, o, p->bytes + name.at, name.length)) return 0;
  for (i = 0; i < o->pattern_count; i++) {
    const struct schema_regex *x = &p->regexes[p->patterns[o->patterns + i].regex];
    if (!x->is_prefix) return 0; /* it may match */
    if (name.length >= x->length - 1 && memcmp(p->bytes + x->text + 1, p->bytes + name.at, x->length - 1) == 0)
      return 0;
  }
  return 1;
}

/* Returns whether all branches but branch i forbid the member. */
static int schema_others_forbid(const struct schema_program *p, const struct schema_op *op, uint32_t i,
                                struct value_name name) {
  uint32_t k;
  for (k = 0; k < op->b; k++)
    if (k != i && !schema_forbids(p, p->numbers[op->a + k], name)) return 0;
  return 1;
}

FL_PRIVATE uint32_t schema_find_asking(const struct schema_program *p, const struct schema_op *op,
                                       struct value_name *name) {
  uint32_t i, k;
  for (i = 0; i < op->b && op->b <= SCHEMA_FEW; i++) {
    const struct schema_object *o = schema_members_of(p, p->numbers[op->a + i]);
    for (k = 0; o && k < o->count && k < SCHEMA_FEW; k++) {
      const struct schema_property *x = &p->properties[o->first + k];
      if (!x->required || !schema_others_forbid(p, op, i, x->name)) continue;
      *name = x->name;
      return i;
    }
  }
  return SCHEMA_NONE;
}

/* Returns whether the unit of a condition only asks whether an object has one member. */
static int schema_asks_one(const struct schema_program *p, uint32_t unit, struct value_name *name) {
  const struct schema_op *op = p->ops + p->units[p->units[unit].stand_in].decider;
  if (op->code != SCHEMA_OP_REQUIRED || op->b != 1 || op[1].code != SCHEMA_OP_END) return 0;
  *name = p->names[p->numbers[op->a]];
  return 1;
}

FL_PRIVATE int schema_is_alternative(const struct schema_program *p, const struct schema_op *op) {
  struct value_name name;
  return op->code == SCHEMA_OP_IF && schema_asks_one(p, op->a, &name) &&
         (p->units[op->a].types & p->units[p->units[op->c].stand_in].types & ~(unsigned)SCHEMA_OBJECT) == 0 &&
         schema_forbids(p, op->c, name);
}

/* Returns the number + 1 of the table by which one of two units says all about an object, 0 without one. */
static uint32_t schema_asks_of(const struct schema_program *p, const struct schema_unit *u) {
  const struct schema_op *op = p->ops + u->decider, *found = NULL;
  const struct schema_choice *choice;
  uint32_t number;
  if (u->only[1] != SCHEMA_NONE || schema_tracks(u)) return 0;
  for (; op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & SCHEMA_OBJECT) || op->code == SCHEMA_OP_TYPE || op->types & SCHEMA_OP_SETTLED) continue;
    if (found) return 0;
    found = op;
  }
  if (!found || (found->code != SCHEMA_OP_ANY_OF && found->code != SCHEMA_OP_ONE_OF)) return 0;
  if ((number = p->numbers[found->a + found->b + 1]) == 0) return 0;
  choice = &p->choices[number - 1];
  return choice->by_presence && p->numbers[choice->missing] != SCHEMA_NONE &&
                 p->numbers[choice->missing + 1] == SCHEMA_NONE
             ? number
             : 0;
}

FL_PRIVATE void schema_find_asks(struct schema_program *p) {
  uint32_t unit;
  for (unit = SCHEMA_UNITS; unit < p->unit_count; unit++) p->units[unit].asks = schema_asks_of(p, &p->units[unit]);
}
