/* SPDX-License-Identifier: MIT
** run.c -- slices and paths; regular expressions in filters.
** Must hold: as program.h. */
#include "../number/integer.h"
#include "../regex/compile.h"
#include "program.h"

/* RFC 9535, section 2.3.4.2.2: Normalize, and the bound. All numbers are below 2^54. */
static int64_t query_bound(int64_t i, int64_t n, int64_t least, int64_t most) {
  if (i < 0) i += n;
  return i < least ? least : i > most ? most : i;
}

FL_PRIVATE uint64_t query_slice(const struct query_selector *s, uint64_t length, uint64_t *at) {
  const int64_t n = (int64_t)length, step = s->step;
  int64_t start, end;
  if (step == 0) return 0;
  if (step > 0) {
    start = s->has_start ? query_bound(s->start, n, 0, n) : 0;
    end = s->has_end ? query_bound(s->end, n, 0, n) : n;
    *at = (uint64_t)start;
    return start < end ? (uint64_t)((end - start - 1) / step + 1) : 0;
  }
  start = s->has_start ? query_bound(s->start, n, -1, n - 1) : n - 1;
  end = s->has_end ? query_bound(s->end, n, -1, n - 1) : -1;
  *at = (uint64_t)start;
  return start > end ? (uint64_t)((start - end - 1) / -step + 1) : 0;
}

static int query_need_text(struct query_run *r, size_t n) {
  const size_t need = r->text_length + n;
  if (need <= r->text_room) return 1;
  r->text = (char *)value_reserve(r->walk, QUERY_BLOCK_TEXT, 2 * need, r->text_length);
  r->text_room = r->text ? 2 * need : 0;
  return r->text != NULL;
}

FL_PRIVATE int query_begin_path(struct query_run *r) {
  r->text_length = 0;
  if (!query_need_text(r, 64)) return 0;
  r->text[r->text_length++] = '$';
  return 1;
}

/* Writes a byte of a name, as in a normalized path of RFC 9535, section 2.7. */
static char *query_put_byte(char *w, char x) {
  static const char digits[] = "0123456789abcdef", short_escapes[] = "btn?fr";
  if (x == '\'' || x == '\\') {
    *w++ = '\\';
    *w++ = x;
  } else if ((unsigned char)x >= ' ') {
    *w++ = x;
  } else if (x >= '\b' && x <= '\r' && x != '\v') {
    *w++ = '\\';
    *w++ = short_escapes[x - '\b'];
  } else {
    memcpy(w, "\\u00", 4);
    w[4] = digits[(unsigned char)x >> 4];
    w[5] = digits[x & 15];
    w += 6;
  }
  return w;
}

FL_PRIVATE int query_put_step(struct query_run *r, const char *name, size_t n, uint64_t index) {
  if (n > SIZE_MAX / 32 || !value_spend(r->walk, n / VALUE_BYTES_PER_STEP) || !query_need_text(r, 6 * n + 32)) return 0;
  char *w = r->text + r->text_length;
  *w++ = '[';
  if (name) {
    *w++ = '\'';
    for (size_t i = 0; i < n; i++) w = query_put_byte(w, name[i]);
    *w++ = '\'';
  } else {
    w = num_write_i64(w, (int64_t)index);
  }
  *w++ = ']';
  r->text_length = (size_t)(w - r->text);
  return 1;
}

FL_PRIVATE size_t query_count_characters(const char *s, size_t n) {
  size_t i, count = 0;
  for (i = 0; i < n; i++) count += (s[i] & 0xc0) != 0x80;
  return count;
}

/* Compiles the pattern unless it is the last one. Returns 0 if it is not an I-Regexp, or after an error. */
static int query_compile_pattern(struct query_run *r, const struct value *b, int whole) {
  struct regex_compiler c;
  size_t room, front = (b->n + 8) & ~(size_t)7;
  if (r->pattern && r->pattern_length == b->n && r->pattern_whole == whole &&
      (b->n == 0 || memcmp(r->pattern, b->s, b->n) == 0))
    return r->regex != NULL;
  if (!value_spend(r->walk, 1 + b->n)) return 0;
  if (!regex_compile_iregexp(&c, NULL, b->s, b->n, whole) && c.is_limit) return value_fail(r->walk, VALUE_ERROR_REGEX);
  room = front + (c.error ? 0 : regex_size(&c.size));
  if (!c.error && !value_spend(r->walk, room / VALUE_BYTES_PER_STEP)) return 0;
  if (room > r->pattern_room) {
    r->pattern = (char *)value_reserve(r->walk, QUERY_BLOCK_REGEX, room, 0);
    r->pattern_room = r->pattern ? room : 0;
    if (!r->pattern) return 0;
  }
  memcpy(r->pattern, b->s, b->n);
  r->pattern_length = b->n;
  r->pattern_whole = whole;
  r->regex = NULL;
  if (c.error) return 0;
  r->regex = (struct regex *)(void *)(r->pattern + front);
  *r->regex = c.size;
  (void)regex_compile_iregexp(&c, r->regex, b->s, b->n, whole);
  return 1;
}

/* Makes room for a search. The memory must be initialized once. */
static int query_need_scratch(struct query_run *r, size_t n) {
  if (n <= r->scratch_room) return 1;
  r->scratch = (uint32_t *)value_reserve(r->walk, QUERY_BLOCK_SCRATCH, n, 0);
  r->scratch_room = r->scratch ? n : 0;
  if (!r->scratch) return 0;
  memset(r->scratch, 0, n);
  return 1;
}

FL_PRIVATE int query_match(struct query_run *r, const struct query_expression *x, const struct value *a,
                           const struct value *b) {
  const struct regex *regex;
  if (a->type != VALUE_STRING || b->type != VALUE_STRING) return 0;
  if (x->regex == QUERY_NONE) {
    if (!query_compile_pattern(r, b, x->kind == QUERY_MATCH)) return 0;
    regex = r->regex;
  } else {
    const struct query_regex *literal = &r->program->regexes[x->regex];
    if (literal->is_wrong) return 0;
    regex = (const struct regex *)(const void *)((const char *)r->program + literal->at);
  }
  if (!value_spend(r->walk, (a->n + 1) * (1 + ((uint64_t)regex->steps + regex->ranges) / VALUE_BYTES_PER_STEP)))
    return 0;
  if (!query_need_scratch(r, regex_scratch_size(regex))) return 0;
  return regex_search(regex, r->scratch, a->s, a->n);
}
