/* SPDX-License-Identifier: MIT
** program.h -- a compiled JSONPath query (RFC 9535): segments, selectors and filters, as arrays in one block of memory.
** Must hold: parts name each other by their numbers. A part is only named by parts that stand around it, so that what
** follows them recursively is no deeper than QUERY_NESTING. A program does not change, except that its regular
** expressions remember their last characters: it is for one thread at a time. */
#pragma once

#include "../regex/regex.h"
#include "../values/value.h"

enum {
  QUERY_NESTING = 64,       /* parentheses, filters and arguments around each other in one query */
  QUERY_LONGEST = 64 * 1024 /* bytes of a query */
};

#define QUERY_NONE UINT32_MAX
#define QUERY_MOST_INDEX INT64_C(9007199254740991) /* RFC 9535, section 2.1: I-JSON's exact integers */

enum query_selector_kind { QUERY_NAME, QUERY_INDEX, QUERY_WILDCARD, QUERY_SLICE, QUERY_FILTER };

struct query_selector {
  uint8_t kind;
  uint8_t has_start, has_end; /* of a slice */
  uint32_t next;              /* the segment's next selector */
  uint32_t expression;        /* of a filter */
  struct value_name name;     /* among the program's bytes; its number is the selector's */
  int64_t start, end, step;   /* an index is `start` */
};

struct query_segment {
  uint32_t next;     /* the query's next segment */
  uint32_t selector; /* the first */
  uint8_t is_descendant;
  uint8_t is_single; /* a child segment with one name or index */
};

struct query_path {
  uint32_t segment; /* the first; QUERY_NONE: the query is only $ or @ */
  uint32_t cache;   /* of an absolute one in a filter: the number of its remembered result */
  uint8_t is_absolute;
  uint8_t is_singular;
};

/* ------------------------------------------------------------------------------------- filters */

enum query_expression_kind { QUERY_AND, QUERY_OR, QUERY_EXISTS, QUERY_COMPARE, QUERY_MATCH, QUERY_SEARCH };
enum query_operator { QUERY_EQUAL, QUERY_UNEQUAL, QUERY_LESS, QUERY_LESS_EQUAL, QUERY_GREATER, QUERY_GREATER_EQUAL };

struct query_expression {
  uint8_t kind, operation;
  uint8_t negated;
  uint32_t first, next; /* the first of the parts of an AND or OR; the next of the parts of which this is one */
  uint32_t a, b;        /* operands; what a test is about is the query a */
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
  uint32_t of;           /* the operand or query that it is about */
  uint32_t text, length; /* the place among the program's bytes of a string, or a number's text */
  struct num_any number; /* without its text, whose address changes */
};

/* A regular expression that is a literal. */
struct query_regex {
  uint32_t operand; /* the literal */
  uint8_t whole;    /* match, not search */
  uint8_t is_wrong; /* no I-Regexp: it matches nothing */
  size_t at;        /* its place in the block, in bytes */
};

/* ------------------------------------------------------------------------------------- the whole */

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
  size_t scratch;  /* bytes that the literal expressions need for a search */
};
