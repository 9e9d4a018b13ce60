/* SPDX-License-Identifier: MIT
** goals.c -- the values of a text that paths lead to: paths as a tree of steps, and the places found.
** Must hold: as goals.h. */
#include "goals.h"

static int json_same_step(const struct json_step *a, const struct json_step *b) {
  if (a->indexes != b->indexes || (a->indexes && a->index != b->index)) return 0;
  if (!a->name || !b->name) return !a->name && !b->name;
  return a->n == b->n && memcmp(a->name, b->name, a->n) == 0;
}

/* Reverses a list of paths, which are numbered from 1; 0 ends it. */
static uint32_t json_reverse_paths(struct json_goal_path *paths, uint32_t first) {
  uint32_t reversed = 0;
  while (first) {
    const uint32_t next = paths[first - 1].next;
    paths[first - 1].next = reversed;
    reversed = first;
    first = next;
  }
  return reversed;
}

/* Returns the goal with this step among goals[first .. used), which is added if it is not there. */
static uint32_t json_child_goal(struct json_goal *goals, uint32_t first, uint32_t used, const struct json_step *step) {
  struct json_goal *g;
  uint32_t i;
  for (i = first; i < used; i++)
    if (json_same_step(&goals[i].step, step)) return i;
  g = &goals[used];
  memset(g, 0, sizeof *g);
  g->step = *step;
  return used;
}

static uint64_t json_lengths_of_names(const struct json_goal *children, uint32_t count) {
  uint64_t lengths = 0;
  uint32_t c;
  for (c = 0; c < count; c++)
    if (children[c].step.name) lengths |= (uint64_t)1 << children[c].step.n % 64;
  return lengths;
}

FL_PRIVATE uint32_t json_build_goals(struct json_goal *goals, struct json_goal_path *paths, uint32_t n) {
  uint32_t used = 1, i, g;
  memset(goals, 0, sizeof *goals);
  /* As long as a goal has no children, `first` is the list of paths through it, in reverse order, and `count` the
  ** number of steps to it. */
  for (i = 0; i < n; i++) {
    paths[i].next = i;
    paths[i].goal = 0;
  }
  goals->first = n;
  for (g = 0; g < used; g++) {
    const uint32_t depth = goals[g].count;
    uint32_t at = json_reverse_paths(paths, goals[g].first), next;
    goals[g].first = used;
    for (; at; at = next) {
      struct json_goal_path *path = &paths[at - 1];
      uint32_t child;
      next = path->next;
      if (path->count == depth) {
        goals[g].wanted = 1;
        path->goal = g;
        continue;
      }
      child = json_child_goal(goals, goals[g].first, used, &path->steps[depth]);
      used += child == used;
      path->next = goals[child].first;
      goals[child].first = at;
      goals[child].count = depth + 1;
    }
    goals[g].count = used - goals[g].first;
    goals[g].lengths = json_lengths_of_names(goals + goals[g].first, goals[g].count);
  }
  return used;
}

FL_PRIVATE void json_drop_replaced(const struct json_goal *goals, uint32_t count, struct json_slice *found) {
  uint32_t g, i;
  for (g = 0; g < count; g++)
    for (i = goals[g].first; i < goals[g].first + goals[g].count; i++)
      if (!found[g].begin || (found[i].begin && found[i].begin < found[g].begin)) found[i].begin = found[i].end = NULL;
}
