/* SPDX-License-Identifier: MIT
** literals.c -- strings, names and numbers of a query.
** Must hold: as compile.h. What is written to the program's bytes is no longer than what was read. */
#include "../json/tokens/tokens.h"
#include "../number/parse.h"
#include "compile.h"

/* ------------------------------------------------------------------------------------- strings */

static int query_hex(const struct query_compiler *c, const char *p) {
  const char x = p < c->end ? *p : 0, lower = (char)(x | 32);
  return x >= '0' && x <= '9' ? x - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads the four digits of an escape; 0x110000: they are none. */
static uint32_t query_read_hex(struct query_compiler *c) {
  uint32_t x = 0;
  int i;
  for (i = 0; i < 4; i++) {
    const int digit = query_hex(c, c->p);
    if (digit < 0) return 0x110000;
    x = x << 4 | (uint32_t)digit;
    c->p++;
  }
  return x;
}

/* Reads an escape after its \u; two of a surrogate pair are one character. */
static int query_read_unicode(struct query_compiler *c, const char *at, uint32_t *x) {
  uint32_t low;
  *x = query_read_hex(c);
  if (*x > 0xffff) return query_fail(c, at, "four hexadecimal digits expected after \\u");
  if (*x < 0xd800 || *x > 0xdfff) return 1;
  if (*x > 0xdbff || c->end - c->p < 2 || c->p[0] != '\\' || c->p[1] != 'u')
    return query_fail(c, at, "half of a surrogate pair");
  c->p += 2;
  low = query_read_hex(c);
  if (low < 0xdc00 || low > 0xdfff) return query_fail(c, at, "half of a surrogate pair");
  *x = 0x10000 + ((*x - 0xd800) << 10) + (low - 0xdc00);
  return 1;
}

/* Reads an escape after its backslash. */
static int query_read_escape(struct query_compiler *c, char quote, uint32_t *x) {
  const char *at = c->p - 1;
  if (c->p == c->end) return query_fail(c, at, "'\\' at the end");
  switch (*c->p++) {
  case 'b': *x = '\b'; return 1;
  case 'f': *x = '\f'; return 1;
  case 'n': *x = '\n'; return 1;
  case 'r': *x = '\r'; return 1;
  case 't': *x = '\t'; return 1;
  case '/': *x = '/'; return 1;
  case '\\': *x = '\\'; return 1;
  case 'u': return query_read_unicode(c, at, x);
  default: *x = (unsigned char)quote; return c->p[-1] == quote || query_fail(c, at, "unknown escape");
  }
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
    uint32_t x;
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

FL_PRIVATE int query_read_name(struct query_compiler *c, uint32_t *text, uint32_t *length) {
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

/* ------------------------------------------------------------------------------------- numbers */

static int query_is_digit(char x) { return x >= '0' && x <= '9'; }

FL_PRIVATE int query_read_index(struct query_compiler *c, int64_t *i) {
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
