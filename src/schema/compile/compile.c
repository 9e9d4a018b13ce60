/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include "unit.h"

/* Units TRUE and FALSE, and the empty scope. */
static int schema_begin(struct schema_compiler *c) {
  struct schema_part p;
  memset(&p, 0, sizeof p);
  p.c = c;
  if (!SCHEMA_GROW(c, TASKS, c->tasks, 0, SCHEMA_UNITS) || !SCHEMA_GROW(c, UNITS, c->to.units, 0, SCHEMA_UNITS) ||
      !SCHEMA_GROW(c, BINDINGS, c->bindings, 0, 1) || !SCHEMA_ADD(c, SCOPES, c->scopes, c->scope_count))
    return 0;
  memset(c->tasks, 0, SCHEMA_UNITS * sizeof *c->tasks);
  memset(c->to.units, 0, SCHEMA_UNITS * sizeof *c->to.units);
  c->to.unit_count = SCHEMA_UNITS;
  c->to.units[SCHEMA_UNIT_TRUE].types = c->to.units[SCHEMA_UNIT_TRUE].possible = c->to.units[SCHEMA_UNIT_TRUE].sure =
      SCHEMA_ANY_TYPE;
  c->to.units[SCHEMA_UNIT_TRUE].most = UINT32_MAX;
  c->to.units[SCHEMA_UNIT_TRUE].flags = SCHEMA_UNIT_LEAF | SCHEMA_UNIT_PLAIN;
  c->to.units[SCHEMA_UNIT_FALSE].flags = SCHEMA_UNIT_LEAF;
  c->to.units[SCHEMA_UNIT_FALSE].first = c->to.units[SCHEMA_UNIT_FALSE].decider = SCHEMA_UNIT_FALSE;
  c->to.units[SCHEMA_UNIT_FALSE].stand_in = SCHEMA_UNIT_FALSE;
  return schema_put_op(&p, SCHEMA_OP_END, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_NONE, 0, 0, 0) &&
         schema_put_op(&p, SCHEMA_OP_FALSE, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_FALSE, 0, 0, 0) &&
         schema_put_op(&p, SCHEMA_OP_END, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_NONE, 0, 0, 0) &&
         schema_index_add(c, SCHEMA_SCOPES, 0, 0);
}

/* Finds the schema to begin with: the root, or the one that the setting `at` points to. */
static int schema_find_root(struct schema_compiler *c, const char *s, size_t n) {
  const struct schema_text *at = &c->settings->at;
  const uint32_t uri = schema_keep(c, c->settings->uri.s,
                                   schema_without_fragment(c->settings->uri.s, c->settings->uri.n));
  struct schema_target to = {0, 0, 0, SCHEMA_NONE};
  if (uri == SCHEMA_NONE || schema_read_source(c, s, n) == SCHEMA_NONE) return 0;
  c->strings[uri].source = 1;
  if (!schema_add_source(c, 0, uri)) return 0;
  if (at->s && !schema_follow_text(c, 0, *at, &to))
    return schema_refuse_with(c, 0, 0, SCHEMA_KEYWORD_NONE, "%s leads nowhere", at->s, at->n);
  if (!at->s && schema_resource_at(c, 0, 0) == SCHEMA_NONE)
    return schema_refuse(c, 0, 0, SCHEMA_KEYWORD_NONE, "it is an OpenAPI document: say which of its schemas is meant");
  c->to.root = schema_unit_of(c, &to, 0, SCHEMA_KEYWORD_NONE);
  return c->to.root != SCHEMA_NONE;
}

static int schema_check_size(struct schema_compiler *c) {
  const size_t size = (size_t)c->to.op_count + c->to.property_count + c->to.literal_count + c->to.number_count;
  return size <= 4 * schema_budget(c) || schema_refuse_size(c, "the schema has too many parts");
}

/* Compiles the schemas that nothing refers to, only to find their errors, and drops the result. */
static int schema_check_others(struct schema_compiler *c) {
  const uint32_t *resources = c->to.sources[0]->resources;
  const struct schema_program before = c->to;
  uint32_t place;
  c->only_checks = 1;
  for (place = 0; place < schema_texts(c, 0)->count; place++) {
    const struct schema_target at = {0, place, schema_resource_at(c, 0, place), SCHEMA_NONE};
    if (resources[place] == 0 || resources[place] & (uint32_t)SCHEMA_CHECKED) continue;
    if (schema_first(c, 0, place) == '{' && !schema_check_unit(c, &at)) return 0;
  }
  c->to.op_count = before.op_count;
  c->to.object_count = before.object_count;
  c->to.property_count = before.property_count;
  c->to.pattern_count = before.pattern_count;
  c->to.contains_count = before.contains_count;
  c->to.literal_count = before.literal_count;
  c->to.number_count = before.number_count;
  return 1;
}

/* The arrays of a program and their element types, ordered by alignment. */
/* clang-format off */
#define SCHEMA_ARRAYS(X) \
  X(sources, source_count) X(literals, literal_count) X(regexes, regex_count) X(resources, resource_count) \
  X(units, unit_count) X(ops, op_count) X(objects, object_count) X(properties, property_count) \
  X(patterns, pattern_count) X(contains, contains_count) X(choices, choice_count) X(numbers, number_count) \
  X(names, name_count) X(bytes, byte_count)
/* clang-format on */

#define SCHEMA_ALIGN(n) (((n) + 7) & ~(size_t)7)

/* NOLINTBEGIN(bugprone-sizeof-expression): the elements of `sources` are pointers */
static size_t schema_measure(struct schema_compiler *c) {
  size_t size = SCHEMA_ALIGN(sizeof c->to);
  uint32_t i;
#define X(array, count) size += SCHEMA_ALIGN(c->to.count * sizeof *c->to.array);
  SCHEMA_ARRAYS(X)
#undef X
  for (i = 0; i < c->to.regex_count; i++) {
    struct schema_regex *x = &c->to.regexes[i];
    const size_t n = SCHEMA_ALIGN(x->at), m = SCHEMA_ALIGN(x->table);
    x->at = size;
    if (m) x->table = size + n;
    size += n + m;
  }
  return size;
}

FL_PRIVATE struct schema_program *schema_finish(struct schema_compiler *c, void *block) {
  struct schema_program *to = (struct schema_program *)block;
  char *at = (char *)block + SCHEMA_ALIGN(sizeof *to);
  uint32_t i;
  *to = c->to;
#define X(array, count)                                                        \
  if (c->to.count) memcpy(at, c->to.array, c->to.count * sizeof *c->to.array); \
  to->array = (void *)at, at += SCHEMA_ALIGN(c->to.count * sizeof *c->to.array);
  SCHEMA_ARRAYS(X)
#undef X
  /* NOLINTEND(bugprone-sizeof-expression) */
  for (i = 0; i < to->literal_count; i++) {
    struct schema_literal *literal = &to->literals[i];
    if (literal->type == VALUE_NUMBER) literal->number.text = to->bytes + literal->at;
  }
  for (i = 0; i < to->regex_count; i++) {
    struct schema_regex *x = &to->regexes[i];
    struct regex *regex = (struct regex *)(void *)((char *)block + x->at);
    struct regex_compiler r;
    (void)regex_compile(&r, NULL, to->bytes + x->text, x->length); /* sizes are not stored, so measure again */
    *regex = r.size;
    (void)regex_compile(&r, regex, to->bytes + x->text, x->length);
    if (x->table && !regex_make_table(regex, (struct regex_table *)(void *)((char *)block + x->table))) x->table = 0;
  }
  for (i = 0; i < to->source_count; i++) to->sources[i]->compiler = NULL;
  return to;
}

FL_PRIVATE int schema_compile(struct schema_compiler *c, const struct schema_settings *settings, const char *s,
                              size_t n) {
  uint32_t unit;
  memset(c, 0, sizeof *c);
  c->settings = settings;
  schema_list_keywords(c->keywords);
  if (!schema_begin(c) || !schema_find_root(c, s, n)) return 0;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++)
    if (!schema_compile_unit(c, unit) || !schema_check_size(c)) return 0;
  if (!schema_check_circles(c)) return 0;
  if (settings->is_strict && !schema_check_units_strictly(c)) return 0;
  if (!schema_merge_units(c)) return 0;
  schema_find_sizes(c);
  if (!schema_find_choices(c)) return 0;
  schema_find_ranges(c);
  if (!schema_find_presence(c)) return 0;
  schema_find_asks(&c->to);
  if (!settings->at.s && !schema_check_others(c)) return 0;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++)
    if (c->tasks[unit].callers > 1) c->to.units[unit].flags |= SCHEMA_UNIT_SHARED;
  c->size = schema_measure(c);
  return 1;
}
