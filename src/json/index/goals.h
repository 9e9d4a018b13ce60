/* SPDX-License-Identifier: MIT
** goals.h -- the values of a text that paths lead to: paths as a tree of steps, and the places that were found.
** Must hold: goals[0] is the whole text. The children of a goal are next to each other, after it, and no two have equal
** steps. One value may be several of them: item 2 of three is also item -1, and the step of a JSON pointer to "2" leads
** where [2] leads in an array, and where the name 2 leads in an object. */
#pragma once

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
  uint64_t lengths;      /* bit n % 64: the name of a child has n bytes */
};

/* Part of a text; begin is NULL if there is none. */
struct json_slice {
  const char *begin, *end;
};

/* ------------------------------------------------------------------------------------- paths to goals */

struct json_goal_path {
  const struct json_step *steps;
  size_t count;
  uint32_t goal; /* result: to which it leads */
  uint32_t next; /* used by json_build_goals */
};

/* Builds the tree of n paths. `goals` has room for one more than all steps together, a number that uint32_t holds. The
** names stay where they are. Returns how many goals there are. */
FL_PRIVATE uint32_t json_build_goals(struct json_goal *goals, struct json_goal_path *paths, uint32_t n);

/* Forgets the places inside of values that a later member with the same name has replaced. */
FL_PRIVATE void json_drop_replaced(const struct json_goal *goals, uint32_t count, struct json_slice *found);
