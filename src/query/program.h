/* SPDX-License-Identifier: MIT
** program.h -- JSONPath queries (RFC 9535): compiled programs, their compiler, and what all evaluations share.
** Must hold: a program is arrays in one block of memory, and does not change. Parts refer to each other by number,
** and only to parts that they contain, so following them recursively is no deeper than QUERY_NESTING. */
#pragma once

#include "../regex/regex.h"
#include "../values/value.h"

enum {
  QUERY_NESTING = 64,       /* nesting of parentheses, filters and arguments in one query */
  QUERY_LONGEST = 64 * 1024 /* longest query in bytes */
};

#define QUERY_NONE UINT32_MAX
#define QUERY_MOST_INDEX INT64_C(9007199254740991) /* RFC 9535, section 2.1: I-JSON's exact integers */

enum query_selector_kind { QUERY_NAME, QUERY_INDEX, QUERY_WILDCARD, QUERY_SLICE, QUERY_FILTER };

struct query_selector {
  uint8_t kind;
  uint8_t has_start, has_end; /* for a slice */
  uint32_t next;              /* the segment's next selector */
  uint32_t expression;        /* for a filter */
  struct value_name name;     /* among the program's bytes; its number is the selector's */
  int64_t start, end, step;   /* an index is `start` */
};

struct query_segment {
  uint32_t next;     /* the query's next segment */
  uint32_t selector; /* its first selector */
  uint8_t is_descendant;
  uint8_t is_single; /* a child segment with one name or index */
};

struct query_path {
  uint32_t segment; /* the first, or QUERY_NONE if the query is only $ or @ */
  uint32_t cache;   /* of an absolute query in a filter: number of its remembered result */
  uint8_t is_absolute;
  uint8_t is_singular;
};

enum query_expression_kind { QUERY_AND, QUERY_OR, QUERY_EXISTS, QUERY_COMPARE, QUERY_MATCH, QUERY_SEARCH };
enum query_operator { QUERY_EQUAL, QUERY_UNEQUAL, QUERY_LESS, QUERY_LESS_EQUAL, QUERY_GREATER, QUERY_GREATER_EQUAL };

struct query_expression {
  uint8_t kind, operation;
  uint8_t negated;
  int8_t of_scalars;    /* of a whole filter: whether it is true for values without children; -1: it depends on them */
  uint32_t first, next; /* first part of an AND or OR; next part beside this one */
  uint32_t a, b;        /* operands; for a test, a is the query */
  uint32_t regex;       /* of a match or search with a literal; QUERY_NONE: the pattern is a value */
};

enum query_operand_kind {
  QUERY_LITERAL_NULL,
  QUERY_LITERAL_FALSE,
  QUERY_LITERAL_TRUE,
  QUERY_LITERAL_NUMBER,
  QUERY_LITERAL_STRING,
  QUERY_SINGULAR, /* the value of a singular query */
  QUERY_LENGTH,   /* of an operand */
  QUERY_COUNT,    /* of the nodes of a query */
  QUERY_VALUE     /* of the only node of a query */
};

struct query_operand {
  uint8_t kind;
  uint32_t of;           /* the operand or query it applies to */
  uint32_t text, length; /* of a string, or a number's text, among the program's bytes */
  struct value literal;  /* in a finished program with that address */
};

/* A literal regular expression. */
struct query_regex {
  uint32_t operand; /* the literal */
  uint8_t whole;    /* match, not search */
  uint8_t is_wrong; /* not an I-Regexp: matches nothing */
  size_t at;        /* offset in the block */
};

struct query_program {
  struct query_segment *segments;
  struct query_selector *selectors;
  struct query_path *paths; /* the first is the query itself */
  struct query_expression *expressions;
  struct query_operand *operands;
  struct query_regex *regexes;
  char *bytes;
  uint32_t segment_count, selector_count, path_count, expression_count, operand_count, regex_count, byte_count;
  uint32_t caches; /* absolute queries in filters */
  size_t scratch;  /* bytes that a search with the literal expressions needs */
};

/* The compiler writes to memory of the caller that is large enough for any query of this length; then query_finish
** copies the program to a block of its exact size. Functions that return an int return 0 after an error (query_fail).
** Recursion ends at QUERY_NESTING. */
struct query_compiler {
  struct query_program to;
  const char *begin, *p, *end; /* the query, and how far it is read; *end is 0 */
  const char *error;           /* the first error, or NULL */
  const char *at;              /* its position */
  int depth;                   /* of filters, parentheses and arguments */
};

/* Sets the error, unless there is one. Returns 0. */
FL_PRIVATE_NOINLINE int query_fail(struct query_compiler *c, const char *at, const char *error);

FL_INLINE int query_next_is(const struct query_compiler *c, char x) { return *c->p == x && c->p < c->end; }

/* Skips the character x, if it is next. Returns whether it was. */
FL_INLINE int query_take(struct query_compiler *c, char x) {
  const int is_next = query_next_is(c, x);
  c->p += is_next;
  return is_next;
}

FL_INLINE void query_skip_blanks(struct query_compiler *c) {
  while (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r') c->p++;
}

/* Reads a string literal at its quote; sets *text to its offset among the program's bytes. */
FL_PRIVATE int query_read_string(struct query_compiler *c, uint32_t *text, uint32_t *length);

/* Reads a number of a comparison, and keeps its text like query_read_string. */
FL_PRIVATE int query_read_number(struct query_compiler *c, struct num_any *x, uint32_t *text, uint32_t *length);

/* Reads the logical expression of a filter, after the question mark and blanks; sets its number. */
FL_PRIVATE int query_read_filter(struct query_compiler *c, uint32_t *expression);

/* Reads a query at its $ or @; sets its number. */
FL_PRIVATE int query_read_path(struct query_compiler *c, uint32_t *path);

/* Returns the bytes that the compiler needs for a query of n bytes. */
FL_PRIVATE size_t query_compiler_memory(size_t n);

/* Compiles the query s[0..n); s[n] must be 0. Returns 0 with c->error and c->at set if it is invalid. */
FL_PRIVATE int query_compile(struct query_compiler *c, void *memory, const char *s, size_t n);

/* Returns the size of the program's block, after query_compile, or 0 with c->error set if a regular expression is too
** large. */
FL_PRIVATE size_t query_measure(struct query_compiler *c);

/* Copies the program to a block of that size. */
FL_PRIVATE struct query_program *query_finish(struct query_compiler *c, void *block);

/* Memory comes from the caller, who may raise; nothing else is held. Every visit to a value costs steps, so the time is
** bounded even if a query visits values repeatedly. */

/* Memory blocks of a run, after those of its values. */
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
  char *pattern; /* the last regular expression that was a value, followed by its steps, or NULL */
  size_t pattern_room, pattern_length;
  struct regex *regex; /* NULL if the pattern is invalid */
  int pattern_whole;
  uint32_t *scratch;
  size_t scratch_room;
};

/* Returns whether the comparison of two values in this order, or NUM_UNORDERED, holds. */
FL_INLINE int query_holds(enum query_operator operation, int order) {
  switch (operation) {
  case QUERY_EQUAL: return order == 0;
  case QUERY_UNEQUAL: return order != 0;
  case QUERY_LESS: return order == -1;
  case QUERY_LESS_EQUAL: return order <= 0;
  case QUERY_GREATER: return order == 1;
  default: return order == 1 || order == 0;
  }
}

/* Returns the number of characters of a string. An invalid byte counts as one, or as the start of a character. */
FL_PRIVATE size_t query_count_characters(const char *s, size_t n);

/* Runs match or search in the text a, with x's literal regular expression, or, if it has none, with the pattern b. */
FL_PRIVATE int query_match(struct query_run *r, const struct query_expression *x, const struct value *a,
                           const struct value *b);

/* Adds a step to the path: a name, or an index if that is NULL. */
FL_PRIVATE int query_put_step(struct query_run *r, const char *name, size_t n, uint64_t index);

FL_PRIVATE int query_begin_path(struct query_run *r);

/* Computes the bounds of a slice in an array of n items (RFC 9535, section 2.3.4.2.2): sets *at to the first item, and
** returns the number of items. */
FL_PRIVATE uint64_t query_slice(const struct query_selector *s, uint64_t n, uint64_t *at);

/* Sets the index of an item, from 0. Returns 0 if the array has no such item. */
FL_INLINE int query_place(int64_t index, uint64_t n, uint64_t *place) {
  *place = index < 0 ? (uint64_t)index + n : (uint64_t)index;
  return *place < n;
}
