/* SPDX-License-Identifier: MIT
** constants.c -- const and enum. Scalars are literals; arrays and objects become units: an array must have the same
** length and equal items, an object members of the same names with equal values and no others. */
#include "unit.h"

FL_PRIVATE unsigned schema_type_of(const struct value *v) {
  switch (v->type) {
  case VALUE_NULL: return SCHEMA_NULL;
  case VALUE_FALSE:
  case VALUE_TRUE: return SCHEMA_BOOLEAN;
  case VALUE_NUMBER: return num_is_whole(&v->number) ? SCHEMA_INTEGER : SCHEMA_NUMBER;
  case VALUE_STRING: return SCHEMA_STRING;
  case VALUE_ARRAY: return SCHEMA_ARRAY;
  default: return SCHEMA_OBJECT;
  }
}

FL_PRIVATE uint32_t schema_add_literal(struct schema_part *p, uint32_t place) {
  struct schema_compiler *c = p->c;
  struct schema_literal *literal;
  struct value v;
  uint32_t string = SCHEMA_NONE;
  memset(&v, 0, sizeof v);
  value_texts_read(schema_texts(c, p->source), place, &v);
  if (v.type == VALUE_STRING) string = schema_keep(c, v.s, v.n);
  if (v.type == VALUE_NUMBER) string = schema_keep(c, v.number.text, v.number.n);
  if (c->error.kind || (literal = SCHEMA_ADD(c, LITERALS, c->to.literals, c->to.literal_count)) == NULL)
    return SCHEMA_NONE;
  literal->type = (uint8_t)v.type;
  literal->hash = schema_hash_value(&v);
  if (string != SCHEMA_NONE) {
    literal->at = c->strings[string].at;
    literal->length = c->strings[string].length;
  }
  if (v.type == VALUE_NUMBER) {
    literal->number = v.number;
    literal->number.text = NULL; /* schema_finish sets it */
  }
  return c->to.literal_count - 1;
}

/* Returns whether two literals are equal. Equal strings have the same number. */
static int schema_literals_equal(const struct schema_compiler *c, uint32_t a, uint32_t b) {
  const struct schema_literal *x = &c->to.literals[a], *y = &c->to.literals[b];
  struct num_any i = x->number, j = y->number;
  if (x->type != y->type || x->hash != y->hash) return 0;
  if (x->type == VALUE_STRING) return x->at == y->at;
  if (x->type != VALUE_NUMBER) return 1;
  i.text = c->to.bytes + x->at;
  j.text = c->to.bytes + y->at;
  return num_compare(&i, &j) == 0;
}

/* Hashes n literals from `first` on into slots; duplicates share one. Returns the first slot. */
static uint32_t schema_hash_literals(struct schema_compiler *c, uint32_t first, uint32_t n) {
  const uint32_t mask = schema_slot_mask(n), slots = schema_add_numbers(c, mask + 2);
  uint32_t i, *to;
  if (slots == SCHEMA_NONE) return SCHEMA_NONE;
  to = c->to.numbers + slots;
  *to++ = mask;
  for (i = 0; i < n; i++) {
    const uint32_t hash = c->to.literals[first + i].hash;
    uint32_t at = hash & mask, probes = 0;
    for (; to[at] && !schema_literals_equal(c, first + to[at] - 1, first + i); at = (at + 1) & mask)
      if (++probes > SCHEMA_LONGEST_PROBE) return (void)schema_refuse_hash(c), SCHEMA_NONE;
    if (!to[at]) to[at] = i + 1;
  }
  return slots;
}

/* Adds the scalars of an array as literals. */
static int schema_put_list(struct schema_part *p, uint32_t place) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  const uint32_t first = c->to.literal_count;
  uint32_t i, child, n, slots = SCHEMA_NONE;
  unsigned types = 0;
  SCHEMA_EACH(k, place, i, child) {
    struct value v;
    if (value_texts_is_collection(schema_texts(c, p->source), child)) continue;
    value_texts_read(schema_texts(c, p->source), child, &v);
    types |= schema_type_of(&v);
    if (schema_add_literal(p, child) == SCHEMA_NONE) return 0;
  }
  p->types &= (uint8_t)types;
  n = c->to.literal_count - first;
  if (n > SCHEMA_FEW && (slots = schema_hash_literals(c, first, n)) == SCHEMA_NONE) return 0;
  return schema_put_op_at(p, SCHEMA_OP_ENUM, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_ENUM, place, first, n, slots);
}

FL_PRIVATE int schema_put_scalars(struct schema_part *p) { return schema_put_list(p, p->place); }

/* Compiles an enum that contains arrays or objects: one unit for all scalars, one for each array or object. */
static int schema_put_enum_units(struct schema_part *p, uint32_t place, uint32_t collections) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  const uint32_t has_scalars = collections < k->places[place].n;
  const uint32_t first = schema_add_numbers(c, collections + has_scalars + 2);
  uint32_t i, child, unit, to = first;
  if (first == SCHEMA_NONE) return 0;
  c->to.numbers[first + collections + has_scalars] = SCHEMA_NONE;
  if (has_scalars) {
    if ((unit = schema_unit_of_value(p, place, SCHEMA_IS_SCALARS)) == SCHEMA_NONE) return 0;
    c->to.numbers[to++] = unit;
  }
  SCHEMA_EACH(k, place, i, child) {
    if (!value_texts_is_collection(schema_texts(c, p->source), child)) continue;
    if ((unit = schema_unit_at(p, child, SCHEMA_KEYWORD_CONST)) == SCHEMA_NONE) return 0;
    c->to.numbers[to++] = unit;
  }
  return schema_put_op(p, SCHEMA_OP_ANY_OF, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_ENUM, first, to - first, 0);
}

static int schema_put_enum(struct schema_part *p) {
  struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t place = p->found[SCHEMA_KEYWORD_ENUM];
  uint32_t i, child, collections = 0;
  if (!schema_expect(p, SCHEMA_KEYWORD_ENUM, '[')) return 0;
  if (k->places[place].n == 0) {
    if (p->draft & (SCHEMA_IN_4 | SCHEMA_IN_OPENAPI_30))
      return schema_refuse_part(p, place, SCHEMA_KEYWORD_ENUM, "enum must not be empty");
    p->types = 0;
    return schema_put_op(p, SCHEMA_OP_FALSE, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_ENUM, 0, 0, 0);
  }
  SCHEMA_EACH(k, place, i, child) collections += (uint32_t)value_texts_is_collection(k, child);
  return collections ? schema_put_enum_units(p, place, collections) : schema_put_list(p, place);
}

/* Compiles the array at p->place as a constant: the same number of items, each equal. */
static int schema_put_equal_array(struct schema_part *p) {
  const uint32_t n = schema_texts(p->c, p->source)->places[p->place].n;
  uint32_t first;
  return schema_put_units(p, p->place, SCHEMA_KEYWORD_CONST, &first) &&
         schema_put_op_at(p, SCHEMA_OP_MIN_ITEMS, SCHEMA_ARRAY, SCHEMA_KEYWORD_CONST, p->place, n, 0, 0) &&
         schema_put_op_at(p, SCHEMA_OP_MAX_ITEMS, SCHEMA_ARRAY, SCHEMA_KEYWORD_CONST, p->place, n, 0, 0) &&
         (n == 0 ||
          schema_put_op_at(p, SCHEMA_OP_ITEMS, SCHEMA_ARRAY, SCHEMA_KEYWORD_CONST, p->place, first, n, SCHEMA_NONE));
}

/* Compiles a scalar as a constant. */
static int schema_put_scalar(struct schema_part *p, uint32_t place) {
  const uint32_t of = schema_add_literal(p, place);
  return of != SCHEMA_NONE &&
         schema_put_op_at(p, SCHEMA_OP_CONST, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_CONST, place, of, 0, 0);
}

FL_PRIVATE int schema_put_constant(struct schema_part *p) {
  const char first = schema_first_of(p, p->place);
  const unsigned type = first == '[' ? SCHEMA_ARRAY : SCHEMA_OBJECT;
  if (first != '[' && first != '{') return schema_put_scalar(p, p->place);
  p->types = (uint8_t)type;
  if (!schema_put_op_at(p, SCHEMA_OP_TYPE, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_CONST, p->place, type, 0, 0)) return 0;
  return first == '[' ? schema_put_equal_array(p) : schema_put_equal_object(p);
}

static int schema_put_const(struct schema_part *p) {
  const uint32_t place = p->found[SCHEMA_KEYWORD_CONST];
  struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t of;
  struct value v;
  value_texts_read(k, place, &v);
  p->types &= (uint8_t)schema_type_of(&v);
  if (!value_texts_is_collection(k, place)) return schema_put_scalar(p, place);
  of = schema_unit_at(p, place, SCHEMA_KEYWORD_CONST);
  return of != SCHEMA_NONE && schema_put_op(p, SCHEMA_OP_CALL, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_CONST, of, 0, 0);
}

FL_PRIVATE int schema_put_constants(struct schema_part *p) {
  return (!p->found[SCHEMA_KEYWORD_CONST] || schema_put_const(p)) &&
         (!p->found[SCHEMA_KEYWORD_ENUM] || schema_put_enum(p));
}
