/* SPDX-License-Identifier: MIT
** presence.c -- finds operations that only ask which members an object has, as anyOf of schemas with `required`.
** Must hold: the members that they ask about are among the properties of the object that their unit reads, and each
** property has one bit, whichever unit asks. A name has the same bit in all objects if that is free, because several
** may be asked by the same operation. Visits of a unit are limited, so the time is linear. */
#include "../unit.h"

enum { SCHEMA_PRESENCE_DEPTH = 8 }; /* so deep may a verdict call itself */

struct schema_presence {
  struct schema_program *p;
  struct schema_object *object;
  uint32_t ordinals; /* first of the names' ordinals, among the numbers: from 1, 0 if no operation asks for them */
  uint32_t visits;
};

/* Returns a bit that is free, SCHEMA_BITS without one; tries this one first. */
static uint8_t schema_take_bit(struct schema_object *o, uint32_t bit) {
  uint32_t i;
  for (i = 0, bit &= 31; i < 32 && (bit < o->required || o->asked >> bit & 1); i++) bit = (bit - 1) & 31;
  if (i == 32) return SCHEMA_BITS;
  o->asked |= (uint32_t)1 << bit;
  return (uint8_t)bit;
}

/* Adds the bit of a name to *bits. Returns 0 if it has none. */
static int schema_find_bit(struct schema_presence *is, struct value_name name, uint32_t *bits) {
  const struct schema_program *p = is->p;
  struct schema_property *x = (struct schema_property *)schema_seek_property(p, is->object, p->bytes + name.at,
                                                                             name.length);
  if (!x) return 0;
  if (x->bit == SCHEMA_BITS) x->bit = schema_take_bit(is->object, 32 - p->numbers[is->ordinals + name.number]);
  if (x->bit >= 32) return 0;
  *bits |= (uint32_t)1 << x->bit;
  return 1;
}

/* Likewise, of a pattern. */
static int schema_find_bit_of_pattern(struct schema_presence *is, uint32_t regex, uint32_t *bits) {
  struct schema_pattern *x = is->p->patterns + is->object->patterns, *const end = x + is->object->pattern_count;
  if (is->object->pattern_count > SCHEMA_SMALL) return 0;
  while (x < end && x->regex != regex) x++;
  if (x == end) return 0;
  if (x->bit == SCHEMA_BITS) x->bit = schema_take_bit(is->object, regex);
  if (x->bit >= 32) return 0;
  *bits |= (uint32_t)1 << x->bit;
  return 1;
}

/* Sets the bits of the names that the operation requires. */
static int schema_find_bits(struct schema_presence *is, struct schema_op *op) {
  const struct schema_program *p = is->p;
  uint32_t bits = 0, i;
  for (i = 0; i < op->b; i++)
    if (!schema_find_bit(is, p->names[p->numbers[op->a + i]], &bits)) return 0;
  if (op->c && op->c != bits) return 0;
  op->c = bits;
  return 1;
}

/* Sets the bits of an operation on members, which may only require names, and forbid names and patterns. */
static int schema_find_bits_of_members(struct schema_presence *is, struct schema_object *o) {
  const struct schema_program *p = is->p;
  uint32_t has = 0, lacks = 0, i;
  if (o->additional != SCHEMA_NONE || o->names != SCHEMA_NONE) return 0;
  for (i = 0; i < o->count; i++) {
    const struct schema_property *x = &p->properties[o->first + i];
    if (x->unit != SCHEMA_NONE && x->unit != SCHEMA_UNIT_FALSE) return 0;
    if (x->required && !schema_find_bit(is, x->name, &has)) return 0;
    if (x->unit != SCHEMA_NONE && !schema_find_bit(is, x->name, &lacks)) return 0;
  }
  for (i = 0; i < o->pattern_count; i++) {
    const struct schema_pattern *x = &p->patterns[o->patterns + i];
    if (x->unit != SCHEMA_UNIT_FALSE || !schema_find_bit_of_pattern(is, x->regex, &lacks)) return 0;
  }
  if ((o->has | o->lacks) && (o->has != has || o->lacks != lacks)) return 0;
  o->has = has;
  o->lacks = lacks;
  return 1;
}

static int schema_asks_presence(struct schema_presence *is, struct schema_op *op, unsigned depth);

static int schema_unit_asks_presence(struct schema_presence *is, uint32_t unit, unsigned depth) {
  const struct schema_unit *u = &is->p->units[is->p->units[unit].stand_in];
  struct schema_op *op = is->p->ops + u->decider;
  if (depth == SCHEMA_PRESENCE_DEPTH || is->visits++ == SCHEMA_SMALL || schema_tracks(u)) return 0;
  for (; op->code != SCHEMA_OP_END; op++)
    if (op->types & SCHEMA_OBJECT && !schema_asks_presence(is, op, depth + 1)) return 0;
  return 1;
}

/* Returns whether it depends on the presence of members alone whether an object passes the operation. */
static int schema_asks_presence(struct schema_presence *is, struct schema_op *op, unsigned depth) {
  uint32_t i, unit;
  switch (op->code) {
  case SCHEMA_OP_FALSE:
  case SCHEMA_OP_TYPE: return 1;
  case SCHEMA_OP_REQUIRED: return schema_find_bits(is, op);
  case SCHEMA_OP_OBJECT: return schema_find_bits_of_members(is, &is->p->objects[op->a]);
  case SCHEMA_OP_CALL:
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF:
  case SCHEMA_OP_NOT:
  case SCHEMA_OP_IF:
    for (i = 0; (unit = schema_next_called(is->p, op, &i)) != SCHEMA_NONE;)
      if (!schema_unit_asks_presence(is, unit, depth)) return 0;
    return 1;
  default: return 0;
  }
}

/* Settles the operations of a unit that reads an object's members. */
static void schema_settle_presence(struct schema_presence *is, uint32_t unit, struct schema_op *object) {
  struct schema_op *op = is->p->ops + is->p->units[unit].decider;
  is->object = &is->p->objects[object->a];
  for (; op->code != SCHEMA_OP_END; op++) {
    is->visits = 0;
    if (op == object || op->code == SCHEMA_OP_TYPE || !(op->types & SCHEMA_OBJECT)) continue;
    if (!schema_asks_presence(is, op, 0)) continue;
    op->types |= SCHEMA_OP_SETTLED;
    object->c = unit;
  }
  if (object->c) schema_find_sure(is->p, unit);
}

/* Counts the names that operations ask for. */
static int schema_count_asked(struct schema_compiler *c, uint32_t *ordinals) {
  uint32_t i, k, count = 0;
  if ((*ordinals = schema_add_numbers(c, c->to.name_count)) == SCHEMA_NONE) return 0;
  for (i = 0; i < c->to.op_count; i++) {
    const struct schema_op *op = &c->to.ops[i];
    for (k = 0; op->code == SCHEMA_OP_REQUIRED && k < op->b; k++) {
      uint32_t *to = &c->to.numbers[*ordinals + c->to.numbers[op->a + k]];
      if (!*to) *to = ++count;
    }
  }
  return 1;
}

FL_PRIVATE int schema_find_presence(struct schema_compiler *c) {
  struct schema_program *p = &c->to;
  struct schema_presence is;
  uint32_t unit, i;
  is.p = p;
  if (!schema_count_asked(c, &is.ordinals)) return 0;
  for (i = 0; i < p->property_count; i++)
    p->properties[i].bit = (uint8_t)(p->properties[i].required - 1 < SCHEMA_BITS ? p->properties[i].required - 1
                                                                                 : SCHEMA_BITS);
  for (i = 0; i < p->pattern_count; i++) p->patterns[i].bit = SCHEMA_BITS;
  for (i = 0; i < p->object_count; i++) p->objects[i].asked = p->objects[i].has = p->objects[i].lacks = 0;
  for (unit = SCHEMA_UNITS; unit < p->unit_count; unit++) {
    struct schema_op *op = p->ops + p->units[unit].decider;
    while (op->code != SCHEMA_OP_END && op->code != SCHEMA_OP_OBJECT) op++;
    if (op->code == SCHEMA_OP_OBJECT) schema_settle_presence(&is, unit, op);
  }
  p->number_count = is.ordinals;
  return 1;
}
