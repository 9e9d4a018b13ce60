/* SPDX-License-Identifier: MIT */
#include "memory.h"

enum { SCHEMA_KNOWN_FIRST = 64 };

/* The slot of this pair, or the free one for it. */
static struct schema_known *schema_known_slot(const struct schema_memory *m, const struct tree_value *schema,
                                              uintptr_t value) {
  size_t i = (size_t)schema_mix(schema_mix(0, (uintptr_t)schema), value) & m->mask;
  FL_ASSERT(m->count <= m->mask && (value & 1) == 0); /* a free slot ends the loop */
  while (m->slots[i].schema && (m->slots[i].schema != schema || (m->slots[i].value & ~(uintptr_t)1) != value))
    i = (i + 1) & m->mask;
  return &m->slots[i];
}

FL_PRIVATE int schema_recall(const struct schema_memory *m, const struct tree_value *schema,
                             const struct tree_value *v) {
  const struct schema_known *known = m->slots ? schema_known_slot(m, schema, (uintptr_t)v) : NULL;
  return known && known->schema ? (int)(known->value & 1) : -1;
}

FL_PRIVATE void schema_forget(struct schema_memory *m, const struct buffer *b) {
  if (m->slots) b->alloc(b->alloc_ud, m->slots, (m->mask + 1) * sizeof *m->slots, 0);
  memset(m, 0, sizeof *m);
}

/* Makes room for one more, with the allocator of b. */
static int schema_widen(struct schema_memory *m, const struct buffer *b) {
  struct schema_memory wider = {NULL, m->slots ? 2 * m->mask + 1 : SCHEMA_KNOWN_FIRST - 1, m->count};
  size_t i, bytes = (wider.mask + 1) * sizeof *wider.slots;
  if (m->slots && m->count <= m->mask / 2) return 1;
  if (wider.mask > SIZE_MAX / 64) return 0;
  wider.slots = (struct schema_known *)b->alloc(b->alloc_ud, NULL, 0, bytes);
  if (!wider.slots) return 0;
  memset(wider.slots, 0, bytes);
  for (i = 0; m->slots && i <= m->mask; i++)
    if (m->slots[i].schema)
      *schema_known_slot(&wider, m->slots[i].schema, m->slots[i].value & ~(uintptr_t)1) = m->slots[i];
  schema_forget(m, b);
  *m = wider;
  return 1;
}

FL_PRIVATE void schema_remember(struct schema_work *k, struct schema_memory *m, const struct tree_value *schema,
                                const struct tree_value *v, int fits) {
  struct schema_known *known;
  if (k->too_deep || k->no_memory) return;
  if (!schema_widen(m, &k->out->buffer)) {
    k->no_memory = 1;
    return;
  }
  known = schema_known_slot(m, schema, (uintptr_t)v);
  m->count += !known->schema;
  known->schema = schema;
  known->value = (uintptr_t)v | (fits ? 1 : 0);
}
