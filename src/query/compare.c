/* SPDX-License-Identifier: MIT
** compare.c -- comparisons of the scalars that a filter names, and its regular expressions.
** Must hold: as run.h. */
#include "run.h"

#include "../regex/compile.h"

FL_PRIVATE int query_compare(struct query_run *r, enum query_operator operation, const struct value *a,
                             const struct value *b, int equal) {
  const int order = equal ? 0 : value_order(r->walk, a, b);
  switch (operation) {
  case QUERY_EQUAL: return order == 0;
  case QUERY_UNEQUAL: return order != 0;
  case QUERY_LESS: return order == -1;
  case QUERY_LESS_EQUAL: return order <= 0;
  case QUERY_GREATER: return order == 1;
  default: return order == 1 || order == 0;
  }
}

FL_PRIVATE size_t query_count_characters(const char *s, size_t n) {
  size_t i, count = 0;
  for (i = 0; i < n; i++) count += (s[i] & 0xc0) != 0x80;
  return count;
}

/* ------------------------------------------------------------------------------------- regular expressions */

/* Compiles the pattern unless it is the last one. False: it is no I-Regexp, or an error. */
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

/* Makes room for a search; what it contains must have been written once. */
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
