/* SPDX-License-Identifier: MIT */
#include "value.h"

FL_PRIVATE_NOINLINE int value_fail(struct value_walk *w, enum value_error error) {
  if (!w->error) w->error = error;
  return 0;
}

FL_PRIVATE_NOINLINE void *value_reserve(struct value_walk *w, unsigned block, size_t n, size_t used) {
  void *to = w->memory(w->owner, block, n, used);
  if (!to) (void)value_fail(w, VALUE_ERROR_MEMORY);
  return to;
}

FL_PRIVATE_NOINLINE int value_grow(struct value_walk *w, unsigned block, void **things, size_t *room, size_t count,
                                   size_t size) {
  const size_t more = *room ? 2 * *room : 16;
  void *to = value_reserve(w, block, more * size, count * size);
  if (!to) return 0;
  *things = to;
  *room = more;
  return 1;
}

/* Returns the table's slot in the index, or a free one for it. */
static uint32_t *value_table_slot(const struct value_walk *w, const void *at) {
  const size_t mask = 2 * w->tables_room - 1;
  size_t i = (size_t)((uint64_t)(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
  while (w->index[i] && w->tables[w->index[i] - 1].at != at) i = (i + 1) & mask;
  return &w->index[i];
}

FL_PRIVATE const struct value_table *value_find_table(const struct value_walk *w, const void *at) {
  const uint32_t slot = w->tables ? *value_table_slot(w, at) : 0;
  return slot ? &w->tables[slot - 1] : NULL;
}

static int value_grow_tables(struct value_walk *w) {
  void *tables = w->tables;
  if (!value_grow(w, VALUE_BLOCK_TABLES, &tables, &w->tables_room, w->table_count, sizeof *w->tables)) return 0;
  w->tables = NULL; /* useless without an index */
  w->index = (uint32_t *)value_reserve(w, VALUE_BLOCK_INDEX, 2 * w->tables_room * sizeof *w->index, 0);
  if (!w->index) return 0;
  w->tables = (struct value_table *)tables;
  memset(w->index, 0, 2 * w->tables_room * sizeof *w->index);
  for (size_t i = 0; i < w->table_count; i++) *value_table_slot(w, w->tables[i].at) = (uint32_t)i + 1;
  return 1;
}

FL_PRIVATE int value_add_table(struct value_walk *w, const void *at, uint64_t n, int is_array) {
  if (w->table_count == w->tables_room && !value_grow_tables(w)) return 0;
  struct value_table *t = &w->tables[w->table_count++];
  t->at = at;
  t->n = n;
  t->is_array = is_array;
  *value_table_slot(w, at) = (uint32_t)w->table_count;
  return 1;
}

/* UTF-8 has the same order by bytes as by characters. */
static int value_order_strings(struct value_walk *w, const struct value *a, const struct value *b) {
  const size_t n = a->n < b->n ? a->n : b->n;
  const int order = n ? memcmp(a->s, b->s, n) : 0;
  (void)value_spend(w, n / VALUE_BYTES_PER_STEP);
  return order ? (order > 0) - (order < 0) : (a->n > b->n) - (a->n < b->n);
}

FL_PRIVATE int value_order(struct value_walk *w, const struct value *a, const struct value *b) {
  if (a->type != b->type || a->type >= VALUE_ARRAY) return NUM_UNORDERED;
  if (a->type == VALUE_NUMBER) {
    if (w->is_strict && a->number.form == NUM_IS_DOUBLE && a->number.is.d - a->number.is.d != 0) return NUM_UNORDERED;
    return value_order_numbers(&a->number, &b->number);
  }
  return a->type == VALUE_STRING ? value_order_strings(w, a, b) : 0;
}
