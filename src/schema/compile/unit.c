/* SPDX-License-Identifier: MIT */
#include "unit.h"

/* ------------------------------------------------------------------------------------- names of units */

/* Returns the unit of a place in a scope; adds a new one to the list if needed. */
static uint32_t schema_add_unit(struct schema_compiler *c, const struct schema_target *at, uint32_t scope,
                                enum schema_task_kind kind, enum schema_keyword keyword) {
  const uint32_t hash = schema_hash_pair(at->source, at->place, scope, kind);
  uint32_t slot = hash, i;
  struct schema_unit *unit;
  struct schema_task *task;
  while ((i = schema_index_next(&c->indexes[SCHEMA_UNITS_BY_PLACE], hash, &slot)) != SCHEMA_NONE) {
    unit = &c->to.units[i];
    task = &c->tasks[i];
    if (unit->source != at->source || unit->place != at->place || task->scope != scope || task->kind != kind) continue;
    task->callers++;
    return i;
  }
  i = c->to.unit_count;
  if (i >= schema_most_units(c)) return (void)schema_refuse_size(c, "the schema has too many parts"), SCHEMA_NONE;
  if (!SCHEMA_GROW(c, TASKS, c->tasks, i, 1)) return SCHEMA_NONE;
  if ((unit = SCHEMA_ADD(c, UNITS, c->to.units, c->to.unit_count)) == NULL) return SCHEMA_NONE;
  task = memset(&c->tasks[i], 0, sizeof *task);
  task->scope = scope;
  task->kind = (uint8_t)kind;
  task->callers = 1;
  task->is_part = keyword >= SCHEMA_KEYWORD_DEPENDENT_SCHEMAS && keyword <= SCHEMA_KEYWORD_NOT;
  unit->source = (uint16_t)at->source;
  unit->place = at->place;
  unit->resource = at->resource;
  unit->types = SCHEMA_ANY_TYPE;
  return schema_index_add(c, SCHEMA_UNITS_BY_PLACE, hash, i) ? i : SCHEMA_NONE;
}

FL_PRIVATE uint32_t schema_unit_of_two(struct schema_compiler *c, const struct schema_target *at, uint32_t other,
                                       uint32_t most) {
  if (c->to.unit_count >= most) return SCHEMA_NONE;
  return schema_add_unit(c, at, other, SCHEMA_IS_BOTH, SCHEMA_KEYWORD_ALL_OF);
}

FL_PRIVATE uint32_t schema_unit_of(struct schema_compiler *c, const struct schema_target *target, uint32_t scope,
                                   enum schema_keyword keyword) {
  const char first = schema_first(c, target->source, target->place);
  const unsigned draft = schema_draft_bit(c, target->resource);
  /* these two take booleans in all drafts */
  const int takes_boolean = !(draft & (SCHEMA_IN_4 | SCHEMA_IN_OPENAPI_30)) ||
                            keyword == SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES ||
                            keyword == SCHEMA_KEYWORD_ADDITIONAL_ITEMS;
  if (c->settings->is_lenient && keyword != SCHEMA_KEYWORD_NOT && first != '{' && !(first == 'f' && takes_boolean))
    return SCHEMA_UNIT_TRUE;
  if (first != '{' && !((first == 't' || first == 'f') && takes_boolean)) {
    (void)schema_refuse(c, target->source, target->place, keyword,
                        takes_boolean ? "a schema must be an object or a boolean" : "a schema must be an object");
    return SCHEMA_NONE;
  }
  if (first == 'f') return SCHEMA_UNIT_FALSE;
  c->to.sources[target->source]->resources[target->place] |= c->only_checks ? 0 : (uint32_t)SCHEMA_CHECKED;
  if (first == 't' || c->only_checks || schema_texts(c, target->source)->places[target->place].n == 0)
    return SCHEMA_UNIT_TRUE;
  scope = schema_enter(c, scope, target->resource);
  return scope == SCHEMA_NONE ? SCHEMA_NONE : schema_add_unit(c, target, scope, SCHEMA_IS_SCHEMA, keyword);
}

FL_PRIVATE uint32_t schema_unit_of_value(struct schema_part *p, uint32_t place, enum schema_task_kind kind) {
  const struct schema_target target = {p->source, place, p->resource, SCHEMA_NONE};
  return p->c->only_checks ? SCHEMA_UNIT_TRUE : schema_add_unit(p->c, &target, 0, kind, SCHEMA_KEYWORD_NONE);
}

FL_PRIVATE uint32_t schema_unit_at(struct schema_part *p, uint32_t place, enum schema_keyword keyword) {
  const struct schema_target target = {p->source, place, schema_resource_at(p->c, p->source, place), SCHEMA_NONE};
  if (keyword == SCHEMA_KEYWORD_CONST) return schema_unit_of_value(p, place, SCHEMA_IS_CONSTANT);
  FL_ASSERT(target.resource != SCHEMA_NONE);
  return schema_unit_of(p->c, &target, p->scope, keyword);
}

FL_PRIVATE int schema_put_units(struct schema_part *p, uint32_t place, enum schema_keyword keyword, uint32_t *first) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  uint32_t i, child;
  const uint32_t n = k->places[place].n;
  if ((*first = schema_add_numbers(c, n + 2)) == SCHEMA_NONE) return 0;
  c->to.numbers[*first + n] = SCHEMA_NONE;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t unit = schema_unit_at(p, child, keyword);
    if (unit == SCHEMA_NONE) return 0;
    c->to.numbers[*first + i] = unit;
  }
  return 1;
}

/* ------------------------------------------------------------------------------------- operations */

FL_PRIVATE int schema_put_op_at(struct schema_part *p, enum schema_op_code code, unsigned types,
                                enum schema_keyword keyword, uint32_t place, uint32_t a, uint32_t b, uint32_t d) {
  struct schema_program *to = &p->c->to;
  struct schema_op *op = SCHEMA_ADD(p->c, OPS, to->ops, to->op_count);
  if (!op) return 0;
  op->code = (uint8_t)code;
  op->types = (uint8_t)types;
  op->keyword = (uint8_t)keyword;
  op->is_branch = code == SCHEMA_OP_ANY_OF || code == SCHEMA_OP_ONE_OF || code == SCHEMA_OP_NOT ||
                  code == SCHEMA_OP_IF || code == SCHEMA_OP_CONTAINS ||
                  (code == SCHEMA_OP_CALL && keyword == SCHEMA_KEYWORD_CONST) ||
                  (p->c->settings->is_lenient &&
                   (keyword == SCHEMA_KEYWORD_ALL_OF || code == SCHEMA_OP_DEPENDENT_SCHEMA));
  op->a = a;
  op->b = b;
  op->c = d;
  op->place = place;
  return 1;
}

FL_PRIVATE int schema_put_op(struct schema_part *p, enum schema_op_code code, unsigned types,
                             enum schema_keyword keyword, uint32_t a, uint32_t b, uint32_t d) {
  return schema_put_op_at(p, code, types, keyword, p->found[keyword], a, b, d);
}

FL_PRIVATE uint32_t schema_add_numbers(struct schema_compiler *c, uint32_t n) {
  const uint32_t first = c->to.number_count;
  if (n == 0) return first;
  if (!SCHEMA_GROW(c, NUMBERS, c->to.numbers, first, n)) return SCHEMA_NONE;
  memset(c->to.numbers + first, 0, n * sizeof *c->to.numbers);
  c->to.number_count += n;
  return first;
}

FL_PRIVATE int schema_fill_slots(struct schema_compiler *c, uint32_t *slots, uint32_t mask, uint32_t hash, uint32_t i) {
  uint32_t probes = 0, at = hash & mask;
  for (; slots[at]; at = (at + 1) & mask)
    if (++probes > SCHEMA_LONGEST_PROBE) return schema_refuse_hash(c);
  slots[at] = i + 1;
  return 1;
}

FL_PRIVATE int schema_expect(struct schema_part *p, enum schema_keyword keyword, char first) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  if (schema_first_of(p, p->found[keyword]) == first) return 1;
  return schema_refuse_with(p->c, p->source, p->found[keyword], keyword,
                            first == '['   ? "%s must be an array"
                            : first == '{' ? "%s must be an object"
                                           : "%s must be a string",
                            row->name, row->length);
}

FL_PRIVATE int schema_read_count(struct schema_part *p, enum schema_keyword keyword, uint32_t *n) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  const uint32_t place = p->found[keyword];
  struct value v;
  if (schema_begins_number(schema_first_of(p, place))) {
    double d;
    value_texts_read(schema_texts(p->c, p->source), place, &v);
    d = schema_double_of(&v.number);
    if (d >= 0 && num_is_whole(&v.number)) {
      *n = d >= UINT32_MAX ? UINT32_MAX : (uint32_t)d;
      return 1;
    }
  }
  return schema_refuse_with(p->c, p->source, place, keyword, "%s must be a whole number, 0 or more", row->name,
                            row->length);
}

/* ------------------------------------------------------------------------------------- a unit */

/* Drops keywords that the draft and its vocabularies do not have. */
static void schema_drop_others(struct schema_part *p) {
  int i;
  for (i = 1; i < SCHEMA_KEYWORDS; i++)
    if (p->found[i] && !schema_has_keyword(p->c, p->resource, (enum schema_keyword)i)) p->found[i] = 0;
}

static int schema_put_keywords(struct schema_part *p) {
  const int has_siblings = (p->draft & SCHEMA_FROM_2019) != 0;
  if (p->found[SCHEMA_KEYWORD_REF] && !has_siblings)
    return schema_put_reference(p, SCHEMA_KEYWORD_REF) && (!p->c->settings->is_strict || schema_check_strictly(p));
  return schema_put_types(p) && schema_put_constants(p) && schema_put_numbers(p) && schema_put_strings(p) &&
         schema_put_counts(p) && schema_put_object(p) && schema_put_dependencies(p) && schema_put_items(p) &&
         schema_put_reference(p, SCHEMA_KEYWORD_REF) && schema_put_reference(p, SCHEMA_KEYWORD_DYNAMIC_REF) &&
         schema_put_reference(p, SCHEMA_KEYWORD_RECURSIVE_REF) && schema_put_branches(p) &&
         schema_put_dependent_schemas(p) && schema_put_customs(p) && schema_put_unevaluated(p) &&
         (!p->c->settings->is_strict || schema_check_strictly(p));
}

/* Compiles the keywords. If lenient, an invalid keyword is dropped, and the rest is compiled again from the start. */
static int schema_compile_schema(struct schema_part *p) {
  struct schema_error *e = &p->c->error;
  const uint32_t first = p->c->to.op_count;
  schema_find_keywords(p->c, p->source, p->place, p->found);
  schema_drop_others(p);
  while (!schema_put_keywords(p)) {
    if (!p->c->settings->is_lenient || e->kind != SCHEMA_ERROR_SCHEMA || !p->found[e->keyword]) return 0;
    p->found[e->keyword] = 0;
    p->types = SCHEMA_ANY_TYPE;
    p->c->to.op_count = first;
    e->kind = SCHEMA_ERROR_NONE;
  }
  return 1;
}

/* Returns whether the operation calls no unit, and looks at children only by name or to compare them. */
static int schema_is_leaf(const struct schema_op *op) {
  for (; op->code != SCHEMA_OP_END; op++)
    if (op->code > SCHEMA_OP_DEPENDENT_REQUIRED && op->code != SCHEMA_OP_UNIQUE_ITEMS && op->code != SCHEMA_OP_CUSTOM)
      return 0;
  return 1;
}

static void schema_begin_part(struct schema_compiler *c, struct schema_part *p, const struct schema_target *at,
                              uint32_t scope) {
  p->c = c;
  p->source = at->source;
  p->place = at->place;
  p->resource = at->resource;
  p->scope = scope;
  p->draft = schema_draft_bit(c, at->resource);
  p->types = SCHEMA_ANY_TYPE;
  p->is_part = c->only_checks;
  p->first = c->to.op_count;
}

FL_PRIVATE int schema_check_unit(struct schema_compiler *c, const struct schema_target *at) {
  struct schema_part p;
  schema_begin_part(c, &p, at, 0);
  return schema_compile_schema(&p);
}

FL_PRIVATE int schema_compile_unit(struct schema_compiler *c, uint32_t number) {
  struct schema_unit *unit = &c->to.units[number];
  const struct schema_target at = {unit->source, unit->place, unit->resource, SCHEMA_NONE};
  const struct schema_op *op;
  struct schema_part p;
  int is_fine;
  schema_begin_part(c, &p, &at, c->tasks[number].scope);
  p.is_part = c->tasks[number].is_part;
  switch (c->tasks[number].kind) {
  case SCHEMA_IS_SCHEMA: is_fine = schema_compile_schema(&p); break;
  case SCHEMA_IS_CONSTANT: is_fine = schema_put_constant(&p); break;
  default: is_fine = schema_put_scalars(&p);
  }
  if (!is_fine || !schema_put_op_at(&p, SCHEMA_OP_END, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_NONE, p.place, 0, 0, 0))
    return 0;
  unit = &c->to.units[number]; /* the array may have moved */
  unit->first = p.first;
  unit->types = p.types;
  op = &c->to.ops[p.first];
  if (schema_is_leaf(op)) unit->flags |= SCHEMA_UNIT_LEAF;
  for (; op->code != SCHEMA_OP_END; op++)
    if (op->code == SCHEMA_OP_UNEVALUATED_ITEMS || op->code == SCHEMA_OP_UNEVALUATED_PROPERTIES)
      unit->flags |= SCHEMA_UNIT_TRACKS;
  return 1;
}
