/* SPDX-License-Identifier: MIT
** compile.h -- compiles the text of a regular expression, or of an I-Regexp, to the steps that regex.h follows.
** Must hold: the syntax is that of patterns in ECMA 262 with the flag u (and Annex B, for characters that stand for
** themselves) over code points, without back references; that of an I-Regexp is RFC 9485, section 4, and nothing else.
** An expression is read twice: the first time, while `to` is NULL, it is only measured. Steps, ranges and classes are
** written by the regex_put functions alone. The steps of each part end with its last step, and jumps are relative, so
** that a part is repeated by copying its bytes. Open groups are an array of REGEX_DEPTH; there is no recursion.
** Functions that return an int return false after an error (regex_fail). */
#pragma once

#include "regex.h"

enum { REGEX_DEPTH = 250 }; /* groups that may be open */

#define REGEX_NONE UINT32_MAX    /* no step */
#define REGEX_ENDLESS UINT32_MAX /* the upper limit of {n,} */

/* An open group: a parenthesis, or the whole expression. A slot is a jump to the next step, which may be replaced by a
** split later. */
struct regex_group {
  uint32_t begin;       /* its first step: a slot for a quantifier */
  uint32_t alternative; /* the first step of the current alternative: a slot */
  uint32_t jump;        /* the last of the jumps to its end; the argument of each is the one before it */
  uint32_t look;        /* the number of the look-around whose body it is; REGEX_NONE: of none */
};

struct regex_compiler {
  const char *begin, *p, *end; /* the expression, and how far it is read */
  struct regex *to;            /* NULL: it is measured */
  struct regex size;           /* how much has been written or measured */
  struct regex_group groups[REGEX_DEPTH];
  int depth;             /* of open groups */
  uint32_t atom;         /* the first step of what a quantifier would repeat, or REGEX_NONE */
  int has_slot;          /* is that step a slot? */
  const char *error;     /* the first error; NULL: none */
  const char *at;        /* its place in the expression */
  int is_limit;          /* it is that the expression is too large or nested too deep */
  int is_back_reference; /* it is that of a back reference, which no linear search has */
  int is_ecma;           /* regex_compile */
};

/* Notes the first error and returns 0. */
FL_PRIVATE_NOINLINE int regex_fail(struct regex_compiler *c, const char *at, const char *error);

/* The same where a limit is reached. */
FL_PRIVATE_NOINLINE int regex_fail_limit(struct regex_compiler *c, const char *error);

/* ------------------------------------------------------------------------------------- writing */

FL_INLINE void regex_set_step(struct regex_compiler *c, uint32_t at, enum regex_op op, uint32_t argument) {
  if (!c->to) return;
  FL_ASSERT(at < c->to->steps);
  regex_steps(c->to)[at].op = (int32_t)op;
  regex_steps(c->to)[at].argument = (int32_t)argument;
}

/* Fails if the expression would have more than REGEX_STEPS with n more. */
FL_PRIVATE int regex_need_steps(struct regex_compiler *c, uint64_t n);
FL_PRIVATE int regex_put(struct regex_compiler *c, enum regex_op op, uint32_t argument);

/* Puts a single step that a quantifier may repeat. */
FL_PRIVATE int regex_put_atom(struct regex_compiler *c, enum regex_op op, uint32_t argument);
FL_PRIVATE int regex_put_slot(struct regex_compiler *c);

FL_PRIVATE int regex_put_range(struct regex_compiler *c, uint32_t from, uint32_t to);

/* Puts the step of a class that consists of the ranges from `first` on. */
FL_PRIVATE int regex_put_class(struct regex_compiler *c, uint32_t first, int negated);

/* Puts the ranges of \d \D \w \W \s or \S; -1: it is another letter. */
FL_PRIVATE int regex_put_escaped_set(struct regex_compiler *c, char letter);

/* Reads \p{..} or \P{..} from its letter on, and puts its ranges. */
FL_PRIVATE int regex_put_property(struct regex_compiler *c);

/* Is the letter at p, after a backslash, the p or P of a property? */
FL_INLINE int regex_is_ecma_property(const struct regex_compiler *c) {
  return c->is_ecma && c->p < c->end && (*c->p == 'p' || *c->p == 'P');
}

/* Puts the step of a "." */
FL_PRIVATE int regex_put_any(struct regex_compiler *c);

/* ------------------------------------------------------------------------------------- single characters */

FL_INLINE int regex_next_is(const struct regex_compiler *c, char x) { return c->p < c->end && *c->p == x; }

/* Skips the character if it is this one. */
FL_INLINE int regex_take(struct regex_compiler *c, char x) {
  const int is_next = regex_next_is(c, x);
  c->p += is_next;
  return is_next;
}

/* Reads the character at p, which is not the end. */
FL_PRIVATE uint32_t regex_take_character(struct regex_compiler *c);

/* Reads an escape after its backslash, not at the end, as the character *x that it stands for. A character that is
** neither a letter nor a digit stands for itself. */
FL_PRIVATE int regex_take_escape(struct regex_compiler *c, uint32_t *x);

/* Reads a class after its opening bracket and puts it. */
FL_PRIVATE int regex_class(struct regex_compiler *c);

/* ------------------------------------------------------------------------------------- the whole */

/* Reads the expression s[0..n). With `to` NULL it is measured: c->size. Otherwise it is written to `to`, which has been
** set to that size. False: it is wrong or not supported, as c->error and c->at say. */
FL_PRIVATE int regex_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n);

/* As regex_compile. `whole`: the expression must match the whole text, not some part of it. */
FL_PRIVATE int regex_compile_iregexp(struct regex_compiler *c, struct regex *to, const char *s, size_t n, int whole);
