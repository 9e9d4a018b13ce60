/* SPDX-License-Identifier: MIT
** run.h -- what all evaluations of a query share: limits, memory, comparisons of scalars, regular expressions, paths.
** Must hold: memory is asked of the caller, who may raise; nothing else is held. Every visit to a value is paid for, so
** that the time is bounded even if a query visits values again and again. */
#pragma once

#include "program.h"

/* Blocks of memory that a run has, after those of its values. */
enum query_block {
  QUERY_BLOCK_FRAMES = VALUE_BLOCKS,
  QUERY_BLOCK_TEXT,
  QUERY_BLOCK_REGEX,
  QUERY_BLOCK_SCRATCH,
  QUERY_BLOCK_CACHE,
  QUERY_BLOCKS
};

struct query_run {
  const struct query_program *program;
  struct value_walk *walk; /* of the form's values */
  int wants_paths;
  void *frames; /* the instance's */
  size_t depth, room;
  char *text; /* of a path */
  size_t text_length, text_room;
  char *pattern; /* the last regular expression that was a value, before its steps; NULL: none */
  size_t pattern_room, pattern_length;
  struct regex *regex; /* NULL: it is none */
  int pattern_whole;
  uint32_t *scratch;
  size_t scratch_room;
};

/* Does the comparison of two values hold? `equal`: they are arrays, objects or others, and equal. */
FL_PRIVATE int query_compare(struct query_run *r, enum query_operator operation, const struct value *a,
                             const struct value *b, int equal);

/* The number of characters of a string; bytes that are not UTF-8 count one each, or as the start of a character. */
FL_PRIVATE size_t query_count_characters(const char *s, size_t n);

/* match or search: x, or if it has none the pattern b, in the text a. */
FL_PRIVATE int query_match(struct query_run *r, const struct query_expression *x, const struct value *a,
                           const struct value *b);

/* Adds a step to the path: a name, or an index if it is NULL. */
FL_PRIVATE int query_put_step(struct query_run *r, const char *name, size_t n, uint64_t index);

/* Begins a path. */
FL_PRIVATE int query_begin_path(struct query_run *r);

/* Lower and upper bound of a slice in an array of n items (RFC 9535, section 2.3.4.2.2): *at is the first, and the
** result the number of items. */
FL_PRIVATE uint64_t query_slice(const struct query_selector *s, uint64_t n, uint64_t *at);

/* The index of an item, from 0; false: there is none. */
FL_INLINE int query_place(int64_t index, uint64_t n, uint64_t *place) {
  *place = index < 0 ? (uint64_t)index + n : (uint64_t)index;
  return *place < n;
}
