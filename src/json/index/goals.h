/* SPDX-License-Identifier: MIT
** goals.h -- the values of a text that paths lead to: paths as a tree of steps, and the places found.
** Must hold: goals[0] is the whole text, and its step has no more than json_hash_goals stores there. The children of a
** goal are adjacent, come after it, and have different steps; those with names come first, by length, then bytes.
** One value may belong to several of them: item 2 of three is also item -1, and a JSON pointer's step "2" leads to item
** [2] of an array and to member "2" of an object. */
#pragma once

#include "../../base/def.h"

/* A step to a member of an object, an item of an array, or either. A wildcard is neither; goals have none, but for
** json_locate_each. */
struct json_step {
  const char *name; /* NULL: not to a member */
  size_t n;
  int64_t index; /* counts from the end if negative */
  int indexes;   /* 0: not to an item */
  char each;     /* of a wildcard: the bracket of the container to whose values it leads, '[' or '{'; else 0 */
};

struct json_goal {
  struct json_step step; /* from its parent */
  uint32_t first, count; /* its children: goals[first .. first + count) */
  int wanted;            /* its value is a result; else it only leads to others */
  uint32_t hash;         /* of its name, after json_hash_goals */
  uint64_t lengths;      /* bit n % 64 is set if a child's name has n bytes */
};

/* Part of a text; begin is NULL if there is none. */
struct json_slice {
  const char *begin, *end;
};

struct json_goal_path {
  const struct json_step *steps;
  size_t count;
  uint32_t goal;   /* result: the goal it leads to */
  uint32_t sorted; /* used by json_build_goals */
};

/* Builds the tree of n paths. `goals` must have room for all steps together plus one, a number that fits uint32_t. The
** names are not copied. Returns the number of goals. */
FL_PRIVATE uint32_t json_build_goals(struct json_goal *goals, struct json_goal_path *paths, uint32_t n);

enum {
  JSON_GOAL_FEW = 6, /* as many children are compared one by one */
  JSON_GOAL_SLOTS = 4
};

/* Makes the children of goals that have many faster to find. `slots` must have room for JSON_GOAL_SLOTS for each goal,
** and stay as long as the goals. */
FL_PRIVATE void json_hash_goals(struct json_goal *goals, uint32_t count, uint32_t *slots);

/* Returns whether the goal is a member named s[0..n). */
FL_INLINE int json_is_named(const struct json_goal *goal, const char *s, size_t n) {
  const struct json_step *step = &goal->step;
  return step->name && n == step->n && (n == 0 || (*s == *step->name && memcmp(s, step->name, n) == 0));
}

/* Like json_first_child, for many children. */
FL_PRIVATE_NOINLINE uint32_t json_search_children(const struct json_goal *goals, const struct json_goal *g,
                                                  const char *s, size_t n);

/* Returns the first child of g named s[0..n), or the end of its children. */
FL_INLINE uint32_t json_first_child(const struct json_goal *goals, const struct json_goal *g, const char *s, size_t n) {
  const uint32_t end = g->first + g->count;
  uint32_t c = g->first;
  if (FL_UNLIKELY(g->count > JSON_GOAL_FEW)) return json_search_children(goals, g, s, n);
  while (c < end && !json_is_named(&goals[c], s, n)) c++;
  return c;
}

/* Returns the next child of that name after c, or the end. */
FL_INLINE uint32_t json_next_child(const struct json_goal *goals, const struct json_goal *g, uint32_t c, const char *s,
                                   size_t n) {
  const uint32_t end = g->first + g->count;
  return c + 1 < end && FL_UNLIKELY(json_is_named(&goals[c + 1], s, n)) ? c + 1 : end;
}

/* Drops the places inside values that a later member with the same name has replaced. */
FL_PRIVATE void json_drop_replaced(const struct json_goal *goals, uint32_t count, struct json_slice *found);
