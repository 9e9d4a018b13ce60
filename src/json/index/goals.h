/* SPDX-License-Identifier: MIT
** goals.h -- the values of a text that paths lead to: paths as a tree of steps, and the places found.
** Must hold: goals[0] is the whole text. The children of a goal are adjacent, come after it, and have different steps.
** One value may belong to several of them: item 2 of three is also item -1, and a JSON pointer's step "2" leads to item
** [2] of an array and to member "2" of an object. */
#pragma once

#include "../../base/def.h"

/* A step to a member of an object, an item of an array, or either. */
struct json_step {
  const char *name; /* NULL: not to a member */
  size_t n;
  int64_t index; /* counts from the end if negative */
  int indexes;   /* 0: not to an item */
};

struct json_goal {
  struct json_step step; /* from its parent; unused in goals[0] */
  uint32_t first, count; /* its children: goals[first .. first + count) */
  int wanted;            /* its value is a result; else it only leads to others */
  uint64_t lengths;      /* bit n % 64 is set if a child's name has n bytes */
};

/* Part of a text; begin is NULL if there is none. */
struct json_slice {
  const char *begin, *end;
};

struct json_goal_path {
  const struct json_step *steps;
  size_t count;
  uint32_t goal; /* result: the goal it leads to */
  uint32_t next; /* used by json_build_goals */
};

/* Builds the tree of n paths. `goals` must have room for all steps together plus one, a number that fits uint32_t. The
** names are not copied. Returns the number of goals. */
FL_PRIVATE uint32_t json_build_goals(struct json_goal *goals, struct json_goal_path *paths, uint32_t n);

/* Drops the places inside values that a later member with the same name has replaced. */
FL_PRIVATE void json_drop_replaced(const struct json_goal *goals, uint32_t count, struct json_slice *found);
