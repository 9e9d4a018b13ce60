/* SPDX-License-Identifier: MIT */
#include "table.h"

enum { REGEX_TABLE_WORDS = REGEX_TABLE_STEPS / 64 };

/* A set of steps, as bits. */
struct regex_steps_of {
  uint64_t bits[REGEX_TABLE_WORDS];
};

struct regex_maker {
  const struct regex *r;
  struct regex_table *to;
  uint32_t room, states;
  struct regex_steps_of sets[REGEX_TABLE_STATES]; /* the steps that come next in each state */
  uint8_t examples[REGEX_TABLE_CLASSES];          /* a character of each class */
  uint16_t list[REGEX_TABLE_STEPS];               /* the steps that were followed */
};

FL_INLINE int regex_insert(struct regex_steps_of *set, uint32_t step) {
  const uint64_t bit = UINT64_C(1) << (step & 63);
  if (set->bits[step / 64] & bit) return 0;
  set->bits[step / 64] |= bit;
  return 1;
}

static int regex_step_reads(const struct regex *r, struct regex_step step, uint32_t c) {
  if (step.op == REGEX_CHARACTER) return (uint32_t)step.argument == c;
  return (int)(regex_classes(r)[step.argument].ascii[c / 32] >> (c & 31) & 1);
}

/* Splits the classes by what a step reads. Returns 0 if they are too many. */
static int regex_split_classes(struct regex_maker *m, struct regex_step step) {
  uint8_t other[REGEX_TABLE_CLASSES]; /* class + 1 for its characters that the step reads, if others were before them */
  uint32_t c, known = m->to->classes;
  memset(other, 0, sizeof other);
  for (c = 0; c < 128; c++) {
    const uint32_t class = m->to->map[c];
    if (regex_step_reads(m->r, step, c) == regex_step_reads(m->r, step, m->examples[class])) continue;
    if (!other[class]) {
      if (known == REGEX_TABLE_CLASSES) return 0;
      m->examples[known++] = (uint8_t)c;
      other[class] = (uint8_t)known;
    }
    m->to->map[c] = (uint8_t)(other[class] - 1);
  }
  m->to->classes = (uint16_t)known;
  return 1;
}

/* Finds the classes. Returns 0 if there are too many, or a step needs more than the next character. */
static int regex_find_classes(struct regex_maker *m) {
  memset(m->to, 0, sizeof *m->to);
  struct regex_steps_of characters = {0};
  struct regex_steps_of classes = {0};
  m->to->classes = 1;
  m->examples[0] = 0;
  for (uint32_t i = 0; i < m->r->steps; i++) {
    const struct regex_step step = regex_steps(m->r)[i];
    const uint32_t of = (uint32_t)step.argument;
    if (step.op == REGEX_WORD || step.op == REGEX_NO_WORD || step.op == REGEX_LOOK) return 0;
    if (step.op == REGEX_CHARACTER ? of < 128 && regex_insert(&characters, of)
                                   : step.op == REGEX_CLASS && regex_insert(&classes, of & (REGEX_TABLE_STEPS - 1)))
      if (!regex_split_classes(m, step)) return 0;
  }
  return 1;
}

/* Follows the steps that read no character from those of the set, or from the start. Returns their number in m->list;
** 0 if the expression has matched. */
static uint32_t regex_follow_all(struct regex_maker *m, const struct regex_steps_of *set, int is_start, int is_end) {
  const struct regex *r = m->r;
  struct regex_steps_of seen = *set;
  uint32_t i, count = 0;
  if (is_start || !r->anchored) (void)regex_insert(&seen, r->start);
  for (i = 0; i < r->steps; i++)
    if (seen.bits[i / 64] >> (i & 63) & 1) m->list[count++] = (uint16_t)i;
  for (i = 0; i < count; i++) {
    const uint32_t at = m->list[i];
    const struct regex_step step = regex_steps(r)[at];
    const uint32_t jump = (uint32_t)((int32_t)at + step.argument);
    switch (step.op) {
    case REGEX_MATCH: return 0;
    case REGEX_SPLIT:
      if (regex_insert(&seen, at + 1)) m->list[count++] = (uint16_t)(at + 1); /* fall through */
    case REGEX_JUMP:
      if (regex_insert(&seen, jump)) m->list[count++] = (uint16_t)jump;
      break;
    case REGEX_BEGIN:
    case REGEX_END:
      if ((step.op == REGEX_BEGIN ? is_start : is_end) && regex_insert(&seen, at + 1))
        m->list[count++] = (uint16_t)(at + 1);
      break;
    default: break;
    }
  }
  FL_ASSERT(count > 0);
  return count;
}

/* Returns the table's entry for a set of next steps, and makes a new state if needed; 0 without room for it. */
static uint32_t regex_state_of(struct regex_maker *m, const struct regex_steps_of *set) {
  const uint32_t stride = m->to->classes + 1u;
  uint32_t i, any = 0;
  for (i = 0; i < REGEX_TABLE_WORDS; i++) any |= set->bits[i] != 0;
  if (!any && m->r->anchored) return REGEX_TABLE_NO;
  for (i = 1; i < m->states; i++)
    if (memcmp(&m->sets[i], set, sizeof *set) == 0) return i * stride;
  if (regex_follow_all(m, set, 0, 0) == 0) return REGEX_TABLE_YES;
  if (m->states == REGEX_TABLE_STATES || (m->states + 1) * stride > m->room) return 0;
  m->sets[m->states] = *set;
  return m->states++ * stride;
}

/* Fills the row of a state. Returns 0 without room. */
static int regex_fill_row(struct regex_maker *m, uint32_t state) {
  uint16_t *row = m->to->next + state * (m->to->classes + 1u), steps[REGEX_TABLE_STEPS];
  row[m->to->classes] = regex_follow_all(m, &m->sets[state], state == 0, 1) ? REGEX_TABLE_NO : REGEX_TABLE_YES;
  const uint32_t count = regex_follow_all(m, &m->sets[state], state == 0, 0);
  memcpy(steps, m->list, sizeof steps);
  for (uint32_t class = 0; class < m->to->classes; class ++) {
    uint32_t entry = REGEX_TABLE_YES;
    struct regex_steps_of set = {0};
    for (uint32_t i = 0; i < count; i++) {
      const struct regex_step step = regex_steps(m->r)[steps[i]];
      if ((step.op == REGEX_CHARACTER || step.op == REGEX_CLASS) && regex_step_reads(m->r, step, m->examples[class]))
        (void)regex_insert(&set, steps[i] + 1u);
    }
    if (count > 0 && (entry = regex_state_of(m, &set)) == 0) return 0;
    row[class] = (uint16_t)entry;
  }
  return 1;
}

FL_PRIVATE int regex_make_table(const struct regex *r, struct regex_table *to) {
  struct regex_maker m;
  uint32_t i;
  m.r = r;
  m.to = to;
  m.room = regex_table_room(r);
  if (m.room == 0 || r->classes > REGEX_TABLE_STEPS || !regex_find_classes(&m)) return 0;
  if (to->classes + 1u > m.room) return 0;
  memset(&m.sets[0], 0, sizeof m.sets[0]);
  for (m.states = 1, i = 0; i < m.states; i++)
    if (!regex_fill_row(&m, i)) return 0;
  return 1;
}
