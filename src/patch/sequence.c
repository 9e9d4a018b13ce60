/* SPDX-License-Identifier: MIT
** sequence.c -- what two sequences of numbers have in common, in order.
** Must hold: as sequence.h. */
#include "sequence.h"

enum { PATCH_BUDGET = 64, PATCH_BUDGET_LEAST = 4096 }; /* steps for each element, and for all */

/* What is compared: some elements of each sequence, without those that the other one does not have. */
struct patch_part {
  struct patch_element *a, *b;
  size_t n, m;
};

FL_PRIVATE int patch_begin_sequences(struct patch_sequences *s, struct json_edit *e, uint32_t count) {
  const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t);
  int i;
  memset(s, 0, sizeof *s);
  s->e = e;
  for (i = 0; i < 2; i++) {
    if (!(s->counts[i] = (uint32_t *)json_edit_memory(e, bytes))) return 0;
    memset(s->counts[i], 0, bytes);
  }
  return 1;
}

static void patch_keep_pair(unsigned char *const kept[2], const struct patch_element *a,
                            const struct patch_element *b) {
  FL_ASSERT(a->id == b->id);
  kept[0][a->at] = kept[1][b->at] = 1;
}

/* Keeps what both begin and end with. */
static void patch_trim(struct patch_part *p, unsigned char *const kept[2]) {
  while (p->n && p->m && p->a->id == p->b->id) {
    patch_keep_pair(kept, p->a, p->b);
    p->a++, p->n--, p->b++, p->m--;
  }
  while (p->n && p->m && p->a[p->n - 1].id == p->b[p->m - 1].id) {
    p->n--, p->m--;
    patch_keep_pair(kept, &p->a[p->n], &p->b[p->m]);
  }
}

/* ------------------------------------------------------------------------------------- few differences */

/* The algorithm of Myers (An O(ND) Difference Algorithm and Its Variations, 1986). On diagonal k, from -d to d, row d
** has how many elements of a are passed after d differences, k elements more than of b. */
static int32_t patch_start(const int32_t *row, int d, int k) {
  const int32_t *at;
  if (d == 0) return 0;
  at = row + d - 1; /* of the row before, at diagonal 0 */
  return k == -d || (k != d && at[k - 1] < at[k + 1]) ? at[k + 1] : at[k - 1] + 1;
}

/* The rows up to the end of both; -1: there are too many differences, -2: no memory. */
static int patch_count_differences(struct patch_sequences *s, const struct patch_part *p) {
  const int n = (int)p->n, m = (int)p->m;
  int d, k;
  for (d = 0; d <= PATCH_FAR && d <= n + m; d++) {
    const int32_t *before = d > 0 ? s->rows[d - 1] : NULL;
    int32_t *row = s->rows[d];
    if (!row) {
      row = s->rows[d] = (int32_t *)json_edit_memory(s->e, (2 * (size_t)d + 1) * sizeof *row);
      if (!row) return -2;
    }
    for (k = -d; k <= d; k += 2) {
      int32_t x = patch_start(before, d, k), y = x - k;
      const int32_t from = x;
      if (x > n || y > m || y < 0) { /* beyond the end of one of them: no way leads there */
        row[d + k] = x;
        continue;
      }
      while (x < n && y < m && p->a[x].id == p->b[y].id) x++, y++;
      row[d + k] = x;
      if (x == n && y == m) return d;
      s->budget -= x - from + 1;
    }
    if (s->budget < 0) return -1;
  }
  return -1;
}

/* Keeps what the shortest way keeps: from its end to its beginning. */
static void patch_keep_way(const struct patch_sequences *s, const struct patch_part *p, int d,
                           unsigned char *const kept[2]) {
  int32_t x = (int32_t)p->n, y = (int32_t)p->m;
  for (; d >= 0; d--) {
    const int32_t *at = d > 0 ? s->rows[d - 1] + d - 1 : NULL;
    const int k = x - y;
    const int32_t start = patch_start(d > 0 ? s->rows[d - 1] : NULL, d, k);
    while (x > start) {
      x--, y--;
      patch_keep_pair(kept, &p->a[x], &p->b[y]);
    }
    if (d == 0) return;
    if (k == -d || (k != d && at[k - 1] < at[k + 1])) y--;
    else x--;
  }
}

/* 1: it is done; 0: there are too many differences; -1: an error. */
static int patch_differences(struct patch_sequences *s, struct patch_part *p, unsigned char *const kept[2]) {
  int d;
  patch_trim(p, kept);
  if (p->n == 0 || p->m == 0) return 1;
  if (p->n > INT32_MAX / 4 || p->m > INT32_MAX / 4) return 0;
  d = patch_count_differences(s, p);
  if (d < 0) return d == -2 ? -1 : 0;
  patch_keep_way(s, p, d, kept);
  return 1;
}

/* ------------------------------------------------------------------------------------- many differences */

static void patch_tally(struct patch_sequences *s, const struct patch_part *p, int change) {
  size_t i;
  for (i = 0; i < p->n; i++) s->counts[0][p->a[i].id] = change ? s->counts[0][p->a[i].id] + 1 : 0;
  for (i = 0; i < p->m; i++) s->counts[1][p->b[i].id] = change ? s->counts[1][p->b[i].id] + 1 : 0;
}

/* Leaves in *e those elements that the other sequence has, too. */
static size_t patch_drop_single(struct patch_element *e, size_t n, const uint32_t *others) {
  size_t i, kept = 0;
  for (i = 0; i < n; i++)
    if (others[e[i].id] > 0) e[kept++] = e[i];
  return kept;
}

/* The longest increasing sequence of places: patience sorting. places[i] is where element i of `a` stands in `b`, or
** UINT32_MAX. Marks the chosen elements in place: all others become UINT32_MAX. */
static void patch_increasing(uint32_t *places, uint32_t *before, uint32_t *piles, size_t n) {
  size_t height = 0, i;
  uint32_t next;
  for (i = 0; i < n; i++) {
    size_t low = 0, high = height;
    if (places[i] == UINT32_MAX) continue;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (places[piles[middle]] < places[i]) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? piles[low - 1] : UINT32_MAX;
    piles[low] = (uint32_t)i;
    if (low == height) height++;
  }
  next = height > 0 ? piles[height - 1] : UINT32_MAX;
  for (i = n; i > 0; i--) {
    if (next != i - 1) places[i - 1] = UINT32_MAX;
    else next = before[i - 1];
  }
}

/* Keeps as many as possible of the elements that occur once in each, and compares what is between them. */
static int patch_anchor(struct patch_sequences *s, const struct patch_part *p, unsigned char *const kept[2]) {
  uint32_t *places = (uint32_t *)json_edit_memory(s->e, 3 * p->n * sizeof *places);
  struct patch_part gap = *p;
  size_t i;
  if (!places) return 0;
  patch_tally(s, p, 1);
  for (i = 0; i < p->n; i++) {
    const uint32_t id = p->a[i].id;
    places[i] = s->counts[0][id] == 1 && s->counts[1][id] == 1 ? 0 : UINT32_MAX;
  }
  for (i = 0; i < p->m; i++) s->counts[1][p->b[i].id] = (uint32_t)i;
  for (i = 0; i < p->n; i++)
    if (places[i] == 0) places[i] = s->counts[1][p->a[i].id];
  patch_tally(s, p, 0);
  patch_increasing(places, places + p->n, places + 2 * p->n, p->n);
  for (i = 0; i <= p->n; i++) {
    const int is_end = i == p->n;
    const struct patch_element *b = is_end ? p->b + p->m : p->b + places[i];
    if (!is_end && places[i] == UINT32_MAX) continue;
    gap.n = (size_t)(p->a + i - gap.a);
    gap.m = (size_t)(b - gap.b);
    s->budget = PATCH_BUDGET * (int64_t)(gap.n + gap.m);
    if (patch_differences(s, &gap, kept) < 0) return 0;
    if (is_end) break;
    patch_keep_pair(kept, &p->a[i], b);
    gap.a = p->a + i + 1;
    gap.b = p->b + places[i] + 1;
  }
  return 1;
}

/* Lists the elements. */
static struct patch_element *patch_list(struct patch_sequences *s, const uint32_t *ids, size_t from, size_t to) {
  struct patch_element *list = (struct patch_element *)json_edit_memory(s->e, (to - from + 1) * sizeof *list);
  size_t i;
  for (i = from; list && i < to; i++) list[i - from].at = (uint32_t)i, list[i - from].id = ids[i];
  return list;
}

FL_PRIVATE int patch_compare(struct patch_sequences *s, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                             unsigned char *const kept[2]) {
  struct patch_part p;
  size_t from = 0;
  int done;
  for (; from < n && from < m && a[from] == b[from]; from++) kept[0][from] = kept[1][from] = 1;
  while (n > from && m > from && a[n - 1] == b[m - 1]) kept[0][--n] = kept[1][--m] = 1;
  if (n == from || m == from) return 1;
  p.n = n - from, p.m = m - from;
  if (!(p.a = patch_list(s, a, from, n)) || !(p.b = patch_list(s, b, from, m))) return 0;
  s->budget = PATCH_BUDGET_LEAST + PATCH_BUDGET * (int64_t)(p.n + p.m);
  patch_tally(s, &p, 1);
  {
    const size_t kept_a = patch_drop_single(p.a, p.n, s->counts[1]);
    const size_t all_a = p.n, all_b = p.m;
    size_t i;
    p.m = patch_drop_single(p.b, p.m, s->counts[0]);
    p.n = kept_a;
    for (i = 0; i < all_a; i++) s->counts[0][a[from + i]] = 0;
    for (i = 0; i < all_b; i++) s->counts[1][b[from + i]] = 0;
  }
  done = patch_differences(s, &p, kept);
  if (done == 0) return patch_anchor(s, &p, kept);
  return done > 0;
}
