/* SPDX-License-Identifier: MIT
** compile.h -- compiles the text of a JSONPath query (RFC 9535, section 2 and appendix A) to a program.
** Must hold: the compiler writes to memory of the caller that is large enough for any query of this length; then
** query_finish copies the program to a block of its exact size. Functions that return an int return false after an
** error (query_fail). Recursion ends at QUERY_NESTING. */
#pragma once

#include "program.h"

struct query_compiler {
  struct query_program to;
  const char *begin, *p, *end; /* the query, and how far it is read; *end is 0 */
  const char *error;           /* the first error; NULL: none */
  const char *at;              /* its place */
  int depth;                   /* of filters, parentheses and arguments */
};

/* Notes the first error and returns 0. */
FL_PRIVATE_NOINLINE int query_fail(struct query_compiler *c, const char *at, const char *error);

FL_INLINE int query_next_is(const struct query_compiler *c, char x) { return *c->p == x && c->p < c->end; }

/* Skips the character if it is this one. */
FL_INLINE int query_take(struct query_compiler *c, char x) {
  const int is_next = query_next_is(c, x);
  c->p += is_next;
  return is_next;
}

FL_INLINE void query_skip_blanks(struct query_compiler *c) {
  while (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r') c->p++;
}

/* ------------------------------------------------------------------------------------- literals.c */

/* Reads a string literal at its quote; its place among the program's bytes. */
FL_PRIVATE int query_read_string(struct query_compiler *c, uint32_t *text, uint32_t *length);

/* Reads a name without quotes; false without an error: none begins here. */
FL_PRIVATE int query_read_name(struct query_compiler *c, uint32_t *text, uint32_t *length);

/* Reads an index or a part of a slice. */
FL_PRIVATE int query_read_index(struct query_compiler *c, int64_t *i);

/* Reads a number of a comparison, and keeps its text as query_read_string does. */
FL_PRIVATE int query_read_number(struct query_compiler *c, struct num_any *x, uint32_t *text, uint32_t *length);

/* ------------------------------------------------------------------------------------- compile_filter.c */

/* Reads the logical expression of a filter, after the question mark and blanks; its number. */
FL_PRIVATE int query_read_filter(struct query_compiler *c, uint32_t *expression);

/* ------------------------------------------------------------------------------------- compile.c */

/* Reads a query at its $ or @; its number. */
FL_PRIVATE int query_read_path(struct query_compiler *c, uint32_t *path);

/* Bytes that the compiler needs for a query of n bytes. */
FL_PRIVATE size_t query_compiler_memory(size_t n);

/* Reads the query s[0..n), s[n] being 0. False: it is wrong, as c->error and c->at say. */
FL_PRIVATE int query_compile(struct query_compiler *c, void *memory, const char *s, size_t n);

/* The size of the program's block, after query_compile; 0: a regular expression is too large, as c->error says. */
FL_PRIVATE size_t query_measure(struct query_compiler *c);

/* Copies the program to a block of that size. */
FL_PRIVATE struct query_program *query_finish(struct query_compiler *c, void *block);
