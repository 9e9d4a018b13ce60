/* SPDX-License-Identifier: MIT
** In I-Regexps (RFC 9485) a ^ or $ outside classes is an anchor, as in the ECMAScript expressions that its section
** 5.3 turns them into, and a "." is any character except \n and \r. */
#include "compile.h"

static int regex_open(struct regex_compiler *c) {
  if (c->depth == REGEX_DEPTH) return regex_fail_limit(c, "it is nested too deep");
  struct regex_group *g = &c->groups[c->depth++];
  g->begin = c->size.steps;
  g->alternative = g->begin + 1;
  g->jump = REGEX_NONE;
  g->look = REGEX_NONE;
  c->atom = REGEX_NONE;
  if (c->depth > (int)c->size.depth) c->size.depth = (uint32_t)c->depth;
  if (!regex_put_slot(c)) return 0; /* the group's slot; the next one is its first alternative's */
  return regex_put_slot(c);
}

/* Opens a look-around, whose body stands after a jump over it. The step's argument is its number. */
static int regex_open_look(struct regex_compiler *c, int is_behind) {
  const uint32_t look = c->size.looks, step = c->size.steps, negated = *c->p == '!';
  if (look == REGEX_LOOKS) return regex_fail_limit(c, "it has too many look-arounds");
  c->p++;
  c->size.looks++;
  if (!regex_put(c, REGEX_LOOK, look) || !regex_put(c, REGEX_JUMP, 1)) return 0;
  if (c->to) {
    struct regex_look *to = regex_looks(c->to) + look;
    to->first = step + 2, to->last = step + 2;
    to->is_behind = (uint32_t)is_behind, to->negated = negated;
  }
  if (!regex_open(c)) return 0;
  c->groups[c->depth - 1].look = look;
  return 1;
}

/* Reads the beginning of a group after its parenthesis. */
static int regex_group_begin(struct regex_compiler *c) {
  const char *at = c->p - 1;
  if (!regex_take(c, '?') || regex_take(c, ':')) return regex_open(c);
  if (regex_next_is(c, '=') || regex_next_is(c, '!')) return regex_open_look(c, 0);
  if (!regex_take(c, '<')) return regex_fail(c, at, "unknown kind of group");
  if (regex_next_is(c, '=') || regex_next_is(c, '!')) return regex_open_look(c, 1);
  while (c->p < c->end && (regex_is_word((unsigned char)*c->p) || *c->p == '$' || (*c->p & 0x80))) c->p++;
  if (c->p - at == 3 || !regex_take(c, '>')) return regex_fail(c, at, "the group's name is wrong");
  return regex_open(c);
}

/* Ends an alternative at "|" and begins the next one. */
static int regex_next_alternative(struct regex_compiler *c) {
  struct regex_group *g = &c->groups[c->depth - 1];
  const uint32_t jump = c->size.steps;
  FL_ASSERT(c->depth > 0);
  if (c->depth == 1) c->size.anchored = 0;
  if (!regex_put(c, REGEX_JUMP, g->jump) || !regex_put_slot(c)) return 0;
  regex_set_step(c, g->alternative, REGEX_SPLIT, jump + 1 - g->alternative);
  g->jump = jump;
  g->alternative = jump + 1;
  c->atom = REGEX_NONE;
  return 1;
}

/* Ends the innermost group. A quantifier may repeat it, unless it is a look-around. */
static int regex_close(struct regex_compiler *c) {
  const struct regex_group *g = &c->groups[--c->depth];
  uint32_t jump = g->jump, before;
  FL_ASSERT(c->depth >= 0);
  for (; c->to && jump != REGEX_NONE; jump = before) {
    before = (uint32_t)regex_steps(c->to)[jump].argument;
    regex_set_step(c, jump, REGEX_JUMP, c->size.steps - jump);
  }
  c->atom = g->begin;
  c->has_slot = 1;
  if (g->look == REGEX_NONE) return 1;
  c->atom = REGEX_NONE;
  regex_set_step(c, g->begin - 1, REGEX_JUMP, c->size.steps + 1 - (g->begin - 1));
  if (c->to) regex_looks(c->to)[g->look].last = c->size.steps;
  return regex_put(c, REGEX_MATCH, 0);
}

static int regex_take_count(struct regex_compiler *c, uint32_t *n) {
  const char *before = c->p;
  for (*n = 0; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) /* all large counts become the same */
    *n = *n > REGEX_STEPS / 10 ? REGEX_STEPS + 1 : 10 * *n + (uint32_t)(*c->p - '0');
  return c->p > before;
}

/* Reads {n} {n,} {n,m}. Returns 0, without moving p, if there is none. */
static int regex_take_braces(struct regex_compiler *c, uint32_t *least, uint32_t *most) {
  const char *before = c->p;
  int is_one = regex_take(c, '{') && regex_take_count(c, least);
  *most = *least;
  if (is_one && regex_take(c, ',') && !regex_take_count(c, most)) *most = REGEX_ENDLESS;
  if (is_one && regex_take(c, '}')) return 1;
  c->p = before;
  return 0;
}

/* Reads * + ? {n} {n,} or {n,m}. Returns 0, without moving p, if there is none. */
static int regex_take_quantifier(struct regex_compiler *c, uint32_t *least, uint32_t *most) {
  *least = regex_next_is(c, '+') ? 1 : 0;
  *most = regex_next_is(c, '?') ? 1 : REGEX_ENDLESS;
  return regex_take(c, '*') || regex_take(c, '+') || regex_take(c, '?') || regex_take_braces(c, least, most);
}

/* Gives the atom a slot at its beginning; without one it is a single step. */
static int regex_need_slot(struct regex_compiler *c) {
  if (c->has_slot) return 1;
  FL_ASSERT(c->size.steps == c->atom + 1);
  if (!regex_need_steps(c, 1)) return 0;
  if (c->to) regex_steps(c->to)[c->atom + 1] = regex_steps(c->to)[c->atom];
  regex_set_step(c, c->atom, REGEX_JUMP, 1);
  c->size.steps++;
  c->has_slot = 1;
  return 1;
}

/* Repeats the atom `least` to `most` times by copying it. Each optional copy begins with a split to the end. */
static int regex_repeat(struct regex_compiler *c, uint32_t least, uint32_t most) {
  const uint32_t copies = most != REGEX_ENDLESS ? most : least ? least : 1;
  uint32_t length, i, last;
  if ((least < copies || copies == 0) && !regex_need_slot(c)) return 0;
  length = c->size.steps - c->atom;
  if (copies == 0) { /* the atom is written already, so jump over it */
    regex_set_step(c, c->atom, REGEX_JUMP, length);
    return 1;
  }
  if (!regex_need_steps(c, (uint64_t)length * (copies - 1))) return 0;
  for (i = 1; i < copies; i++, c->size.steps += length)
    if (c->to)
      memcpy(regex_steps(c->to) + c->size.steps, regex_steps(c->to) + c->atom, length * sizeof(struct regex_step));
  last = c->size.steps - length;
  if (most != REGEX_ENDLESS) {
    for (i = least; i < copies; i++) regex_set_step(c, c->atom + i * length, REGEX_SPLIT, (copies - i) * length);
    return 1;
  }
  if (least > 0) return regex_put(c, REGEX_SPLIT, last - c->size.steps);
  regex_set_step(c, last, REGEX_SPLIT, length + 1);
  return regex_put(c, REGEX_JUMP, last - c->size.steps);
}

static int regex_quantify(struct regex_compiler *c, const char *at, uint32_t least, uint32_t most) {
  if (c->atom == REGEX_NONE) return regex_fail(c, at, "there is nothing to repeat");
  if (least > most) return regex_fail(c, at, "the numbers are out of order");
  if (!regex_repeat(c, least, most)) return 0;
  c->atom = REGEX_NONE;
  return 1;
}

/* Reads an escape after its backslash and puts it. */
static int regex_escape(struct regex_compiler *c) {
  const uint32_t first = c->size.ranges;
  uint32_t x;
  if (c->p == c->end) return regex_fail(c, c->p - 1, "'\\' at the end");
  if (regex_take(c, 'b')) return regex_put(c, REGEX_WORD, 0);
  if (regex_take(c, 'B')) return regex_put(c, REGEX_NO_WORD, 0);
  const int set = regex_put_escaped_set(c, *c->p);
  if (set < 0 && regex_is_ecma_property(c)) return regex_put_property(c) && regex_put_class(c, first, 0);
  if (set < 0) return regex_take_escape(c, &x) && regex_put_atom(c, REGEX_CHARACTER, x);
  c->p++;
  return set && regex_put_class(c, first, 0);
}

/* Puts "^". If it is the first step and there is no other alternative, every match begins there. */
static int regex_begin(struct regex_compiler *c) {
  if (c->size.steps == 2) c->size.anchored = 1;
  return regex_put(c, REGEX_BEGIN, 0);
}

/* Reads the next part: a character, a class, a parenthesis, a quantifier, ... */
static int regex_part(struct regex_compiler *c) {
  const char *at = c->p;
  uint32_t least, most;
  if (regex_take_quantifier(c, &least, &most)) {
    (void)regex_take(c, '?'); /* says which of several matches is preferred, which does not matter here */
    return regex_quantify(c, at, least, most);
  }
  c->atom = REGEX_NONE;
  switch (*c->p++) {
  case '^': return regex_begin(c);
  case '$': return regex_put(c, REGEX_END, 0);
  case '.': return regex_put_any(c);
  case '[': return regex_class(c);
  case '\\': return regex_escape(c);
  case '(': return regex_group_begin(c);
  case '|': return regex_next_alternative(c);
  case ')': return c->depth > 1 ? regex_close(c) : regex_fail(c, at, "')' without '('");
  default: c->p--; return regex_put_atom(c, REGEX_CHARACTER, regex_take_character(c));
  }
}

/* Prepares to compile the expression s[0..n). */
static void regex_begin_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n) {
  memset(c, 0, sizeof *c);
  c->begin = c->p = s;
  c->end = s + n;
  c->to = to;
}

/* Finds out whether the expression is a class, repeated as often as allowed, from ^ to $. */
static void regex_find_run(struct regex *to) {
  const struct regex_step *step = regex_steps(to) + to->start, *const end = regex_steps(to) + to->steps - 2;
  to->run = to->least = to->most = 0;
  if (step->op != REGEX_BEGIN || !to->anchored || end->op != REGEX_END) return;
  for (step++; step < end && to->most != REGEX_ENDLESS; step++) {
    while (step->op == REGEX_JUMP && step->argument == 1) step++;
    const int is_optional = step->op == REGEX_SPLIT && step->argument == end - step;
    if (!is_optional && to->least < to->most) break;
    step += is_optional;
    if (step->op != REGEX_CLASS || (to->run && (uint32_t)step->argument + 1 != to->run)) break;
    to->run = (uint32_t)step->argument + 1;
    to->least += !is_optional;
    to->most++;
    if (is_optional ? step[1].op == REGEX_JUMP && step[1].argument == -2
                    : step[1].op == REGEX_SPLIT && step[1].argument == -1)
      to->most = REGEX_ENDLESS, step++;
  }
  if (step != end) to->run = 0;
}

/* Closes the outermost group. Returns 0 if the expression is too large. */
static int regex_end_compile(struct regex_compiler *c) {
  struct regex *to = c->to;
  (void)regex_close(c);
  if (!regex_put(c, REGEX_MATCH, 0)) return 0;
  FL_ASSERT(c->depth == 0);
  if (!to) return 1;
  FL_ASSERT(c->size.steps == to->steps && c->size.ranges == to->ranges && c->size.classes == to->classes);
  FL_ASSERT(c->size.looks == to->looks);
  to->anchored = c->size.anchored, to->depth = c->size.depth;
  for (to->start = 0; regex_steps(to)[to->start].op == REGEX_JUMP && regex_steps(to)[to->start].argument == 1;)
    to->start++;
  regex_find_run(to);
  return 1;
}

FL_PRIVATE int regex_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n) {
  regex_begin_compile(c, to, s, n);
  c->is_ecma = 1;
  if (!regex_open(c)) return 0;
  while (c->p < c->end)
    if (!regex_part(c)) return 0;
  if (c->depth > 1) return regex_fail(c, c->end, "'(' without ')'");
  return regex_end_compile(c);
}

/* Return whether the character needs an escape, outside classes and in them. */
static int regex_is_special(uint32_t x) { return x < 128 && x && strchr("()*+.?[\\]{|}", (int)x); }
static int regex_is_class_special(uint32_t x) { return x == '[' || x == '\\' || x == ']' || x == '-'; }

/* Reads SingleCharEsc after its backslash. */
static int regex_take_single_escape(struct regex_compiler *c, uint32_t *x) {
  const char *at = c->p - 1;
  if (c->p == c->end) return regex_fail(c, at, "'\\' at the end");
  switch (*c->p++) {
  case 'n': *x = '\n'; return 1;
  case 'r': *x = '\r'; return 1;
  case 't': *x = '\t'; return 1;
  default:
    *x = (unsigned char)c->p[-1];
    return (*x && strchr("()*+-.?[\\]^{|}", (int)*x)) || regex_fail(c, at, "unknown escape");
  }
}

static int regex_is_property(const struct regex_compiler *c) {
  return c->end - c->p > 1 && c->p[0] == '\\' && (c->p[1] == 'p' || c->p[1] == 'P');
}

/* Reads CCchar or SingleCharEsc. */
static int regex_take_class_character(struct regex_compiler *c, uint32_t *x) {
  const char *at = c->p;
  if (c->p == c->end) return regex_fail(c, at, "'[' without ']'");
  if (regex_take(c, '\\')) return regex_take_single_escape(c, x);
  *x = regex_take_character(c);
  return !regex_is_class_special(*x) || regex_fail(c, at, "a character that needs an escape");
}

/* Reads CCE1: a character, a range, or a category. */
static int regex_put_class_item(struct regex_compiler *c) {
  const char *at = c->p;
  uint32_t from, to;
  if (regex_is_property(c)) {
    c->p++;
    return regex_put_property(c);
  }
  if (!regex_take_class_character(c, &from)) return 0;
  to = from;
  if (regex_next_is(c, '-') && !(c->end - c->p > 1 && c->p[1] == ']')) {
    c->p++;
    if (!regex_take_class_character(c, &to)) return 0;
    if (from > to) return regex_fail(c, at, "the range is out of order");
  }
  return regex_put_range(c, from, to);
}

/* Reads charClassExpr after its bracket. A - may be the first or the last of its characters. */
static int regex_put_class_expression(struct regex_compiler *c) {
  const int negated = regex_take(c, '^');
  const uint32_t first = c->size.ranges;
  if (regex_take(c, '-') && !regex_put_range(c, '-', '-')) return 0;
  while (!regex_next_is(c, ']')) {
    if (c->end - c->p > 1 && c->p[0] == '-' && c->p[1] == ']') {
      c->p++;
      if (!regex_put_range(c, '-', '-')) return 0;
    } else if (!regex_put_class_item(c)) {
      return 0;
    }
  }
  if (c->size.ranges == first) return regex_fail(c, c->p, "an empty class");
  c->p++;
  return regex_put_class(c, first, negated);
}

/* Reads an escape after its backslash and puts it. */
static int regex_put_escape(struct regex_compiler *c) {
  const uint32_t first = c->size.ranges;
  uint32_t x;
  if (c->p < c->end && (*c->p == 'p' || *c->p == 'P')) return regex_put_property(c) && regex_put_class(c, first, 0);
  return regex_take_single_escape(c, &x) && regex_put_atom(c, REGEX_CHARACTER, x);
}

/* Reads the next part: an atom, an anchor, a bar, a parenthesis, or a quantifier. */
static int regex_iregexp_part(struct regex_compiler *c) {
  const char *at = c->p;
  uint32_t least, most, x;
  if (regex_take_quantifier(c, &least, &most)) return regex_quantify(c, at, least, most);
  c->atom = REGEX_NONE;
  switch (*c->p++) {
  case '^': return regex_put(c, REGEX_BEGIN, 0);
  case '$': return regex_put(c, REGEX_END, 0);
  case '.':
    x = c->size.ranges;
    return regex_put_range(c, '\n', '\n') && regex_put_range(c, '\r', '\r') && regex_put_class(c, x, 1);
  case '[': return regex_put_class_expression(c);
  case '\\': return regex_put_escape(c);
  case '(': return regex_open(c);
  case '|': return regex_next_alternative(c);
  case ')': return c->depth > 2 ? regex_close(c) : regex_fail(c, at, "')' without '('");
  default:
    c->p--;
    x = regex_take_character(c);
    if (regex_is_special(x)) return regex_fail(c, at, "a character that needs an escape");
    return regex_put_atom(c, REGEX_CHARACTER, x);
  }
}

FL_PRIVATE int regex_compile_iregexp(struct regex_compiler *c, struct regex *to, const char *s, size_t n, int whole) {
  regex_begin_compile(c, to, s, n);
  if (!regex_open(c)) return 0;
  c->size.anchored = (uint32_t)whole;
  if (whole && !regex_put(c, REGEX_BEGIN, 0)) return 0;
  if (!regex_open(c)) return 0; /* the whole is a group, so that alternatives are inside the anchors */
  while (c->p < c->end)
    if (!regex_iregexp_part(c)) return 0;
  if (c->depth > 2) return regex_fail(c, c->end, "'(' without ')'");
  (void)regex_close(c);
  if (whole && !regex_put(c, REGEX_END, 0)) return 0;
  return regex_end_compile(c);
}
