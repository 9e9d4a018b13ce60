/* SPDX-License-Identifier: MIT
** strict_units.c -- what the option `strict` refuses between the units of a program: branches that are never valid, or
** never looked at, and schemas for one value that allow no common type.
** Must hold: it refuses only what is wrong in any context. Schemas that only collect annotations (an `if` alone, an
** empty branch) may be there for unevaluatedItems and unevaluatedProperties, so they are refused only without these. */
#include "unit.h"

struct schema_strict {
  struct schema_compiler *c;
  const struct schema_unit *unit;
  uint32_t stamp;     /* of the list of branches read last */
  unsigned types;     /* that the unit and the calls before may allow */
  uint8_t is_tracked; /* a unit has unevaluatedItems or unevaluatedProperties */
};

static int schema_refuse_op(const struct schema_strict *is, const struct schema_op *op, uint32_t place,
                            const char *message) {
  const enum schema_keyword keyword = (enum schema_keyword)op->keyword;
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  return schema_refuse_with(is->c, is->unit->source, place, keyword, message, row->name, row->length);
}

static int schema_is_list_of(const struct schema_op *op) {
  return op->keyword == SCHEMA_KEYWORD_ANY_OF || op->keyword == SCHEMA_KEYWORD_ONE_OF;
}

/* ------------------------------------------------------------------------------------- types */

static unsigned schema_types_within(const struct schema_strict *is, uint32_t unit) { return is->c->tasks[unit].types; }

static unsigned schema_types_of_branches(const struct schema_strict *is, const struct schema_op *op) {
  unsigned types = 0;
  uint32_t i;
  for (i = 0; i < op->b; i++) types |= schema_types_within(is, is->c->to.numbers[op->a + i]);
  return types;
}

/* Finds the types that each unit can allow, with those that it calls. These mostly have higher numbers; what a second
** pass does not find is not refused. */
static void schema_find_types(struct schema_strict *is) {
  const struct schema_program *p = &is->c->to;
  uint32_t unit = p->unit_count;
  while (unit-- > 0) {
    const struct schema_op *op = &p->ops[p->units[unit].first];
    unsigned types = unit == SCHEMA_UNIT_TRUE ? SCHEMA_ANY_TYPE : p->units[unit].types;
    for (; op->code != SCHEMA_OP_END; op++) {
      if (op->code == SCHEMA_OP_CALL && !op->is_branch) types &= schema_types_within(is, op->a);
      if ((op->code == SCHEMA_OP_ANY_OF || op->code == SCHEMA_OP_ONE_OF) && schema_is_list_of(op))
        types &= schema_types_of_branches(is, op);
    }
    is->c->tasks[unit].types = (uint8_t)types;
    is->is_tracked |= (p->units[unit].flags & SCHEMA_UNIT_TRACKS) != 0;
  }
}

static int schema_can_be_valid(const struct schema_strict *is, uint32_t unit) {
  return (is->types & schema_types_within(is, unit)) != 0;
}

/* ------------------------------------------------------------------------------------- branches */

/* Refuses a schema of allOf, or a reference, for other types than what is beside it. */
static int schema_check_call(struct schema_strict *is, const struct schema_op *op) {
  if (op->is_branch || op->keyword == SCHEMA_KEYWORD_DYNAMIC_REF || op->keyword == SCHEMA_KEYWORD_RECURSIVE_REF)
    return 1;
  if (!schema_can_be_valid(is, op->a))
    return schema_refuse_op(is, op, op->place, "nothing is valid: %s allows no type that is allowed beside it");
  is->types &= schema_types_within(is, op->a);
  return 1;
}

static int schema_check_branches(struct schema_strict *is, const struct schema_op *op) {
  const struct value_texts *k = schema_texts(is->c, is->unit->source);
  uint32_t i, child;
  if (!schema_is_list_of(op)) return 1;
  is->stamp++;
  SCHEMA_EACH(k, op->place, i, child) {
    const uint32_t unit = is->c->to.numbers[op->a + i], of = is->c->to.units[unit].stand_in;
    if (!schema_can_be_valid(is, unit))
      return schema_refuse_op(is, op, child, "this branch of %s is never valid: its types are not allowed here");
    if (unit == SCHEMA_UNIT_TRUE) {
      if (op->b > 1 && op->code == SCHEMA_OP_ANY_OF && !is->is_tracked)
        return schema_refuse_op(is, op, child, "%s says nothing: this branch takes every value");
    } else if (is->c->tasks[of].stamp == is->stamp) {
      return schema_refuse_op(is, op, child, "this branch of %s is there twice");
    }
    is->c->tasks[of].stamp = is->stamp;
  }
  return 1;
}

/* op->b and op->c: `then` and `else`. */
static int schema_check_if(struct schema_strict *is, const struct schema_op *op) {
  const uint32_t branches[] = {op->b, op->c};
  static const char *const never[] = {"nothing comes from %s to then: it is never valid",
                                      "nothing comes from %s to else: it is always valid"};
  static const char *const wrong[] = {"then after this %s is never valid: its types are not allowed here",
                                      "else after this %s is never valid: its types are not allowed here"};
  int i;
  if (op->b == SCHEMA_UNIT_TRUE && op->c == SCHEMA_UNIT_TRUE)
    return is->is_tracked || schema_refuse_op(is, op, op->place, "%s says nothing without then and else");
  for (i = 0; i < 2; i++) {
    if (branches[i] == SCHEMA_UNIT_TRUE || branches[i] == SCHEMA_UNIT_FALSE) continue;
    if (i == 0 ? !schema_can_be_valid(is, op->a) : op->a == SCHEMA_UNIT_TRUE)
      return schema_refuse_op(is, op, op->place, never[i]);
    if (!schema_can_be_valid(is, branches[i])) return schema_refuse_op(is, op, op->place, wrong[i]);
  }
  return 1;
}

static int schema_check_dependent(struct schema_strict *is, const struct schema_op *op) {
  const unsigned types = schema_types_within(is, op->b);
  return op->b == SCHEMA_UNIT_FALSE || types & SCHEMA_OBJECT ||
         schema_refuse_op(is, op, op->place, "no object is valid with this member: %s excludes objects");
}

/* ------------------------------------------------------------------------------------- arrays and objects */

static int schema_check_contains(struct schema_strict *is, const struct schema_op *op) {
  const struct schema_contains *x = &is->c->to.contains[op->a];
  if (x->unit == SCHEMA_UNIT_FALSE && x->least > 0)
    return schema_refuse_op(is, op, op->place, "no array is valid: %s is false");
  return x->least > 0 || x->most != SCHEMA_NONE || is->is_tracked ||
         schema_refuse_op(is, op, op->place, "%s says nothing: minContains is 0");
}

/* Returns the number of a count of the unit, such as minItems. */
static uint32_t schema_count_of(const struct schema_strict *is, enum schema_op_code code, uint32_t otherwise) {
  const struct schema_op *op = &is->c->to.ops[is->unit->first];
  for (; op->code != SCHEMA_OP_END; op++)
    if (op->code == code) return op->a;
  return otherwise;
}

/* Returns how many items an array may have. */
static uint32_t schema_most_items(const struct schema_strict *is, const struct schema_op *op) {
  uint32_t i;
  for (i = 0; i < op->b; i++)
    if (is->c->to.numbers[op->a + i] == SCHEMA_UNIT_FALSE) return i;
  return op->c == SCHEMA_UNIT_FALSE ? op->b : SCHEMA_NONE;
}

static int schema_check_items(struct schema_strict *is, const struct schema_op *op) {
  const uint32_t most = schema_most_items(is, op), limit = schema_count_of(is, SCHEMA_OP_MAX_ITEMS, SCHEMA_NONE);
  if (schema_count_of(is, SCHEMA_OP_MIN_ITEMS, 0) > most)
    return schema_refuse_op(is, op, op->place, "no array is valid: minItems is more than %s allows");
  if (limit < op->b ||
      (limit == op->b && op->c != SCHEMA_NONE && op->c != SCHEMA_UNIT_FALSE && op->c != SCHEMA_UNIT_TRUE))
    return schema_refuse_op(is, op, op->place, "%s is partly never looked at: maxItems is less");
  return most == SCHEMA_NONE || most == op->b ||
         (most + 1 == op->b && (op->c == SCHEMA_NONE || op->c <= SCHEMA_UNIT_FALSE)) ||
         schema_refuse_op(is, op, op->place, "%s is partly never looked at: no item may be at a place before");
}

/* `required` without other keywords about members. */
static int schema_check_required_alone(struct schema_strict *is, const struct schema_op *op) {
  return op->b <= schema_count_of(is, SCHEMA_OP_MAX_PROPERTIES, SCHEMA_NONE) ||
         schema_refuse_op(is, op, op->place, "no object is valid: more members are required than maxProperties allows");
}

static int schema_check_object(struct schema_strict *is, const struct schema_op *op) {
  const struct schema_object *o = &is->c->to.objects[op->a];
  uint32_t i, most = 0;
  if (o->required > schema_count_of(is, SCHEMA_OP_MAX_PROPERTIES, SCHEMA_NONE))
    return schema_refuse_op(is, op, o->place_of_required,
                            "no object is valid: more members are required than maxProperties allows");
  if (o->additional != SCHEMA_UNIT_FALSE || o->pattern_count) return 1;
  for (i = 0; i < o->count; i++) most += is->c->to.properties[o->first + i].unit != SCHEMA_UNIT_FALSE;
  return schema_count_of(is, SCHEMA_OP_MIN_PROPERTIES, 0) <= most ||
         schema_refuse_op(is, op, o->place_of_additional,
                          "no object is valid: minProperties is more than properties has");
}

static int schema_check_op(struct schema_strict *is, const struct schema_op *op) {
  switch (op->code) {
  case SCHEMA_OP_CALL: return schema_check_call(is, op);
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF: return schema_check_branches(is, op);
  case SCHEMA_OP_NOT:
    return schema_can_be_valid(is, op->a) ||
           schema_refuse_op(is, op, op->place, "%s says nothing here: no value of its types is allowed");
  case SCHEMA_OP_IF: return schema_check_if(is, op);
  case SCHEMA_OP_DEPENDENT_SCHEMA: return schema_check_dependent(is, op);
  case SCHEMA_OP_CONTAINS: return schema_check_contains(is, op);
  case SCHEMA_OP_ITEMS: return schema_check_items(is, op);
  case SCHEMA_OP_REQUIRED: return schema_check_required_alone(is, op);
  case SCHEMA_OP_OBJECT: return schema_check_object(is, op);
  default: return 1;
  }
}

FL_PRIVATE int schema_check_units_strictly(struct schema_compiler *c) {
  struct schema_strict is = {c, NULL, 0, 0, 0};
  const struct schema_op *op;
  uint32_t unit;
  schema_find_types(&is);
  schema_find_types(&is);
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++) {
    is.unit = &c->to.units[unit];
    is.types = is.unit->types;
    for (op = &c->to.ops[is.unit->first]; op->code != SCHEMA_OP_END; op++)
      if (!schema_check_op(&is, op)) return 0;
  }
  return 1;
}
