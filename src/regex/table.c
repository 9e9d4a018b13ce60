/* SPDX-License-Identifier: MIT */
#include "table.h"

enum { REGEX_TABLE_WORDS = REGEX_TABLE_STEPS / 64, REGEX_TABLE_EXAMPLES = 128 + (1 << REGEX_TABLE_SETS) };

/* A set of steps, as bits. */
struct regex_steps_of {
  uint64_t bits[REGEX_TABLE_WORDS];
};

/* A regex with look-aheads matches if its goals are reached: the end of the rest, and those of the look-aheads that are
** not negated. Goals have a number: that of a look-ahead, or `looks` for the rest. */
struct regex_maker {
  const struct regex *r;
  struct regex_table *to;
  uint32_t room, states, stride;
  struct regex_steps_of sets[REGEX_TABLE_STATES]; /* the steps that come next in each state; goals that are reached */
  uint8_t examples[REGEX_TABLE_CLASSES];          /* a character of each class, as in regex_step_reads */
  uint8_t goals[REGEX_TABLE_STEPS];               /* to which each step leads */
  uint16_t list[REGEX_TABLE_STEPS];               /* the steps that were followed */
  uint32_t count, reached;                        /* number of these; bits of the goals among them */
};

FL_INLINE int regex_insert(struct regex_steps_of *set, uint32_t step) {
  const uint64_t bit = UINT64_C(1) << (step & 63);
  if (set->bits[step / 64] & bit) return 0;
  set->bits[step / 64] |= bit;
  return 1;
}

/* ------------------------------------------------------------------------------------- characters */

static int regex_other_is_in(const struct regex *r, struct regex_step step, uint32_t c) {
  if (step.op == REGEX_CHARACTER) return (uint32_t)step.argument == c;
  return regex_class_find(r, regex_classes(r) + step.argument, c);
}

/* Returns the class of the character at s, where n bytes are left, and sets *length. */
static uint32_t regex_class_of(const struct regex *r, const struct regex_table *t, const char *s, size_t n,
                               size_t *length) {
  uint32_t c, sets = 0;
  const int read = text_utf8_next(s, n, &c);
  *length = (size_t)(read < 0 ? -read : read);
  if (read == 1) return t->map[c];
  if (read < 0) c = 0xfffd;
  for (uint32_t i = 0; i < t->set_count; i++) sets |= (uint32_t)regex_other_is_in(r, t->sets[i], c) << i;
  return t->others[sets];
}

FL_PRIVATE_NOINLINE int regex_search_others_(const struct regex *r, const struct regex_table *t, const char *s,
                                             size_t n, size_t at, size_t state) {
  size_t length;
  for (; at < n; at += length) {
    state = t->next[state + regex_class_of(r, t, s + at, n - at, &length)];
    if (state >= REGEX_TABLE_NO) return state == REGEX_TABLE_YES;
  }
  return t->next[state + t->classes] == REGEX_TABLE_YES;
}

/* Returns whether the steps read the same characters that are not ASCII. May return 0 if they do. */
static int regex_are_same(const struct regex *r, struct regex_step a, struct regex_step b) {
  if (a.op != b.op || a.op == REGEX_CHARACTER) return a.op == b.op && a.argument == b.argument;
  const struct regex_class *x = regex_classes(r) + a.argument, *y = regex_classes(r) + b.argument;
  return x->ranges == y->ranges && x->negated == y->negated &&
         memcmp(regex_ranges(r) + x->first, regex_ranges(r) + y->first, x->ranges * sizeof(struct regex_range)) == 0;
}

/* Returns the number of the set of characters that are not ASCII that the step reads, or -1 for all, -2 for none. */
static int regex_set_of(const struct regex *r, const struct regex_table *t, struct regex_step step) {
  int i;
  if (step.op == REGEX_CHARACTER && step.argument < 128) return -2;
  if (step.op == REGEX_CLASS) {
    const struct regex_class *of = regex_classes(r) + step.argument;
    const struct regex_range *last = regex_ranges(r) + of->first + of->ranges - 1;
    if (of->ranges == 0 || last->to < 128) return of->negated ? -1 : -2;
    if (last->from <= 128 && last->to >= 0x10ffff) return of->negated ? -2 : -1;
  }
  for (i = 0; i < t->set_count && !regex_are_same(r, t->sets[i], step);) i++;
  return i;
}

/* Returns whether the step reads c: a character that is ASCII, or 128 + the bits of the sets that have another one. */
static int regex_step_reads(const struct regex_maker *m, struct regex_step step, uint32_t c) {
  if (c >= 128) {
    const int set = regex_set_of(m->r, m->to, step);
    return set < 0 ? set == -1 : (int)(c >> set & 1);
  }
  if (step.op == REGEX_CHARACTER) return (uint32_t)step.argument == c;
  return (int)(regex_classes(m->r)[step.argument].ascii[c / 32] >> (c & 31) & 1);
}

/* Returns the entry with the class of c. */
FL_INLINE uint8_t *regex_class_at(struct regex_table *t, uint32_t c) {
  return c < 128 ? &t->map[c] : &t->others[c - 128];
}

/* Splits the classes by what a step reads. Returns 0 if they are too many. */
static int regex_split_classes(struct regex_maker *m, struct regex_step step) {
  uint8_t other[REGEX_TABLE_CLASSES]; /* class + 1 for its characters that the step reads, if others were before them */
  uint32_t c, known = m->to->classes;
  memset(other, 0, sizeof other);
  for (c = 0; c < 128 + (1u << m->to->set_count); c++) {
    uint8_t *const class = regex_class_at(m->to, c);
    if (regex_step_reads(m, step, c) == regex_step_reads(m, step, m->examples[*class])) continue;
    if (!other[*class]) {
      if (known == REGEX_TABLE_CLASSES) return 0;
      m->examples[known++] = (uint8_t)c;
      other[*class] = (uint8_t)known;
    }
    *class = (uint8_t)(other[*class] - 1);
  }
  m->to->classes = (uint16_t)known;
  return 1;
}

/* Finds the sets and the classes. Returns 0 if there are too many, or a step needs more than the next character. */
static int regex_find_classes(struct regex_maker *m) {
  struct regex_table *t = m->to;
  const struct regex_step *const steps = regex_steps(m->r);
  struct regex_steps_of characters = {0};
  struct regex_steps_of classes = {0};
  uint32_t i;
  memset(t, 0, sizeof *t);
  t->classes = 1;
  m->examples[0] = 0;
  for (i = 0; i < m->r->steps; i++) {
    if (steps[i].op == REGEX_WORD || steps[i].op == REGEX_NO_WORD) return 0;
    if (steps[i].op != REGEX_CHARACTER && steps[i].op != REGEX_CLASS) continue;
    if (regex_set_of(m->r, t, steps[i]) != t->set_count) continue;
    if (t->set_count == REGEX_TABLE_SETS) return 0;
    t->sets[t->set_count++] = steps[i];
  }
  for (i = 0; i < m->r->steps; i++) {
    const uint32_t of = (uint32_t)steps[i].argument;
    if (steps[i].op == REGEX_CHARACTER ? of >= 128 || regex_insert(&characters, of)
                                       : steps[i].op == REGEX_CLASS && regex_insert(&classes, of))
      if (!regex_split_classes(m, steps[i])) return 0;
  }
  m->stride = (uint32_t)t->classes + REGEX_TABLE_COLUMNS;
  memset(t->map + 128, t->classes + 1, 128);
  return m->stride <= m->room;
}

/* ------------------------------------------------------------------------------------- states */

/* Finds the goal of each step. Returns 0 if a look-around is not a look-ahead that follows ^ and others like it. */
static int regex_find_goals(struct regex_maker *m) {
  const struct regex *r = m->r;
  uint32_t at = r->start + 1;
  memset(m->goals, (int)r->looks, sizeof m->goals);
  if (r->looks > 0 && (!r->anchored || regex_steps(r)[r->start].op != REGEX_BEGIN)) return 0;
  for (uint32_t i = 0; i < r->looks; i++) {
    const struct regex_look *look = regex_looks(r) + i;
    if (regex_steps(r)[at].op != REGEX_LOOK || (uint32_t)regex_steps(r)[at].argument != i || look->is_behind) return 0;
    memset(m->goals + look->first, (int)i, look->last + 1 - look->first);
    at = look->last + 1;
  }
  return 1;
}

static void regex_follow_step(struct regex_maker *m, struct regex_steps_of *seen, uint32_t step) {
  if (regex_insert(seen, step)) m->list[m->count++] = (uint16_t)step;
}

/* Follows the steps that read no character from those of the set, or from the start. Sets list, count and reached. */
static void regex_follow_all(struct regex_maker *m, const struct regex_steps_of *set, int is_start, int is_end) {
  const struct regex *r = m->r;
  struct regex_steps_of seen = {0};
  uint32_t i;
  m->count = m->reached = 0;
  for (i = 0; i < r->steps; i++)
    if (set->bits[i / 64] >> (i & 63) & 1) regex_follow_step(m, &seen, i);
  if (is_start || !r->anchored) regex_follow_step(m, &seen, r->start);
  for (i = 0; i < m->count; i++) {
    const uint32_t at = m->list[i];
    const struct regex_step step = regex_steps(r)[at];
    const uint32_t jump = (uint32_t)((int32_t)at + step.argument);
    switch (step.op) {
    case REGEX_MATCH: m->reached |= 1u << m->goals[at]; break;
    case REGEX_SPLIT: regex_follow_step(m, &seen, at + 1); /* fall through */
    case REGEX_JUMP: regex_follow_step(m, &seen, jump); break;
    case REGEX_BEGIN:
    case REGEX_END:
      if (step.op == REGEX_BEGIN ? is_start : is_end) regex_follow_step(m, &seen, at + 1);
      break;
    case REGEX_LOOK:
      regex_follow_step(m, &seen, regex_looks(r)[step.argument].first);
      regex_follow_step(m, &seen, at + 1);
      break;
    default: break;
    }
  }
}

/* Returns the result after what regex_follow_all has found, or 0 if the text decides. */
static uint32_t regex_result(const struct regex_maker *m, int is_end) {
  const uint32_t looks = m->r->looks;
  uint32_t open = 0, i; /* goals that can still be reached */
  int is_decided = 1;
  for (i = 0; i < m->count && !is_end; i++) {
    const int32_t op = regex_steps(m->r)[m->list[i]].op;
    if (op == REGEX_CHARACTER || op == REGEX_CLASS || op == REGEX_END) open |= 1u << m->goals[m->list[i]];
  }
  for (i = 0; i <= looks; i++) {
    const int is_negated = i < looks && regex_looks(m->r)[i].negated;
    if (m->reached >> i & 1 ? is_negated : !is_negated && !(open >> i & 1)) return REGEX_TABLE_NO;
    if (!(m->reached >> i & 1) && open >> i & 1) is_decided = 0;
  }
  return is_decided ? REGEX_TABLE_YES : 0;
}

/* Returns the table's entry for a set of next steps, and makes a new state if needed; 0 without room for it. */
static uint32_t regex_state_of(struct regex_maker *m, const struct regex_steps_of *set) {
  uint32_t i, result;
  for (i = 1; i < m->states; i++)
    if (memcmp(&m->sets[i], set, sizeof *set) == 0) return i * m->stride;
  regex_follow_all(m, set, 0, 0);
  if ((result = regex_result(m, 0)) != 0) return result;
  if (m->states == REGEX_TABLE_STATES || (m->states + 1) * m->stride > m->room) return 0;
  m->sets[m->states] = *set;
  return m->states++ * m->stride;
}

/* Sets to the steps after those of the list that read characters of the class, and the goals that are reached. */
static void regex_step_on(const struct regex_maker *m, uint32_t class, struct regex_steps_of *set) {
  memset(set, 0, sizeof *set);
  for (uint32_t i = 0; i < m->count; i++) {
    const uint32_t at = m->list[i];
    const struct regex_step step = regex_steps(m->r)[at];
    if (step.op == REGEX_MATCH) (void)regex_insert(set, at);
    if (m->reached >> m->goals[at] & 1 || (step.op != REGEX_CHARACTER && step.op != REGEX_CLASS)) continue;
    if (regex_step_reads(m, step, m->examples[class])) (void)regex_insert(set, at + 1);
  }
}

/* Returns the longest range of ASCII characters that stay in the state of the row, as in struct regex_table. */
static unsigned regex_find_range(const struct regex_table *t, const uint16_t *row) {
  const size_t state = (size_t)(row - t->next);
  unsigned c, first = 0, length = REGEX_TABLE_RANGE - 1, range = 0;
  for (c = 0; c < 128; c++) {
    if (row[t->map[c]] != state) first = c + 1;
    if (c + 1 - first > length) length = c + 1 - first, range = first | c << 8;
  }
  return range;
}

/* Fills the row of a state. Returns 0 without room. */
static int regex_fill_row(struct regex_maker *m, uint32_t state) {
  const uint32_t classes = m->to->classes;
  uint16_t *row = m->to->next + state * m->stride;
  struct regex_steps_of sets[REGEX_TABLE_CLASSES];
  uint32_t i, result;
  regex_follow_all(m, &m->sets[state], state == 0, 1);
  row[classes] = (uint16_t)regex_result(m, 1);
  row[classes + 1] = REGEX_TABLE_OTHER;
  regex_follow_all(m, &m->sets[state], state == 0, 0);
  result = regex_result(m, 0);
  for (i = 0; i < classes; i++) regex_step_on(m, i, &sets[i]);
  for (i = 0; i < classes; i++) {
    const uint32_t entry = result ? result : regex_state_of(m, &sets[i]);
    if (entry == 0) return 0;
    row[i] = (uint16_t)entry;
  }
  row[classes + 2] = (uint16_t)regex_find_range(m->to, row);
  return 1;
}

FL_PRIVATE int regex_make_table(const struct regex *r, struct regex_table *to) {
  struct regex_maker m;
  m.r = r;
  m.to = to;
  m.room = regex_table_room(r);
  if (m.room == 0 || r->classes > REGEX_TABLE_STEPS || !regex_find_goals(&m) || !regex_find_classes(&m)) return 0;
  memset(&m.sets[0], 0, sizeof m.sets[0]);
  m.states = 1;
  for (uint32_t i = 0; i < m.states; i++)
    if (!regex_fill_row(&m, i)) return 0;
  return 1;
}
