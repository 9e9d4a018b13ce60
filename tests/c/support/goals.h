/* SPDX-License-Identifier: MIT
** goals.h -- paths and their goals, for the tests of json/index. Nothing can be read after the last goal. Include it
** after json/index/goals.h. */
#ifndef FLEECE_TESTS_GOALS_H
#define FLEECE_TESTS_GOALS_H

#include "guarded.h"

enum { STEPS = 6, PATHS = 12, GOALS = STEPS * PATHS + 1 };

#define NAME(name) \
  { name, sizeof name - 1, 0, 0 }
#define ITEM(i) \
  { NULL, 0, i, 1 }
#define EITHER(name, i) \
  { name, sizeof name - 1, i, 1 }

struct path {
  struct json_step steps[STEPS];
  size_t count;
};

struct paths {
  struct json_goal *goals;
  struct json_goal_path to[PATHS];
  uint32_t count, n;
};

static char *guards[2]; /* the ends of memory for the goals, and for what is found */

static int make_guards(void **unused) {
  guards[0] = guarded(GOALS * sizeof(struct json_goal));
  guards[1] = guarded(GOALS * sizeof(struct json_slice));
  return (void)unused, 0;
}

/* The goals have no more room than they may need, and nothing in it. */
static void build(struct paths *p, const struct path *list, uint32_t n) {
  size_t room = 1;
  uint32_t i;
  for (i = 0; i < n; i++) room += list[i].count;
  p->goals = (struct json_goal *)(void *)guards[0] - room;
  memset(p->goals, 0xff, room * sizeof *p->goals);
  for (i = 0; i < n; i++) p->to[i].steps = list[i].steps, p->to[i].count = list[i].count;
  p->n = n;
  p->count = json_build_goals(p->goals, p->to, n);
}

#endif
