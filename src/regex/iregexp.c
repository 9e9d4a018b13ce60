/* SPDX-License-Identifier: MIT */
#include "iregexp.h"
#include "categories.h"

/* Is the character one that only an escape stands for, outside of classes and in them? */
static int regex_is_special(uint32_t x) { return x < 128 && x && strchr("()*+.?[\\]{|}", (int)x); }
static int regex_is_class_special(uint32_t x) { return x == '[' || x == '\\' || x == ']' || x == '-'; }

/* SingleCharEsc, after its backslash. */
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

/* \p{..} or \P{..}, after its backslash: puts its ranges. */
static int regex_put_property(struct regex_compiler *c) {
  const char *at = c->p - 1;
  const int others = *c->p++ == 'P';
  const uint32_t categories = regex_take_categories(c);
  if (!categories) return regex_fail(c, at, "unknown category of characters");
  return regex_put_categories(c, categories, others);
}

static int regex_is_property(const struct regex_compiler *c) {
  return c->end - c->p > 1 && c->p[0] == '\\' && (c->p[1] == 'p' || c->p[1] == 'P');
}

/* CCchar, or SingleCharEsc. */
static int regex_take_class_character(struct regex_compiler *c, uint32_t *x) {
  const char *at = c->p;
  if (c->p == c->end) return regex_fail(c, at, "'[' without ']'");
  if (regex_take(c, '\\')) return regex_take_single_escape(c, x);
  *x = regex_take_character(c);
  return !regex_is_class_special(*x) || regex_fail(c, at, "a character that needs an escape");
}

/* CCE1: a character, a range, or a category. */
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

/* charClassExpr, after its bracket. A - may be the first or the last of its characters. */
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

/* An escape after its backslash. */
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
  case ')':
    if (c->depth == 2) return regex_fail(c, at, "')' without '('");
    regex_close(c);
    return 1;
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
  regex_close(c);
  if (whole && !regex_put(c, REGEX_END, 0)) return 0;
  return regex_end_compile(c);
}
