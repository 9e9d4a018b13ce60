/* SPDX-License-Identifier: MIT
** regex.h -- does a regular expression occur in a text? Time grows with the text times the expression, whatever both
** are.
** May call: base, text.
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

/* ------------------------------------------------------------------------------------- sets of steps */

/* The members in `list`, each one's place there in `place` (Briggs and Torczon, "An efficient representation for
** sparse sets", 1993): what stands in places that are not filled does not matter. */
struct regex_set {
  uint32_t *list, *place;
  uint32_t count;
};

/* The bytes regex_search works in: of any content that was written. */
FL_INLINE size_t regex_scratch_size(const struct regex *r) { return 4 * sizeof(uint32_t) * (size_t)r->steps; }

FL_INLINE void regex_add(struct regex_set *set, uint32_t step) {
  const uint32_t place = set->place[step];
  if (place < set->count && set->list[place] == step) return;
  set->place[step] = set->count;
  set->list[set->count++] = step;
}

/* ------------------------------------------------------------------------------------- characters */

/* ECMA 262, CharacterClassEscape: \w. */
FL_INLINE int regex_is_word(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

FL_FUNC int regex_class_find(const struct regex *r, const struct regex_class *of, uint32_t c) {
  const struct regex_range *range = regex_ranges(r) + of->first, *end = range + of->ranges;
  while (range < end && (c < range->from || c > range->to)) range++;
  return (range < end) != of->negated;
}

FL_INLINE int regex_class_has(const struct regex *r, struct regex_class *of, uint32_t c) {
  if (c == REGEX_NO_CHARACTER) return 0;
  if (c != of->last) {
    of->has_last = (uint32_t)regex_class_find(r, of, c);
    of->last = c;
  }
  return (int)of->has_last;
}

/* ------------------------------------------------------------------------------------- the search */

struct regex_place {
  uint32_t before, after; /* the characters around it */
};

/* Follows what can be done at a place without reading, which only adds to `now`; what reads the character behind it
** goes to `next`. True: the expression ends here. */
FL_FUNC int regex_follow(const struct regex *r, struct regex_set *now, struct regex_set *next,
                         struct regex_place place) {
  const struct regex_step *steps = regex_steps(r);
  uint32_t i, at;
  for (i = 0; i < now->count; i++) {
    const struct regex_step step = steps[at = now->list[i]];
    int goes_on = 0;
    switch (step.op) {
    case REGEX_CHARACTER:
      if ((uint32_t)step.argument == place.after) regex_add(next, at + 1);
      break;
    case REGEX_CLASS:
      if (regex_class_has(r, regex_classes(r) + step.argument, place.after)) regex_add(next, at + 1);
      break;
    case REGEX_SPLIT: goes_on = 1; /* fall through */
    case REGEX_JUMP: regex_add(now, (uint32_t)((int32_t)at + step.argument)); break;
    case REGEX_BEGIN: goes_on = place.before == REGEX_NO_CHARACTER; break;
    case REGEX_END: goes_on = place.after == REGEX_NO_CHARACTER; break;
    case REGEX_WORD: goes_on = regex_is_word(place.before) != regex_is_word(place.after); break;
    case REGEX_NO_WORD: goes_on = regex_is_word(place.before) == regex_is_word(place.after); break;
    default: return 1;
    }
    if (goes_on) regex_add(now, at + 1);
  }
  return 0;
}

/* Does the expression match somewhere in s[0..n)? */
FL_FUNC int regex_search(const struct regex *r, uint32_t *scratch, const char *s, size_t n) {
  struct regex_set now = {scratch, scratch + r->steps, 0};
  struct regex_set next = {scratch + 2 * (size_t)r->steps, scratch + 3 * (size_t)r->steps, 0}, swap;
  struct regex_place place = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER};
  for (;; n--, s++) {
    place.after = REGEX_NO_CHARACTER;
    if (n > 0) {
      const int length = text_utf8_next(s, n, &place.after), read = length > 0 ? length : -length;
      if (length < 0) place.after = 0xfffd;
      s += read - 1, n -= (size_t)read - 1;
    }
    if (!r->anchored || place.before == REGEX_NO_CHARACTER) regex_add(&now, r->start);
    if (regex_follow(r, &now, &next, place)) return 1;
    if (n == 0 || (r->anchored && next.count == 0)) return 0;
    swap = now, now = next, next = swap;
    next.count = 0;
    place.before = place.after;
  }
}

#endif
