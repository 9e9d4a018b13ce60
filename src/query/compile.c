/* SPDX-License-Identifier: MIT
** compile.c -- compiles the text of a JSONPath query (RFC 9535, section 2 and appendix A): its strings, names, numbers,
** selectors and segments.
** Must hold: as program.h. What is written to the program's bytes is not longer than what was read. */
#include "../json/tokens/tokens.h"
#include "../number/parse.h"
#include "../regex/compile.h"
#include "program.h"

/* Reads an escape after its \u; a surrogate pair is one character. */
static int query_read_unicode(struct query_compiler *c, const char *at, uint32_t *x) {
  const int unit = json_check_hex(c->p, c->end);
  int low = -1;
  if (unit < 0) return query_fail(c, at, "four hexadecimal digits expected after \\u");
  c->p += 4;
  *x = (uint32_t)unit;
  if ((unit & ~0x7ff) != 0xd800) return 1;
  if (unit < 0xdc00 && c->end - c->p >= 2 && c->p[0] == '\\' && c->p[1] == 'u') low = json_check_hex(c->p + 2, c->end);
  if ((low & ~0x3ff) != 0xdc00) return query_fail(c, at, "half of a surrogate pair");
  c->p += 6;
  *x = 0x10000 + ((*x - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
  return 1;
}

/* Reads an escape after its backslash. */
static int query_read_escape(struct query_compiler *c, char quote, uint32_t *x) {
  const char *at = c->p - 1;
  if (c->p == c->end) return query_fail(c, at, "'\\' at the end");
  if (*c->p++ == 'u') return query_read_unicode(c, at, x);
  if (c->p[-1] == quote) return *x = (unsigned char)quote, 1;
  *x = c->p[-1] == '"' ? 0u : (unsigned char)text_short_escape(c->p[-1]);
  return *x != 0 || query_fail(c, at, "unknown escape");
}

/* Copies the character at p, which is not ASCII. */
static char *query_copy_character(struct query_compiler *c, char *w) {
  uint32_t x;
  const int length = text_utf8_next(c->p, (size_t)(c->end - c->p), &x);
  if (length <= 0) return query_fail(c, c->p, "invalid UTF-8"), NULL;
  memcpy(w, c->p, (size_t)length);
  c->p += length;
  return w + length;
}

FL_PRIVATE int query_read_string(struct query_compiler *c, uint32_t *text, uint32_t *length) {
  const char *begin = c->p;
  const char quote = *c->p++;
  char *w = c->to.bytes + c->to.byte_count;
  *text = c->to.byte_count;
  while (!query_next_is(c, quote)) {
    uint32_t x = 0;
    if (c->p == c->end) return query_fail(c, begin, "the string has no end");
    if ((unsigned char)*c->p < ' ') return query_fail(c, c->p, "control character in a string");
    if (*c->p & 0x80) {
      if (!(w = query_copy_character(c, w))) return 0;
    } else if (!query_take(c, '\\')) {
      *w++ = *c->p++;
    } else {
      if (!query_read_escape(c, quote, &x)) return 0;
      w = text_put_utf8(w, x);
    }
  }
  c->p++;
  *length = (uint32_t)(w - c->to.bytes) - *text;
  *w++ = 0; /* for num_parse; the quotes make room */
  c->to.byte_count = (uint32_t)(w - c->to.bytes);
  return 1;
}

static int query_is_letter(char x) { return ((x | 32) >= 'a' && (x | 32) <= 'z') || x == '_' || (x & 0x80); }

/* Reads a name without quotes. Returns 0 without an error if none begins here. */
static int query_read_name(struct query_compiler *c, uint32_t *text, uint32_t *length) {
  char *w = c->to.bytes + c->to.byte_count;
  *text = c->to.byte_count;
  if (c->p == c->end || !query_is_letter(*c->p)) return 0;
  while (c->p < c->end && (query_is_letter(*c->p) || (*c->p >= '0' && *c->p <= '9'))) {
    if (!(*c->p & 0x80)) *w++ = *c->p++;
    else if (!(w = query_copy_character(c, w))) return 0;
  }
  *length = (uint32_t)(w - c->to.bytes) - *text;
  *w++ = 0; /* the point or bracket before it makes room */
  c->to.byte_count = (uint32_t)(w - c->to.bytes);
  return 1;
}

static int query_is_digit(char x) { return x >= '0' && x <= '9'; }

/* Reads an index or a part of a slice. */
static int query_read_index(struct query_compiler *c, int64_t *i) {
  const char *at = c->p;
  const int negative = query_take(c, '-');
  if (!query_is_digit(*c->p)) return query_fail(c, c->p, "a digit expected");
  if (*c->p == '0' && (negative || query_is_digit(c->p[1])))
    return query_fail(c, at, "an index has no leading 0 and is not -0");
  for (*i = 0; query_is_digit(*c->p); c->p++) {
    *i = 10 * *i + (*c->p - '0');
    if (*i > QUERY_MOST_INDEX) return query_fail(c, at, "an index is at most 9007199254740991");
  }
  if (negative) *i = -*i;
  return 1;
}

FL_PRIVATE int query_read_number(struct query_compiler *c, struct num_any *x, uint32_t *text, uint32_t *length) {
  struct num_value v = {0, 0, NUM_BAD};
  const char *end = num_read(c->p, c->end, &v);
  if (v.kind == NUM_BAD || query_is_digit(*end) || *end == '.' || *end == 'e' || *end == 'E')
    return query_fail(c, c->p, "malformed number");
  *text = c->to.byte_count;
  *length = (uint32_t)(end - c->p);
  *x = num_any_of(c->p, *length, &v);
  memcpy(c->to.bytes + *text, c->p, *length);
  c->to.byte_count += *length;
  c->p = end;
  return 1;
}

FL_PRIVATE_NOINLINE int query_fail(struct query_compiler *c, const char *at, const char *error) {
  if (!c->error) c->error = error, c->at = at;
  return 0;
}

static int query_read_name_selector(struct query_compiler *c, struct query_selector *s) {
  struct num_value v = {0, 0, NUM_BAD};
  const char *name, *end;
  s->kind = QUERY_NAME;
  if (!query_read_string(c, &s->name.at, &s->name.length)) return 0;
  name = c->to.bytes + s->name.at, end = name + s->name.length;
  s->name.is_number = name < end && num_read(name, end, &v) == end && v.kind != NUM_BAD;
  return 1;
}

/* Reads an index, or a slice: start:end:step. */
static int query_read_numbers(struct query_compiler *c, struct query_selector *s) {
  const char *at;
  s->kind = QUERY_INDEX;
  s->step = 1;
  if (!query_next_is(c, ':')) {
    s->has_start = 1;
    if (!query_read_index(c, &s->start)) return 0;
    at = c->p;
    query_skip_blanks(c);
    if (!query_next_is(c, ':')) return c->p = at, 1;
  }
  c->p++;
  s->kind = QUERY_SLICE;
  at = c->p;
  query_skip_blanks(c);
  if (*c->p == '-' || (*c->p >= '0' && *c->p <= '9')) {
    s->has_end = 1;
    if (!query_read_index(c, &s->end)) return 0;
    at = c->p;
    query_skip_blanks(c);
  }
  if (!query_take(c, ':')) return c->p = at, 1;
  at = c->p;
  query_skip_blanks(c);
  if (*c->p != '-' && !(*c->p >= '0' && *c->p <= '9')) return c->p = at, 1;
  return query_read_index(c, &s->step);
}

static int query_read_selector(struct query_compiler *c, struct query_selector *s) {
  switch (c->p < c->end ? *c->p : 0) {
  case '\'':
  case '"': return query_read_name_selector(c, s);
  case '*':
    c->p++;
    s->kind = QUERY_WILDCARD;
    return 1;
  case '?': {
    uint32_t expression;
    c->p++;
    s->kind = QUERY_FILTER;
    query_skip_blanks(c);
    if (!query_read_filter(c, &expression)) return 0;
    s->expression = expression;
    return 1;
  }
  default:
    if (c->p < c->end && (*c->p == ':' || *c->p == '-' || (*c->p >= '0' && *c->p <= '9')))
      return query_read_numbers(c, s);
    return query_fail(c, c->p, "a selector expected: a name in quotes, an index, a slice, '*' or '?'");
  }
}

static struct query_selector *query_add_selector(struct query_compiler *c, uint32_t *link) {
  struct query_selector *s = &c->to.selectors[ *link = c->to.selector_count++];
  memset(s, 0, sizeof *s);
  s->next = QUERY_NONE;
  s->expression = QUERY_NONE;
  s->name.number = *link;
  return s;
}

/* Reads selectors in brackets, after the opening one. */
static int query_read_brackets(struct query_compiler *c, uint32_t *link) {
  const char *at = c->p - 1;
  for (;;) {
    struct query_selector *s = query_add_selector(c, link);
    link = &s->next;
    query_skip_blanks(c);
    if (c->p == c->end) return query_fail(c, at, "'[' without ']'");
    if (!query_read_selector(c, s)) return 0;
    query_skip_blanks(c);
    if (query_take(c, ']')) return 1;
    if (c->p == c->end) return query_fail(c, at, "'[' without ']'");
    if (!query_take(c, ',')) return query_fail(c, c->p, "',' or ']' expected");
  }
}

/* Reads what follows a point, or two: a name or a star. */
static int query_read_shorthand(struct query_compiler *c, uint32_t *link) {
  struct query_selector *s = query_add_selector(c, link);
  if (query_take(c, '*')) {
    s->kind = QUERY_WILDCARD;
    return 1;
  }
  s->kind = QUERY_NAME;
  if (query_read_name(c, &s->name.at, &s->name.length)) return 1;
  return query_fail(c, c->p, "a name or '*' expected");
}

/* Reads the segment here. Returns 0 without an error if none begins here. */
static int query_read_segment(struct query_compiler *c, uint32_t *link) {
  int is_fine;
  if (!query_next_is(c, '.') && !query_next_is(c, '[')) return 0;
  struct query_segment *s = &c->to.segments[ *link = c->to.segment_count++];
  memset(s, 0, sizeof *s);
  s->next = s->selector = QUERY_NONE;
  if (query_take(c, '[')) {
    is_fine = query_read_brackets(c, &s->selector);
  } else {
    c->p++;
    s->is_descendant = (uint8_t)query_take(c, '.');
    is_fine = s->is_descendant && query_take(c, '[') ? query_read_brackets(c, &s->selector)
                                                     : query_read_shorthand(c, &s->selector);
  }
  if (!is_fine) return 0;
  const struct query_selector *first = &c->to.selectors[s->selector];
  s->is_single = !s->is_descendant && first->next == QUERY_NONE &&
                 (first->kind == QUERY_NAME || first->kind == QUERY_INDEX);
  return 1;
}

FL_PRIVATE int query_read_path(struct query_compiler *c, uint32_t *path) {
  struct query_path *q = &c->to.paths[ *path = c->to.path_count++];
  uint32_t *link = &q->segment;
  memset(q, 0, sizeof *q);
  q->segment = QUERY_NONE;
  q->is_absolute = *c->p++ == '$';
  q->is_singular = 1;
  q->cache = QUERY_NONE;
  if (q->is_absolute && *path > 0) q->cache = c->to.caches++;
  for (;;) {
    const char *before = c->p;
    query_skip_blanks(c);
    if (!query_read_segment(c, link)) {
      if (c->error) return 0;
      c->p = before;
      return 1;
    }
    q->is_singular &= c->to.segments[*link].is_single;
    link = &c->to.segments[*link].next;
  }
}

/* The arrays of a program, in the order of their alignment. */
#define QUERY_ARRAYS(X)        \
  X(operands, operand_count)   \
  X(selectors, selector_count) \
  X(regexes, regex_count) X(expressions, expression_count) X(segments, segment_count) X(paths, path_count)

/* Each part has at least one byte of the text to itself: a selector the bracket, comma or point before it, a segment
** the same, a query its $ or @, an operand its literal, its function's name or the query whose value it is; an
** expression its operator, function's name or query. A string's two quotes, or the point before a name, make room for
** the 0 after its bytes. */
#define QUERY_ROOM(n) ((n) + 4)

FL_PRIVATE size_t query_compiler_memory(size_t n) {
  const size_t room = QUERY_ROOM(n);
#define QUERY_ADD(array, count) +room * sizeof *((struct query_program *)0)->array
  return room QUERY_ARRAYS(QUERY_ADD);
#undef QUERY_ADD
}

FL_PRIVATE int query_compile(struct query_compiler *c, void *memory, const char *s, size_t n) {
  const size_t room = QUERY_ROOM(n);
  char *at = (char *)memory;
  uint32_t path;
  memset(c, 0, sizeof *c);
  c->begin = c->p = s;
  c->end = s + n;
#define QUERY_TAKE(array, count) c->to.array = (void *)at, at += room * sizeof *c->to.array;
  QUERY_ARRAYS(QUERY_TAKE)
#undef QUERY_TAKE
  c->to.bytes = at;
  if (n > QUERY_LONGEST) return query_fail(c, s, "the query is too long");
  if (!query_next_is(c, '$')) return query_fail(c, s, "a query begins with '$'");
  if (!query_read_path(c, &path)) return 0;
  FL_ASSERT(c->to.operand_count <= room && c->to.selector_count <= room && c->to.expression_count <= room &&
            c->to.segment_count <= room && c->to.path_count <= room && c->to.byte_count <= room);
  return c->p == c->end || query_fail(c, c->p, "a segment expected: '.', '..' or '['");
}

static int query_compile_regex(const struct query_compiler *c, struct regex_compiler *r, const struct query_regex *x,
                               struct regex *to) {
  const struct query_operand *literal = &c->to.operands[x->operand];
  return regex_compile_iregexp(r, to, c->to.bytes + literal->text, literal->length, x->whole);
}

#define QUERY_ALIGN(n) (((n) + 7) & ~(size_t)7)

FL_PRIVATE size_t query_measure(struct query_compiler *c) {
  struct regex_compiler r;
  size_t size = QUERY_ALIGN(sizeof c->to) + QUERY_ALIGN(c->to.byte_count);
  uint32_t i;
#define QUERY_ADD(array, count) size += QUERY_ALIGN(c->to.count * sizeof *c->to.array);
  QUERY_ARRAYS(QUERY_ADD)
#undef QUERY_ADD
  for (i = 0; i < c->to.regex_count; i++) {
    struct query_regex *x = &c->to.regexes[i];
    if (query_compile_regex(c, &r, x, NULL)) {
      x->at = size;
      size += QUERY_ALIGN(regex_size(&r.size));
      if (size > SIZE_MAX / 4) return query_fail(c, c->begin, "the regular expressions are too large"), (size_t)0;
      if (regex_scratch_size(&r.size) > c->to.scratch) c->to.scratch = regex_scratch_size(&r.size);
    } else if (r.is_limit) {
      return query_fail(c, c->begin, "a regular expression is too large"), (size_t)0;
    } else {
      x->is_wrong = 1;
    }
  }
  return size;
}

FL_PRIVATE struct query_program *query_finish(struct query_compiler *c, void *block) {
  struct query_program *to = (struct query_program *)block;
  char *at = (char *)block + QUERY_ALIGN(sizeof *to);
  struct regex_compiler r;
  uint32_t i;
  *to = c->to;
#define QUERY_COPY(array, count)                              \
  memcpy(at, c->to.array, c->to.count * sizeof *c->to.array); \
  to->array = (void *)at, at += QUERY_ALIGN(c->to.count * sizeof *c->to.array);
  QUERY_ARRAYS(QUERY_COPY)
#undef QUERY_COPY
  memcpy(at, c->to.bytes, c->to.byte_count);
  to->bytes = at;
  for (i = 0; i < to->operand_count; i++) {
    struct query_operand *o = &to->operands[i];
    o->literal.s = o->literal.number.text = at + o->text;
    o->literal.n = o->literal.number.n = o->length;
  }
  for (i = 0; i < to->regex_count; i++) {
    struct query_regex *x = &to->regexes[i];
    struct regex *regex = (struct regex *)(void *)((char *)block + x->at);
    if (x->is_wrong) continue;
    (void)query_compile_regex(c, &r, x, NULL); /* sizes are not stored, so measure again */
    *regex = r.size;
    (void)query_compile_regex(c, &r, x, regex);
  }
  return to;
}
