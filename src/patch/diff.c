/* SPDX-License-Identifier: MIT
** diff.c -- the difference between two values as a JSON Patch (RFC 6902); what two sequences have in common, in order.
** Must hold: as texts.h. Changes are listed in the order in which they are made: what precedes the place of a change
** is already as in the new value, so indices are those of the new array. Time is linear in the lengths of both
** sequences, times a constant or log n, whatever their elements are. If little differs, what is kept is as long as
** possible. */
#include "texts.h"

#include "../number/integer.h"

enum { PATCH_FAR = 1000 }; /* limit for differences that are found one by one */

/* One element: its place, and its number. */
struct patch_element {
  uint32_t at, id;
};

struct patch_sequences {
  struct json_edit *e;
  uint32_t *counts[2];          /* by number: how often it occurs in a part of each sequence; 0 between two calls */
  int32_t *rows[PATCH_FAR + 1]; /* memory of patch_differences, allocated when needed */
  int64_t budget;
};

enum { PATCH_BUDGET = 64, PATCH_BUDGET_LEAST = 4096 }; /* steps for each element, and in any case */

/* What is compared: elements of each sequence, without those that the other one lacks. */
struct patch_part {
  struct patch_element *a, *b;
  size_t n, m;
};

/* `count`: the highest number. Returns 0 after an error. */
static int patch_begin_sequences(struct patch_sequences *s, uint32_t count) {
  const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t);
  for (int i = 0; i < 2; i++) {
    if (!(s->counts[i] = (uint32_t *)json_edit_memory(s->e, bytes))) return 0;
    memset(s->counts[i], 0, bytes);
  }
  return 1;
}

static void patch_keep_pair(unsigned char *const kept[2], const struct patch_element *a,
                            const struct patch_element *b) {
  FL_ASSERT(a->id == b->id);
  kept[0][a->at] = kept[1][b->at] = 1;
}

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

/* few differences */

/* The algorithm of Myers (An O(ND) Difference Algorithm and Its Variations, 1986). For diagonal k, from -d to d, row d
** has how many elements of a are passed after d differences; that is k more than elements of b. */
static int32_t patch_start(const int32_t *row, int d, int k) {
  if (d == 0) return 0;
  const int32_t *at = row + d - 1; /* of the previous row, at diagonal 0 */
  return k == -d || (k != d && at[k - 1] < at[k + 1]) ? at[k + 1] : at[k - 1] + 1;
}

/* Computes rows until both ends are reached. Returns the number of differences, -1 if there are too many, -2 if out of
** memory. */
static int patch_count_differences(struct patch_sequences *s, const struct patch_part *p) {
  const int n = (int)p->n, m = (int)p->m;
  for (int d = 0; d <= PATCH_FAR && d <= n + m; d++) {
    const int32_t *before = d > 0 ? s->rows[d - 1] : NULL;
    int32_t *row = s->rows[d];
    if (!row) {
      row = s->rows[d] = (int32_t *)json_edit_memory(s->e, (2 * (size_t)d + 1) * sizeof *row);
      if (!row) return -2;
    }
    for (int k = -d; k <= d; k += 2) {
      int32_t x = patch_start(before, d, k), y = x - k;
      const int32_t from = x;
      if (x > n || y > m || y < 0) { /* beyond the end of one of them, so no path leads there */
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

/* Keeps what the shortest path keeps, from its end to its beginning. */
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

/* Returns 1 if done, 0 if there are too many differences, -1 after an error. */
static int patch_differences(struct patch_sequences *s, struct patch_part *p, unsigned char *const kept[2]) {
  patch_trim(p, kept);
  if (p->n == 0 || p->m == 0) return 1;
  if (p->n > INT32_MAX / 4 || p->m > INT32_MAX / 4) return 0;
  const int d = patch_count_differences(s, p);
  if (d < 0) return d == -2 ? -1 : 0;
  patch_keep_way(s, p, d, kept);
  return 1;
}

static void patch_tally(struct patch_sequences *s, const struct patch_part *p, int change) {
  for (size_t i = 0; i < p->n; i++) s->counts[0][p->a[i].id] = change ? s->counts[0][p->a[i].id] + 1 : 0;
  for (size_t i = 0; i < p->m; i++) s->counts[1][p->b[i].id] = change ? s->counts[1][p->b[i].id] + 1 : 0;
}

/* Keeps in *e only elements that the other sequence has, too. */
static size_t patch_drop_single(struct patch_element *e, size_t n, const uint32_t *others) {
  size_t i, kept = 0;
  for (i = 0; i < n; i++)
    if (others[e[i].id] > 0) e[kept++] = e[i];
  return kept;
}

/* Finds the longest increasing sequence of places by patience sorting. places[i] is where element i of `a` is in `b`,
** or UINT32_MAX. Keeps the chosen elements; all others become UINT32_MAX. */
static void patch_increasing(uint32_t *places, uint32_t *before, uint32_t *piles, size_t n) {
  size_t height = 0, i;
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
  uint32_t next = height > 0 ? piles[height - 1] : UINT32_MAX;
  for (i = n; i > 0; i--) {
    if (next != i - 1) places[i - 1] = UINT32_MAX;
    else next = before[i - 1];
  }
}

/* Keeps as many as possible of the elements that occur once in each, and compares what is between them. */
static int patch_anchor(struct patch_sequences *s, const struct patch_part *p, unsigned char *const kept[2]) {
  uint32_t *places = (uint32_t *)json_edit_memory(s->e, 3 * p->n * sizeof *places);
  struct patch_part gap = *p;
  if (!places) return 0;
  patch_tally(s, p, 1);
  for (size_t i = 0; i < p->n; i++) {
    const uint32_t id = p->a[i].id;
    places[i] = s->counts[0][id] == 1 && s->counts[1][id] == 1 ? 0 : UINT32_MAX;
  }
  for (size_t i = 0; i < p->m; i++) s->counts[1][p->b[i].id] = (uint32_t)i;
  for (size_t i = 0; i < p->n; i++)
    if (places[i] == 0) places[i] = s->counts[1][p->a[i].id];
  patch_tally(s, p, 0);
  patch_increasing(places, places + p->n, places + 2 * p->n, p->n);
  for (size_t i = 0; i <= p->n; i++) {
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

static struct patch_element *patch_list(struct patch_sequences *s, const uint32_t *ids, size_t from, size_t to) {
  struct patch_element *list = (struct patch_element *)json_edit_memory(s->e, (to - from + 1) * sizeof *list);
  for (size_t i = from; list && i < to; i++) list[i - from].at = (uint32_t)i, list[i - from].id = ids[i];
  return list;
}

/* Compares a[0..n) with b[0..m). kept[0][i] and kept[1][j], which must be 0, become 1 for elements that are kept:
** equally many in both, pairwise equal in order. Returns 0 after an error. */
static int patch_compare(struct patch_sequences *s, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                         unsigned char *const kept[2]) {
  struct patch_part p;
  size_t from = 0;
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
    p.m = patch_drop_single(p.b, p.m, s->counts[0]);
    p.n = kept_a;
    for (size_t i = 0; i < all_a; i++) s->counts[0][a[from + i]] = 0;
    for (size_t i = 0; i < all_b; i++) s->counts[1][b[from + i]] = 0;
  }
  const int done = patch_differences(s, &p, kept);
  if (done == 0) return patch_anchor(s, &p, kept);
  return done > 0;
}

/* Two containers of the same kind that are being compared. */
struct patch_level {
  struct patch_level *up;
  struct patch_value *a, *b;
  const struct patch_step *at;
  struct patch_list_of_changes before; /* the changes before those of this level */
  struct patch_value *next;            /* of objects: the next member of b, or of a while members are removed */
  /* arrays: */
  struct patch_value *x, *y; /* of arrays: the next items, NULL at the end */
  unsigned char *kept[2];    /* items that stay; */
  size_t i, j;               /* indices of x and y, */
  size_t pairs;              /* and how many items from there on are compared in pairs */
};

struct patch_work {
  struct patch_diff *d;
  struct json_edit *e;
  struct patch_ids ids;
  struct patch_sequences sequences;
  struct patch_level *level, *spare;
  const struct patch_level *numbered; /* the outermost arrays: the values in them have numbers */
};

static const struct patch_step *patch_make_step(struct json_edit *e, const struct patch_step *up, const char *name,
                                                size_t n, size_t index) {
  struct patch_step *step = (struct patch_step *)json_edit_memory(e, sizeof *step);
  char digits[NUM_ROOM];
  if (!step) return NULL;
  step->up = up;
  step->name = name;
  step->n = n;
  step->index = index;
  step->length = (up ? up->length : 0) + 1;
  step->length += name ? patch_escaped_length(name, n, 1) : (size_t)(num_write_u64(digits, index) - digits);
  return step;
}

static int patch_add_change(struct patch_work *k, enum patch_kind_of_operation is, const struct patch_step *at,
                            const struct patch_value *value) {
  struct patch_list_of_changes *to = &k->d->changes;
  struct patch_change *c = (struct patch_change *)json_edit_memory(k->e, sizeof *c);
  if (!c) return 0;
  c->next = NULL;
  c->at = at;
  c->value = value;
  c->is = is;
  if (to->last) to->last->next = c;
  else to->first = c;
  to->last = c;
  to->size += patch_operation_size(is, at, value);
  return 1;
}

static int patch_drop(struct patch_work *k, const struct patch_step *at, const struct patch_value *was,
                      const struct patch_value *value) {
  if (k->d->tests && !patch_add_change(k, PATCH_OP_TEST, at, was)) return 0;
  return patch_add_change(k, value ? PATCH_OP_REPLACE : PATCH_OP_REMOVE, at, value);
}

static uint32_t *patch_item_ids(struct json_edit *e, const struct patch_value *array) {
  uint32_t *ids = (uint32_t *)json_edit_memory(e, array->n * sizeof *ids);
  const struct patch_value *v = array->is.first;
  for (size_t i = 0; ids && v; v = v->next) ids[i++] = v->id;
  return ids;
}

static int patch_begin_arrays(struct patch_work *k, struct patch_level *l) {
  const size_t n = l->a->n, m = l->b->n;
  uint32_t *a, *b;
  if (!(l->kept[0] = (unsigned char *)json_edit_memory(k->e, n + m))) return 0;
  memset(l->kept[0], 0, n + m);
  l->kept[1] = l->kept[0] + n;
  l->x = n > 0 ? l->a->is.first : NULL;
  l->y = m > 0 ? l->b->is.first : NULL;
  if (n == 0 || m == 0) return 1;
  if (!k->numbered) {
    k->numbered = l;
    if (!patch_begin_ids(&k->ids, k->e, l->a, l->b)) return 0;
    patch_number(&k->ids, l->a);
    patch_number(&k->ids, l->b);
    if (!patch_begin_sequences(&k->sequences, k->ids.count)) return 0;
  }
  if (!(a = patch_item_ids(k->e, l->a)) || !(b = patch_item_ids(k->e, l->b))) return 0;
  return patch_compare(&k->sequences, a, n, b, m, l->kept);
}

/* Finds for each member of a the one of b with the same name, and removes the members without one. */
static int patch_begin_objects(struct patch_work *k, struct patch_level *l) {
  patch_match(l->a, l->b);
  for (struct patch_value *x = l->a->is.first; x; x = x->next) {
    const struct patch_step *at;
    if (x->match) continue;
    if (!(at = patch_make_step(k->e, l->at, x->name, x->name_length, 0)) || !patch_drop(k, at, x, NULL)) return 0;
  }
  l->next = l->b->is.first;
  return 1;
}

/* Compares two values at the same place. Returns 0 after an error. */
static int patch_compare_values(struct patch_work *k, const struct patch_step *up, const char *name, size_t n,
                                size_t index, struct patch_value *a, struct patch_value *b, int is_root) {
  const struct patch_step *at = NULL;
  if (b->same == a || (k->numbered && a->id == b->id)) return 1;
  if (!patch_is_container(a) && patch_equal_scalars(a, b)) return 1;
  if (!is_root && !(at = patch_make_step(k->e, up, name, n, index))) return 0;
  if (a->kind != b->kind || !patch_is_container(a)) return patch_drop(k, at, a, b);
  if (b->same && !patch_expand(k->e, b)) return 0;
  struct patch_level *l = k->spare;
  if (l) k->spare = l->up;
  else if (!(l = (struct patch_level *)json_edit_memory(k->e, sizeof *l))) return 0;
  memset(l, 0, sizeof *l);
  l->up = k->level;
  l->a = a;
  l->b = b;
  l->at = at;
  l->before = k->d->changes;
  k->level = l;
  return a->kind == PATCH_ARRAY ? patch_begin_arrays(k, l) : patch_begin_objects(k, l);
}

/* Ends the level. If its changes are longer than the new value, replaces the old value by that. */
static int patch_end_level(struct patch_work *k) {
  struct patch_level *l = k->level;
  struct patch_list_of_changes *now = &k->d->changes;
  size_t whole = patch_operation_size(PATCH_OP_REPLACE, l->at, l->b);
  if (k->d->tests) whole += patch_operation_size(PATCH_OP_TEST, l->at, l->a);
  k->level = l->up;
  if (k->numbered == l) k->numbered = NULL;
  l->up = k->spare;
  k->spare = l;
  if (now->size - l->before.size <= whole) return 1;
  if (l->b->is_part) return k->d->needs_whole = 1, 0;
  *now = l->before;
  if (now->last) now->last->next = NULL;
  return patch_drop(k, l->at, l->a, l->b);
}

/* Handles the next member of an object. Returns 0 after an error. */
static int patch_step_object(struct patch_work *k, struct patch_level *l) {
  struct patch_value *y = l->next;
  l->next = y->next;
  if (y->match) return patch_compare_values(k, l->at, y->name, y->name_length, 0, y->match, y, 0);
  const struct patch_step *at = patch_make_step(k->e, l->at, y->name, y->name_length, 0);
  return at && patch_add_change(k, PATCH_OP_ADD, at, y);
}

/* Returns how many items from here on are not kept. */
static size_t patch_gap(const unsigned char *kept, size_t i, size_t n) {
  const size_t from = i;
  while (i < n && !kept[i]) i++;
  return i - from;
}

/* Handles the next item or items of an array. Between two that are kept, items of both arrays are compared in pairs;
** the remaining ones are removed or added. */
static int patch_step_array(struct patch_work *k, struct patch_level *l) {
  const struct patch_step *at;
  struct patch_value *x = l->x, *y = l->y;
  if (x && y && l->pairs == 0 && !l->kept[0][l->i] && !l->kept[1][l->j]) {
    const size_t r = patch_gap(l->kept[0], l->i, l->a->n), s = patch_gap(l->kept[1], l->j, l->b->n);
    l->pairs = r < s ? r : s;
  }
  if (x && y && l->kept[0][l->i] && l->kept[1][l->j]) {
    l->x = x->next, l->i++, l->y = y->next, l->j++;
    return 1;
  }
  if (l->pairs > 0) {
    l->pairs--;
    l->x = x->next, l->i++, l->y = y->next, l->j++;
    return patch_compare_values(k, l->at, NULL, 0, l->b->skipped + l->j - 1, x, y, 0);
  }
  if (!(at = patch_make_step(k->e, l->at, NULL, 0, l->b->skipped + l->j))) return 0;
  if (x && !l->kept[0][l->i]) {
    l->x = x->next, l->i++;
    return patch_drop(k, at, x, NULL);
  }
  FL_ASSERT(y && !l->kept[1][l->j]);
  l->y = y->next, l->j++;
  return patch_add_change(k, PATCH_OP_ADD, at, y);
}

FL_PRIVATE int patch_diff(struct patch_diff *d, struct patch_value *a, struct patch_value *b) {
  struct patch_work k;
  memset(&d->changes, 0, sizeof d->changes);
  d->needs_whole = 0;
  memset(&k, 0, sizeof k);
  k.d = d;
  k.e = k.sequences.e = d->e;
  if (!patch_compare_values(&k, NULL, NULL, 0, 0, a, b, 1)) return 0;
  while (k.level) {
    struct patch_level *l = k.level;
    const int is_array = l->a->kind == PATCH_ARRAY;
    if (is_array ? !l->x && !l->y : !l->next) {
      if (!patch_end_level(&k)) return 0;
    } else if (is_array ? !patch_step_array(&k, l) : !patch_step_object(&k, l)) {
      return 0;
    }
  }
  return 1;
}
