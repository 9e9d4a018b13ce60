/* SPDX-License-Identifier: MIT
** evaluate_template.h -- template: runs a program over values of one form; included once for each form.
** Must hold: what is being checked is an explicit stack of frames; only small units recurse (decide_template.h). A unit
** whose operations call no other unit has no frame. A result is passed to the frame below, whose operation continues
** with it: its function is called with SCHEMA(fresh) first, and again with a result each time it has returned
** SCHEMA(pushed).
** Parameters, undefined at the end:
**   VALUE(name)       the words of a form, see ../../values/value.h
**   SCHEMA(name)      pastes the prefix of the instance's names
**   SCHEMA_REPORTS    1 if failures can be reported
**   SCHEMA_SKIPS      if defined, a report may begin with what a verdict has left in schema_run.passed
**   SCHEMA_LOOKS_UP   1 if finding a member by name costs no more than visiting it
**   SCHEMA_DECIDES    1 if small units are checked without frames; for forms whose nodes live as long as the walk
** and, after the template, what check_template.h declares. */
#include "report.h"
#include "run.h"

#include "check_template.h"
#include "enter_template.h"
#if SCHEMA_DECIDES
#include "decide_template.h"
#endif

/* ------------------------------------------------------------------------------------- children */

/* Begins to visit the children of the node. */
FL_INLINE void SCHEMA(open)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f) {
  VALUE(reset)(&k->values, f->node);
  VALUE(open)(&k->values, f->node, &f->cursor);
  f->ordinal = 0;
  f->is_bad = 0;
}

FL_INLINE int SCHEMA(next)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f) {
  if (!VALUE(next)(&k->values, f->node, &f->cursor, &f->child)) return 0;
  f->ordinal++;
  return value_spend(&k->values.walk, 1);
}

FL_INLINE void SCHEMA(evaluated)(struct SCHEMA(run_of) * k, const struct SCHEMA(frame) * f) {
  if (FL_UNLIKELY(f->tracks) && f->ordinal <= f->children) schema_set_bit(&k->is, f->bits, f->ordinal - 1);
}

/* Whether an operation can stop, because nothing more will be reported. */
#define SCHEMA_STOPS(f) ((f)->is_quiet || k->values.walk.error || k->is.is_full)

static int SCHEMA(items)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_op *op = f->op;
  if (got != SCHEMA(fresh)) goto returned;
  SCHEMA(open)(k, f);
  while (SCHEMA(next)(k, f)) {
    const uint64_t i = f->ordinal - 1;
    const uint32_t unit = i < op->b ? k->is.program->numbers[op->a + i] : op->c;
    if (i >= op->b && (unit == SCHEMA_NONE || (unit == SCHEMA_UNIT_TRUE && !f->tracks))) break;
    SCHEMA(evaluated)(k, f);
    SCHEMA_BLAME(f, schema_keyword_of_item(op, i), op->place);
    got = SCHEMA(enter_child)(k, unit, f->child, f->is_quiet, f->depth + 1);
    if (got == SCHEMA(pushed)) return got;
  returned:
    if (got) continue;
    if (SCHEMA_STOPS(f)) return 0;
    f->is_bad = 1;
  }
  return !f->is_bad && !k->values.walk.error;
}

static int SCHEMA(contains)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_contains *c = &k->is.program->contains[f->op->a];
  const int tracks = f->tracks && c->evaluates;
  if (got != SCHEMA(fresh)) goto returned;
  SCHEMA(begin_branch)(k);
  SCHEMA(open)(k, f);
  f->count = 0;
  while (f->count <= c->most && SCHEMA(next)(k, f)) {
    if (!tracks && c->most == SCHEMA_NONE && f->count >= c->least) break;
    got = SCHEMA(enter_child)(k, c->unit, f->child, 1, f->depth + 1);
    if (got == SCHEMA(pushed)) return got;
  returned:
    if (k->values.walk.error) return 0;
    if (!got) continue;
    f->count++;
    if (tracks) SCHEMA(evaluated)(k, f);
  }
  SCHEMA(end_branch)(k);
  if (f->count >= c->least && f->count <= c->most) return !k->values.walk.error;
#if SCHEMA_REPORTS
  if (!SCHEMA_STOPS(f)) {
    struct schema_found found;
    SCHEMA(begin_found)(k, &found, f->op, f->unit);
    found.fitting = f->count;
    if (f->count > c->most) found.keyword = SCHEMA_KEYWORD_MAX_CONTAINS, found.place = c->place_of_most;
    else if (c->place_of_least != SCHEMA_NONE)
      found.keyword = SCHEMA_KEYWORD_MIN_CONTAINS, found.place = c->place_of_least;
    (void)SCHEMA(fail)(k, &found);
  }
#endif
  return 0;
}

static int SCHEMA(unevaluated)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  if (got != SCHEMA(fresh)) goto returned;
  SCHEMA(open)(k, f);
  SCHEMA_BLAME(f, f->op->keyword, f->op->place);
  while (SCHEMA(next)(k, f)) {
    if (f->ordinal <= f->children && schema_has_bit(&k->is, f->bits, f->ordinal - 1)) continue;
    SCHEMA(evaluated)(k, f);
    got = SCHEMA(enter_child)(k, f->op->a, f->child, f->is_quiet, f->depth + 1);
    if (got == SCHEMA(pushed)) return got;
  returned:
    if (got) continue;
    if (SCHEMA_STOPS(f)) return 0;
    f->is_bad = 1;
  }
  return !f->is_bad && !k->values.walk.error;
}

/* ------------------------------------------------------------------------------------- members */

/* Checks of a member: of its name, as a property, by each pattern. */
enum { SCHEMA(by_name), SCHEMA(by_property), SCHEMA(by_pattern) };

/* States of an operation on an object. */
enum { SCHEMA(iterates), SCHEMA(looks_up), SCHEMA(seeks_others) };

#if SCHEMA_REPORTS
/* Reports the required names that are missing. */
static int SCHEMA(fail_required)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, const struct schema_object *o) {
  const struct schema_program *p = k->is.program;
  struct schema_found found;
  VALUE(node) child;
  uint32_t i;
  for (i = 0; i < o->count && !k->values.walk.error; i++) {
    const struct schema_property *x = &p->properties[o->first + i];
    VALUE(reset)(&k->values, f->node);
    if (!x->required || VALUE(member)(&k->values, f->node, &x->name, &child)) continue;
    VALUE(reset)(&k->values, f->node);
    SCHEMA(begin_found)(k, &found, f->op, f->unit);
    found.keyword = SCHEMA_KEYWORD_REQUIRED;
    found.place = o->place_of_required;
    found.name = p->bytes + x->name.at;
    found.name_length = x->name.length;
    if (!SCHEMA(fail)(k, &found)) return 0;
  }
  return 0;
}

/* Records the missing members that have defaults; required members are tested when all defaults are filled in. Returns
** 0 after an error, or in a branch if a required member without a default is missing. */
static int SCHEMA(fill)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, const struct schema_object *o) {
  const struct schema_program *p = k->is.program;
  VALUE(node) child;
  uint32_t i, unit, initial;
  for (i = 0; i < o->count; i++) {
    const struct schema_property *x = &p->properties[o->first + i];
    unit = x->unit;
    initial = x->initial;
    if (initial != SCHEMA_NONE) unit = f->unit;
    else if (unit != SCHEMA_NONE) initial = schema_find_default(&k->is, &unit);
    if (initial == SCHEMA_NONE && !x->required) continue;
    VALUE(reset)(&k->values, f->node);
    if (!value_spend(&k->values.walk, 1) || VALUE(member)(&k->values, f->node, &x->name, &child)) continue;
    VALUE(reset)(&k->values, f->node);
    if (initial == SCHEMA_NONE && k->is.branches) return 0;
    if (initial == SCHEMA_NONE) continue;
    if (!SCHEMA(put_path)(k, 0) || !schema_put_step(&k->is, p->bytes + x->name.at, x->name.length, 0) ||
        !schema_add_fill(&k->is, unit, initial))
      return 0;
  }
  return !k->values.walk.error;
}

/* Reports that the name of the member found last is invalid. */
static void SCHEMA(fail_name)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, const struct schema_object *o) {
  struct schema_found found;
  SCHEMA(begin_found)(k, &found, f->op, f->unit);
  found.keyword = SCHEMA_KEYWORD_PROPERTY_NAMES;
  found.place = o->place_of_names;
  found.name = VALUE(step)(&k->values, f->node, &f->cursor, k->room, &found.name_length);
  found.mark = f->mark;
  (void)SCHEMA(fail)(k, &found);
}
#endif

/* Returns the next unit that checks the member, in the order of f->i; NONE at the end. */
static uint32_t SCHEMA(next_of_member)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f,
                                       const struct schema_object *o) {
  const struct schema_program *p = k->is.program;
  const struct schema_property *x;
  char room[VALUE_STEP_ROOM];
  size_t n;
  const char *s;
  if (f->i <= SCHEMA(by_pattern) + o->pattern_count) s = VALUE(step)(&k->values, f->node, &f->cursor, room, &n);
  else return SCHEMA_NONE;
  if (f->i <= SCHEMA(by_property)) {
    f->i = SCHEMA(by_pattern);
    x = schema_find_property(p, o, s, n, &f->hint);
    if (x) {
      if (f->state != SCHEMA(seeks_others)) f->count += x->required != 0;
      if (x->unit != SCHEMA_NONE) {
        f->is_matched = 1;
        SCHEMA_BLAME(f, SCHEMA_KEYWORD_PROPERTIES, x->place);
        if (f->state != SCHEMA(seeks_others)) return x->unit;
      }
    }
  }
  while (f->i < SCHEMA(by_pattern) + o->pattern_count) {
    const struct schema_pattern *pattern = &p->patterns[o->patterns + f->i++ - SCHEMA(by_pattern)];
    if (!schema_search(&k->is, pattern->regex, s, n)) continue;
    f->is_matched = 1;
    SCHEMA_BLAME(f, SCHEMA_KEYWORD_PATTERN_PROPERTIES, pattern->place);
    return pattern->unit;
  }
  f->i++;
  if (f->is_matched || o->additional == SCHEMA_NONE) return SCHEMA_NONE;
  f->is_matched = 1;
  SCHEMA_BLAME(f, SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES, o->place_of_additional);
  return o->additional;
}

/* Checks members by looking up the properties. */
static int SCHEMA(properties)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_program *p = k->is.program;
  const struct schema_object *o = &p->objects[f->op->a];
  if (got != SCHEMA(fresh)) goto returned;
  f->hint = 0;
  f->count = 0;
  while (f->hint < o->count) {
    const struct schema_property *x = &p->properties[o->first + f->hint++];
    if (x->unit <= SCHEMA_UNIT_TRUE && !x->required && !o->needs_all) continue;
    VALUE(reset)(&k->values, f->node);
    if (!value_spend(&k->values.walk, 1)) return 0;
    if (!VALUE(member)(&k->values, f->node, &x->name, &f->child)) {
      if (x->required || k->values.walk.error) return 0;
      continue;
    }
    if (x->unit == SCHEMA_NONE) continue;
    f->count++;
    got = SCHEMA(enter_child)(k, x->unit, f->child, f->is_quiet, f->depth + 1);
    if (got == SCHEMA(pushed)) return got;
  returned:
    if (!got) return 0;
  }
  VALUE(reset)(&k->values, f->node);
  if (!o->needs_all) return !k->values.walk.error;
  if (VALUE(members)(&k->values, f->node) == f->count || o->additional == SCHEMA_UNIT_TRUE)
    return !k->values.walk.error;
  return o->additional == SCHEMA_UNIT_FALSE ? 0 : SCHEMA(fresh); /* other members are not checked yet */
}

/* Returns whether looking up the properties is better than visiting the members. */
FL_INLINE int SCHEMA(is_looked_up)(struct SCHEMA(run_of) * k, const struct SCHEMA(frame) * f,
                                   const struct schema_object *o) {
  if (!SCHEMA_LOOKS_UP || !f->is_quiet || k->is.fills || f->tracks || o->pattern_count || o->names != SCHEMA_NONE)
    return 0;
  return o->count <= 2 * SCHEMA_FEW || VALUE(members)(&k->values, f->node) > o->count / 4;
}

static int SCHEMA(object)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_object *o = &k->is.program->objects[f->op->a];
  const int has_more = o->pattern_count > 0 || o->names != SCHEMA_NONE;
  uint32_t unit;
  if (got != SCHEMA(fresh)) {
    if (f->state != SCHEMA(looks_up)) goto returned;
    got = SCHEMA(properties)(k, f, got);
    if (got != SCHEMA(fresh)) return got;
    f->state = SCHEMA(seeks_others);
  } else {
    VALUE(reset)(&k->values, f->node);
    f->state = SCHEMA(iterates);
    if (SCHEMA(is_looked_up)(k, f, o)) {
      f->state = SCHEMA(looks_up);
      got = SCHEMA(properties)(k, f, got);
      if (got != SCHEMA(fresh)) return got;
      f->state = SCHEMA(seeks_others);
    }
  }
  SCHEMA(open)(k, f);
  f->count = 0;
  f->hint = 0;
  while (SCHEMA(next)(k, f)) {
    f->i = SCHEMA(by_name);
    f->is_matched = 0;
    if (FL_UNLIKELY(has_more) && o->names != SCHEMA_NONE) {
#if SCHEMA_REPORTS
      if (!f->is_quiet) f->mark = k->is.report->count, k->is.branches++;
#endif
      got = SCHEMA(enter_name)(k, f, o->names);
      if (got == SCHEMA(pushed)) return got;
      goto returned;
    }
    while ((unit = SCHEMA(next_of_member)(k, f, o)) != SCHEMA_NONE) {
      SCHEMA(evaluated)(k, f);
      got = SCHEMA(enter_child)(k, unit, f->child, f->is_quiet, f->depth + 1);
      if (got == SCHEMA(pushed)) return got;
    returned:
#if SCHEMA_REPORTS
      if (f->i == SCHEMA(by_name) && !f->is_quiet) {
        k->is.branches--;
        if (!got && !k->values.walk.error) SCHEMA(fail_name)(k, f, o);
      }
#endif
      if (!got) {
        if (SCHEMA_STOPS(f)) return 0;
        f->is_bad = 1;
      }
      if (f->i == SCHEMA(by_name)) f->i = SCHEMA(by_property);
      if (!has_more && f->is_matched) break;
    }
    if (k->values.walk.error) return 0;
  }
  if (k->values.walk.error) return 0;
  if (f->state == SCHEMA(iterates) && f->count < o->required) {
#if SCHEMA_REPORTS
    if (k->is.fills) return !f->is_bad && SCHEMA(fill)(k, f, o);
#endif
    if (f->is_quiet) return 0;
    f->is_bad = 1;
#if SCHEMA_REPORTS
    return SCHEMA(fail_required)(k, f, o);
#endif
  }
#if SCHEMA_REPORTS
  if (FL_UNLIKELY(k->is.fills) && !f->is_bad) return SCHEMA(fill)(k, f, o);
#endif
  return !f->is_bad;
}

/* ------------------------------------------------------------------------------------- branches */

#if SCHEMA_REPORTS
/* Returns whether the value has a member for which the unit has constants. */
static int SCHEMA(has_constant)(struct SCHEMA(run_of) * k, const struct SCHEMA(frame) * f, uint32_t unit) {
  const struct schema_program *p = k->is.program;
  const struct schema_op *op, *of;
  VALUE(node) child;
  uint32_t i, calls = 0;
begin:
  for (op = p->ops + p->units[unit].first; op->code != SCHEMA_OP_END; op++) {
    if (op->code == SCHEMA_OP_CALL && !op->is_branch && calls++ < SCHEMA_FEW) {
      unit = op->a;
      goto begin;
    }
    if (op->code != SCHEMA_OP_OBJECT) continue;
    for (i = 0; i < p->objects[op->a].count; i++) {
      const struct schema_property *x = &p->properties[p->objects[op->a].first + i];
      if (x->unit == SCHEMA_NONE || !value_spend(&k->values.walk, 1)) continue;
      for (of = p->ops + p->units[x->unit].first; of->code != SCHEMA_OP_END; of++)
        if (of->code == SCHEMA_OP_CONST || of->code == SCHEMA_OP_ENUM) break;
      if (of->code == SCHEMA_OP_END) continue;
      VALUE(reset)(&k->values, f->node);
      if (VALUE(member)(&k->values, f->node, &x->name, &child)) return 1;
    }
  }
  return 0;
}
#endif

#if SCHEMA_REPORTS
/* Returns whether the value's discriminator names this branch, a unit. */
static int SCHEMA(is_named)(struct SCHEMA(run_of) * k, const struct SCHEMA(frame) * f, uint32_t branch) {
  struct value v;
  VALUE(node) child;
  if (!f->op->c || !(f->types & SCHEMA_OBJECT)) return 0;
  VALUE(reset)(&k->values, f->node);
  if (!VALUE(member)(&k->values, f->node, &k->is.program->names[f->op->c - 1], &child)) return 0;
  VALUE(read)(&k->values, child, &v);
  return schema_is_branch_named(&k->is, f->unit, branch, &v);
}
#endif

/* Runs anyOf or oneOf. */
static int SCHEMA(branches)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_op *op = f->op;
  const int is_one = op->code == SCHEMA_OP_ONE_OF, is_enum = op->keyword == SCHEMA_KEYWORD_ENUM;
  uint32_t unit;
  if (got != SCHEMA(fresh)) goto returned;
  f->i = f->is_quiet ? SCHEMA(choose)(k, op, f->node, f->types) : op->a;
  f->count = f->ordinal = 0;
  f->nearest = 0;
  f->nearness = 0;
  SCHEMA_BLAME(f, op->keyword, op->place);
  SCHEMA(begin_branch)(k);
#if SCHEMA_REPORTS
  if (!f->is_quiet) f->mark = k->is.report->count, k->is.branches++;
#endif
  while ((unit = k->is.program->numbers[f->i]) != SCHEMA_NONE) {
#if SCHEMA_REPORTS
    if (!f->is_quiet) f->hint = (uint32_t)k->is.report->count;
#endif
    got = SCHEMA(enter_same)(k, f, unit, f->is_quiet || is_enum, !is_enum);
    if (got == SCHEMA(pushed)) return got;
  returned:
    if (k->values.walk.error) return 0;
    f->i++;
    if (got) {
      f->count++;
#if SCHEMA_REPORTS
      k->is.first = k->is.second, k->is.second = f->i - 1 - op->a;
#endif
      if (is_one ? f->count > 1 : !f->tracks || is_enum) break;
      continue;
    }
#if SCHEMA_REPORTS
    if (!f->is_quiet && f->count == 0) {
      const uint32_t branch = k->is.program->numbers[f->i - 1];
      size_t top;
      uint64_t nearness = schema_rate_branch(&k->is, f->hint, f->depth, &top);
      if (top && nearness >> 62 && SCHEMA(has_constant)(k, f, branch)) nearness |= (uint64_t)1 << 61;
      if (top && SCHEMA(is_named)(k, f, branch)) nearness = SCHEMA_NAMED;
      if (top && (!f->nearest || nearness > f->nearness)) f->nearest = top, f->nearness = nearness;
    }
#endif
  }
  SCHEMA(end_branch)(k);
  got = is_one ? f->count == 1 : f->count > 0;
#if SCHEMA_REPORTS
  if (!f->is_quiet) {
    k->is.branches--;
    if (f->count > 0) schema_drop_failures(&k->is, f->mark);
    if (!got) {
      struct schema_found found;
      SCHEMA(begin_found)(k, &found, op, f->unit);
      found.mark = f->mark;
      found.fitting = f->count;
      found.nearest = f->count ? 0 : f->nearest;
      found.is_named = f->nearness == SCHEMA_NAMED;
      (void)SCHEMA(fail)(k, &found);
    }
  }
#endif
  return got && !k->values.walk.error;
}

/* Runs if, then and else. Failures of the condition are not reported. */
static int SCHEMA(condition)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_op *op = f->op;
  if (got == SCHEMA(fresh)) {
    f->state = 0;
    SCHEMA(begin_branch)(k);
    got = SCHEMA(enter_same)(k, f, op->a, 1, 1);
    if (got == SCHEMA(pushed)) return got;
  }
  if (f->state || k->values.walk.error) return got;
  SCHEMA(end_branch)(k);
  f->state = 1;
  SCHEMA_BLAME(f, got ? SCHEMA_KEYWORD_THEN : SCHEMA_KEYWORD_ELSE, op->place);
  return SCHEMA(enter_same)(k, f, got ? op->b : op->c, f->is_quiet, 1);
}

/* ------------------------------------------------------------------------------------- the whole */

/* Runs the last frame's operation. Returns its result, or SCHEMA(pushed). */
static int SCHEMA(operate)(struct SCHEMA(run_of) * k, struct SCHEMA(frame) * f, int got) {
  const struct schema_op *op = f->op;
  VALUE(node) child;
  uint32_t missing = 0;
  switch (op->code) {
  case SCHEMA_OP_OBJECT: return SCHEMA(object)(k, f, got);
  case SCHEMA_OP_ITEMS: return SCHEMA(items)(k, f, got);
  case SCHEMA_OP_CONTAINS: return SCHEMA(contains)(k, f, got);
  case SCHEMA_OP_UNEVALUATED_ITEMS:
  case SCHEMA_OP_UNEVALUATED_PROPERTIES: return SCHEMA(unevaluated)(k, f, got);
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF: return SCHEMA(branches)(k, f, got);
  case SCHEMA_OP_IF: return SCHEMA(condition)(k, f, got);
  case SCHEMA_OP_CALL:
    if (FL_UNLIKELY(op->is_branch)) {
      if (got == SCHEMA(fresh)) got = SCHEMA(enter_same)(k, f, op->a, 1, 0);
      if (got == SCHEMA(pushed)) return got;
      break;
    }
    if (got != SCHEMA(fresh)) return got;
    SCHEMA_BLAME(f, op->keyword, op->place);
    return SCHEMA(enter_same)(k, f, op->a, f->is_quiet, 1);
  case SCHEMA_OP_DEPENDENT_SCHEMA:
    if (got == SCHEMA(fresh)) {
      VALUE(reset)(&k->values, f->node);
      if (!VALUE(member)(&k->values, f->node, &k->is.program->names[op->a], &child)) return !k->values.walk.error;
      SCHEMA_BLAME(f, op->keyword, op->place);
      got = SCHEMA(enter_same)(k, f, op->b, f->is_quiet || op->is_branch, 1);
    }
    if (!op->is_branch || got == SCHEMA(pushed)) return got;
    break;
  case SCHEMA_OP_NOT:
    if (got == SCHEMA(fresh)) {
      f->mark = SCHEMA(mark_fills)(k);
      SCHEMA(begin_branch)(k);
      got = SCHEMA(enter_same)(k, f, op->a, 1, 0);
    }
    if (got == SCHEMA(pushed) || k->values.walk.error) return got;
    SCHEMA(end_branch)(k);
    SCHEMA(drop_fills)(k, f->mark);
    got = !got;
    break;
  default:
    if (!f->is_name) VALUE(reset)(&k->values, f->node);
    got = SCHEMA(test)(k, op, f->node, &f->value, f->types, &missing);
  }
#if SCHEMA_REPORTS
  if (!got && !SCHEMA_STOPS(f)) (void)SCHEMA(fail_test)(k, op, f->unit, f->node, &f->value, f->types, 0, missing);
#endif
  return got;
}

/* Continues the last frame. Returns its result, or SCHEMA(pushed). */
static int SCHEMA(advance)(struct SCHEMA(run_of) * k, int got) {
  struct SCHEMA(frame) *f = SCHEMA(top)(k);
  for (; f->op->code != SCHEMA_OP_END; f->op++, got = SCHEMA(fresh)) {
    if (!(f->op->types & f->types)) continue;
    /* after a failure, children that are therefore unevaluated are no failures of their own */
    if (f->is_failed && f->op->code >= SCHEMA_OP_UNEVALUATED_ITEMS && f->op->code != SCHEMA_OP_CUSTOM) continue;
    if (got == SCHEMA(fresh) && !value_spend(&k->values.walk, 1)) return 0;
    got = SCHEMA(operate)(k, f, got);
    if (got == SCHEMA(pushed)) return got;
    if (FL_LIKELY(got) && FL_LIKELY(!k->values.walk.error)) continue;
    if (SCHEMA_STOPS(f)) return 0;
    f->is_failed = 1;
  }
  return !f->is_failed;
}

/* Runs the program over the root. Returns 1 if it is valid; 0 if not, or after an error. */
static int SCHEMA(evaluate)(struct SCHEMA(run_of) * k, VALUE(node) root) {
  struct SCHEMA(frame) * f;
  struct value v;
  unsigned types;
  int got = SCHEMA(fresh);
  memset(k->start, 0, sizeof k->start);
  k->start[0].code = SCHEMA_OP_CALL;
  k->start[0].types = SCHEMA_ANY_TYPE;
  k->start[0].a = k->is.root;
  k->start[1].code = SCHEMA_OP_END;
  if (k->is.room == 0 && !value_grow(&k->values.walk, SCHEMA_BLOCK_FRAMES, &k->is.frames, &k->is.room, 0, sizeof *f))
    return 0;
  k->is.depth = 1;
  f = SCHEMA(top)(k);
  f->visit = 0;
  f->depth = f->chain = 0;
  f->keyword = 0;
  f->place = 0;
  f->is_same = f->tracks = f->merges = f->is_name = f->is_failed = f->is_bad = f->is_kept = 0;
  f->skips = k->is.passed > 0;
  f->fills = 0;
  f->node = VALUE(hold)(&k->values, root);
  f->op = k->start;
  f->unit = k->is.root;
  f->is_quiet = k->is.report == NULL || k->is.fills;
  v.s = NULL;
  VALUE(read)(&k->values, f->node, &v);
  f->value = v;
  types = schema_types_of(&v);
  if (types == 0) {
#if SCHEMA_REPORTS
    if (k->is.report && !k->values.walk.error) (void)SCHEMA(fail_whole)(k, f->node, 0, &v, 0);
#endif
    return 0;
  }
  if (types & (SCHEMA_ARRAY | SCHEMA_OBJECT) && k->is.empty <= SCHEMA_EMPTY_BOTH && SCHEMA(is_either)(k, f->node))
    types = SCHEMA_ARRAY | SCHEMA_OBJECT;
  f->types = f->all_types = (uint8_t)types;
  do {
    got = SCHEMA(advance)(k, got);
    if (FL_UNLIKELY(k->values.walk.error)) return 0;
    if (got == SCHEMA(pushed)) got = SCHEMA(fresh);
    else got = SCHEMA(pop)(k, got);
  } while (k->is.depth > 0);
  return got && !k->values.walk.error;
}

#undef SCHEMA_STOPS
#undef SCHEMA_BLAME
#undef SCHEMA_LEADS
#undef SCHEMA_REPORTS
#undef SCHEMA_SKIPS
#undef SCHEMA_LOOKS_UP
#undef SCHEMA_DECIDES
#undef SCHEMA
#undef VALUE
