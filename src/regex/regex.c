/* SPDX-License-Identifier: MIT */
#include "regex.h"

/* ------------------------------------------------------------------------------------- sets of steps */

/* The members are in `list`; `place` holds the position of each member in it (Briggs and Torczon, "An efficient
** representation for sparse sets", 1993). Entries of other steps in `place` may have any value. */
struct regex_set {
  uint32_t *list, *place;
  uint32_t count;
};

FL_INLINE void regex_add(struct regex_set *set, uint32_t step) {
  const uint32_t place = set->place[step]; /* any value if the step is not a member */
  if (place < set->count && set->list[place] == step) return;
  set->place[step] = set->count;
  set->list[set->count++] = step;
}

static int regex_class_find(const struct regex *r, const struct regex_class *of, uint32_t c) {
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

/* A place in the text: the characters around it. */
struct regex_place {
  uint32_t before, after;
};

/* Takes the steps that are possible at a place. Those that read no character add their followers to `now`; those that
** read the character after the place add theirs to `next`. True: the expression has matched. */
static int regex_follow(const struct regex *r, struct regex_set *now, struct regex_set *next,
                        struct regex_place place) {
  const struct regex_step *steps = regex_steps(r);
  uint32_t i, at;
  for (i = 0; i < now->count; i++) {
    const struct regex_step step = steps[at = now->list[i]];
    int goes_on = 0;
    FL_ASSERT(at < r->steps);
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
    default: FL_ASSERT(step.op == REGEX_MATCH); return 1;
    }
    if (goes_on) regex_add(now, at + 1);
  }
  return 0;
}

FL_PRIVATE int regex_search(const struct regex *r, uint32_t *scratch, const char *s, size_t n) {
  struct regex_set now = {scratch, scratch + r->steps, 0};
  struct regex_set next = {scratch + 2 * (size_t)r->steps, scratch + 3 * (size_t)r->steps, 0}, swap;
  struct regex_place place = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER};
  FL_ASSERT(r->start < r->steps && regex_steps(r)[r->steps - 1].op == REGEX_MATCH);
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
