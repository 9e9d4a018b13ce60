/* SPDX-License-Identifier: MIT
** table.h -- a deterministic automaton for the ASCII texts of a small regular expression: one step for each byte.
** Must hold: a table gives the result of regex_search. It is a block of fixed size; expressions with look-around or \b,
** and those whose automaton needs more room, have none. */
#pragma once

#include "regex.h"

enum { REGEX_TABLE_STEPS = 256, REGEX_TABLE_STATES = 128, REGEX_TABLE_CLASSES = 32, REGEX_TABLE_ENTRIES = 2048 };

/* Entries of a table: a state, as the index of its row; or the result. */
enum { REGEX_TABLE_NO = 0xfffe, REGEX_TABLE_YES = 0xffff };

struct regex_table {
  uint8_t map[128]; /* the class of each ASCII character: equal characters for all steps */
  uint16_t classes; /* also the column of the end of the text */
  uint16_t next[];  /* a row of classes + 1 entries for each state; the first is that of the start */
};

/* Returns the entries that a table of the regex may have, 0 if it must have none. */
FL_INLINE uint32_t regex_table_room(const struct regex *r) {
  const uint32_t room = 64 + 24 * r->steps;
  if (r->looks > 0 || r->steps > REGEX_TABLE_STEPS) return 0;
  return room < REGEX_TABLE_ENTRIES ? room : REGEX_TABLE_ENTRIES;
}

FL_INLINE size_t regex_table_size(uint32_t room) { return sizeof(struct regex_table) + room * sizeof(uint16_t); }

/* Fills a table for as many entries as regex_table_room says. Returns 0 if the regex can have none. */
FL_PRIVATE int regex_make_table(const struct regex *r, struct regex_table *to);

/* Returns whether the expression matches somewhere in s[0..n), or -1 if the text is not ASCII. */
FL_INLINE int regex_search_table(const struct regex_table *t, const char *s, size_t n) {
  uint32_t at = 0;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (FL_UNLIKELY(c >= 128)) return -1;
    at = t->next[at + t->map[c]];
    if (at >= REGEX_TABLE_NO) return at == REGEX_TABLE_YES;
  }
  return t->next[at + t->classes] == REGEX_TABLE_YES;
}
