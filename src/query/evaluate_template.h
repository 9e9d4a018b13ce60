/* SPDX-License-Identifier: MIT
** evaluate_template.h -- template: runs a program over values of one representation, included once for each.
** Must hold: nodes are visited depth first, which gives the order of RFC 9535 without lists of nodes in between. The
** path from the root is an explicit stack of frames. Recursion is only as deep as the query is nested: QUERY_NESTING.
**
** Parameters, both undefined at the end:
**   VALUE(name)       the words of a form: ../values/value.h
**   QUERY(name)       pastes the prefix of the instance's names
**   QUERY_IN_ORDER    if defined, the form has the word in_order(k, *node, top), which visits all arrays and objects
**                     without frames
** and, after the template:
**   emit(k, node)     adds a result to k->results, with the path in k->is if paths are wanted */
#include "program.h"

struct QUERY(run_of) {
  VALUE(form) values;
  struct query_run is;
  VALUE(node) root;
  struct QUERY(cached) * cache;
  void *results;
};

static int QUERY(emit)(struct QUERY(run_of) * k, VALUE(node) node);

enum QUERY(mode) { QUERY(collect), QUERY(exists), QUERY(all), QUERY(only) };

/* A node whose descendants are being visited. */
struct QUERY(frame) {
  VALUE(node) node;
#ifdef QUERY_IN_ORDER
  VALUE(node) top; /* the node is in it */
#endif
  VALUE(cursor) cursor;
  uint32_t segment;  /* whose selectors are applied to it */
  uint32_t selector; /* the next one, or the one being applied; QUERY_NONE: the children of a descendant segment */
  uint8_t is_open;   /* it is being applied to children */
  uint8_t step;      /* what led to the current child: a QUERY(step) */
  uint64_t place;    /* its index; of a slice the next one */
  uint64_t left;     /* of a slice: items left */
};

enum QUERY(step) { QUERY(step_index), QUERY(step_name), QUERY(step_key) };

/* The result of an absolute query in a filter. */
struct QUERY(cached) {
  int is_known, is_measured;
  uint64_t length; /* the function's result, if computed */
  uint64_t count;
  VALUE(node) first;
  struct value value;
};

/* The nodes that a query in a filter has found. */
struct QUERY(found) {
  uint64_t count;
  VALUE(node) first; /* for the mode `only` */
};

enum QUERY(move) { QUERY(failed), QUERY(ended), QUERY(child), QUERY(descend) };

static int QUERY(test)(struct QUERY(run_of) * k, uint32_t expression, VALUE(node) current);
static const struct value *QUERY(operand)(struct QUERY(run_of) * k, uint32_t operand, VALUE(node) current,
                                          struct value *room, VALUE(node) * node);

FL_INLINE struct QUERY(frame) * QUERY(top)(struct QUERY(run_of) * k) {
  return (struct QUERY(frame) *)k->is.frames + k->is.depth - 1;
}

/* Begins with a segment at the node. */
static int QUERY(push)(struct QUERY(run_of) * k, size_t base, VALUE(node) node, uint32_t segment) {
  const struct query_program *p = k->is.program;
  if (FL_UNLIKELY(k->is.depth - base > (size_t)k->values.walk.max_depth + p->segment_count))
    return value_fail(&k->values.walk, VALUE_ERROR_DEPTH);
  if (FL_UNLIKELY(k->is.depth == k->is.room) && !value_grow(&k->values.walk, QUERY_BLOCK_FRAMES, &k->is.frames,
                                                            &k->is.room, k->is.depth, sizeof(struct QUERY(frame))))
    return 0;
  k->is.depth++;
  struct QUERY(frame) *f = QUERY(top)(k);
  f->node = VALUE(hold)(&k->values, node);
#ifdef QUERY_IN_ORDER
  f->top = f->node;
#endif
  f->segment = segment;
  f->selector = p->segments[segment].selector;
  f->is_open = 0;
  return 1;
}

/* Finds the child that a name or an index selects. */
FL_INLINE int QUERY(select)(struct QUERY(run_of) * k, VALUE(node) node, const struct query_selector *s,
                            VALUE(node) * child, uint64_t *place) {
  uint64_t n;
  if (s->kind == QUERY_NAME) return VALUE(member)(&k->values, node, &s->name, child);
  return VALUE(length)(&k->values, node, &n) && query_place(s->start, n, place) &&
         VALUE(item)(&k->values, node, *place, child);
}

FL_INLINE int QUERY(put_path)(struct QUERY(run_of) * k) {
  const struct query_program *p = k->is.program;
  char room[VALUE_STEP_ROOM];
  const char *name;
  size_t i, n;
  if (!query_begin_path(&k->is) || !value_spend(&k->values.walk, k->is.depth / VALUE_BYTES_PER_STEP)) return 0;
  for (i = 0; i < k->is.depth; i++) {
    const struct QUERY(frame) *f = (const struct QUERY(frame) *)k->is.frames + i;
    const struct query_selector *s;
    int fine;
    switch (f->step) {
    case QUERY(step_index): fine = query_put_step(&k->is, NULL, 0, f->place); break;
    case QUERY(step_name):
      s = &p->selectors[f->place];
      fine = query_put_step(&k->is, p->bytes + s->name.at, s->name.length, 0);
      break;
    default:
      name = VALUE(step)(&k->values, f->node, &f->cursor, room, &n);
      fine = query_put_step(&k->is, name, name ? n : 0, n);
    }
    if (!fine) return 0;
  }
  return 1;
}

/* Follows the segments from the node while they are names and indices. Then a result is found, or a frame begins. */
static int QUERY(enter)(struct QUERY(run_of) * k, size_t base, VALUE(node) node, uint32_t segment,
                        enum QUERY(mode) mode, struct QUERY(found) * found) {
  const struct query_program *p = k->is.program;
  VALUE(node) child;
  uint64_t place;
  while (segment != QUERY_NONE) {
    const struct query_segment *s = &p->segments[segment];
    if (!s->is_single || (mode == QUERY(collect) && k->is.wants_paths)) {
      if (!VALUE(is_collection)(&k->values, node)) return 1;
      return QUERY(push)(k, base, node, segment);
    }
    if (!value_spend(&k->values.walk, 1)) return 0;
    if (!QUERY(select)(k, node, &p->selectors[s->selector], &child, &place)) return !k->values.walk.error;
    VALUE(replace)(&k->values, &node, child);
    segment = s->next;
  }
  if (mode == QUERY(collect)) return (!k->is.wants_paths || QUERY(put_path)(k)) && QUERY(emit)(k, node);
  if (mode == QUERY(only) && found->count == 0) VALUE(keep)(&k->values, &found->first, node);
  found->count++;
  return 1;
}

FL_INLINE void QUERY(next_selector)(struct QUERY(run_of) * k, struct QUERY(frame) * f) {
  f->selector = k->is.program->selectors[f->selector].next;
  f->is_open = 0;
}

FL_INLINE void QUERY(open)(struct QUERY(run_of) * k, struct QUERY(frame) * f) {
  if (!f->is_open) VALUE(open)(&k->values, f->node, &f->cursor);
  f->is_open = 1;
  f->step = QUERY(step_key);
}

/* Finds the next child that a wildcard or filter selects; one that has children, if what is wanted is in it. Returns 0
** at the end, or after an error. */
static int QUERY(next_child)(struct QUERY(run_of) * k, struct QUERY(frame) * f, uint32_t expression,
                             VALUE(node) * child) {
  const size_t depth = k->is.depth;
  const int goes_on = k->is.program->segments[f->segment].next != QUERY_NONE;
  const int of_scalars = expression == QUERY_NONE ? 1 : k->is.program->expressions[expression].of_scalars;
  QUERY(open)(k, f);
  while (VALUE(next)(&k->values, f->node, &f->cursor, child)) {
    if (!value_spend(&k->values.walk, 1)) return 0;
    if ((goes_on || of_scalars >= 0) && !VALUE(is_collection)(&k->values, *child)) {
      if (goes_on || !of_scalars) continue;
      return 1;
    }
    if (expression == QUERY_NONE) return 1;
    const int is_selected = QUERY(test)(k, expression, *child);
    if (k->values.walk.error) return 0;
    FL_ASSERT(k->is.depth == depth);
    f = (struct QUERY(frame) *)k->is.frames + depth - 1; /* the frames may have moved */
    if (is_selected) return 1;
  }
  return 0;
}

/* Finds the next child that may have children. Returns 0 at the end, or after an error. */
static int QUERY(next_collection)(struct QUERY(run_of) * k, struct QUERY(frame) * f, VALUE(node) * child) {
  uint64_t seen = 0;
  int found = 0;
  QUERY(open)(k, f);
  const VALUE(node) node = f->node;
  VALUE(cursor) cursor = f->cursor;
  while (!found && VALUE(next)(&k->values, node, &cursor, child)) {
    seen++;
    found = VALUE(is_collection)(&k->values, *child);
  }
  f->cursor = cursor;
  return value_spend(&k->values.walk, seen) && found;
}

FL_INLINE int QUERY(next_of_slice)(struct QUERY(run_of) * k, struct QUERY(frame) * f, const struct query_selector *s,
                                   VALUE(node) * child) {
  uint64_t n;
  if (!f->is_open) {
    f->is_open = 1;
    f->left = VALUE(length)(&k->values, f->node, &n) ? query_slice(s, n, &f->place) : 0;
    f->place -= (uint64_t)s->step;
  }
  if (f->left == 0 || !value_spend(&k->values.walk, 1)) return 0;
  f->left--;
  f->place += (uint64_t)s->step;
  return VALUE(item)(&k->values, f->node, f->place, child);
}

/* Moves to the next node of a descendant segment. Returns how the frame continues; `child`: with that node. */
FL_INLINE enum QUERY(move)
    QUERY(descend_further)(struct QUERY(run_of) * k, struct QUERY(frame) * f, VALUE(node) * child) {
  const struct query_segment *segment = &k->is.program->segments[f->segment];
  if (!segment->is_descendant) return QUERY(ended);
#ifdef QUERY_IN_ORDER
  if (!k->is.wants_paths) {
    if (!VALUE(in_order)(&k->values, &f->node, f->top)) return k->values.walk.error ? QUERY(failed) : QUERY(ended);
    f->selector = segment->selector;
    f->is_open = 0;
    return QUERY(child);
  }
#endif
  if (QUERY(next_collection)(k, f, child) && VALUE(settle)(&k->values, f->node, 1, 0)) return QUERY(descend);
  return k->values.walk.error ? QUERY(failed) : QUERY(ended);
}

/* Runs the next step of the innermost frame. */
static enum QUERY(move) QUERY(advance)(struct QUERY(run_of) * k, VALUE(node) * child) {
  const struct query_program *p = k->is.program;
  const size_t depth = k->is.depth;
  struct QUERY(frame) *f = QUERY(top)(k);
  const int is_below = p->segments[f->segment].is_descendant;
  for (;;) {
    if (f->selector == QUERY_NONE) {
      const enum QUERY(move) move = QUERY(descend_further)(k, f, child);
      if (move != QUERY(child)) return move;
    }
    const struct query_selector *s = &p->selectors[f->selector];
    int found;
    VALUE(reset)(&k->values, f->node);
    if (s->kind <= QUERY_INDEX) {
      f->step = s->kind == QUERY_NAME ? QUERY(step_name) : QUERY(step_index);
      if (!value_spend(&k->values.walk, 1)) return QUERY(failed);
      found = QUERY(select)(k, f->node, s, child, &f->place);
      if (s->kind == QUERY_NAME) f->place = f->selector;
      QUERY(next_selector)(k, f);
    } else if (s->kind == QUERY_SLICE) {
      f->step = QUERY(step_index);
      found = QUERY(next_of_slice)(k, f, s, child);
      if (!found) QUERY(next_selector)(k, f);
    } else {
      found = QUERY(next_child)(k, f, s->expression, child);
      f = (struct QUERY(frame) *)k->is.frames + depth - 1;
      if (!found) QUERY(next_selector)(k, f);
    }
    if (k->values.walk.error) return QUERY(failed);
    if (found) {
      const int is_any = s->kind == QUERY_WILDCARD || s->kind == QUERY_FILTER;
      return VALUE(settle)(&k->values, f->node, is_any, is_below) ? QUERY(child) : QUERY(failed);
    }
  }
}

/* Runs a query from a node. Returns 0 after an error. */
static int QUERY(follow)(struct QUERY(run_of) * k, uint32_t path, VALUE(node) start, enum QUERY(mode) mode,
                         struct QUERY(found) * found) {
  const struct query_program *p = k->is.program;
  const size_t base = k->is.depth;
  const uint64_t enough = mode == QUERY(exists) ? 1 : mode == QUERY(only) ? 2 : UINT64_MAX;
  if (!QUERY(enter)(k, base, VALUE(copy)(&k->values, start), p->paths[path].segment, mode, found)) return 0;
  while (k->is.depth > base) {
    const uint32_t segment = QUERY(top)(k)->segment;
    VALUE(node) child;
    int fine = 1;
    if (mode != QUERY(collect) && found->count >= enough) {
      k->is.depth = base;
      break;
    }
    switch (QUERY(advance)(k, &child)) {
    case QUERY(failed): fine = 0; break;
    case QUERY(ended): k->is.depth--; break;
    case QUERY(child): fine = QUERY(enter)(k, base, child, p->segments[segment].next, mode, found); break;
    case QUERY(descend): fine = QUERY(push)(k, base, child, segment); break;
    }
    if (!fine) {
      k->is.depth = base;
      return 0;
    }
  }
  return 1;
}

/* Continues a singular query from a node that it has found. */
static int QUERY(singular_on)(struct QUERY(run_of) * k, uint32_t segment, VALUE(node) node, VALUE(node) * found) {
  const struct query_program *p = k->is.program;
  for (; segment != QUERY_NONE; segment = p->segments[segment].next) {
    VALUE(node) child;
    uint64_t place;
    if (!value_spend(&k->values.walk, 1)) return 0;
    if (!QUERY(select)(k, node, &p->selectors[p->segments[segment].selector], &child, &place)) return 0;
    VALUE(replace)(&k->values, &node, child);
  }
  *found = node;
  return 1;
}

/* Finds the node of a singular query from `node`. Returns 0 if there is none, or after an error. */
FL_INLINE int QUERY(singular)(struct QUERY(run_of) * k, uint32_t segment, VALUE(node) node, VALUE(node) * found) {
  const struct query_program *p = k->is.program;
  uint64_t place;
  if (segment == QUERY_NONE) return *found = node, 1;
  const struct query_segment *const s = &p->segments[segment];
  if (!value_spend(&k->values.walk, 1)) return 0;
  if (!QUERY(select)(k, node, &p->selectors[s->selector], found, &place)) return 0;
  return s->next == QUERY_NONE || QUERY(singular_on)(k, s->next, *found, found);
}

/* Runs a query of a filter. An absolute one is run only once. In mode `only` the value is read if there is one node. */
static int QUERY(find)(struct QUERY(run_of) * k, uint32_t path, VALUE(node) current, enum QUERY(mode) mode,
                       struct QUERY(cached) * out) {
  const struct query_path *q = &k->is.program->paths[path];
  struct QUERY(cached) *cache = q->is_absolute ? &k->cache[q->cache] : NULL;
  struct QUERY(found) found;
  if (cache && cache->is_known) {
    *out = *cache;
    return 1;
  }
  if (q->is_absolute) current = k->root;
  if (q->is_singular) {
    found.count = (uint64_t)QUERY(singular)(k, q->segment, current, &found.first);
    if (k->values.walk.error) return 0;
  } else {
    found.count = 0;
    if (mode == QUERY(only)) found.first = VALUE(slot)(&k->values);
    if (!QUERY(follow)(k, path, current, mode, &found)) return 0;
  }
  out->is_known = 1;
  out->is_measured = 0;
  out->count = found.count;
  out->value.type = VALUE_NOTHING;
  if (mode == QUERY(only) && found.count == 1) {
    out->first = found.first;
    if (cache) VALUE(remember)(&k->values, q->cache, &out->first);
    VALUE(read)(&k->values, out->first, &out->value);
  }
  if (cache) *cache = *out;
  return 1;
}

/* Returns whether the query finds one node at most, from the current one, so that nothing is remembered of it. */
FL_INLINE int QUERY(is_simple)(const struct query_path *q) { return q->is_singular && !q->is_absolute; }

/* Returns the remembered result of an operand that is an absolute query, or NULL for other operands. */
FL_INLINE struct QUERY(cached) * QUERY(cache_of)(struct QUERY(run_of) * k, uint32_t operand) {
  const struct query_operand *o = &k->is.program->operands[operand];
  const int is_query = o->kind == QUERY_SINGULAR || o->kind == QUERY_VALUE;
  const struct query_path *q = is_query ? &k->is.program->paths[o->of] : NULL;
  return q && q->is_absolute ? &k->cache[q->cache] : NULL;
}

/* Gets the value of an operand that is a function, or a query that may find many nodes. Returns 0 after an error. */
static int QUERY(function)(struct QUERY(run_of) * k, const struct query_operand *o, VALUE(node) current,
                           struct value *v, VALUE(node) * node) {
  struct QUERY(cached) found, *cache;
  const struct value *of;
  uint64_t n;
  switch (o->kind) {
  case QUERY_SINGULAR:
  case QUERY_VALUE:
    if (!QUERY(find)(k, o->of, current, QUERY(only), &found)) return 0;
    *v = found.value;
    if (v->type >= VALUE_ARRAY) *node = found.first;
    return 1;
  case QUERY_COUNT:
    if (!QUERY(find)(k, o->of, current, QUERY(all), &found)) return 0;
    n = found.count;
    break;
  default:
    FL_ASSERT(o->kind == QUERY_LENGTH);
    cache = QUERY(cache_of)(k, o->of);
    if (cache && cache->is_measured) {
      n = cache->length;
      break;
    }
    of = QUERY(operand)(k, o->of, current, v, node);
    if (!of) return 0;
    if (of->type == VALUE_STRING) {
      n = query_count_characters(of->s, of->n);
      if (!value_spend(&k->values.walk, of->n / VALUE_BYTES_PER_STEP)) return 0;
    } else if (of->type == VALUE_ARRAY) {
      if (!VALUE(length)(&k->values, *node, &n)) return 0;
    } else if (of->type == VALUE_OBJECT) {
      n = VALUE(members)(&k->values, *node);
    } else {
      v->type = VALUE_NOTHING;
      return 1;
    }
    if (k->values.walk.error) return 0;
    if (cache) cache->is_measured = 1, cache->length = n;
  }
  v->type = VALUE_NUMBER;
  v->number.form = NUM_IS_INTEGER;
  v->number.is.i = (int64_t)n;
  return 1;
}

/* Returns the value of an operand, maybe in *room; *node is set for an array or object. NULL after an error. */
static const struct value *QUERY(operand)(struct QUERY(run_of) * k, uint32_t operand, VALUE(node) current,
                                          struct value *room, VALUE(node) * node) {
  const struct query_program *p = k->is.program;
  const struct query_operand *o = &p->operands[operand];
  VALUE(node) child;
  if (o->kind <= QUERY_LITERAL_STRING) return &o->literal;
  if (FL_UNLIKELY(o->kind != QUERY_SINGULAR) || FL_UNLIKELY(!QUERY(is_simple)(&p->paths[o->of])))
    return QUERY(function)(k, o, current, room, node) ? room : NULL;
  room->type = VALUE_NOTHING;
  if (!QUERY(singular)(k, p->paths[o->of].segment, current, &child)) return k->values.walk.error ? NULL : room;
  VALUE(read)(&k->values, child, room);
  if (room->type >= VALUE_ARRAY) *node = child;
  return room;
}

/* Runs a comparison, match or search. */
static int QUERY(test_values)(struct QUERY(run_of) * k, const struct query_expression *x, VALUE(node) current) {
  struct value a_room, b_room;
  const struct value *b;
  int order;
  VALUE(node) an = {0};
  VALUE(node) bn = {0};
  const struct value *const a = QUERY(operand)(k, x->a, current, &a_room, &an);
  if (!a || !(b = QUERY(operand)(k, x->b, current, &b_room, &bn))) return 0;
  if (x->kind != QUERY_COMPARE) return query_match(&k->is, x, a, b);
  if (FL_LIKELY(a->type == VALUE_NUMBER) && FL_LIKELY(b->type == VALUE_NUMBER)) {
    order = value_order_numbers(&a->number, &b->number);
  } else if (a->type == b->type && a->type >= VALUE_ARRAY && x->operation != QUERY_LESS &&
             x->operation != QUERY_GREATER) {
    order = VALUE(equal)(&k->values, an, bn) ? 0 : NUM_UNORDERED;
  } else {
    order = value_order(&k->values.walk, a, b);
  }
  return query_holds((enum query_operator)x->operation, order);
}

/* Returns whether the logical expression is true for the node; arbitrary after an error. */
static int QUERY(test)(struct QUERY(run_of) * k, uint32_t expression, VALUE(node) current) {
  const struct query_program *p = k->is.program;
  const struct query_expression *x = &p->expressions[expression];
  const int mark = VALUE(mark)(&k->values);
  struct QUERY(cached) found;
  VALUE(node) child;
  int is_true = 0;
  switch (x->kind) {
  case QUERY_AND:
  case QUERY_OR:
    for (uint32_t part = x->first; part != QUERY_NONE; part = p->expressions[part].next) {
      is_true = QUERY(test)(k, part, current);
      if (is_true != (x->kind == QUERY_AND) || k->values.walk.error) break;
    }
    break;
  case QUERY_EXISTS:
    if (QUERY(is_simple)(&p->paths[x->a])) is_true = QUERY(singular)(k, p->paths[x->a].segment, current, &child);
    else is_true = QUERY(find)(k, x->a, current, QUERY(exists), &found) && found.count > 0;
    break;
  default: is_true = QUERY(test_values)(k, x, current);
  }
  VALUE(trim)(&k->values, mark);
  return is_true != x->negated;
}

/* Runs the whole query. The cache has an entry for each absolute query in a filter. Returns 0 after an error. */
static int QUERY(evaluate)(struct QUERY(run_of) * k) {
  const size_t bytes = k->is.program->caches * sizeof *k->cache;
  if (bytes) {
    k->cache = (struct QUERY(cached) *)value_reserve(&k->values.walk, QUERY_BLOCK_CACHE, bytes, 0);
    if (!k->cache) return 0;
    memset(k->cache, 0, bytes);
  }
  return QUERY(follow)(k, 0, k->root, QUERY(collect), NULL) && !k->values.walk.error;
}

#undef QUERY
#undef QUERY_IN_ORDER
#undef VALUE
