/* SPDX-License-Identifier: MIT
** compare.c -- comparisons of the scalars that a filter names, and its regular expressions.
** Must hold: as run.h. */
#include "run.h"

#include "../regex/iregexp.h"

static int query_order(int less, int greater) { return less ? -1 : greater; }

/* UTF-8 is ordered by bytes as by characters. */
static int query_compare_strings(struct query_run *r, const struct query_value *a, const struct query_value *b) {
  const size_t n = a->n < b->n ? a->n : b->n;
  const int order = n ? memcmp(a->s, b->s, n) : 0;
  (void)query_spend(r, n / QUERY_BYTES_PER_STEP);
  return order ? query_order(order<0, order> 0) : query_order(a->n<b->n, a->n> b->n);
}

FL_PRIVATE int query_compare(struct query_run *r, enum query_operator operation, const struct query_value *a,
                             const struct query_value *b, int equal) {
  int order = NUM_UNORDERED;
  if (a->kind == b->kind) {
    if (a->kind == QUERY_NUMBER) order = num_compare(&a->number, &b->number);
    else if (a->kind == QUERY_STRING) order = query_compare_strings(r, a, b);
    else if (a->kind < QUERY_ARRAY || equal) order = 0;
  }
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
static int query_compile_pattern(struct query_run *r, const struct query_value *b, int whole) {
  struct regex_compiler c;
  size_t room, front = (b->n + 8) & ~(size_t)7;
  if (r->pattern && r->pattern_length == b->n && r->pattern_whole == whole &&
      (b->n == 0 || memcmp(r->pattern, b->s, b->n) == 0))
    return r->regex != NULL;
  if (!query_spend(r, 1 + b->n)) return 0;
  if (!regex_compile_iregexp(&c, NULL, b->s, b->n, whole) && c.is_limit) return query_run_fail(r, QUERY_ERROR_REGEX);
  room = front + (c.error ? 0 : regex_size(&c.size));
  if (!c.error && !query_spend(r, room / QUERY_BYTES_PER_STEP)) return 0;
  if (room > r->pattern_room) {
    r->pattern = (char *)r->memory(r->owner, QUERY_BLOCK_REGEX, room, 0);
    r->pattern_room = r->pattern ? room : 0;
    if (!r->pattern) return query_run_fail(r, QUERY_ERROR_MEMORY);
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
  r->scratch = (uint32_t *)r->memory(r->owner, QUERY_BLOCK_SCRATCH, n, 0);
  r->scratch_room = r->scratch ? n : 0;
  if (!r->scratch) return query_run_fail(r, QUERY_ERROR_MEMORY);
  memset(r->scratch, 0, n);
  return 1;
}

FL_PRIVATE int query_match(struct query_run *r, const struct query_expression *x, const struct query_value *a,
                           const struct query_value *b) {
  const struct regex *regex;
  if (a->kind != QUERY_STRING || b->kind != QUERY_STRING) return 0;
  if (x->regex == QUERY_NONE) {
    if (!query_compile_pattern(r, b, x->kind == QUERY_MATCH)) return 0;
    regex = r->regex;
  } else {
    const struct query_regex *literal = &r->program->regexes[x->regex];
    if (literal->is_wrong) return 0;
    regex = (const struct regex *)(const void *)((const char *)r->program + literal->at);
  }
  if (!query_spend(r, (a->n + 1) * (1 + ((uint64_t)regex->steps + regex->ranges) / QUERY_BYTES_PER_STEP))) return 0;
  if (!query_need_scratch(r, regex_scratch_size(regex))) return 0;
  return regex_search(regex, r->scratch, a->s, a->n);
}
