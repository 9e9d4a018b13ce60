/* SPDX-License-Identifier: MIT
** characters.h -- what stands for single characters in a regular expression: themselves, escapes, classes.
** May call: base.
** Must hold: the syntax is that of compile.h, which also says why everything is written through regex_put and
** its neighbours: while `to` is NULL they only measure. */
#ifndef FLEECE_REGEX_CHARACTERS_H
#define FLEECE_REGEX_CHARACTERS_H

#include "regex.h"

enum { REGEX_DEPTH = 250 };

#define REGEX_NONE UINT32_MAX    /* no step */
#define REGEX_ENDLESS UINT32_MAX /* what {n,} ends with */

/* An open group: ( or the whole. */
struct regex_group {
  uint32_t begin;       /* its first step, kept for a quantifier */
  uint32_t alternative; /* the first step of the one that is read, kept for a split */
  uint32_t jump;        /* the last of the jumps to its end, each with the one before it as argument */
};

struct regex_compiler {
  const char *begin, *p, *end;
  struct regex *to;  /* NULL: measured */
  struct regex size; /* what there is so far */
  struct regex_group groups[REGEX_DEPTH];
  int depth;
  uint32_t atom;     /* the first step of what a quantifier would repeat, or REGEX_NONE */
  int has_slot;      /* is it a jump to the next step, kept for a split? */
  const char *error; /* what is wrong, */
  const char *at;    /* here */
};

FL_PRIVATE_NOINLINE int regex_fail(struct regex_compiler *c, const char *at, const char *error);

/* ------------------------------------------------------------------------------------- writing */

FL_INLINE void regex_set_step(struct regex_compiler *c, uint32_t at, enum regex_op op, uint32_t argument) {
  if (!c->to) return;
  regex_steps(c->to)[at].op = (int32_t)op;
  regex_steps(c->to)[at].argument = (int32_t)argument;
}

FL_PRIVATE int regex_need_steps(struct regex_compiler *c, uint64_t n);
FL_PRIVATE int regex_put(struct regex_compiler *c, enum regex_op op, uint32_t argument);

/* A single step that a quantifier may repeat. */
FL_PRIVATE int regex_put_atom(struct regex_compiler *c, enum regex_op op, uint32_t argument);

/* A jump to the next step, which may become another. */
FL_PRIVATE int regex_put_slot(struct regex_compiler *c);

/* The step for a class of the ranges from `first` on. */
FL_PRIVATE int regex_put_class(struct regex_compiler *c, uint32_t first, int negated);

/* The ranges of \d \D \w \W \s \S; -1: the letter is none of these. */
FL_PRIVATE int regex_put_escaped_set(struct regex_compiler *c, char letter);

/* . */
FL_PRIVATE int regex_put_any(struct regex_compiler *c);

/* ------------------------------------------------------------------------------------- single characters */

FL_INLINE int regex_next_is(const struct regex_compiler *c, char x) { return c->p < c->end && *c->p == x; }

FL_INLINE int regex_take(struct regex_compiler *c, char x) {
  const int is_next = regex_next_is(c, x);
  c->p += is_next;
  return is_next;
}

/* The character at p, which is not the end. */
FL_PRIVATE uint32_t regex_take_character(struct regex_compiler *c);

/* The character that an escape stands for; p is behind the \ and not at the end. What is neither letter nor digit
** stands for itself. */
FL_PRIVATE int regex_take_escape(struct regex_compiler *c, uint32_t *x);

/* Behind [ . */
FL_PRIVATE int regex_class(struct regex_compiler *c);

#endif
