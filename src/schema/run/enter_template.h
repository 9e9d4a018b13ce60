/* SPDX-License-Identifier: MIT
** enter_template.h -- template, included by evaluate_template.h: frames, and entering a unit for a child, the same
** value or a name.
** Must hold: as there.
** Parameters: those of evaluate_template.h. */

#if SCHEMA_REPORTS
#define SCHEMA_BLAME(f, x, y) ((f)->keyword = (uint8_t)(x), (f)->place = (y))
#else
#define SCHEMA_BLAME(f, x, y) ((void)0)
#endif
/* Whether an operation has the same value, or all children, pass the units that it names: it chooses none. */
#define SCHEMA_LEADS(op, is_same) \
  ((is_same) ? (op)->code == SCHEMA_OP_CALL : (op)->code == SCHEMA_OP_OBJECT || (op)->code == SCHEMA_OP_ITEMS)

static int SCHEMA(push)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                        unsigned types, unsigned all_types, int is_same, int is_quiet, int merges) {
  const struct schema_unit *u = &k->is.program->units[unit];
  struct SCHEMA(frame) *f = SCHEMA(top)(k), *g;
  const uint32_t depth = f->depth + !is_same, chain = is_same ? f->chain + 1 : 0;
  const int is_collection = (types & (SCHEMA_ARRAY | SCHEMA_OBJECT)) != 0;
  const int is_name = is_same && f->is_name, decides = is_quiet && !k->is.fills;
  const uintptr_t visit = is_same ? f->visit : ++k->is.visits;
  const struct value value = *v; /* copied, because it may be in a frame, and frames move */
  int is_kept = 0;
  if (FL_UNLIKELY(depth > k->values.walk.max_depth)) return value_fail(&k->values.walk, VALUE_ERROR_DEPTH);
  if (FL_UNLIKELY(chain > k->is.program->unit_count)) return value_fail(&k->values.walk, VALUE_ERROR_STEPS);
  if (u->flags & SCHEMA_UNIT_SHARED && !merges && !k->is.fills && schema_asks_results(&k->is.results)) {
    const int result = schema_recall_result(&k->is, unit,
                                            is_collection ? SCHEMA(identity)(k, node) : SCHEMA_VISIT_OF(visit));
    /* in a branch the reason was reported already */
    if (result > 0 || (result == 0 && (is_quiet || k->is.branches > 0))) return result;
    is_kept = result < 0;
  }
  if (FL_UNLIKELY(k->is.depth == k->is.room) &&
      !value_grow(&k->values.walk, SCHEMA_BLOCK_FRAMES, &k->is.frames, &k->is.room, k->is.depth, sizeof *f))
    return 0;
  k->is.depth++;
  g = SCHEMA(top)(k);
  f = g - 1;
  g->node = is_same ? node : VALUE(hold)(&k->values, node);
  g->value = value;
  g->op = k->is.program->ops + (decides ? u->decider : u->first);
  g->unit = unit;
  g->visit = visit;
  g->depth = depth;
  g->chain = chain;
  g->types = (uint8_t)types;
  g->all_types = (uint8_t)all_types;
  g->is_same = (uint8_t)is_same;
  g->is_quiet = (uint8_t)is_quiet;
  g->tracks = (uint8_t)(is_collection && (merges || (decides ? schema_tracks(u) : u->flags & SCHEMA_UNIT_TRACKS)));
  g->merges = (uint8_t)merges;
  g->is_name = (uint8_t)is_name;
  g->is_failed = g->is_bad = 0;
  g->is_kept = (uint8_t)is_kept;
  g->skips = f->skips && SCHEMA_LEADS(f->op, is_same);
  g->fills = SCHEMA(mark_fills)(k);
  if (FL_UNLIKELY(g->tracks)) {
    g->children = 0;
    if (merges) g->children = f->children;
    else if (types & SCHEMA_ARRAY) (void)VALUE(length)(&k->values, g->node, &g->children);
    else g->children = VALUE(members)(&k->values, g->node);
    g->bits = k->is.bits_count;
    if (k->values.walk.error || !schema_push_bits(&k->is, (size_t)(g->children / 64) + 1)) return 0;
  }
  return SCHEMA(pushed);
}

/* Pops the last frame. */
static int SCHEMA(pop)(struct SCHEMA(run_of) * k, int result) {
  const struct SCHEMA(frame) *f = SCHEMA(top)(k);
  if (FL_UNLIKELY(f->tracks)) {
    if (f->merges && result) {
      const size_t to = f[-1].bits, words = (size_t)(f->children / 64) + 1;
      size_t i;
      for (i = 0; i < words; i++) k->is.bits[to + i] |= k->is.bits[f->bits + i];
    }
    k->is.bits_count = f->bits;
  }
  if (f->is_kept && !k->values.walk.error) {
    const int is_collection = (f->types & (SCHEMA_ARRAY | SCHEMA_OBJECT)) != 0;
    (void)schema_keep_result(&k->is, f->unit, is_collection ? SCHEMA(identity)(k, f->node) : SCHEMA_VISIT_OF(f->visit),
                             result);
  }
  if (!result && k->is.branches) SCHEMA(drop_fills)(k, f->fills);
  k->is.depth--;
  return result;
}

#if SCHEMA_DECIDES
static int SCHEMA(decide)(struct SCHEMA(run_of) * k, const struct schema_unit *u, VALUE(node) node,
                          const struct value *v, unsigned types, unsigned all, uint32_t depth);
#if SCHEMA_LOOKS_UP
static int SCHEMA(decide_list)(struct SCHEMA(run_of) * k, const struct schema_unit *u, const char *items, size_t n,
                               uint32_t depth);
#endif
#endif

/* Begins with the operations of a unit. */
static int SCHEMA(begin_)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                          unsigned types, unsigned all, int is_same, int is_quiet, int merges, uint32_t depth) {
#if SCHEMA_DECIDES
  const struct schema_unit *u = &k->is.program->units[unit];
  if (is_quiet && !merges && u->size <= k->is.small) {
    if (FL_UNLIKELY(depth > k->values.walk.max_depth)) return value_fail(&k->values.walk, VALUE_ERROR_DEPTH);
    return SCHEMA(decide)(k, u, node, v, types, all, depth);
  }
#endif
  (void)depth;
  return SCHEMA(push)(k, unit, node, v, types, all, is_same, is_quiet, merges);
}

/* Checks a value at `depth` by a unit or its stand-in. `all`: its types; `types`: as the unit sees it. */
FL_INLINE int SCHEMA(begin)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                            unsigned types, unsigned all, int is_same, int is_quiet, int merges, uint32_t depth) {
  const struct schema_unit *u = &k->is.program->units[unit];
  if (is_quiet) {
    if (!(u->types & types)) return 0;
    if (u->flags & SCHEMA_UNIT_PLAIN) return 1;
  }
  if (u->flags & SCHEMA_UNIT_LEAF) return SCHEMA(leaf)(k, unit, node, v, types, !is_same, is_quiet);
  return SCHEMA(begin_)(k, unit, node, v, types, all, is_same, is_quiet, merges, depth);
}

static int SCHEMA(enter_child_)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) child, int is_quiet,
                                uint32_t depth) {
  struct value v;
  unsigned all, types;
  if (is_quiet) unit = k->is.program->units[unit].stand_in;
  if (unit == SCHEMA_UNIT_TRUE) return 1;
  if (!value_spend(&k->values.walk, 1)) return 0;
#ifdef SCHEMA_SKIPS
  if (SCHEMA(top)(k)->skips && SCHEMA_LEADS(SCHEMA(top)(k)->op, 0) && SCHEMA(ends_before)(k, child, k->is.passed))
    return 1;
#endif
  if (unit == SCHEMA_UNIT_FALSE && is_quiet) return 0;
  v.s = NULL;
  VALUE(read)(&k->values, child, &v);
  all = schema_types_of(&v);
  if (k->values.walk.error) return 0;
  if (FL_UNLIKELY(all == 0) || FL_UNLIKELY(unit == SCHEMA_UNIT_FALSE)) {
#if SCHEMA_REPORTS
    if (!is_quiet) (void)SCHEMA(fail_whole)(k, child, 1, &v, all);
#endif
    return 0;
  }
  types = all;
  if (all & (SCHEMA_ARRAY | SCHEMA_OBJECT) && k->is.empty <= SCHEMA_EMPTY_BOTH && SCHEMA(is_either)(k, child)) {
    all = SCHEMA_ARRAY | SCHEMA_OBJECT;
    types = schema_narrow(&k->is, all, k->is.program->units[unit].types, v.type);
  }
  return SCHEMA(begin)(k, unit, child, &v, types, all, 0, is_quiet, 0, depth);
}

/* Checks the child of the last frame's node found last. */
FL_INLINE int SCHEMA(enter_child)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) child, int is_quiet,
                                  uint32_t depth) {
#if SCHEMA_DECIDES
  if (is_quiet) {
    const struct schema_unit *u = &k->is.program->units[k->is.program->units[unit].stand_in];
    if (u->flags & SCHEMA_UNIT_PLAIN && u->types & schema_types_of_scalar(VALUE(scalar)(&k->values, child))) return 1;
#if SCHEMA_LOOKS_UP
    if (u->types & SCHEMA_ARRAY && u->only[0] != SCHEMA_NONE && u->size <= k->is.small) {
      const char *items;
      const size_t n = VALUE(list)(&k->values, child, &items);
      if (n > 0) return SCHEMA(decide_list)(k, u, items, n, depth);
    }
#endif
  }
#endif
  return SCHEMA(enter_child_)(k, unit, child, is_quiet, depth);
}

/* Checks a value of these types by another unit. */
static int SCHEMA(enter)(struct SCHEMA(run_of) * k, uint32_t unit, VALUE(node) node, const struct value *v,
                         unsigned all, int is_quiet, int merges, uint32_t depth) {
  if (is_quiet) unit = k->is.program->units[unit].stand_in;
  if (unit == SCHEMA_UNIT_TRUE) return 1;
  if (!value_spend(&k->values.walk, 1)) return 0;
  if (unit == SCHEMA_UNIT_FALSE) {
#if SCHEMA_REPORTS
    if (!is_quiet) (void)SCHEMA(fail_whole)(k, node, 0, v, all);
#endif
    return 0;
  }
  return SCHEMA(begin)(k, unit, node, v, schema_narrow(&k->is, all, k->is.program->units[unit].types, v->type), all, 1,
                       is_quiet, merges, depth);
}

/* Checks the last frame's node by another unit. merges: children that it evaluates count for the last frame, too. */
static int SCHEMA(enter_same)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, uint32_t unit, int is_quiet,
                              int merges) {
  if (!f->is_name) VALUE(reset)(&k->values, f->node);
  return SCHEMA(enter)(k, unit, f->node, &f->value, f->all_types, is_quiet, merges && f->tracks, f->depth);
}

/* Checks the name of the member found last. Its failures are causes. */
static int SCHEMA(enter_name)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, uint32_t unit) {
  struct value v;
  int result;
  if (unit == SCHEMA_UNIT_TRUE) return 1;
  if (unit == SCHEMA_UNIT_FALSE || !value_spend(&k->values.walk, 1)) return 0;
  v.type = VALUE_STRING;
  v.s = VALUE(step)(&k->values, f->node, &f->cursor, k->room, &v.n);
  result = SCHEMA(begin)(k, unit, f->node, &v, SCHEMA_STRING, SCHEMA_STRING, 1, f->is_quiet, 0, f->depth);
  if (result == SCHEMA(pushed)) {
    SCHEMA(top)(k)->is_name = 1;
    SCHEMA(top)(k)->visit = ++k->is.visits; /* each name counts as a new value */
  }
  return result;
}
