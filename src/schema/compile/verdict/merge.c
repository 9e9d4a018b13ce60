/* SPDX-License-Identifier: MIT
** merge.c -- makes one list of operations for a verdict of schemas for the same value: of allOf, and of $ref with
** siblings. Operations on all members, or on all items, become one.
** Must hold: a report uses the operations from `first` on, which stay. A value passes the merged list exactly if it
** passes them. Units for two schemas are added to the end of the list of units and merged in their turn; there are at
** most as many as other units, and without one, operations stay apart. Where unevaluatedProperties can be
** additionalProperties (closed.c), it is; an `if` that asks for a member which `else` forbids is anyOf. */
#include "../unit.h"

enum { SCHEMA_MOST_MERGED = 16, SCHEMA_MERGED_CALLS = 8 };

struct schema_merge {
  struct schema_compiler *c;
  uint32_t most_units;
  size_t most_properties;
  uint32_t ops[SCHEMA_MOST_MERGED + 1], count; /* numbers of the operations of a unit */
  unsigned types;                              /* that can be valid */
  int is_called;                               /* some are of other units, or were made anew */
  uint32_t closing;                            /* the unit for members that no other evaluates, or SCHEMA_NONE */
};

/* Lists the operations of a unit and of the units that it calls. Returns 0 if they cannot be merged. */
static int schema_list_ops(struct schema_merge *m, uint32_t unit, int calls) {
  const struct schema_program *p = &m->c->to;
  const struct schema_unit *u = &p->units[unit];
  uint32_t i = u->decider, k;
  if ((schema_tracks(u) && (calls > 0 || m->closing == SCHEMA_NONE)) || calls == SCHEMA_MERGED_CALLS) return 0;
  m->types &= u->types;
  for (; p->ops[i].code != SCHEMA_OP_END; i++) {
    if (p->ops[i].code == SCHEMA_OP_CALL && !p->ops[i].is_branch) {
      m->is_called = 1;
      if (!schema_list_ops(m, p->ops[i].a, calls + 1)) return 0;
      continue;
    }
    if (p->ops[i].code == SCHEMA_OP_UNEVALUATED_PROPERTIES) continue;
    for (k = 0; k < m->count && m->ops[k] != i; k++) continue;
    if (k < m->count) continue;
    if (m->count == SCHEMA_MOST_MERGED) return 0;
    m->ops[m->count++] = i;
  }
  return 1;
}

static uint32_t schema_put_end(struct schema_compiler *c) {
  struct schema_op *op = SCHEMA_ADD(c, OPS, c->to.ops, c->to.op_count);
  if (!op) return 0;
  memset(op, 0, sizeof *op);
  op->types = SCHEMA_ANY_TYPE;
  return 1;
}

static int schema_put_call(struct schema_compiler *c, uint32_t unit) {
  struct schema_op *op = SCHEMA_ADD(c, OPS, c->to.ops, c->to.op_count);
  if (!op) return 0;
  memset(op, 0, sizeof *op);
  op->code = SCHEMA_OP_CALL;
  op->types = SCHEMA_ANY_TYPE;
  op->keyword = SCHEMA_KEYWORD_ALL_OF;
  op->a = unit;
  return 1;
}

/* Returns the unit of values that pass both; SCHEMA_NONE without one. Either may be SCHEMA_NONE, for any value. */
static uint32_t schema_unit_of_both(struct schema_merge *m, uint32_t a, uint32_t b) {
  struct schema_compiler *c = m->c;
  const uint32_t first = c->to.op_count;
  struct schema_target at = {0, 0, 0, SCHEMA_NONE};
  struct schema_unit *u;
  uint32_t unit;
  if (a == SCHEMA_NONE || b == SCHEMA_NONE) return a == SCHEMA_NONE ? b : a;
  a = c->to.units[a].stand_in;
  b = c->to.units[b].stand_in;
  if (a == b || b == SCHEMA_UNIT_TRUE || a == SCHEMA_UNIT_FALSE) return a;
  if (a == SCHEMA_UNIT_TRUE || b == SCHEMA_UNIT_FALSE) return b;
  at.place = a < b ? a : b;
  unit = schema_unit_of_two(c, &at, a < b ? b : a, m->most_units);
  if (unit == SCHEMA_NONE || c->tasks[unit].visit) return unit;
  if (!schema_put_call(c, a) || !schema_put_call(c, b) || !schema_put_end(c)) return SCHEMA_NONE;
  u = &c->to.units[unit];
  u->first = first;
  u->types = c->to.units[a].types & c->to.units[b].types;
  c->tasks[unit].visit = 2;
  schema_settle(&c->to, unit);
  return unit;
}

/* Adds to the object `to` the property x of one of n objects, as all of them see it. */
static int schema_merge_property(struct schema_merge *m, const uint32_t *objects, uint32_t n, struct schema_object *to,
                                 struct schema_property x) {
  struct schema_compiler *c = m->c;
  struct schema_string *string = &c->strings[schema_find_kept(c, c->to.bytes + x.name.at, x.name.length)];
  uint32_t i;
  if (string->property > to->first) return 1;
  string->property = c->to.property_count + 1;
  x.unit = SCHEMA_NONE;
  x.required = 0;
  x.initial = SCHEMA_NONE;
  for (i = 0; i < n; i++) {
    const struct schema_object o = c->to.objects[objects[i]];
    const struct schema_property *y = schema_seek_property(&c->to, &o, c->to.bytes + x.name.at, x.name.length);
    const uint32_t before = x.unit, other = y && y->unit != SCHEMA_NONE ? y->unit : o.additional;
    if (y && y->required) x.required = 1;
    x.unit = schema_unit_of_both(m, before, other);
    if (x.unit == SCHEMA_NONE && other != SCHEMA_NONE) return 0;
  }
  if (x.required) x.required = ++to->required;
  if (!SCHEMA_GROW(c, PROPERTIES, c->to.properties, c->to.property_count, 1)) return 0;
  c->to.properties[c->to.property_count++] = x;
  to->count++;
  return c->to.property_count < m->most_properties;
}

/* Adds the patterns of one object to another. */
static int schema_merge_patterns(struct schema_merge *m, const struct schema_object *o, struct schema_object *to) {
  struct schema_compiler *c = m->c;
  uint32_t i, k;
  for (i = 0; i < o->pattern_count; i++) {
    const struct schema_pattern x = c->to.patterns[o->patterns + i];
    for (k = 0; k < to->pattern_count; k++) {
      const struct schema_pattern *y = &c->to.patterns[to->patterns + k];
      if (y->regex == x.regex && y->unit == x.unit) break;
    }
    if (k < to->pattern_count) continue;
    if (k == SCHEMA_MOST_MERGED || !SCHEMA_GROW(c, PATTERNS, c->to.patterns, c->to.pattern_count, 1)) return 0;
    c->to.patterns[c->to.pattern_count++] = x;
    to->pattern_count++;
  }
  return 1;
}

/* Merges n objects. If one has patterns, none has a unit for additional members. Returns the number of the new one, or
** SCHEMA_NONE. */
static uint32_t schema_merge_objects(struct schema_merge *m, const uint32_t *objects, uint32_t n) {
  struct schema_compiler *c = m->c;
  struct schema_object to;
  uint32_t i, k;
  memset(&to, 0, sizeof to);
  to.first = c->to.property_count;
  to.patterns = c->to.pattern_count;
  to.additional = m->closing;
  to.names = SCHEMA_NONE;
  to.needs_all = m->closing != SCHEMA_NONE;
  for (i = 0; i < n; i++) {
    const struct schema_object o = c->to.objects[objects[i]];
    const uint32_t additional = to.additional, names = to.names;
    to.needs_all |= o.needs_all;
    to.additional = schema_unit_of_both(m, additional, o.additional);
    if (to.additional == SCHEMA_NONE && o.additional != SCHEMA_NONE) return SCHEMA_NONE;
    to.names = schema_unit_of_both(m, names, o.names);
    if (to.names == SCHEMA_NONE && o.names != SCHEMA_NONE) return SCHEMA_NONE;
    if (!schema_merge_patterns(m, &o, &to)) return SCHEMA_NONE;
    for (k = 0; k < o.count; k++)
      if (!schema_merge_property(m, objects, n, &to, c->to.properties[o.first + k])) return SCHEMA_NONE;
  }
  to.is_plain = to.pattern_count == 0 && to.names == SCHEMA_NONE;
  if (!schema_hash_properties(c, &to) || !SCHEMA_GROW(c, OBJECTS, c->to.objects, c->to.object_count, 1))
    return SCHEMA_NONE;
  c->to.objects[c->to.object_count] = to;
  return c->to.object_count++;
}

/* Returns whether the operation can be merged with others of its kind. */
static int schema_is_merged(const struct schema_merge *m, const struct schema_op *op) {
  return op->code == SCHEMA_OP_OBJECT ? m->closing != SCHEMA_NONE || m->c->to.objects[op->a].is_plain
                                      : op->code == SCHEMA_OP_ITEMS && op->b == 0 && op->c != SCHEMA_NONE;
}

/* Merges the listed operations of this kind into the first of them, *op. Others are taken off the list. */
static int schema_merge_ops(struct schema_merge *m, uint32_t from, struct schema_op *op) {
  struct schema_compiler *c = m->c;
  uint32_t objects[SCHEMA_MOST_MERGED], n = 0, i, to = from;
  uint32_t unit = SCHEMA_NONE, before;
  for (i = from; i < m->count; i++) {
    const struct schema_op *x = &c->to.ops[m->ops[i]];
    if (x->code != op->code || !schema_is_merged(m, x)) {
      m->ops[to++] = m->ops[i];
      continue;
    }
    if (op->code == SCHEMA_OP_OBJECT) {
      objects[n++] = x->a;
      continue;
    }
    before = unit;
    unit = schema_unit_of_both(m, before, x->c);
    if (unit == SCHEMA_NONE) return 0;
  }
  if (op->code == SCHEMA_OP_ITEMS) op->c = unit;
  else if ((n > 1 || m->closing != SCHEMA_NONE) && (op->a = schema_merge_objects(m, objects, n)) == SCHEMA_NONE)
    return 0;
  m->count = to;
  return 1;
}

/* Makes an operation on members of the listed one with required names. */
static int schema_require_members(struct schema_merge *m, uint32_t i) {
  struct schema_compiler *c = m->c;
  struct schema_op op = c->to.ops[m->ops[i]];
  struct schema_object to;
  struct schema_property x;
  memset(&to, 0, sizeof to);
  memset(&x, 0, sizeof x);
  to.first = c->to.property_count;
  to.additional = to.names = x.unit = x.initial = SCHEMA_NONE;
  to.is_plain = 1;
  for (; to.count < op.b; to.count++) {
    struct schema_text text;
    x.name = c->to.names[c->to.numbers[op.a + to.count]];
    text.s = c->to.bytes + x.name.at;
    text.n = x.name.length;
    x.hash = schema_hash_bytes(text.s, text.n);
    x.is_plain = (uint8_t)schema_is_plain(text);
    x.required = ++to.required;
    if (!SCHEMA_GROW(c, PROPERTIES, c->to.properties, c->to.property_count, 1)) return 0;
    c->to.properties[c->to.property_count++] = x;
  }
  if (!schema_hash_properties(c, &to) || !SCHEMA_GROW(c, OBJECTS, c->to.objects, c->to.object_count, 1) ||
      !SCHEMA_GROW(c, OPS, c->to.ops, c->to.op_count, 1))
    return 0;
  op.code = SCHEMA_OP_OBJECT;
  op.a = c->to.object_count;
  op.b = 0;
  c->to.objects[c->to.object_count++] = to;
  c->to.ops[m->ops[i] = c->to.op_count++] = op;
  return 1;
}

/* Merges the operations of a unit. Returns 0 after an error. */
static int schema_merge_unit(struct schema_merge *m, uint32_t unit) {
  struct schema_compiler *c = m->c;
  struct schema_op list[SCHEMA_MOST_MERGED];
  uint32_t n = 0, i, first;
  m->count = 0;
  m->types = SCHEMA_ANY_TYPE;
  m->is_called = 0;
  m->closing = schema_find_closing(&c->to, unit);
  if (c->to.units[unit].stand_in != unit || c->to.units[unit].flags & SCHEMA_UNIT_LEAF) return 1;
  if (!schema_list_ops(m, unit, 0)) return 1;
  for (i = 0; i < m->count; i++) {
    if (c->to.ops[m->ops[i]].code != SCHEMA_OP_REQUIRED) continue;
    if (!schema_require_members(m, i)) return 0;
    m->is_called = 1;
  }
  if (m->closing != SCHEMA_NONE ? !schema_is_closed(&c->to, m->ops, m->count) : !m->is_called) return 1;
  for (i = 0; i < m->count;) {
    list[n] = c->to.ops[m->ops[i]];
    if (!schema_is_merged(m, &list[n])) i++;
    else if (!schema_merge_ops(m, i, &list[n])) return !c->error.kind;
    n++;
  }
  first = c->to.op_count;
  if (!SCHEMA_GROW(c, OPS, c->to.ops, first, n)) return 0;
  memcpy(c->to.ops + first, list, n * sizeof *list);
  c->to.op_count += n;
  if (!schema_put_end(c)) return 0;
  c->to.units[unit].decider = first;
  c->to.units[unit].types &= (uint8_t)m->types;
  if (m->closing != SCHEMA_NONE) c->to.units[unit].flags |= SCHEMA_UNIT_CLOSED;
  schema_find_sure(&c->to, unit);
  return 1;
}

/* Makes anyOf of an `if` that asks for a member which `else` forbids: of its condition with `then`, and of `else`. */
static int schema_make_alternative(struct schema_merge *m, struct schema_op *op) {
  struct schema_compiler *c = m->c;
  const uint32_t both = schema_unit_of_both(m, op->a, op->b), first = c->to.number_count;
  if (both == SCHEMA_NONE) return !c->error.kind;
  if (schema_add_numbers(c, 4) == SCHEMA_NONE) return 0;
  c->to.numbers[first] = both;
  c->to.numbers[first + 1] = op->c;
  c->to.numbers[first + 2] = SCHEMA_NONE;
  op->code = SCHEMA_OP_ANY_OF;
  op->keyword = SCHEMA_KEYWORD_ANY_OF;
  op->a = first;
  op->b = 2;
  op->c = 0;
  return 1;
}

/* Does so for all operations of a unit, in a copy of its list. */
static int schema_make_alternatives(struct schema_merge *m, uint32_t unit) {
  struct schema_compiler *c = m->c;
  const uint32_t first = c->to.op_count, from = c->to.units[unit].decider;
  uint32_t n = 0, i, found = 0;
  do found |= (uint32_t)schema_is_alternative(&c->to, &c->to.ops[from + n]);
  while (c->to.ops[from + n++].code != SCHEMA_OP_END);
  if (!found) return 1;
  if (!SCHEMA_GROW(c, OPS, c->to.ops, first, n)) return 0;
  memcpy(c->to.ops + first, c->to.ops + from, n * sizeof *c->to.ops);
  c->to.op_count += n;
  c->to.units[unit].decider = first;
  for (i = 0; i < n; i++) {
    struct schema_op op = c->to.ops[first + i]; /* the list may move */
    if (!schema_is_alternative(&c->to, &op)) continue;
    if (!schema_make_alternative(m, &op)) return 0;
    c->to.ops[first + i] = op;
  }
  return 1;
}

FL_PRIVATE int schema_merge_units(struct schema_compiler *c) {
  struct schema_merge m;
  uint32_t unit, i;
  memset(&m, 0, sizeof m);
  m.c = c;
  m.most_units = schema_most_units(c);
  if (m.most_units > 2 * c->to.unit_count) m.most_units = 2 * c->to.unit_count;
  m.most_properties = c->to.property_count + schema_budget(c) / 8;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count && c->to.property_count < m.most_properties; unit++)
    if (!schema_merge_unit(&m, unit)) return 0;
  for (i = SCHEMA_UNITS; i < c->to.unit_count; i++) {
    for (; unit < c->to.unit_count && c->to.property_count < m.most_properties; unit++)
      if (!schema_merge_unit(&m, unit)) return 0;
    if (!schema_make_alternatives(&m, i)) return 0;
  }
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++) schema_find_sure(&c->to, unit);
  return 1;
}
