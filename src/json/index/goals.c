/* SPDX-License-Identifier: MIT
** goals.c -- the values of a text that paths lead to: paths as a tree of steps, and the places found.
** Must hold: as goals.h. */
#include "goals.h"

/* Compares by length, then bytes. */
FL_INLINE int json_compare_names(const struct json_step *a, const char *s, size_t n) {
  if (a->n != n) return a->n < n ? -1 : 1;
  return n ? memcmp(a->name, s, n) : 0;
}

/* Orders the children of a goal: by name, then those that have none, by index. 0: the same step. */
static int json_compare_steps(const struct json_step *a, const struct json_step *b) {
  const int by_name = a->name && b->name ? json_compare_names(a, b->name, b->n) : !a->name - !b->name;
  if (by_name || (!a->indexes && !b->indexes)) return by_name;
  if (a->indexes != b->indexes) return a->indexes - b->indexes;
  return (a->index > b->index) - (a->index < b->index);
}

/* Orders paths with the same beginning side by side, the shortest first. */
static int json_compare_paths(const struct json_goal_path *a, const struct json_goal_path *b) {
  for (size_t i = 0; i < a->count && i < b->count; i++) {
    const int order = json_compare_steps(&a->steps[i], &b->steps[i]);
    if (order) return order;
  }
  return (a->count > b->count) - (a->count < b->count);
}

/* Restores the heap of the order's first n places, the largest path on top, below place i. */
static void json_sift_path(struct json_goal_path *paths, uint32_t i, uint32_t n) {
  const uint32_t path = paths[i].sorted;
  uint32_t child;
  for (; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && json_compare_paths(&paths[paths[child].sorted], &paths[paths[child + 1].sorted]) < 0) child++;
    if (json_compare_paths(&paths[path], &paths[paths[child].sorted]) >= 0) break;
    paths[i].sorted = paths[child].sorted;
  }
  paths[i].sorted = path;
}

/* Sorts by heap, which needs no memory (Williams 1964). */
static void json_sort_paths(struct json_goal_path *paths, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) paths[i].sorted = i;
  for (uint32_t i = n / 2; i-- > 0;) json_sift_path(paths, i, n);
  for (uint32_t i = n; i-- > 1;) {
    const uint32_t largest = paths[0].sorted;
    paths[0].sorted = paths[i].sorted;
    paths[i].sorted = largest;
    json_sift_path(paths, 0, i);
  }
}

static uint64_t json_lengths_of_names(const struct json_goal *children, uint32_t count) {
  uint64_t lengths = 0;
  for (uint32_t c = 0; c < count; c++)
    if (children[c].step.name) lengths |= (uint64_t)1 << children[c].step.n % 64;
  return lengths;
}

FL_PRIVATE uint32_t json_build_goals(struct json_goal *goals, struct json_goal_path *paths, uint32_t n) {
  uint32_t used = 1, g;
  json_sort_paths(paths, n);
  /* Until its turn comes, a goal has the range of its paths in first and count, and the number of steps to it in
  ** lengths. */
  memset(goals, 0, sizeof *goals);
  goals->count = n;
  for (g = 0; g < used; g++) {
    const uint32_t children = used, depth = (uint32_t)goals[g].lengths;
    uint32_t i = goals[g].first;
    const uint32_t end = i + goals[g].count;
    for (; i < end; i++) {
      struct json_goal_path *path = &paths[paths[i].sorted];
      if (path->count == depth) {
        goals[g].wanted = 1;
        path->goal = g;
        continue;
      }
      if (used == children || json_compare_steps(&goals[used - 1].step, &path->steps[depth]) != 0) {
        memset(&goals[used], 0, sizeof *goals);
        goals[used].step = path->steps[depth];
        goals[used].first = i;
        goals[used++].lengths = depth + 1;
      }
      goals[used - 1].count++;
    }
    goals[g].first = children;
    goals[g].count = used - children;
    goals[g].lengths = json_lengths_of_names(goals + children, goals[g].count);
  }
  return used;
}

enum { JSON_GOAL_PROBES = 64 }; /* of random hashes in a table that is half full 30 are enough for 100,000 */

/* Hashes the length and at most 16 bytes of a name. */
static uint32_t json_hash_name(const char *s, size_t n) {
  uint64_t head = 0, tail = 0;
  if (n >= 8) head = fl_load64(s), tail = fl_load64(s + n - 8);
  else if (n >= 4) head = fl_load32(s), tail = fl_load32(s + n - 4);
  else if (n) head = (unsigned char)s[0], tail = (uint64_t)(unsigned char)s[n / 2] << 8 | (unsigned char)s[n - 1];
  /* A product's high half depends on all bits, and is folded onto the low one. The factors are the odd numbers next to
  ** 2^64 divided by the golden ratio (Knuth, TAOCP 6.4), and by the square root of two. */
  tail = (tail + n) * UINT64_C(0x9E3779B97F4A7C15);
  head = (head ^ tail ^ tail >> 32) * UINT64_C(0xB504F333F9DE6485);
  return (uint32_t)((head ^ head >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* Returns where the slots of a goal's children begin: a mask, which is 0 if there is no table, and a table with places
** for twice as many at least. */
static size_t json_first_slot(const struct json_goal *g) { return (size_t)JSON_GOAL_SLOTS * g->first; }

/* Puts the first child of each name into the slots. Returns 0 if one would be too far from its place: then hostile
** paths have names with equal hashes, and the order finds them. */
static int json_hash_children(struct json_goal *goals, const struct json_goal *g, uint32_t *slots, uint32_t mask) {
  memset(slots, 0, ((size_t)mask + 1) * sizeof *slots);
  for (uint32_t c = g->first; c < g->first + g->count && goals[c].step.name; c++) {
    const struct json_step *step = &goals[c].step;
    uint32_t i = goals[c].hash = json_hash_name(step->name, step->n), probes = 0;
    if (c > g->first && json_is_named(&goals[c - 1], step->name, step->n)) continue;
    while (slots[i & mask])
      if (i++, ++probes == JSON_GOAL_PROBES) return 0;
    slots[i & mask] = c;
  }
  return 1;
}

FL_PRIVATE void json_hash_goals(struct json_goal *goals, uint32_t count, uint32_t *slots) {
  for (uint32_t i = 0; i < count; i++) {
    const struct json_goal *g = &goals[i];
    uint32_t mask = 15, *s = slots + json_first_slot(g);
    if (g->count <= JSON_GOAL_FEW) continue;
    while (mask + 1 < 2 * g->count) mask = 2 * mask + 1;
    *s = json_hash_children(goals, g, s + 1, mask) ? mask : 0;
  }
  goals->step.name = (const char *)slots;
}

/* Like json_first_child, by the order of the children. */
FL_NOINLINE uint32_t json_search_order(const struct json_goal *goals, const struct json_goal *g, const char *s,
                                       size_t n) {
  uint32_t from = g->first, to = from + g->count;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    const struct json_step *step = &goals[middle].step;
    if (step->name && json_compare_names(step, s, n) < 0) from = middle + 1;
    else to = middle;
  }
  return from < g->first + g->count && json_is_named(&goals[from], s, n) ? from : g->first + g->count;
}

FL_PRIVATE_NOINLINE uint32_t json_search_children(const struct json_goal *goals, const struct json_goal *g,
                                                  const char *s, size_t n) {
  const uint32_t *slots = (const uint32_t *)(const void *)goals->step.name;
  if (slots) slots += json_first_slot(g);
  if (FL_UNLIKELY(!slots || !*slots)) return json_search_order(goals, g, s, n);
  const uint32_t mask = *slots++, hash = json_hash_name(s, n);
  for (uint32_t i = hash, c; (c = slots[i & mask]) != 0 && i - hash < JSON_GOAL_PROBES; i++)
    if (goals[c].hash == hash && json_is_named(&goals[c], s, n)) return c;
  return g->first + g->count;
}

FL_PRIVATE void json_drop_replaced(const struct json_goal *goals, uint32_t count, struct json_slice *found) {
  for (uint32_t g = 0; g < count; g++)
    for (uint32_t i = goals[g].first; i < goals[g].first + goals[g].count; i++)
      if (!found[g].begin || (found[i].begin && found[i].begin < found[g].begin)) found[i].begin = found[i].end = NULL;
}
