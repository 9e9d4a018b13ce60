/* SPDX-License-Identifier: MIT
** evaluate_template.h -- template: runs a program over values of one representation, pasted once for each.
** Must hold: nodes are visited depth first, which gives the order of RFC 9535 without lists of nodes in between. The
** way from the root is an explicit stack of frames. What calls itself is only what the query nests: QUERY_NESTING.
**
** Parameters:
**   QUERY(name)       pastes the prefix of the instance's names; forgotten at the end
**   QUERY(node)       the type of a node: how a value is reached
**   QUERY(cursor)     a struct: how far the children of a node were visited
** and, before the template is included:
**   QUERY(run_of)     a struct whose first member is `struct query_run is`
**   is_collection(k, node)               has it children? Asked before `open`
**   value(k, node, *value)               its kind, and what a scalar is
**   member(k, node, selector, *child)    the member with the selector's name; false: there is none
**   length(k, node, *n)                  is it an array? Its length
**   item(k, node, place, *child)         item number `place`, from 0, of an array that is long enough
**   open(k, node, *cursor)               begins with the children
**   next(k, node, *cursor, *child)       the next one; false: there is none. Sets the cursor's step
**   members(k, node)                     the number of members of an object
**   equal(k, a, b)                       are two arrays or objects, or others, equal?
**   put_key(k, node, *cursor)            adds the step to the child that `next` has found to the path
** Nodes are temporary things (slots of a stack, for tables):
**   hold(k, node)             makes the node that was found last, above all others, the one with which a frame begins
**   reset(k, node)            drops what came after the node of a frame
**   replace(k, *node, child)  puts the child in its place
**   copy(k, node)             another one
**   mark(k), trim(k, mark)    drop all that came since
**   emit(k, node)             takes a result
**   slot(k), keep(k, *slot, node)   a slot, and a node that is stored in it
**   remember(k, cache, *node)       keeps a node for the whole run */
#include "run.h"

enum QUERY(mode) { QUERY(collect), QUERY(exists), QUERY(all), QUERY(only) };

/* What is known of a node whose descendants are being visited. */
struct QUERY(frame) {
  QUERY(node) node;
  struct QUERY(cursor) cursor;
  uint32_t segment; /* whose selectors are applied to it */
  uint32_t
      selector; /* the next one, or the one that is being applied; QUERY_NONE: the children of a descendant segment */
  uint8_t is_open; /* it is being applied to children */
  uint8_t step;    /* what led to the current child: a QUERY(step) */
  uint64_t place;  /* its index; of a slice the next one */
  uint64_t left;   /* of a slice: items that are left */
};

enum QUERY(step) { QUERY(step_index), QUERY(step_name), QUERY(step_key) };

/* The result of an absolute query in a filter. */
struct QUERY(cached) {
  int is_known, is_measured;
  uint64_t length; /* what the function gives, if it is measured */
  uint64_t count;
  QUERY(node) first;
  struct query_value value;
};

/* The nodes that a query in a filter has found. */
struct QUERY(found) {
  uint64_t count;
  QUERY(node) first; /* of `only` */
};

enum QUERY(move) { QUERY(failed), QUERY(ended), QUERY(child), QUERY(descend) };

static int QUERY(test)(struct QUERY(run_of) * k, uint32_t expression, QUERY(node) current);

FL_INLINE struct QUERY(frame) * QUERY(top)(struct QUERY(run_of) * k) {
  return (struct QUERY(frame) *)k->is.frames + k->is.depth - 1;
}

/* ------------------------------------------------------------------------------------- frames */

static int QUERY(grow)(struct QUERY(run_of) * k) {
  const size_t room = k->is.room ? 2 * k->is.room : 16;
  void *frames = k->is.memory(k->is.owner, QUERY_BLOCK_FRAMES, room * sizeof(struct QUERY(frame)),
                              k->is.depth * sizeof(struct QUERY(frame)));
  if (!frames) return query_run_fail(&k->is, QUERY_ERROR_MEMORY);
  k->is.frames = frames;
  k->is.room = room;
  return 1;
}

/* Begins with a segment at the node. */
static int QUERY(push)(struct QUERY(run_of) * k, size_t base, QUERY(node) node, uint32_t segment) {
  const struct query_program *p = k->is.program;
  struct QUERY(frame) * f;
  if (FL_UNLIKELY(k->is.depth - base > (size_t)k->is.max_depth + p->segment_count))
    return query_run_fail(&k->is, QUERY_ERROR_DEPTH);
  if (FL_UNLIKELY(k->is.depth == k->is.room) && !QUERY(grow)(k)) return 0;
  k->is.depth++;
  f = QUERY(top)(k);
  f->node = QUERY(hold)(k, node);
  f->segment = segment;
  f->selector = p->segments[segment].selector;
  f->is_open = 0;
  return 1;
}

/* The child that a name or an index selects. */
FL_INLINE int QUERY(select)(struct QUERY(run_of) * k, QUERY(node) node, const struct query_selector *s,
                            QUERY(node) * child, uint64_t *place) {
  uint64_t n;
  if (s->kind == QUERY_NAME) return QUERY(member)(k, node, s, child);
  return QUERY(length)(k, node, &n) && query_place(s->start, n, place) && QUERY(item)(k, node, *place, child);
}

/* ------------------------------------------------------------------------------------- steps */

FL_INLINE int QUERY(put_path)(struct QUERY(run_of) * k) {
  const struct query_program *p = k->is.program;
  size_t i;
  if (!query_begin_path(&k->is) || !query_spend(&k->is, k->is.depth / QUERY_BYTES_PER_STEP)) return 0;
  for (i = 0; i < k->is.depth; i++) {
    const struct QUERY(frame) *f = (const struct QUERY(frame) *)k->is.frames + i;
    const struct query_selector *s;
    int fine;
    switch (f->step) {
    case QUERY(step_index): fine = query_put_step(&k->is, NULL, 0, f->place); break;
    case QUERY(step_name):
      s = &p->selectors[f->place];
      fine = query_put_step(&k->is, p->bytes + s->name, s->length, 0);
      break;
    default: fine = QUERY(put_key)(k, f->node, &f->cursor);
    }
    if (!fine) return 0;
  }
  return 1;
}

/* Follows the segments from the node on as far as they are names and indices; then begins with a frame, or has a
** result. */
static int QUERY(enter)(struct QUERY(run_of) * k, size_t base, QUERY(node) node, uint32_t segment,
                        enum QUERY(mode) mode, struct QUERY(found) * found) {
  const struct query_program *p = k->is.program;
  QUERY(node) child;
  uint64_t place;
  while (segment != QUERY_NONE) {
    const struct query_segment *s = &p->segments[segment];
    if (!s->is_single || (mode == QUERY(collect) && k->is.wants_paths)) {
      if (!QUERY(is_collection)(k, node)) return 1;
      return QUERY(push)(k, base, node, segment);
    }
    if (!query_spend(&k->is, 1)) return 0;
    if (!QUERY(select)(k, node, &p->selectors[s->selector], &child, &place)) return !k->is.error;
    QUERY(replace)(k, &node, child);
    segment = s->next;
  }
  if (mode == QUERY(collect)) return (!k->is.wants_paths || QUERY(put_path)(k)) && QUERY(emit)(k, node);
  if (mode == QUERY(only) && found->count == 0) QUERY(keep)(k, &found->first, node);
  found->count++;
  return 1;
}

FL_INLINE void QUERY(next_selector)(struct QUERY(run_of) * k, struct QUERY(frame) * f) {
  f->selector = k->is.program->selectors[f->selector].next;
  f->is_open = 0;
}

/* The next child that a wildcard or filter selects, or that has children itself; false: there is none, or an error. */
static int QUERY(next_child)(struct QUERY(run_of) * k, struct QUERY(frame) * f, uint32_t expression, int has_children,
                             QUERY(node) * child) {
  const size_t depth = k->is.depth;
  if (!f->is_open) {
    f->is_open = 1;
    QUERY(open)(k, f->node, &f->cursor);
  }
  f->step = QUERY(step_key);
  while (QUERY(next)(k, f->node, &f->cursor, child)) {
    int is_selected;
    if (!query_spend(&k->is, 1)) return 0;
    if (has_children && !QUERY(is_collection)(k, *child)) continue;
    if (expression == QUERY_NONE) return 1;
    is_selected = QUERY(test)(k, expression, *child);
    if (k->is.error) return 0;
    FL_ASSERT(k->is.depth == depth);
    f = (struct QUERY(frame) *)k->is.frames + depth - 1; /* the frames may have moved */
    if (is_selected) return 1;
  }
  return 0;
}

FL_INLINE int QUERY(next_of_slice)(struct QUERY(run_of) * k, struct QUERY(frame) * f, const struct query_selector *s,
                                   QUERY(node) * child) {
  uint64_t n;
  if (!f->is_open) {
    f->is_open = 1;
    f->left = QUERY(length)(k, f->node, &n) ? query_slice(s, n, &f->place) : 0;
    f->place -= (uint64_t)s->step;
  }
  if (f->left == 0 || !query_spend(&k->is, 1)) return 0;
  f->left--;
  f->place += (uint64_t)s->step;
  return QUERY(item)(k, f->node, f->place, child);
}

/* Does the next thing that the innermost frame is for. */
static enum QUERY(move) QUERY(advance)(struct QUERY(run_of) * k, QUERY(node) * child) {
  const struct query_program *p = k->is.program;
  const size_t depth = k->is.depth;
  struct QUERY(frame) *f = QUERY(top)(k);
  while (f->selector != QUERY_NONE) {
    const struct query_selector *s = &p->selectors[f->selector];
    int found;
    QUERY(reset)(k, f->node);
    if (s->kind <= QUERY_INDEX) {
      f->step = s->kind == QUERY_NAME ? QUERY(step_name) : QUERY(step_index);
      if (!query_spend(&k->is, 1)) return QUERY(failed);
      found = QUERY(select)(k, f->node, s, child, &f->place);
      if (s->kind == QUERY_NAME) f->place = f->selector;
      QUERY(next_selector)(k, f);
    } else if (s->kind == QUERY_SLICE) {
      f->step = QUERY(step_index);
      found = QUERY(next_of_slice)(k, f, s, child);
      if (!found) QUERY(next_selector)(k, f);
    } else {
      found = QUERY(next_child)(k, f, s->expression, 0, child);
      f = (struct QUERY(frame) *)k->is.frames + depth - 1;
      if (!found) QUERY(next_selector)(k, f);
    }
    if (k->is.error) return QUERY(failed);
    if (found) return QUERY(child);
  }
  if (!p->segments[f->segment].is_descendant) return QUERY(ended);
  if (QUERY(next_child)(k, f, QUERY_NONE, 1, child)) return QUERY(descend);
  return k->is.error ? QUERY(failed) : QUERY(ended);
}

/* Runs a query from a node on. False: an error. */
static int QUERY(follow)(struct QUERY(run_of) * k, uint32_t path, QUERY(node) start, enum QUERY(mode) mode,
                         struct QUERY(found) * found) {
  const struct query_program *p = k->is.program;
  const size_t base = k->is.depth;
  const uint64_t enough = mode == QUERY(exists) ? 1 : mode == QUERY(only) ? 2 : UINT64_MAX;
  if (!QUERY(enter)(k, base, QUERY(copy)(k, start), p->paths[path].segment, mode, found)) return 0;
  while (k->is.depth > base) {
    const uint32_t segment = QUERY(top)(k)->segment;
    QUERY(node) child;
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

/* ------------------------------------------------------------------------------------- filters */

/* The node of a singular query from `node` on; false: there is none, or an error. */
static int QUERY(singular)(struct QUERY(run_of) * k, uint32_t segment, QUERY(node) node, QUERY(node) * found) {
  const struct query_program *p = k->is.program;
  int is_own = 0; /* was it found here, so that the next one takes its place? */
  for (; segment != QUERY_NONE; segment = p->segments[segment].next) {
    QUERY(node) child;
    uint64_t place;
    if (!query_spend(&k->is, 1)) return 0;
    if (!QUERY(select)(k, node, &p->selectors[p->segments[segment].selector], &child, &place)) return 0;
    if (is_own) QUERY(replace)(k, &node, child);
    else node = child;
    is_own = 1;
  }
  *found = node;
  return 1;
}

/* Runs a query of a filter. The result of an absolute one is found once. In mode `only` the value is read if there is
** one node. */
static int QUERY(find)(struct QUERY(run_of) * k, uint32_t path, QUERY(node) current, enum QUERY(mode) mode,
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
    if (k->is.error) return 0;
  } else {
    found.count = 0;
    if (mode == QUERY(only)) found.first = QUERY(slot)(k);
    if (!QUERY(follow)(k, path, current, mode, &found)) return 0;
  }
  out->is_known = 1;
  out->is_measured = 0;
  out->count = found.count;
  out->value.kind = QUERY_NOTHING;
  if (mode == QUERY(only) && found.count == 1) {
    out->first = found.first;
    if (cache) QUERY(remember)(k, q->cache, &out->first);
    QUERY(value)(k, out->first, &out->value);
  }
  if (cache) *cache = *out;
  return 1;
}

/* The remembered result of an operand that is an absolute query; NULL: it is something else. */
FL_INLINE struct QUERY(cached) * QUERY(cache_of)(struct QUERY(run_of) * k, uint32_t operand) {
  const struct query_operand *o = &k->is.program->operands[operand];
  const int is_query = o->kind == QUERY_SINGULAR || o->kind == QUERY_VALUE;
  const struct query_path *q = is_query ? &k->is.program->paths[o->of] : NULL;
  return q && q->is_absolute ? &k->cache[q->cache] : NULL;
}

/* The value of an operand. The node is that of an array or object. False: an error. */
static int QUERY(operand)(struct QUERY(run_of) * k, uint32_t operand, QUERY(node) current, struct query_value *v,
                          QUERY(node) * node) {
  const struct query_program *p = k->is.program;
  const struct query_operand *o = &p->operands[operand];
  struct QUERY(cached) found, *cache;
  uint64_t n;
  v->kind = QUERY_NOTHING;
  switch (o->kind) {
  case QUERY_LITERAL_NULL: v->kind = QUERY_NULL; return 1;
  case QUERY_LITERAL_FALSE: v->kind = QUERY_FALSE; return 1;
  case QUERY_LITERAL_TRUE: v->kind = QUERY_TRUE; return 1;
  case QUERY_LITERAL_NUMBER:
    v->kind = QUERY_NUMBER;
    v->number = o->number;
    v->number.text = p->bytes + o->text;
    v->number.n = o->length;
    return 1;
  case QUERY_LITERAL_STRING:
    v->kind = QUERY_STRING;
    v->s = p->bytes + o->text;
    v->n = o->length;
    return 1;
  case QUERY_SINGULAR:
  case QUERY_VALUE:
    if (!QUERY(find)(k, o->of, current, QUERY(only), &found)) return 0;
    *v = found.value;
    if (v->kind >= QUERY_ARRAY) *node = found.first;
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
    if (!QUERY(operand)(k, o->of, current, v, node)) return 0;
    if (v->kind == QUERY_STRING) {
      n = query_count_characters(v->s, v->n);
      if (!query_spend(&k->is, v->n / QUERY_BYTES_PER_STEP)) return 0;
    } else if (v->kind == QUERY_ARRAY) {
      if (!QUERY(length)(k, *node, &n)) return 0;
    } else if (v->kind == QUERY_OBJECT) {
      n = QUERY(members)(k, *node);
    } else {
      v->kind = QUERY_NOTHING;
      return 1;
    }
    if (k->is.error) return 0;
    if (cache) cache->is_measured = 1, cache->length = n;
  }
  v->kind = QUERY_NUMBER;
  v->number.form = NUM_IS_INTEGER;
  v->number.is.i = (int64_t)n;
  return 1;
}

/* A comparison, match or search. */
static int QUERY(test_values)(struct QUERY(run_of) * k, const struct query_expression *x, QUERY(node) current) {
  struct query_value a, b;
  QUERY(node) an, bn;
  int equal = 0;
  memset(&an, 0, sizeof an);
  memset(&bn, 0, sizeof bn);
  if (!QUERY(operand)(k, x->a, current, &a, &an)) return 0;
  if (x->regex != QUERY_NONE) memset(&b, 0, sizeof b), b.kind = QUERY_STRING;
  else if (!QUERY(operand)(k, x->b, current, &b, &bn)) return 0;
  if (x->kind != QUERY_COMPARE) return query_match(&k->is, x, &a, &b);
  if (a.kind == b.kind && a.kind >= QUERY_ARRAY && x->operation != QUERY_LESS && x->operation != QUERY_GREATER)
    equal = QUERY(equal)(k, an, bn);
  return query_compare(&k->is, (enum query_operator)x->operation, &a, &b, equal);
}

/* Is the logical expression true for the node? After an error the result means nothing. */
static int QUERY(test)(struct QUERY(run_of) * k, uint32_t expression, QUERY(node) current) {
  const struct query_expression *x = &k->is.program->expressions[expression];
  const int mark = QUERY(mark)(k);
  struct QUERY(cached) found;
  uint32_t part;
  int is_true = 0;
  switch (x->kind) {
  case QUERY_AND:
  case QUERY_OR:
    for (part = x->first; part != QUERY_NONE; part = k->is.program->expressions[part].next) {
      is_true = QUERY(test)(k, part, current);
      if (is_true != (x->kind == QUERY_AND) || k->is.error) break;
    }
    break;
  case QUERY_EXISTS: is_true = QUERY(find)(k, x->a, current, QUERY(exists), &found) && found.count > 0; break;
  default: is_true = QUERY(test_values)(k, x, current);
  }
  QUERY(trim)(k, mark);
  return is_true != x->negated;
}

/* Runs the whole query. The cache has a place for each absolute query in a filter. False: an error. */
static int QUERY(evaluate)(struct QUERY(run_of) * k) {
  const size_t bytes = k->is.program->caches * sizeof *k->cache;
  if (bytes) {
    k->cache = (struct QUERY(cached) *)k->is.memory(k->is.owner, QUERY_BLOCK_CACHE, bytes, 0);
    if (!k->cache) return query_run_fail(&k->is, QUERY_ERROR_MEMORY);
    memset(k->cache, 0, bytes);
  }
  return QUERY(follow)(k, 0, k->root, QUERY(collect), NULL) && !k->is.error;
}

#undef QUERY
