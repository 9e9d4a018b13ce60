/* SPDX-License-Identifier: MIT
** decide_template.h -- template, included by evaluate_template.h: decides by recursion whether a value passes a small
** unit.
** Must hold: a unit whose `size` is at most SCHEMA_SMALL does not call itself, even indirectly, so the schema bounds
** the depth (SCHEMA_HEIGHT) and the visits of a value. Nothing is reported, and evaluated children are not needed.
** Nodes live as long as the walk. Explicit frames would take 1.1 to 1.3 times as long on public schemas.
** Parameters: those of evaluate_template.h. */

FL_INLINE int SCHEMA(decide_same)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                                  unsigned all, uint32_t depth) {
  return SCHEMA(enter)(k, unit, node, v, all, 1, 0, depth);
}

#if SCHEMA_LOOKS_UP
/* Checks an array, whose items are these, by a unit of which schema_unit.only says all. */
static int SCHEMA(decide_list)(struct SCHEMA(run_of) * k, const struct schema_unit *u, const char *items, size_t n,
                               uint32_t depth) {
  const struct schema_program *p = k->is.program;
  const struct schema_op *op = &p->ops[u->only[0]];
  size_t i;
  if (FL_UNLIKELY(depth > k->values.walk.max_depth)) return value_fail(&k->values.walk, VALUE_ERROR_DEPTH);
  if (n < u->least || n > u->most) return 0;
  if (op->code == SCHEMA_OP_END || op->c == SCHEMA_UNIT_TRUE) return 1;
  if (!value_spend(&k->values.walk, n + 1)) return 0;
  for (i = 0; i < n; i++) {
    if (i + 2 < n) VALUE(fetch)(items, i + 2);
    if (!SCHEMA(enter_child)(k, op->c, VALUE(item_of)(items, i), 1, depth + 1)) return 0;
  }
  return 1;
}

/* Checks the members that the object names. Returns 1 if valid, 0 if not, -1 if the other members must be checked. */
static int SCHEMA(decide_named)(struct SCHEMA(run_of) * k, const struct schema_object *o, VALUE(node) node,
                                uint32_t depth) {
  const struct schema_property *x = k->is.program->properties + o->first, *const end = x + o->count;
  VALUE(node) child;
  uint64_t count = 0;
  for (; x < end; x++) {
    if (x->unit <= SCHEMA_UNIT_TRUE && !x->required && !o->needs_all) continue;
    if (!value_spend(&k->values.walk, 1)) return 0;
    if (!VALUE(member)(&k->values, node, &x->name, &child)) {
      if (x->required || k->values.walk.error) return 0;
      continue;
    }
    if (x->unit == SCHEMA_NONE) continue;
    count++;
    if (!SCHEMA(enter_child)(k, x->unit, child, 1, depth + 1)) return 0;
  }
  if (!o->needs_all || o->additional == SCHEMA_UNIT_TRUE || VALUE(members)(&k->values, node) == count) return 1;
  return o->additional == SCHEMA_UNIT_FALSE ? 0 : -1;
}
#endif

/* Returns whether the member passes its property and every pattern. Counts required members in *required. */
static int SCHEMA(decide_member)(struct SCHEMA(run_of) * k, const struct schema_object *o, const char *s, size_t n,
                                 VALUE(node) child, uint32_t depth, uint32_t *hint, uint32_t *required) {
  const struct schema_program *p = k->is.program;
  const struct schema_property *x = schema_find_property(p, o, s, n, hint);
  int is_matched = 0;
  uint32_t i;
  if (x) {
    *required += x->required != 0;
    is_matched = x->unit != SCHEMA_NONE;
    if (is_matched && !SCHEMA(enter_child)(k, x->unit, child, 1, depth + 1)) return 0;
  }
  for (i = 0; i < o->pattern_count; i++) {
    const struct schema_pattern *pattern = &p->patterns[o->patterns + i];
    if (!schema_search(&k->is, pattern->regex, s, n)) continue;
    is_matched = 1;
    if (!SCHEMA(enter_child)(k, pattern->unit, child, 1, depth + 1)) return 0;
  }
  return is_matched || o->additional == SCHEMA_NONE || SCHEMA(enter_child)(k, o->additional, child, 1, depth + 1);
}

static int SCHEMA(decide_object)(struct SCHEMA(run_of) * k, const struct schema_object *o, VALUE(node) node,
                                 uint32_t depth) {
  VALUE(cursor) cursor;
  VALUE(node) child;
  char room[VALUE_STEP_ROOM];
  struct value name;
  uint32_t hint = 0, required = 0;
#if SCHEMA_LOOKS_UP
  if (o->pattern_count == 0 && o->names == SCHEMA_NONE &&
      (o->count <= 2 * SCHEMA_FEW || VALUE(members)(&k->values, node) > o->count / 4)) {
    const int result = SCHEMA(decide_named)(k, o, node, depth);
    if (result >= 0) return result && !k->values.walk.error;
  }
#endif
  name.type = VALUE_STRING;
  VALUE(open)(&k->values, node, &cursor);
  while (VALUE(next)(&k->values, node, &cursor, &child)) {
    if (!value_spend(&k->values.walk, 1)) return 0;
    name.s = VALUE(step)(&k->values, node, &cursor, room, &name.n);
    if (o->names != SCHEMA_NONE && !SCHEMA(decide_same)(k, o->names, node, &name, SCHEMA_STRING, depth)) return 0;
    if (!SCHEMA(decide_member)(k, o, name.s, name.n, child, depth, &hint, &required)) return 0;
  }
  return required >= o->required && !k->values.walk.error;
}

static int SCHEMA(decide_items)(struct SCHEMA(run_of) * k, const struct schema_op *op, VALUE(node) node,
                                uint32_t depth) {
  VALUE(cursor) cursor;
  VALUE(node) child;
  uint32_t i;
  VALUE(open)(&k->values, node, &cursor);
  for (i = 0; VALUE(next)(&k->values, node, &cursor, &child); i++) {
    const uint32_t unit = i < op->b ? k->is.program->numbers[op->a + i] : op->c;
    if (i >= op->b && (unit == SCHEMA_NONE || unit == SCHEMA_UNIT_TRUE)) break;
    if (!value_spend(&k->values.walk, 1) || !SCHEMA(enter_child)(k, unit, child, 1, depth + 1)) return 0;
  }
  return 1;
}

static int SCHEMA(decide_contains)(struct SCHEMA(run_of) * k, const struct schema_contains *c, VALUE(node) node,
                                   uint32_t depth) {
  VALUE(cursor) cursor;
  VALUE(node) child;
  uint32_t count = 0;
  VALUE(open)(&k->values, node, &cursor);
  while (count <= c->most && (count < c->least || c->most != SCHEMA_NONE) &&
         VALUE(next)(&k->values, node, &cursor, &child)) {
    if (!value_spend(&k->values.walk, 1)) return 0;
    count += (uint32_t)SCHEMA(enter_child)(k, c->unit, child, 1, depth + 1);
  }
  return count >= c->least && count <= c->most;
}

/* Returns whether the value passes the right number of units: exactly one, or at least one. */
static int SCHEMA(decide_branches)(struct SCHEMA(run_of) * k, const struct schema_op *op, VALUE(node) node,
                                   const struct value *v, unsigned types, unsigned all, uint32_t depth) {
  const uint32_t *unit = k->is.program->numbers + SCHEMA(choose)(k, op, node, types);
  const int most = op->code == SCHEMA_OP_ONE_OF ? 2 : 1;
  int count = 0;
  for (; *unit != SCHEMA_NONE && count < most; unit++) count += SCHEMA(decide_same)(k, *unit, node, v, all, depth);
  return count == 1;
}

/* Returns whether the value passes the unit. `types`: as the unit sees the value; `all`: as it is. */
static int SCHEMA(decide)(struct SCHEMA(run_of) * k, const struct schema_unit *u, VALUE(node) node,
                          const struct value *v, unsigned types, unsigned all, uint32_t depth) {
  const struct schema_program *p = k->is.program;
  const struct schema_op *op;
  VALUE(node) child;
  for (op = p->ops + u->decider; op->code != SCHEMA_OP_END; op++) {
    uint32_t missing = 0;
    int is_valid;
    if (!(op->types & types)) continue;
    if (!value_spend(&k->values.walk, 1)) return 0;
    switch (op->code) {
    case SCHEMA_OP_OBJECT: is_valid = SCHEMA(decide_object)(k, &p->objects[op->a], node, depth); break;
    case SCHEMA_OP_ITEMS: is_valid = SCHEMA(decide_items)(k, op, node, depth); break;
    case SCHEMA_OP_CONTAINS: is_valid = SCHEMA(decide_contains)(k, &p->contains[op->a], node, depth); break;
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF: is_valid = SCHEMA(decide_branches)(k, op, node, v, types, all, depth); break;
    case SCHEMA_OP_CALL: is_valid = SCHEMA(decide_same)(k, op->a, node, v, all, depth); break;
    case SCHEMA_OP_NOT: is_valid = !SCHEMA(decide_same)(k, op->a, node, v, all, depth); break;
    case SCHEMA_OP_IF:
      is_valid = SCHEMA(decide_same)(k, op->a, node, v, all, depth);
      is_valid = SCHEMA(decide_same)(k, is_valid ? op->b : op->c, node, v, all, depth);
      break;
    case SCHEMA_OP_DEPENDENT_SCHEMA:
      is_valid = !VALUE(member)(&k->values, node, &p->names[op->a], &child) ||
                 SCHEMA(decide_same)(k, op->b, node, v, all, depth);
      break;
    default: is_valid = SCHEMA(test)(k, op, node, v, types, &missing);
    }
    if (!is_valid || FL_UNLIKELY(k->values.walk.error)) return 0;
  }
  return 1;
}
