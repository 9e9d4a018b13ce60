/* SPDX-License-Identifier: MIT */
#include "equal.h"
#include "../../../number/compare.h"

FL_PRIVATE double schema_double(const struct tree_value *v) {
  FL_ASSERT(schema_is_number(v));
  return tree_type(v) == TREE_INTEGER ? (double)v->as.i : tree_type(v) == TREE_UNSIGNED ? (double)v->as.u : v->as.d;
}

FL_PRIVATE int schema_compare(const struct tree_value *a, const struct tree_value *b) {
  const struct tree_value *const v[2] = {a, b};
  struct num_any x[2];
  int i;
  for (i = 0; i < 2; i++) {
    FL_ASSERT(schema_is_number(v[i]));
    switch (tree_type(v[i])) {
    case TREE_INTEGER: x[i].form = NUM_IS_INTEGER, x[i].is.i = v[i]->as.i; break;
    case TREE_UNSIGNED: x[i].form = NUM_IS_UNSIGNED, x[i].is.u = v[i]->as.u; break;
    default: x[i].form = NUM_IS_DOUBLE, x[i].is.d = v[i]->as.d;
    }
  }
  return num_compare(&x[0], &x[1]);
}

static uint64_t schema_hash_string(uint64_t h, const struct tree_value *v) {
  const char *s = tree_bytes(v);
  size_t n = tree_length(v);
  uint64_t x;
  for (h = schema_mix(h, n); n >= 8; s += 8, n -= 8) {
    memcpy(&x, s, 8);
    h = schema_mix(h, x);
  }
  x = 0;
  if (n) memcpy(&x, s, n);
  return schema_mix(h, x);
}

/* What is deeper than SCHEMA_DEPTH does not count: it is never compared. */
static uint64_t schema_hash(uint64_t seed, const struct tree_value *v, int depth) {
  const struct tree_value *item;
  uint64_t h = schema_mix(seed, (uint64_t)tree_type(v)), x;
  size_t i, n;
  if (schema_is_number(v)) {
    const double d = schema_double(v) + 0.0; /* -0 is 0 */
    memcpy(&x, &d, sizeof x);
    return schema_mix(seed, x);
  }
  if (tree_type(v) == TREE_STRING) return schema_hash_string(h, v);
  if (tree_type(v) < TREE_ARRAY || depth >= SCHEMA_DEPTH) return h;
  n = tree_length(v), item = tree_items(v), x = n;
  for (i = 0; i < n; i++) {
    if (tree_type(v) == TREE_ARRAY) x = schema_mix(x, schema_hash(seed, &item[i], depth + 1));
    else x += schema_mix(schema_hash_string(seed, &item[2 * i]), schema_hash(seed, &item[2 * i + 1], depth + 1));
  }
  return schema_mix(h, x);
}

/* An address, which the author of a document cannot know, so that nobody can construct collisions. */
FL_INLINE uint64_t schema_seed(const struct schema_work *k) { return (uintptr_t)k; }

/* ------------------------------------------------------------------------------------- tables */

/* Slot i stands for thing number i + 1, and is the head of the chain of all things with hash & mask == i. */
struct schema_slot {
  uint64_t hash; /* of the thing */
  size_t first;  /* number of the first thing of the chain; 0: none */
  size_t next;   /* number of the thing after this one in its chain */
};

struct schema_table {
  size_t at; /* in the buffer */
  size_t mask;
};

FL_INLINE struct schema_slot *schema_slots(const struct schema_work *k, const struct schema_table *t) {
  return (struct schema_slot *)(void *)(k->out->buffer.begin + t->at);
}

/* Begins a table of n things; tables end in the reverse order. */
static int schema_begin_table(struct schema_work *k, struct schema_table *t, size_t n) {
  char *w = k->out->buffer.begin; /* NULL in a new buffer */
  size_t i, bytes;
  t->at = k->used;
  if (t->at > 0) w += t->at;
  for (t->mask = 1; t->mask < n;) t->mask = 2 * t->mask + 1;
  bytes = t->mask < SIZE_MAX / 64 ? (t->mask + 1) * sizeof(struct schema_slot) : 0;
  if (!bytes || !json_reserve(k->out, w, bytes)) return !(k->no_memory = 1);
  for (i = 0; i <= t->mask; i++) schema_slots(k, t)[i].first = 0;
  k->used += bytes;
  return 1;
}

FL_INLINE void schema_end_table(struct schema_work *k, const struct schema_table *t) {
  FL_ASSERT(k->used == t->at + (t->mask + 1) * sizeof(struct schema_slot));
  k->used = t->at;
}

FL_INLINE void schema_put(struct schema_slot *slots, size_t mask, uint64_t hash, size_t i) {
  size_t *const first = &slots[hash & mask].first;
  FL_ASSERT(i <= mask && (mask & (mask + 1)) == 0);
  slots[i].hash = hash, slots[i].next = *first, *first = i + 1;
}

/* ------------------------------------------------------------------------------------- equality */

/* Removes from the table of b's members one with this name and the value after it. False: there is none. */
static int schema_take_member(struct schema_work *k, const struct schema_table *t, const struct tree_value *b,
                              const struct tree_value *name, uint64_t hash, int depth) {
  size_t i, last = 0, next;
  for (i = schema_slots(k, t)[hash & t->mask].first; i > 0; last = i, i = next) {
    const struct tree_value *other = &b[2 * (i - 1)];
    next = schema_slots(k, t)[i - 1].next;
    if (schema_slots(k, t)[i - 1].hash != hash) continue;
    if (!tree_is_string(other, tree_bytes(name), tree_length(name))) continue;
    if (!schema_equal(k, name + 1, other + 1, depth + 1)) continue;
    *(last ? &schema_slots(k, t)[last - 1].next : &schema_slots(k, t)[hash & t->mask].first) = next;
    return 1;
  }
  return 0;
}

FL_INLINE uint64_t schema_hash_member(const struct schema_work *k, const struct tree_value *name, int depth) {
  return schema_mix(schema_hash_string(schema_seed(k), name), schema_hash(schema_seed(k), name + 1, depth + 1));
}

/* Are the n members of a and b the same, in any order? */
FL_NOINLINE int schema_same_members_(struct schema_work *k, const struct tree_value *a, const struct tree_value *b,
                                     size_t n, int depth) {
  struct schema_table t;
  uint64_t sum = 0;
  size_t i;
  int same = 1;
  for (i = 0; i < n; i++) sum += schema_hash_member(k, &a[2 * i], depth) - schema_hash_member(k, &b[2 * i], depth);
  if (sum || !schema_begin_table(k, &t, n)) return 0;
  for (i = 0; i < n; i++) schema_put(schema_slots(k, &t), t.mask, schema_hash_member(k, &b[2 * i], depth), i);
  for (i = 0; same && i < n; i++)
    same = schema_take_member(k, &t, b, &a[2 * i], schema_hash_member(k, &a[2 * i], depth), depth);
  schema_end_table(k, &t);
  return same;
}

/* Usually the order of members is the same. From the first difference on they are compared in any order; the equal ones
** before it are not compared again. */
static int schema_equal_members(struct schema_work *k, const struct tree_value *a, const struct tree_value *b,
                                int depth) {
  const struct tree_value *x = tree_items(a), *y = tree_items(b);
  size_t left = tree_length(a);
  while (left > 0 && tree_is_string(y, tree_bytes(x), tree_length(x)) && schema_equal(k, x + 1, y + 1, depth + 1))
    left--, x += 2, y += 2;
  return left == 0 || schema_same_members_(k, x, y, left, depth);
}

FL_PRIVATE int schema_equal(struct schema_work *k, const struct tree_value *a, const struct tree_value *b, int depth) {
  size_t i, n;
  if (schema_is_number(a) && schema_is_number(b)) return schema_compare(a, b) == 0;
  if (tree_type(a) != tree_type(b) || tree_length(a) != tree_length(b)) return 0;
  if (tree_type(a) == TREE_STRING) return tree_is_string(a, tree_bytes(b), tree_length(b));
  if (tree_type(a) < TREE_ARRAY) return 1;
  if (depth == SCHEMA_DEPTH) k->too_deep = 1;
  if (k->too_deep || k->no_memory) return 0;
  if (tree_type(a) == TREE_OBJECT) return schema_equal_members(k, a, b, depth);
  n = tree_length(a);
  for (i = 0; i < n && schema_equal(k, tree_items(a) + i, tree_items(b) + i, depth + 1); i++) {}
  return i == n;
}

FL_PRIVATE size_t schema_repeated(struct schema_work *k, const struct tree_value *v, int depth) {
  const struct tree_value *items = tree_items(v);
  const size_t n = tree_length(v);
  struct schema_table t;
  size_t i, j = 0;
  if (n < 2 || !schema_begin_table(k, &t, n)) return n;
  for (i = 0; i < n && j == 0 && !k->too_deep; i++) {
    const uint64_t hash = schema_hash(schema_seed(k), &items[i], depth);
    for (j = schema_slots(k, &t)[hash & t.mask].first; j > 0; j = schema_slots(k, &t)[j - 1].next)
      if (schema_slots(k, &t)[j - 1].hash == hash && schema_equal(k, &items[i], &items[j - 1], depth)) break;
    schema_put(schema_slots(k, &t), t.mask, hash, i);
  }
  schema_end_table(k, &t);
  return j > 0 ? i - 1 : i;
}
