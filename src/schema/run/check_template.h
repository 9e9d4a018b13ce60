/* SPDX-License-Identifier: MIT
** check_template.h -- template, included by evaluate_template.h: operations that call no other unit, and units of only
** these; hashes of values.
** Must hold: as there.
** Parameters: those of evaluate_template.h. */

/* Results of entering a unit. */
enum { SCHEMA(invalid), SCHEMA(valid), SCHEMA(pushed), SCHEMA(fresh) };

/* A unit that is being checked. */
struct SCHEMA(frame) {
  VALUE(node) node, child;
  VALUE(cursor) cursor;
  struct value value; /* for arrays and objects only the type is set */
  const struct schema_op *op;
  uintptr_t visit;   /* equal in frames of units for the same value */
  uint64_t children; /* if it tracks: number of items or members */
  uint64_t ordinal;  /* the child's number + 1 */
  uint64_t count;    /* items counted so far */
  size_t bits;       /* if it tracks: index of the first word */
  size_t mark;       /* failures before the operation */
  size_t fills;      /* missing members before the frame */
  size_t nearest;    /* as in schema_found */
  uint64_t nearness;
  uint32_t unit, i, hint;
  uint32_t depth, chain; /* containers around it; units around it for the same node */
  uint32_t place;        /* the place to report if a unit is false */
  uint8_t keyword;
  uint8_t types, all_types; /* as the unit sees the value; as it is */
  uint8_t state;
  uint8_t is_same;   /* has the same node as the frame before */
  uint8_t is_quiet;  /* reports nothing: the first failure ends it */
  uint8_t tracks;    /* records which children were evaluated, */
  uint8_t merges;    /* and passes that to the frame before */
  uint8_t is_name;   /* the value is a member's name, not a node */
  uint8_t is_failed; /* an operation failed; */
  uint8_t is_bad;    /* the current one failed */
  uint8_t is_matched;
  uint8_t is_kept; /* remember the result */
  uint8_t skips;   /* its children were tested by a verdict, as no choice led here: see schema_run.passed */
};

struct SCHEMA(run_of) {
  VALUE(form) values;
  struct schema_run is;
  struct schema_op start[2];
  char room[VALUE_STEP_ROOM]; /* for the name being checked */
};

/* What the instance tells about its nodes: an address or number unique among containers; the offset of the value in its
** text, UINT64_MAX if it has none; whether a table that counts as this type is empty and unmarked. */
FL_INLINE uintptr_t SCHEMA(identity)(struct SCHEMA(run_of) * k, VALUE(node) node);
FL_INLINE int SCHEMA(is_either)(struct SCHEMA(run_of) * k, VALUE(node) node);
#if SCHEMA_REPORTS
static uint64_t SCHEMA(at)(struct SCHEMA(run_of) * k, VALUE(node) node);
/* Runs a keyword of the user's. */
static int SCHEMA(test_custom)(struct SCHEMA(run_of) * k, const struct schema_op *op, VALUE(node) node);
#ifdef SCHEMA_SKIPS
/* Returns whether the value ends before this offset of its text. */
static int SCHEMA(ends_before)(struct SCHEMA(run_of) * k, VALUE(node) node, size_t at);
#endif
#endif

FL_INLINE struct SCHEMA(frame) * SCHEMA(top)(struct SCHEMA(run_of) * k) {
  return (struct SCHEMA(frame) *)k->is.frames + k->is.depth - 1;
}

/* ------------------------------------------------------------------------------------- reporting */

/* Drops the missing members that were found in an invalid value. */
FL_INLINE void SCHEMA(drop_fills)(struct SCHEMA(run_of) * k, size_t mark) {
  if (SCHEMA_REPORTS && FL_UNLIKELY(k->is.fills)) schema_drop_failures(&k->is, mark);
}

/* Begin and end a branch, which may fail without making the value invalid; in it missing required members count. */
FL_INLINE void SCHEMA(begin_branch)(struct SCHEMA(run_of) * k) {
  if (SCHEMA_REPORTS && FL_UNLIKELY(k->is.fills)) k->is.branches++;
}

FL_INLINE void SCHEMA(end_branch)(struct SCHEMA(run_of) * k) {
  if (SCHEMA_REPORTS && FL_UNLIKELY(k->is.fills)) k->is.branches--;
}

FL_INLINE size_t SCHEMA(mark_fills)(const struct SCHEMA(run_of) * k) {
  return SCHEMA_REPORTS && FL_UNLIKELY(k->is.fills) ? k->is.report->count : 0;
}

#if SCHEMA_REPORTS
/* Writes the path of the last frame's node, or of its child. */
static int SCHEMA(put_path)(struct SCHEMA(run_of) * k, int is_child) {
  const struct SCHEMA(frame) *f = (const struct SCHEMA(frame) *)k->is.frames;
  char room[VALUE_STEP_ROOM];
  const char *name;
  size_t i, n;
  schema_begin_path(&k->is);
  for (i = 1; i <= k->is.depth; i++) {
    if (i < k->is.depth ? f[i].is_same : !is_child) continue;
    name = VALUE(step)(&k->values, f[i - 1].node, &f[i - 1].cursor, room, &n);
    if (!schema_put_step(&k->is, name, n, n)) return 0;
  }
  return 1;
}

/* Reports a failure of a value, the last frame's node or its child. */
static int SCHEMA(put_failure)(struct SCHEMA(run_of) * k, VALUE(node) node, int is_child, struct schema_found *found) {
  const struct SCHEMA(frame) *f = SCHEMA(top)(k);
  int mark;
  if (!SCHEMA(put_path)(k, is_child)) return 0;
  found->at = UINT64_MAX;
  found->count = 0;
  if (!f->is_name || is_child) {
    found->at = SCHEMA(at)(k, node);
    mark = VALUE(mark)(&k->values);
    if (found->types & SCHEMA_ARRAY) (void)VALUE(length)(&k->values, node, &found->count);
    else if (found->types & SCHEMA_OBJECT) found->count = VALUE(members)(&k->values, node);
    VALUE(trim)(&k->values, mark);
  }
  return schema_add_failure(&k->is, found);
}

/* Fills in what is known about a failure of the last frame's operation. */
static void SCHEMA(begin_found)(struct SCHEMA(run_of) * k, struct schema_found *found, const struct schema_op *op,
                                uint32_t unit) {
  memset(found, 0, sizeof *found);
  found->op = op;
  found->keyword = op->keyword;
  found->place = op->place;
  found->unit = unit;
  found->mark = k->is.report->count;
}

/* Reports a failure of the last frame's operation at its node. */
static int SCHEMA(fail)(struct SCHEMA(run_of) * k, struct schema_found *found) {
  const struct SCHEMA(frame) *f = SCHEMA(top)(k);
  found->value = &f->value;
  found->types = f->types;
  return SCHEMA(put_failure)(k, f->node, 0, found);
}

/* Reports that a unit is false, or that a value is not JSON. */
static int SCHEMA(fail_whole)(struct SCHEMA(run_of) * k, VALUE(node) node, int is_child, const struct value *v,
                              unsigned types) {
  const struct SCHEMA(frame) *f = SCHEMA(top)(k);
  struct schema_found found;
  SCHEMA(begin_found)(k, &found, f->op, f->unit);
  found.op = NULL;
  found.keyword = f->keyword;
  found.place = f->place;
  found.value = v;
  found.types = types;
  return SCHEMA(put_failure)(k, node, is_child, &found);
}
#endif

/* ------------------------------------------------------------------------------------- hashes */

/* An array or object that is being hashed. */
struct SCHEMA(level) {
  VALUE(node) node;
  VALUE(cursor) cursor;
  uint64_t hash;
};

/* Returns the hash of a value and its children, equal for equal values; 0 also after an error. The node must be above
** all others. */
static uint32_t SCHEMA(hash)(struct SCHEMA(run_of) * k, uint64_t seed, VALUE(node) node, void **levels, size_t *room) {
  char step_room[VALUE_STEP_ROOM];
  struct SCHEMA(level) * level;
  size_t depth = 0, n;
  for (;;) {
    struct value v;
    uint64_t h;
    if (!value_spend(&k->values.walk, 1)) return 0;
    VALUE(read)(&k->values, node, &v);
    if (k->values.walk.error) return 0;
    if (v.type == VALUE_ARRAY || v.type == VALUE_OBJECT) {
      if (depth > k->values.walk.max_depth) return (uint32_t)value_fail(&k->values.walk, VALUE_ERROR_DEPTH);
      if (depth == *room && !value_grow(&k->values.walk, SCHEMA_BLOCK_LEVELS, levels, room, depth, sizeof *level))
        return 0;
      level = (struct SCHEMA(level) *)*levels + depth++;
      level->node = VALUE(hold)(&k->values, node);
      level->hash = schema_stir(seed, (uint64_t)v.type);
      VALUE(open)(&k->values, level->node, &level->cursor);
    } else {
      h = schema_stir(seed, schema_hash_value(&v));
      if (depth == 0) return (uint32_t)h;
    deliver:
      level = (struct SCHEMA(level) *)*levels + depth - 1;
      {
        const char *name = VALUE(step)(&k->values, level->node, &level->cursor, step_room, &n);
        if (name) level->hash += schema_stir(h, schema_hash_bytes(name, n));
        else level->hash = schema_stir(level->hash, h);
      }
    }
    if (VALUE(next)(&k->values, level->node, &level->cursor, &node)) continue;
    if (k->values.walk.error) return 0;
    h = schema_stir(level->hash, seed);
    if (--depth == 0) return (uint32_t)h;
    VALUE(reset)(&k->values, ((struct SCHEMA(level) *)*levels + depth - 1)->node);
    goto deliver;
  }
}

/* Returns whether two items are equal. */
static int SCHEMA(equal_items)(struct SCHEMA(run_of) * k, VALUE(node) node, uint32_t i, uint32_t j) {
  VALUE(node) a, b;
  int is_equal;
  const int mark = VALUE(mark)(&k->values);
  is_equal = VALUE(item)(&k->values, node, i, &a) && VALUE(item)(&k->values, node, j, &b) &&
             VALUE(equal)(&k->values, a, b);
  VALUE(trim)(&k->values, mark);
  k->is.first = i;
  k->is.second = j;
  return is_equal;
}

enum { SCHEMA(pairwise) = 5 }; /* up to this number items are compared in pairs */

/* Returns whether the items of the array are all different. */
static int SCHEMA(is_unique)(struct SCHEMA(run_of) * k, VALUE(node) node) {
  const uint64_t seed = (uintptr_t)k;
  const int mark = VALUE(mark)(&k->values);
  uint64_t n = 0, at, mask = 8;
  uint32_t i, j, *slots;
  void *levels = NULL;
  size_t room = 0;
  if (!VALUE(length)(&k->values, node, &n) || n < 2) return 1;
  if (n > INT32_MAX / 8) return value_fail(&k->values.walk, VALUE_ERROR_STEPS);
  if (n <= SCHEMA(pairwise)) {
    for (i = 1; i < n; i++)
      for (j = 0; j < i; j++)
        if (!value_spend(&k->values.walk, 1) || SCHEMA(equal_items)(k, node, j, i)) return 0;
    return 1;
  }
  while (mask < 2 * n) mask *= 2;
  slots = (uint32_t *)value_reserve(&k->values.walk, SCHEMA_BLOCK_HASHES, (size_t)mask * 2 * sizeof *slots, 0);
  if (!slots) return 0;
  memset(slots, 0, (size_t)mask * 2 * sizeof *slots);
  mask--;
  for (i = 0; i < n; i++) {
    VALUE(node) item;
    uint32_t h;
    if (!VALUE(item)(&k->values, node, i, &item)) return 0;
    h = SCHEMA(hash)(k, seed, item, &levels, &room);
    VALUE(trim)(&k->values, mark);
    if (k->values.walk.error) return 0;
    for (at = h & mask; slots[2 * at + 1]; at = (at + 1) & mask)
      if (!value_spend(&k->values.walk, 1) ||
          (slots[2 * at] == h && SCHEMA(equal_items)(k, node, slots[2 * at + 1] - 1, i)))
        return 0;
    slots[2 * at] = h;
    slots[2 * at + 1] = i + 1;
  }
  return 1;
}

/* ------------------------------------------------------------------------------------- units without calls */

enum { SCHEMA(few) = 16 }; /* names to look for one by one */

/* Returns whether the object has members of these names, from number *i on; if not, sets *i to the first that is
** missing. The first call pays for all. For many names the members of a text are sorted first: looking for n of n one
** by one takes n * n steps. */
static int SCHEMA(has_all)(struct SCHEMA(run_of) * k, VALUE(node) node, uint32_t first, uint32_t count, uint32_t *i) {
  const struct schema_program *p = k->is.program;
  const int mark = VALUE(mark)(&k->values);
  VALUE(node) child;
  if (*i == 0 && !value_spend(&k->values.walk, count)) return 0;
  if (*i == 0 && count > SCHEMA(few)) (void)VALUE(members)(&k->values, node);
  if (k->values.walk.error) return 0;
  for (; *i < count; ++*i) {
    const int is_there = VALUE(member)(&k->values, node, &p->names[p->numbers[first + *i]], &child);
    VALUE(trim)(&k->values, mark);
    if (!is_there) return 0;
  }
  return 1;
}

/* Returns whether the value passes the operation, which calls no unit. */
static int SCHEMA(test)(struct SCHEMA(run_of) * k, const struct schema_op *op, VALUE(node) node, const struct value *v,
                        unsigned types, uint32_t *missing) {
  const struct schema_program *p = k->is.program;
  const int mark = VALUE(mark)(&k->values);
  VALUE(node) child;
  uint64_t n = 0;
  int is_there;
  switch (op->code) {
  case SCHEMA_OP_TYPE:
    if (FL_LIKELY(!op->b)) return (op->a & types) != 0;
    return schema_test(&k->is, op, v, types);
  case SCHEMA_OP_MIN_ITEMS: return v->n >= op->a;
  case SCHEMA_OP_MAX_ITEMS: return v->n <= op->a;
  case SCHEMA_OP_MIN_PROPERTIES: n = VALUE(members)(&k->values, node); return n >= op->a;
  case SCHEMA_OP_MAX_PROPERTIES: n = VALUE(members)(&k->values, node); return n <= op->a;
  case SCHEMA_OP_REQUIRED:
    if (SCHEMA_REPORTS && k->is.fills && !k->is.branches) return 1;
    return SCHEMA(has_all)(k, node, op->a, op->b, missing);
  case SCHEMA_OP_DEPENDENT_REQUIRED:
    is_there = VALUE(member)(&k->values, node, &p->names[op->a], &child);
    VALUE(trim)(&k->values, mark);
    return !is_there || SCHEMA(has_all)(k, node, op->b, op->c, missing);
  case SCHEMA_OP_UNIQUE_ITEMS: return SCHEMA(is_unique)(k, node);
  case SCHEMA_OP_CUSTOM:
#if SCHEMA_REPORTS
    return SCHEMA(test_custom)(k, op, node);
#else
    return value_fail(&k->values.walk, VALUE_ERROR_REDO);
#endif
  default: return schema_test(&k->is, op, v, types);
  }
}

/* Returns the first unit of anyOf or oneOf to try for a verdict, an index in `numbers`: with a table only those that
** can be valid. */
static uint32_t SCHEMA(choose)(struct SCHEMA(run_of) * k, const struct schema_op *op, VALUE(node) node,
                               unsigned types) {
  const struct schema_program *p = k->is.program;
  const uint32_t number = p->numbers[op->a + op->b + 1];
  const struct schema_choice *choice = &p->choices[number - 1];
  uint32_t first = op->a;
  VALUE(node) child;
  struct value v;
  int mark;
  if (!number || types != SCHEMA_OBJECT || k->is.fills || !value_spend(&k->values.walk, 1)) return op->a;
  VALUE(reset)(&k->values, node);
  mark = VALUE(mark)(&k->values);
  if (!VALUE(member)(&k->values, node, &choice->name, &child)) return choice->missing;
  v.s = NULL;
  VALUE(read)(&k->values, child, &v);
  if (v.type != VALUE_STRING) v.n = 0;
  if (v.type < VALUE_ARRAY && value_spend(&k->values.walk, v.n / VALUE_BYTES_PER_STEP))
    first = schema_choose(p, choice, &v);
  VALUE(trim)(&k->values, mark);
  return first;
}

#if SCHEMA_REPORTS
/* Reports that the value failed the unit's operation. *missing: as `test` has set it. */
static int SCHEMA(fail_test)(struct SCHEMA(run_of) * k, const struct schema_op *op, uint32_t unit, VALUE(node) node,
                             const struct value *v, unsigned types, int is_child, uint32_t missing) {
  const struct schema_program *p = k->is.program;
  const int is_required = op->code == SCHEMA_OP_REQUIRED;
  const uint32_t names = is_required ? op->a : op->b, count = is_required ? op->b : op->c;
  struct schema_found found;
  SCHEMA(begin_found)(k, &found, op, unit);
  found.value = v;
  found.types = types;
  if (!is_required && op->code != SCHEMA_OP_DEPENDENT_REQUIRED) return SCHEMA(put_failure)(k, node, is_child, &found);
  do {
    const struct value_name *name = &p->names[p->numbers[names + missing]];
    found.name = p->bytes + name->at;
    found.name_length = name->length;
    found.mark = k->is.report->count;
    if (!SCHEMA(put_failure)(k, node, is_child, &found)) return 0;
    missing++;
    found.types = 0; /* its members are counted once */
  } while (!SCHEMA(has_all)(k, node, names, count, &missing) && !k->values.walk.error);
  return 1;
}
#endif

/* Checks the last frame's node, or its child, by a unit of such operations. */
static int SCHEMA(leaf)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                        unsigned types, int is_child, int is_quiet) {
  const struct schema_unit *u = &k->is.program->units[unit];
  const struct schema_op *op = k->is.program->ops + (is_quiet ? u->decider : u->first);
  int is_valid = 1;
  for (; op->code != SCHEMA_OP_END; op++) {
    uint32_t missing = 0;
    if (!(op->types & types)) continue;
    if (FL_LIKELY(SCHEMA(test)(k, op, node, v, types, &missing))) continue;
    if (is_quiet || k->values.walk.error) return 0;
    is_valid = 0;
#if SCHEMA_REPORTS
    if (!SCHEMA(fail_test)(k, op, unit, node, v, types, is_child, missing)) return 0;
#else
    (void)is_child;
#endif
  }
  return is_valid && !k->values.walk.error;
}
