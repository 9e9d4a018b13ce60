/* SPDX-License-Identifier: MIT
** regex.h -- does a regular expression occur in a text? Time grows with the text times the expression, whatever both
** are.
** May call: base.
** Must hold: a regex is one block that compile.h filled; the set of its instructions that can be next is
** followed through the text (Thompson, "Regular expression search algorithm", CACM 11(6), 1968; Cox, "Regular
** expression matching: the virtual machine approach", 2009). An instruction is at most once in a set, so that loops
** end. Nothing is allocated here, and nothing recurs. What is no UTF-8 in a text counts as U+FFFD. A search writes
** into the regex, whose classes remember their last answers: it is for one thread. */
#ifndef FLEECE_REGEX_REGEX_H
#define FLEECE_REGEX_REGEX_H

#include "../text/utf8.h"

enum regex_op {
  REGEX_CHARACTER, /* that of the argument */
  REGEX_CLASS,     /* one of that class */
  REGEX_JUMP,      /* the argument is the way from here */
  REGEX_SPLIT,     /* the next one, or the one that way from here */
  REGEX_BEGIN,
  REGEX_END,
  REGEX_WORD, /* \b: between \w and \W */
  REGEX_NO_WORD,
  REGEX_MATCH
};

struct regex_step {
  int32_t op, argument;
};

struct regex_range {
  uint32_t from, to;
};

struct regex_class {
  uint32_t first, ranges; /* its ranges among those of the regex */
  uint32_t negated;
  uint32_t last, has_last; /* the character that was asked for last, and the answer: copies of a class ask again */
};

/* Behind it lie its steps, its ranges, its classes. */
struct regex {
  uint32_t steps, ranges, classes;
  uint32_t start;
  uint32_t anchored; /* it begins with ^: no match begins elsewhere */
};

enum { REGEX_STEPS = 50000, REGEX_RANGES = 1000000 };

#define REGEX_NO_CHARACTER UINT32_MAX

FL_INLINE struct regex_step *regex_steps(const struct regex *r) { return (struct regex_step *)(uintptr_t)(r + 1); }

FL_INLINE struct regex_range *regex_ranges(const struct regex *r) {
  return (struct regex_range *)(void *)(regex_steps(r) + r->steps);
}

FL_INLINE struct regex_class *regex_classes(const struct regex *r) {
  return (struct regex_class *)(void *)(regex_ranges(r) + r->ranges);
}

/* The bytes of a regex with so many steps, ranges and classes. */
FL_INLINE size_t regex_size(const struct regex *r) {
  return sizeof *r + r->steps * sizeof(struct regex_step) + r->ranges * sizeof(struct regex_range) +
         r->classes * sizeof(struct regex_class);
}

/* The bytes regex_search works in: of any content that was written. */
FL_INLINE size_t regex_scratch_size(const struct regex *r) { return 4 * sizeof(uint32_t) * (size_t)r->steps; }

/* ------------------------------------------------------------------------------------- characters */

/* ECMA 262, CharacterClassEscape: \w. */
FL_INLINE int regex_is_word(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

/* Does the expression match somewhere in s[0..n)? */
FL_PRIVATE int regex_search(const struct regex *r, uint32_t *scratch, const char *s, size_t n);

#endif
