/* SPDX-License-Identifier: MIT
** compile.h -- compiles a regular expression, or an I-Regexp, to the steps that regex.h follows.
** Must hold: the syntax is that of patterns in ECMA 262 with the flag u (and Annex B, for characters that stand for
** themselves) over code points, without back references; I-Regexps are exactly those of RFC 9485, section 4. An
** expression is read twice: the first time, with `to` NULL, it is only measured. Only the regex_put functions write
** steps, ranges and classes. The steps of each part end with its last step, and jumps are relative, so that copying
** its bytes repeats a part. Open groups are an array of REGEX_DEPTH; there is no recursion. Functions that return an
** int return 0 after an error (regex_fail). */
#pragma once

#include "regex.h"

enum { REGEX_DEPTH = 250 }; /* limit for open groups */

#define REGEX_NONE UINT32_MAX /* no step */

/* An open group: a parenthesis, or the whole expression. A slot is a jump to the next step that a split may replace
** later. */
struct regex_group {
  uint32_t begin;       /* its first step, a slot for a quantifier */
  uint32_t alternative; /* first step of the current alternative, a slot */
  uint32_t jump;        /* last of the jumps to its end; the argument of each is the one before it */
  uint32_t look;        /* number of the look-around whose body it is, or REGEX_NONE */
};

struct regex_compiler {
  const char *begin, *p, *end; /* the expression, and how far it is read */
  struct regex *to;            /* NULL while measuring */
  struct regex size;           /* what has been written or measured */
  struct regex_group groups[REGEX_DEPTH];
  int depth;             /* number of open groups */
  uint32_t atom;         /* first step of what a quantifier would repeat, or REGEX_NONE */
  int has_slot;          /* whether that step is a slot */
  const char *error;     /* first error, or NULL */
  const char *at;        /* its position in the expression */
  int is_limit;          /* the expression is too large or nested too deep */
  int is_back_reference; /* the error is a back reference, which linear search cannot support */
  int is_ecma;           /* set by regex_compile */
};

/* Sets the error, unless there is one. Returns 0. */
FL_PRIVATE_NOINLINE int regex_fail(struct regex_compiler *c, const char *at, const char *error);

/* Like regex_fail, for a limit that is exceeded. */
FL_PRIVATE_NOINLINE int regex_fail_limit(struct regex_compiler *c, const char *error);

FL_INLINE void regex_set_step(struct regex_compiler *c, uint32_t at, enum regex_op op, uint32_t argument) {
  if (!c->to) return;
  FL_ASSERT(at < c->to->steps);
  regex_steps(c->to)[at].op = (int32_t)op;
  regex_steps(c->to)[at].argument = (int32_t)argument;
}

/* Fails if n more steps would be more than REGEX_STEPS. */
FL_PRIVATE int regex_need_steps(struct regex_compiler *c, uint64_t n);
FL_PRIVATE int regex_put(struct regex_compiler *c, enum regex_op op, uint32_t argument);

/* Puts a single step that a quantifier may repeat. */
FL_PRIVATE int regex_put_atom(struct regex_compiler *c, enum regex_op op, uint32_t argument);
FL_PRIVATE int regex_put_slot(struct regex_compiler *c);

FL_PRIVATE int regex_put_range(struct regex_compiler *c, uint32_t from, uint32_t to);

/* Puts the step of a class that consists of the ranges from `first` on. */
FL_PRIVATE int regex_put_class(struct regex_compiler *c, uint32_t first, int negated);

/* Puts the ranges of \d \D \w \W \s or \S. Returns -1 for other letters. */
FL_PRIVATE int regex_put_escaped_set(struct regex_compiler *c, char letter);

/* Reads \p{..} or \P{..} from its letter on, and puts its ranges. */
FL_PRIVATE int regex_put_property(struct regex_compiler *c);

/* Returns whether the letter at p, after a backslash, begins a property: p or P. */
FL_INLINE int regex_is_ecma_property(const struct regex_compiler *c) {
  return c->is_ecma && c->p < c->end && (*c->p == 'p' || *c->p == 'P');
}

/* Puts the step of a "." */
FL_PRIVATE int regex_put_any(struct regex_compiler *c);

FL_INLINE int regex_next_is(const struct regex_compiler *c, char x) { return c->p < c->end && *c->p == x; }

/* Skips the character x, if it is next. Returns whether it was. */
FL_INLINE int regex_take(struct regex_compiler *c, char x) {
  const int is_next = regex_next_is(c, x);
  c->p += is_next;
  return is_next;
}

/* Reads the character at p, which must not be the end. */
FL_PRIVATE uint32_t regex_take_character(struct regex_compiler *c);

/* Reads an escape after its backslash, not at the end, and sets *x to the character it stands for. A character that is
** neither a letter nor a digit stands for itself. */
FL_PRIVATE int regex_take_escape(struct regex_compiler *c, uint32_t *x);

/* Reads a class after its opening bracket and puts it. */
FL_PRIVATE int regex_class(struct regex_compiler *c);

/* Compiles the expression s[0..n). With `to` NULL only measures it: c->size. Else writes it to `to`, whose sizes are
** those. Returns 0, with c->error and c->at set, if it is invalid or not supported. */
FL_PRIVATE int regex_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n);

/* Like regex_compile. `whole`: the expression must match the whole text, not some part of it. */
FL_PRIVATE int regex_compile_iregexp(struct regex_compiler *c, struct regex *to, const char *s, size_t n, int whole);
