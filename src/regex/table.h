/* SPDX-License-Identifier: MIT
** table.h -- a deterministic automaton for a small regular expression: one step for each character.
** Must hold: a table gives the result of regex_search. It is a block of fixed size; there is none for expressions with
** \b or with look-around elsewhere than in look-aheads right after their ^, and for those that need more room. */
#pragma once

#include "regex.h"

enum {
  REGEX_TABLE_STEPS = 256,
  REGEX_TABLE_STATES = 128,
  REGEX_TABLE_CLASSES = 32,
  REGEX_TABLE_ENTRIES = 4096,
  REGEX_TABLE_SETS = 4,
  REGEX_TABLE_COLUMNS = 3,
  REGEX_TABLE_RANGE = 16, /* fewer characters are no range */
  REGEX_TABLE_LOOKS = 31
};

/* Entries of a table: a state, as the index of its row; or the result, or that the byte begins another character. */
enum { REGEX_TABLE_OTHER = 0xfffd, REGEX_TABLE_NO = 0xfffe, REGEX_TABLE_YES = 0xffff };

struct regex_table {
  uint8_t map[256];                         /* the class of each ASCII character: equal characters for all steps */
  uint8_t others[1 << REGEX_TABLE_SETS];    /* the class of other characters, by a bit for each set that has them */
  struct regex_step sets[REGEX_TABLE_SETS]; /* steps that read some of the other characters, but not all */
  uint16_t classes, set_count;              /* `classes` is also the column of the end of the text */
  /* A row of REGEX_TABLE_COLUMNS more entries than classes for each state; the first is the start's. The last one is 0,
  ** or a range of ASCII characters that do not change the state: the first + the last << 8. */
  uint16_t next[];
};

/* Returns the entries that a table of the regex may have, 0 if it must have none. */
FL_INLINE uint32_t regex_table_room(const struct regex *r) {
  const uint32_t room = 64 + 26 * r->steps;
  if (r->looks > REGEX_TABLE_LOOKS || r->steps > REGEX_TABLE_STEPS) return 0;
  return room < REGEX_TABLE_ENTRIES ? room : REGEX_TABLE_ENTRIES;
}

FL_INLINE size_t regex_table_size(uint32_t room) { return sizeof(struct regex_table) + room * sizeof(uint16_t); }

/* Fills a table for as many entries as regex_table_room says. Returns 0 if the regex can have none. */
FL_PRIVATE int regex_make_table(const struct regex *r, struct regex_table *to);

/* Continues a search at s[at], with any characters. */
FL_PRIVATE_NOINLINE int regex_search_others_(const struct regex *r, const struct regex_table *t, const char *s,
                                             size_t n, size_t at, size_t state);

/* Returns the first i from which less than eight characters are left, or of the next eight one is out of the range. */
FL_INLINE size_t regex_skip_range(const char *s, size_t i, size_t n, unsigned range) {
  const uint64_t each = UINT64_C(0x0101010101010101), high = each << 7;
  const uint64_t least = each * (range & 127), most = each * (127 - (range >> 8));
  for (; n - i >= 8; i += 8) {
    const uint64_t x = fl_load64(s + i);
    if ((x | (x + most) | ~((x | high) - least)) & high) break;
  }
  return i;
}

/* Returns whether the expression matches somewhere in s[0..n). In a state that stays the next load need not wait for
** the last one. */
FL_INLINE int regex_search_table(const struct regex *r, const struct regex_table *t, const char *s, size_t n) {
  size_t state = 0, i = 0, next;
  for (;; state = next) {
    const uint16_t *const row = t->next + state;
    if (i == n) return row[t->classes] == REGEX_TABLE_YES;
    next = row[t->map[(unsigned char)s[i++]]];
    if (next == state) {
      if (row[t->classes + 2]) i = regex_skip_range(s, i, n, row[t->classes + 2]);
      do {
        if (i == n) return row[t->classes] == REGEX_TABLE_YES;
        next = row[t->map[(unsigned char)s[i++]]];
      } while (next == state);
    }
    if (FL_UNLIKELY(next >= REGEX_TABLE_OTHER))
      return next == REGEX_TABLE_OTHER ? regex_search_others_(r, t, s, n, i - 1, state) : next == REGEX_TABLE_YES;
  }
}
