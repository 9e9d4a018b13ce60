/* SPDX-License-Identifier: MIT
** run.h -- what all evaluations of a query share: limits, memory, comparisons of scalars, regular expressions, paths.
** Must hold: memory is asked of the caller, who may raise; nothing else is held. Every visit to a value is paid for, so
** that the time is bounded even if a query visits values again and again. */
#pragma once

#include "program.h"

enum query_kind {
  QUERY_NOTHING,
  QUERY_NULL,
  QUERY_FALSE,
  QUERY_TRUE,
  QUERY_NUMBER,
  QUERY_STRING,
  QUERY_ARRAY,
  QUERY_OBJECT,
  QUERY_OTHER /* no value of JSON: equal to itself alone */
};

/* A value that is compared, or is an argument of a function. Of the kinds from ARRAY on only the node is known. */
struct query_value {
  enum query_kind kind;
  struct num_any number;
  const char *s; /* of a string */
  size_t n;
};

enum query_error {
  QUERY_OK,
  QUERY_ERROR_STEPS, /* max_steps */
  QUERY_ERROR_DEPTH, /* max_depth */
  QUERY_ERROR_MEMORY,
  QUERY_ERROR_REGEX, /* a regular expression of the document is too large */
  QUERY_ERROR_REDO   /* this instance cannot decide something: another one has to begin again */
};

/* Blocks of memory that a run has. */
enum query_block {
  QUERY_BLOCK_FRAMES,
  QUERY_BLOCK_TEXT,
  QUERY_BLOCK_REGEX,
  QUERY_BLOCK_SCRATCH,
  QUERY_BLOCK_CACHE,
  QUERY_BLOCK_TABLES,
  QUERY_BLOCK_INDEX,
  QUERY_BLOCKS
};

/* Gives the block at least n bytes, of which the first `used` keep their contents; NULL: there is no memory. */
typedef void *(*query_memory)(void *owner, enum query_block block, size_t n, size_t used);

/* Is a Lua table an array, and of which length? To find out, all its keys are looked at. This costs no steps, since
** documents know it: so it is done once in a run for each table with more than QUERY_LONG keys. */
struct query_table {
  const void *at;
  uint64_t n;
  int is_array;
};

enum { QUERY_LONG = 64 };

struct query_run {
  const struct query_program *program;
  query_memory memory;
  void *owner;
  uint64_t left; /* steps that may still be made */
  uint32_t max_depth;
  enum query_error error;
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
  struct query_table *tables; /* the long ones that are known; NULL: none */
  uint32_t *index;            /* of tables, plus 1, by address; 2 * tables_room slots; 0: free */
  size_t table_count, tables_room;
};

FL_PRIVATE_NOINLINE int query_run_fail(struct query_run *r, enum query_error error);

/* Pays for n bytes or visits; false: there are no steps left. */
FL_INLINE int query_spend(struct query_run *r, uint64_t n) {
  if (FL_UNLIKELY(r->left < n)) return query_run_fail(r, QUERY_ERROR_STEPS);
  r->left -= n;
  return 1;
}

enum { QUERY_BYTES_PER_STEP = 32 };

/* What is known of the table; NULL: nothing. */
FL_PRIVATE const struct query_table *query_find_table(const struct query_run *r, const void *at);

/* Remembers a table that is not known. False: no memory. */
FL_PRIVATE int query_add_table(struct query_run *r, const void *at, uint64_t n, int is_array);

/* Does the comparison of two values hold? `equal`: they are arrays, objects or others, and equal. */
FL_PRIVATE int query_compare(struct query_run *r, enum query_operator operation, const struct query_value *a,
                             const struct query_value *b, int equal);

/* The number of characters of a string; bytes that are not UTF-8 count one each, or as the start of a character. */
FL_PRIVATE size_t query_count_characters(const char *s, size_t n);

/* match or search: x, or if it has none the pattern b, in the text a. */
FL_PRIVATE int query_match(struct query_run *r, const struct query_expression *x, const struct query_value *a,
                           const struct query_value *b);

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
