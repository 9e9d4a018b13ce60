/* SPDX-License-Identifier: MIT */
#include "regex.h"

/* The members are in `list`; `place` holds the position of each member in it (Briggs and Torczon, "An efficient
** representation for sparse sets", 1993). Entries of other steps in `place` may have any value. */
struct regex_set {
  uint32_t *list, *place;
  uint32_t count;
};

FL_INLINE void regex_add(struct regex_set *set, uint32_t step) {
  const uint32_t place = set->place[step]; /* arbitrary if the step is not a member */
  if (place < set->count && set->list[place] == step) return;
  set->place[step] = set->count;
  set->list[set->count++] = step;
}

FL_PRIVATE int regex_class_find(const struct regex *r, const struct regex_class *of, uint32_t c) {
  const struct regex_range *range = regex_ranges(r) + of->first, *const end = range + of->ranges;
  uint32_t left = of->ranges;
  while (left > 0) { /* find the first range that does not end before c */
    const uint32_t half = left / 2;
    if (range[half].to < c) range += half + 1, left -= half + 1;
    else left = half;
  }
  return (range < end && c >= range->from) != of->negated;
}

FL_INLINE int regex_class_has(const struct regex *r, const struct regex_class *of, uint32_t c) {
  if (c < 128) return (int)(of->ascii[c / 32] >> (c & 31) & 1);
  return c != REGEX_NO_CHARACTER && regex_class_find(r, of, c);
}

/* A position in the text: the characters around it. */
struct regex_place {
  uint32_t before, after;
  size_t at;
};

struct regex_run {
  const struct regex *r;
  const char *s;
  size_t n;
  unsigned char *right;  /* bits, for each look-around one for each position: whether it holds there */
  unsigned char *starts; /* NULL, or a bit for each position: whether a character begins there */
};

FL_INLINE size_t regex_bit(const struct regex_run *run, uint32_t look, size_t at) { return look * (run->n + 1) + at; }

FL_INLINE int regex_look_is_right(const struct regex_run *run, uint32_t look, size_t at) {
  const size_t bit = regex_bit(run, look, at);
  return (run->right[bit >> 3] >> (bit & 7) & 1) != (int)regex_looks(run->r)[look].negated;
}

static void regex_set_bit(unsigned char *bits, size_t bit) { bits[bit >> 3] |= (unsigned char)(1 << (bit & 7)); }

/* Reads the character at place->at. Returns its length. */
FL_INLINE size_t regex_read(const struct regex_run *run, struct regex_place *place) {
  place->after = REGEX_NO_CHARACTER;
  if (place->at == run->n) return 0;
  const int length = text_utf8_next(run->s + place->at, run->n - place->at, &place->after);
  if (length > 0) return (size_t)length;
  place->after = 0xfffd;
  return (size_t)-length;
}

/* Returns whether a step that reads no character, and does not jump, can be taken. */
FL_INLINE int regex_holds(const struct regex_run *run, struct regex_step step, struct regex_place place) {
  switch (step.op) {
  case REGEX_BEGIN: return place.before == REGEX_NO_CHARACTER;
  case REGEX_END: return place.after == REGEX_NO_CHARACTER;
  case REGEX_WORD: return regex_is_word(place.before) != regex_is_word(place.after);
  case REGEX_NO_WORD: return regex_is_word(place.before) == regex_is_word(place.after);
  default: FL_ASSERT(step.op == REGEX_LOOK); return regex_look_is_right(run, (uint32_t)step.argument, place.at);
  }
}

/* Takes the steps that are possible at a position. Those that read no character add their successors to `now`; those
** that read the character after the position add theirs to `next`. Returns 1 if the expression has matched. */
static int regex_follow(const struct regex_run *run, struct regex_set *now, struct regex_set *next,
                        struct regex_place place) {
  const struct regex *r = run->r;
  const struct regex_step *steps = regex_steps(r);
  uint32_t i, at;
  int matched = 0;
  for (i = 0; i < now->count; i++) {
    const struct regex_step step = steps[at = now->list[i]];
    FL_ASSERT(at < r->steps);
    switch (step.op) {
    case REGEX_CHARACTER:
      if ((uint32_t)step.argument == place.after) regex_add(next, at + 1);
      break;
    case REGEX_CLASS:
      if (regex_class_has(r, regex_classes(r) + step.argument, place.after)) regex_add(next, at + 1);
      break;
    case REGEX_SPLIT: regex_add(now, at + 1); /* fall through */
    case REGEX_JUMP: regex_add(now, (uint32_t)((int32_t)at + step.argument)); break;
    case REGEX_MATCH: matched = 1; break;
    default:
      if (regex_holds(run, step, place)) regex_add(now, at + 1);
    }
  }
  return matched;
}

/* Goes through the text, beginning with the step `first` at each position, or (anchored) at the first one. Stops at the
** first match; or, if `look` is not REGEX_NO_LOOK, records for each position whether a match ends there. */
static int regex_go_on(struct regex_run *run, uint32_t *scratch, uint32_t first, int anchored, uint32_t look) {
  const struct regex *r = run->r;
  struct regex_set now = {scratch, scratch + r->steps, 0};
  struct regex_set next = {scratch + 2 * (size_t)r->steps, scratch + 3 * (size_t)r->steps, 0}, swap;
  struct regex_place place = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER, 0};
  for (;;) {
    const size_t length = regex_read(run, &place);
    if (!anchored || place.before == REGEX_NO_CHARACTER) regex_add(&now, first);
    if (regex_follow(run, &now, &next, place)) {
      if (look == REGEX_NO_LOOK) return 1;
      regex_set_bit(run->right, regex_bit(run, look, place.at));
    }
    if (length == 0 || (anchored && next.count == 0)) return 0;
    swap = now, now = next, next = swap;
    next.count = 0;
    place.before = place.after;
    place.at += length;
  }
}

/* Where look-arounds hold is found before the search: for a look-behind by a search that begins everywhere, for a
** look-ahead by the steps from which the end of its body can be reached, from the end of the text backwards. So the
** time stays linear (Barriere and Pit-Claudel, "Linear Matching of JavaScript Regexes", PLDI 2024). */

/* Returns whether the body jumps back. Then one pass over its steps, from the last to the first, is not enough. */
static int regex_has_loops(const struct regex *r, const struct regex_look *look) {
  for (uint32_t at = look->first; at <= look->last; at++) {
    const struct regex_step step = regex_steps(r)[at];
    if ((step.op == REGEX_JUMP || step.op == REGEX_SPLIT) && step.argument < 0) return 1;
  }
  return 0;
}

/* Sets to[step] for each step of the body from which its end can be reached at this position; `next`: the same for the
** next position. */
static void regex_reach(const struct regex_run *run, const struct regex_look *look, int has_loops,
                        struct regex_place place, unsigned char *to, const unsigned char *next) {
  const struct regex *r = run->r;
  int changed;
  memset(to + look->first, 0, look->last - look->first + 1);
  do {
    uint32_t at = look->last + 1;
    changed = 0;
    while (at-- > look->first) {
      const struct regex_step step = regex_steps(r)[at];
      int reaches;
      if (to[at]) continue;
      switch (step.op) {
      case REGEX_CHARACTER: reaches = (uint32_t)step.argument == place.after && next[at + 1]; break;
      case REGEX_CLASS:
        reaches = next[at + 1] && regex_class_has(r, regex_classes(r) + step.argument, place.after);
        break;
      case REGEX_SPLIT: reaches = to[at + 1] || to[(int32_t)at + step.argument]; break;
      case REGEX_JUMP: reaches = to[(int32_t)at + step.argument]; break;
      case REGEX_MATCH: reaches = at == look->last; break;
      default: reaches = to[at + 1] && regex_holds(run, step, place);
      }
      to[at] = (unsigned char)reaches;
      changed |= reaches;
    }
  } while (changed && has_loops);
}

/* Returns the previous position where a character begins. */
static size_t regex_before(const struct regex_run *run, size_t at) {
  do at--;
  while (!(run->starts[at >> 3] >> (at & 7) & 1));
  return at;
}

static void regex_look_ahead(struct regex_run *run, unsigned char *reached, uint32_t number) {
  const struct regex_look *look = &regex_looks(run->r)[number];
  const int has_loops = regex_has_loops(run->r, look);
  unsigned char *to = reached, *next = reached + run->r->steps, *swap;
  struct regex_place place = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER, run->n};
  memset(next, 0, run->r->steps);
  for (;;) {
    struct regex_place before = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER, 0};
    if (place.at > 0) {
      before.at = regex_before(run, place.at);
      (void)regex_read(run, &before);
    }
    place.before = before.after;
    regex_reach(run, look, has_loops, place, to, next);
    if (to[look->first]) regex_set_bit(run->right, regex_bit(run, number, place.at));
    if (place.at == 0) return;
    swap = to, to = next, next = swap;
    place = before;
  }
}

/* Finds where each look-around holds. Those inside others come first. Uses the memory of `scratch` after the sets. */
static void regex_look_around(struct regex_run *run, uint32_t *scratch) {
  const struct regex *r = run->r;
  unsigned char *reached = (unsigned char *)(scratch + 4 * (size_t)r->steps);
  struct regex_place place = {0, 0, 0};
  run->right = reached + 2 * (size_t)r->steps;
  run->starts = run->right + r->looks * (run->n / 8 + 1);
  memset(run->right, 0, (r->looks + 1) * (run->n / 8 + 1));
  for (; place.at < run->n; place.at += regex_read(run, &place)) regex_set_bit(run->starts, place.at);
  for (uint32_t i = r->looks; i-- > 0;) {
    const struct regex_look *look = &regex_looks(r)[i];
    if (look->is_behind) (void)regex_go_on(run, scratch, look->first, 0, i);
    else regex_look_ahead(run, reached, i);
  }
}

/* Returns whether the text has as many characters of the class as the expression allows, and no others. */
static int regex_is_in_class(const struct regex_run *run) {
  const struct regex *r = run->r;
  const struct regex_class *of = regex_classes(r) + r->run - 1;
  struct regex_place place = {REGEX_NO_CHARACTER, REGEX_NO_CHARACTER, 0};
  size_t count = 0;
  for (; place.at < run->n; count++) {
    place.at += regex_read(run, &place);
    if (!regex_class_has(r, of, place.after)) return 0;
  }
  return count >= r->least && (count <= r->most || r->most == REGEX_ENDLESS);
}

FL_PRIVATE int regex_search(const struct regex *r, uint32_t *scratch, const char *s, size_t n) {
  struct regex_run run = {r, s, n, NULL, NULL};
  if (r->run) return regex_is_in_class(&run);
  FL_ASSERT(r->start < r->steps && regex_steps(r)[r->steps - 1].op == REGEX_MATCH);
  if (r->looks > 0) regex_look_around(&run, scratch);
  return regex_go_on(&run, scratch, r->start, (int)r->anchored, REGEX_NO_LOOK);
}
