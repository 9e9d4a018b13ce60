/* SPDX-License-Identifier: MIT
** regex.h -- searches a text for a match of a regular expression. The time is at most proportional to the length of the
** text times the size of the expression.
** Must hold: a regex is one block of memory that compile.h filled. A search follows the set of steps that can come
** next through the text (Thompson, "Regular expression search algorithm", CACM 11(6), 1968; Cox, "Regular expression
** matching: the virtual machine approach", 2009). A step is in a set at most once, so loops end. There is no
** allocation and no recursion. Bytes of a text that are not UTF-8 count as U+FFFD. A search does not write to the
** regex, so threads may share it. */
#pragma once

#include "../text/utf8.h"

enum regex_op {
  REGEX_CHARACTER, /* reads the character in the argument */
  REGEX_CLASS,     /* reads a character of the class with the argument's number */
  REGEX_JUMP,      /* continues as many steps further as the argument says */
  REGEX_SPLIT,     /* continues there or at the next step */
  REGEX_BEGIN,
  REGEX_END,
  REGEX_WORD, /* \b: between \w and \W */
  REGEX_NO_WORD,
  REGEX_LOOK, /* the look-around with the argument's number holds here */
  REGEX_MATCH
};

struct regex_step {
  int32_t op, argument;
};

struct regex_range {
  uint32_t from, to;
};

struct regex_class {
  uint32_t first, ranges; /* its ranges among those of the regex, ascending, not adjoining */
  uint32_t negated;
  uint32_t ascii[4]; /* a bit for each ASCII character of the class */
};

/* (?=..), (?!..), (?<=..), (?<!..). One inside another has the larger number. */
struct regex_look {
  uint32_t first, last; /* the steps of its body; the last one is REGEX_MATCH */
  uint32_t is_behind, negated;
};

/* The head of the block; its steps, ranges, classes and look-arounds follow. */
struct regex {
  uint32_t steps, ranges, classes, looks; /* number of each */
  uint32_t depth;                         /* of its groups */
  uint32_t start;                         /* the first step to follow */
  uint32_t anchored;                      /* it begins with ^, so matches begin only at the start of a text */
  uint32_t run, least, most; /* if it is exactly ^C{least,most}$ for a class C, as ^C*$ is: the class's number + 1 */
};

enum { REGEX_STEPS = 50000, REGEX_RANGES = 1000000, REGEX_LOOKS = 100 }; /* limits for one regex */

#define REGEX_ENDLESS UINT32_MAX /* the upper limit of {n,} */
#define REGEX_NO_CHARACTER UINT32_MAX
#define REGEX_NO_LOOK UINT32_MAX

FL_INLINE struct regex_step *regex_steps(const struct regex *r) { return (struct regex_step *)(uintptr_t)(r + 1); }

FL_INLINE struct regex_range *regex_ranges(const struct regex *r) {
  return (struct regex_range *)(void *)(regex_steps(r) + r->steps);
}

FL_INLINE struct regex_class *regex_classes(const struct regex *r) {
  return (struct regex_class *)(void *)(regex_ranges(r) + r->ranges);
}

FL_INLINE struct regex_look *regex_looks(const struct regex *r) {
  return (struct regex_look *)(void *)(regex_classes(r) + r->classes);
}

FL_INLINE size_t regex_size(const struct regex *r) {
  return sizeof *r + r->steps * sizeof(struct regex_step) + r->ranges * sizeof(struct regex_range) +
         r->classes * sizeof(struct regex_class) + r->looks * sizeof(struct regex_look);
}

/* Returns the size of the memory that regex_search needs, for a regex without look-around. It must be initialized once;
** its contents do not matter. */
FL_INLINE size_t regex_scratch_size(const struct regex *r) { return 4 * sizeof(uint32_t) * (size_t)r->steps; }

/* Like regex_scratch_size, for any regex and a text of n bytes: a bit for each look-around and position, and two bytes
** for each step. */
FL_INLINE size_t regex_scratch_for(const struct regex *r, size_t n) {
  return regex_scratch_size(r) + (r->looks ? 2 * (size_t)r->steps + (r->looks + 1) * (n / 8 + 1) : 0);
}

/* Returns the most steps that a search can take. Nested loops multiply the work for look-arounds. */
FL_INLINE uint64_t regex_cost(const struct regex *r, size_t n) {
  const uint64_t steps = r->run ? 1 : (uint64_t)r->steps + r->ranges;
  return (n + 1) * (r->looks ? steps * (r->depth + 2) : steps);
}

/* ECMA 262, CharacterClassEscape: \w. */
FL_INLINE int regex_is_word(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

/* Returns whether the character is in one of the class's ranges, or in none if it is negated. */
FL_PRIVATE int regex_class_find(const struct regex *r, const struct regex_class *of, uint32_t c);

/* Returns whether the expression matches somewhere in s[0..n). */
FL_PRIVATE int regex_search(const struct regex *r, uint32_t *scratch, const char *s, size_t n);
