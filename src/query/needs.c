/* SPDX-License-Identifier: MIT
** needs.c -- what of a value a query can look at, level by level.
** Must hold: as query_find_needs in program.h; linear in the program. */
#include "../values/texts.h"
#include "program.h"

static int query_need_expression(const struct query_program *p, uint32_t expression, unsigned level,
                                 struct value_needs *to);

static int query_is_name_of(const struct query_program *p, const struct value_name *a, const struct value_name *b) {
  return a->length == b->length && memcmp(p->bytes + a->at, p->bytes + b->at, a->length) == 0;
}

static void query_need_name(const struct query_program *p, struct value_level *to, const struct value_name *name) {
  for (unsigned i = 0; i < to->count; i++)
    if (query_is_name_of(p, to->names[i], name)) return;
  if (to->count == VALUE_LEVEL_NAMES) to->members = 1;
  else to->names[to->count++] = name;
}

/* Returns whether two selectors of the segment may find the same value; 1 for many. */
static int query_finds_twice(const struct query_program *p, uint32_t selector) {
  const struct query_selector *const s = p->selectors;
  unsigned count = 0;
  for (uint32_t a = selector; a != QUERY_NONE; a = s[a].next) {
    if (++count > VALUE_LEVEL_NAMES) return 1;
    for (uint32_t b = selector; b != a; b = s[b].next)
      if (s[a].kind != QUERY_NAME || s[b].kind != QUERY_NAME || query_is_name_of(p, &s[a].name, &s[b].name)) return 1;
  }
  return 0;
}

/* Adds what the segments need, of which the first is applied to a value whose children are at *level; sets *level to
** that of the children of what they find. */
static int query_need_path(const struct query_program *p, uint32_t segment, unsigned *level, struct value_needs *to) {
  for (; segment != QUERY_NONE; segment = p->segments[segment].next, ++*level) {
    const struct query_segment *of = &p->segments[segment];
    if (of->is_descendant || *level == VALUE_LEVELS || query_finds_twice(p, of->selector)) return 0;
    struct value_level *at = &to->level[*level];
    if (to->levels <= *level) to->levels = *level + 1;
    for (uint32_t i = of->selector; i != QUERY_NONE; i = p->selectors[i].next) {
      const struct query_selector *s = &p->selectors[i];
      if (s->kind == QUERY_NAME) query_need_name(p, at, &s->name);
      else at->items = 1;
      if (s->kind == QUERY_WILDCARD || s->kind == QUERY_FILTER) at->members = 1;
      if (s->kind == QUERY_FILTER && !query_need_expression(p, s->expression, *level + 1, to)) return 0;
    }
  }
  return 1;
}

/* Adds what a query in a filter needs, and, for its length, the children of what it finds. */
static int query_need_query(const struct query_program *p, uint32_t path, unsigned level, int measures,
                            struct value_needs *to) {
  const struct query_path *q = &p->paths[path];
  if (q->is_absolute) level = 0;
  if (!query_need_path(p, q->segment, &level, to)) return 0;
  if (!measures) return 1;
  if (level == VALUE_LEVELS) return 0;
  to->level[level].items = to->level[level].members = 1;
  if (to->levels <= level) to->levels = level + 1;
  return 1;
}

static int query_need_operand(const struct query_program *p, uint32_t operand, unsigned level, struct value_needs *to) {
  const struct query_operand *o = &p->operands[operand];
  const int measures = o->kind == QUERY_LENGTH;
  if (measures) o = &p->operands[o->of];
  if (o->kind == QUERY_LENGTH) return 1; /* of a number there is none */
  return o->kind < QUERY_SINGULAR || query_need_query(p, o->of, level, measures, to);
}

static int query_is_query(const struct query_operand *o) { return o->kind == QUERY_SINGULAR || o->kind == QUERY_VALUE; }

static int query_need_expression(const struct query_program *p, uint32_t expression, unsigned level,
                                 struct value_needs *to) {
  const struct query_expression *x = &p->expressions[expression];
  switch (x->kind) {
  case QUERY_AND:
  case QUERY_OR:
    for (uint32_t part = x->first; part != QUERY_NONE; part = p->expressions[part].next)
      if (!query_need_expression(p, part, level, to)) return 0;
    return 1;
  case QUERY_EXISTS: return query_need_query(p, x->a, level, 0, to);
  default:
    if (!query_need_operand(p, x->a, level, to)) return 0;
    if (x->regex != QUERY_NONE) return 1;
    if (query_is_query(&p->operands[x->a]) && query_is_query(&p->operands[x->b])) return 0;
    return query_need_operand(p, x->b, level, to);
  }
}

FL_PRIVATE int query_find_needs(const struct query_program *p, struct value_needs *to) {
  unsigned level = 0;
  memset(to, 0, sizeof *to);
  return query_need_path(p, p->paths[0].segment, &level, to);
}
