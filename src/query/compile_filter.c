/* SPDX-License-Identifier: MIT
** compile_filter.c -- compiles the logical expressions of filters, their functions, and checks that they are
** well-typed.
** Must hold: as program.h. */
#include "program.h"

/* The types of expressions, RFC 9535, section 2.4.1. A singular query is also a value. */
enum query_type { QUERY_TYPE_VALUE, QUERY_TYPE_LOGICAL, QUERY_TYPE_NODES };

/* What was read where a comparison or a test may begin. */
struct query_part {
  enum query_type type;
  int is_literal, is_singular;
  uint32_t index; /* of an operand, an expression, or a query */
};

static int query_read_part(struct query_compiler *c, struct query_part *part);

static int query_deeper(struct query_compiler *c) {
  return c->depth++ < QUERY_NESTING || query_fail(c, c->p, "the query is nested too deep");
}

static uint32_t query_add_operand(struct query_compiler *c, enum query_operand_kind kind, uint32_t of) {
  struct query_operand *o = &c->to.operands[c->to.operand_count];
  memset(o, 0, sizeof *o);
  o->kind = (uint8_t)kind;
  o->of = of;
  return c->to.operand_count++;
}

static struct query_expression *query_add_expression(struct query_compiler *c, enum query_expression_kind kind,
                                                     uint32_t *index) {
  struct query_expression *e = &c->to.expressions[c->to.expression_count];
  memset(e, 0, sizeof *e);
  e->kind = (uint8_t)kind;
  e->first = e->next = e->a = e->b = e->regex = QUERY_NONE;
  *index = c->to.expression_count++;
  return e;
}

static int query_need_value(struct query_compiler *c, const char *at, const struct query_part *part,
                            uint32_t *operand) {
  if (part->type == QUERY_TYPE_LOGICAL) return query_fail(c, at, "a value expected, not a logical expression");
  if (part->type == QUERY_TYPE_NODES && !part->is_singular)
    return query_fail(c, at, "a query for a value has only names and indices");
  *operand = part->type == QUERY_TYPE_VALUE ? part->index : query_add_operand(c, QUERY_SINGULAR, part->index);
  return 1;
}

static int query_need_nodes(struct query_compiler *c, const char *at, const struct query_part *part, uint32_t *path) {
  *path = part->index;
  return part->type == QUERY_TYPE_NODES || query_fail(c, at, "a query expected");
}

enum query_function { QUERY_F_LENGTH, QUERY_F_COUNT, QUERY_F_MATCH, QUERY_F_SEARCH, QUERY_F_VALUE, QUERY_F_NONE };

static enum query_function query_find_function(const char *s, size_t n) {
  static const char *const names[] = {"length", "count", "match", "search", "value"};
  int f = 0;
  while (f < QUERY_F_NONE && (strlen(names[f]) != n || memcmp(names[f], s, n) != 0)) f++;
  return (enum query_function)f;
}

/* Reads an argument after blanks, and the blanks, comma or parenthesis after it. */
static int query_read_argument(struct query_compiler *c, struct query_part *part, const char **at, int is_last) {
  query_skip_blanks(c);
  *at = c->p;
  if (query_next_is(c, ')')) return query_fail(c, c->p, "the function needs another argument");
  if (!query_read_part(c, part)) return 0;
  query_skip_blanks(c);
  if (is_last && query_next_is(c, ',')) return query_fail(c, c->p, "the function has fewer arguments");
  if (is_last ? query_take(c, ')') : query_take(c, ',')) return 1;
  if (query_next_is(c, ')')) return query_fail(c, c->p, "the function needs another argument");
  return query_fail(c, c->p, is_last ? "')' expected" : "',' expected");
}

/* Reads match or search after the parenthesis. */
static int query_read_match(struct query_compiler *c, int whole, struct query_part *part) {
  struct query_part text, pattern;
  const char *at;
  uint32_t a, b;
  if (!query_read_argument(c, &text, &at, 0) || !query_need_value(c, at, &text, &a)) return 0;
  if (!query_read_argument(c, &pattern, &at, 1) || !query_need_value(c, at, &pattern, &b)) return 0;
  struct query_expression *e = query_add_expression(c, whole ? QUERY_MATCH : QUERY_SEARCH, &part->index);
  e->a = a, e->b = b;
  if (c->to.operands[b].kind == QUERY_LITERAL_STRING) {
    struct query_regex *x = &c->to.regexes[e->regex = c->to.regex_count++];
    memset(x, 0, sizeof *x);
    x->operand = b;
    x->whole = (uint8_t)whole;
  }
  part->type = QUERY_TYPE_LOGICAL;
  return 1;
}

static int query_read_call(struct query_compiler *c, struct query_part *part) {
  const char *name = c->p, *at;
  struct query_part argument;
  uint32_t of;
  while ((*c->p >= 'a' && *c->p <= 'z') || *c->p == '_' || (*c->p >= '0' && *c->p <= '9')) c->p++;
  const enum query_function f = query_find_function(name, (size_t)(c->p - name));
  if (!query_next_is(c, '('))
    return query_fail(c, name, "a query, a literal or a function call expected (names of members begin with '@.')");
  if (f == QUERY_F_NONE) return query_fail(c, name, "unknown function");
  c->p++;
  if (!query_deeper(c)) return 0;
  if (f == QUERY_F_MATCH || f == QUERY_F_SEARCH) {
    if (!query_read_match(c, f == QUERY_F_MATCH, part)) return 0;
  } else {
    if (!query_read_argument(c, &argument, &at, 1)) return 0;
    if (!(f == QUERY_F_LENGTH ? query_need_value(c, at, &argument, &of) : query_need_nodes(c, at, &argument, &of)))
      return 0;
    part->type = QUERY_TYPE_VALUE;
    part->index = query_add_operand(c,
                                    f == QUERY_F_LENGTH  ? QUERY_LENGTH
                                    : f == QUERY_F_COUNT ? QUERY_COUNT
                                                         : QUERY_VALUE,
                                    of);
  }
  c->depth--;
  return 1;
}

/* Skips the word if it is next, and not part of a longer one. Returns whether it was. */
static int query_take_word(struct query_compiler *c, const char *word) {
  const size_t n = strlen(word);
  if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0) return 0;
  const char after = c->p[n];
  if ((after >= 'a' && after <= 'z') || (after >= '0' && after <= '9') || after == '_' || after == '(') return 0;
  c->p += n;
  return 1;
}

static struct query_operand *query_set_literal(struct query_compiler *c, struct query_part *part,
                                               enum query_operand_kind kind, enum value_type type) {
  part->index = query_add_operand(c, kind, 0);
  c->to.operands[part->index].literal.type = type;
  return &c->to.operands[part->index];
}

static int query_take_literal(struct query_compiler *c, struct query_part *part) {
  static const char *const words[] = {"null", "false", "true"};
  part->is_literal = 1;
  if (*c->p == '\'' || *c->p == '"') {
    uint32_t text, length;
    if (!query_read_string(c, &text, &length)) return 0;
    query_set_literal(c, part, QUERY_LITERAL_STRING, VALUE_STRING)->text = text;
    c->to.operands[part->index].length = length;
    return 1;
  }
  if (*c->p == '-' || (*c->p >= '0' && *c->p <= '9')) {
    uint32_t text = 0, length = 0;
    struct num_any x = {0};
    if (!query_read_number(c, &x, &text, &length)) return 0;
    query_set_literal(c, part, QUERY_LITERAL_NUMBER, VALUE_NUMBER)->text = text;
    c->to.operands[part->index].length = length;
    c->to.operands[part->index].literal.number = x;
    return 1;
  }
  for (int i = 0; i < 3; i++) {
    if (!query_take_word(c, words[i])) continue;
    (void)query_set_literal(c, part, (enum query_operand_kind)(QUERY_LITERAL_NULL + i),
                            (enum value_type)(VALUE_NULL + i));
    return 1;
  }
  part->is_literal = 0;
  return 0;
}

static int query_read_part(struct query_compiler *c, struct query_part *part) {
  memset(part, 0, sizeof *part);
  if (query_next_is(c, '@') || query_next_is(c, '$')) {
    part->type = QUERY_TYPE_NODES;
    if (!query_read_path(c, &part->index)) return 0;
    part->is_singular = c->to.paths[part->index].is_singular;
    return 1;
  }
  if (query_take_literal(c, part)) return 1;
  return !c->error && query_read_call(c, part);
}

/* Reads the operator here. Returns -1 if there is none. */
static int query_take_operator(struct query_compiler *c) {
  const char x = *c->p, y = x ? c->p[1] : 0;
  int found = -1;
  if (c->p == c->end) return -1;
  if (x == '=' && y == '=') found = QUERY_EQUAL;
  if (x == '!' && y == '=') found = QUERY_UNEQUAL;
  if (x == '<') found = y == '=' ? QUERY_LESS_EQUAL : QUERY_LESS;
  if (x == '>') found = y == '=' ? QUERY_GREATER_EQUAL : QUERY_GREATER;
  if (found >= 0) c->p += found == QUERY_LESS || found == QUERY_GREATER ? 1 : 2;
  return found;
}

/* Returns the error for a value that is not compared. */
static const char *query_why_no_operator(const struct query_compiler *c, const struct query_part *part) {
  if (query_next_is(c, '=')) return "'==' expected; '=' compares nothing";
  return part->is_literal ? "a literal must be compared" : "the function's result must be compared";
}

/* Reads a test or a comparison. `negated`: after a !, which only a test may have. */
static int query_read_test(struct query_compiler *c, int negated, uint32_t *expression) {
  const char *at = c->p, *after, *other;
  struct query_part left, right;
  struct query_expression *e;
  uint32_t a, b;
  if (!query_read_part(c, &left)) return 0;
  after = c->p;
  query_skip_blanks(c);
  other = c->p;
  const int operation = query_take_operator(c);
  if (operation < 0) {
    if (left.type == QUERY_TYPE_VALUE || query_next_is(c, '='))
      return query_fail(c, other, query_why_no_operator(c, &left));
    c->p = after;
    if (left.type == QUERY_TYPE_LOGICAL) {
      *expression = left.index;
      e = &c->to.expressions[*expression];
    } else {
      e = query_add_expression(c, QUERY_EXISTS, expression);
      e->a = left.index;
    }
    e->negated = (uint8_t)negated;
    return 1;
  }
  if (negated) return query_fail(c, other, "'!' before a comparison needs parentheses: !(a == b)");
  query_skip_blanks(c);
  other = c->p;
  if (!query_need_value(c, at, &left, &a) || !query_read_part(c, &right) || !query_need_value(c, other, &right, &b))
    return 0;
  e = query_add_expression(c, QUERY_COMPARE, expression);
  e->operation = (uint8_t)operation;
  e->a = a, e->b = b;
  return 1;
}

static int query_read_or(struct query_compiler *c, uint32_t *expression);

static int query_read_basic(struct query_compiler *c, uint32_t *expression) {
  const int negated = query_take(c, '!');
  if (negated) query_skip_blanks(c);
  const char *at = c->p;
  if (!query_take(c, '(')) return query_read_test(c, negated, expression);
  if (!query_deeper(c)) return 0;
  query_skip_blanks(c);
  if (!query_read_or(c, expression)) return 0;
  query_skip_blanks(c);
  if (!query_take(c, ')'))
    return query_fail(c, c->p == c->end ? at : c->p,
                      c->p == c->end ? "'(' without ')'" : "')' or an operator expected");
  c->to.expressions[*expression].negated ^= (uint8_t)negated;
  c->depth--;
  return 1;
}

static int query_read_joined(struct query_compiler *c, char x, uint32_t *expression) {
  const int is_and = x == '&';
  uint32_t last, part, joined = QUERY_NONE;
  if (!(is_and ? query_read_basic(c, &last) : query_read_joined(c, '&', &last))) return 0;
  *expression = last;
  for (;;) {
    const char *before = c->p;
    query_skip_blanks(c);
    if (!query_next_is(c, x) || c->p[1] != x) {
      if (query_next_is(c, x)) return query_fail(c, c->p, is_and ? "'&&' expected" : "'||' expected");
      c->p = before;
      return 1;
    }
    c->p += 2;
    query_skip_blanks(c);
    if (!(is_and ? query_read_basic(c, &part) : query_read_joined(c, '&', &part))) return 0;
    if (joined == QUERY_NONE) query_add_expression(c, is_and ? QUERY_AND : QUERY_OR, &joined)->first = last;
    c->to.expressions[last].next = part;
    last = part;
    *expression = joined;
  }
}

static int query_read_or(struct query_compiler *c, uint32_t *expression) {
  return query_read_joined(c, '|', expression);
}

/* Returns whether the query begins at the current value and leads to what is in it. */
static int query_leads_below(const struct query_compiler *c, uint32_t path) {
  const struct query_path *q = &c->to.paths[path];
  return !q->is_absolute && q->segment != QUERY_NONE;
}

/* Returns whether the operand is nothing for each value without children. */
static int query_is_below(const struct query_compiler *c, const struct query_operand *o) {
  return o->kind == QUERY_SINGULAR && query_leads_below(c, o->of);
}

/* Returns of_scalars of the expression. */
static int query_of_scalars(const struct query_compiler *c, uint32_t expression) {
  const struct query_expression *x = &c->to.expressions[expression];
  const struct query_operand *a, *b;
  int is_true = 0, part_is;
  switch (x->kind) {
  case QUERY_AND:
  case QUERY_OR:
    is_true = x->kind == QUERY_AND;
    for (uint32_t part = x->first; part != QUERY_NONE; part = c->to.expressions[part].next) {
      if ((part_is = query_of_scalars(c, part)) < 0) return -1;
      if (part_is != (x->kind == QUERY_AND)) is_true = part_is;
    }
    break;
  case QUERY_EXISTS:
    if (!query_leads_below(c, x->a)) return -1;
    break;
  case QUERY_COMPARE:
    a = &c->to.operands[x->a], b = &c->to.operands[x->b];
    if (!query_is_below(c, a)) a = b, b = &c->to.operands[x->a];
    if (!query_is_below(c, a) || (!query_is_below(c, b) && b->kind > QUERY_LITERAL_STRING)) return -1;
    if (b->kind <= QUERY_LITERAL_STRING) is_true = x->operation == QUERY_UNEQUAL;
    else is_true = x->operation != QUERY_UNEQUAL && x->operation != QUERY_LESS && x->operation != QUERY_GREATER;
    break;
  default:
    if (!query_is_below(c, &c->to.operands[x->a])) return -1;
  }
  return is_true != x->negated;
}

FL_PRIVATE int query_read_filter(struct query_compiler *c, uint32_t *expression) {
  if (!query_deeper(c) || !query_read_or(c, expression)) return 0;
  c->to.expressions[*expression].of_scalars = (int8_t)query_of_scalars(c, *expression);
  c->depth--;
  return 1;
}
