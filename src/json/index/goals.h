/* SPDX-License-Identifier: MIT
** goals.h -- the values of a text that paths lead to: paths as a tree of steps, and the places that were found.
** May call: nothing.
** Must hold: goals[0] is the whole text. The children of a goal are next to each other, after it. One value may be
** several of them: item 2 of three is also item -1. */
#ifndef FLEECE_JSON_INDEX_GOALS_H
#define FLEECE_JSON_INDEX_GOALS_H

#include "../../base/def.h"

/* One step: to a member of an object, an item of an array, or either of them. */
struct json_step {
  const char *name; /* NULL: not of an object */
  size_t n;
  int64_t index; /* from the end if negative */
  int indexes;   /* 0: not of an array */
};

struct json_goal {
  struct json_step step; /* from its parent; goals[0] has none */
  uint32_t first, count; /* its children: goals[first .. first + count) */
  int wanted;            /* is its value a result? Else it is only on the way to others. */
};

/* Part of a text; begin is NULL if there is none. */
struct json_slice {
  const char *begin, *end;
};

#endif
