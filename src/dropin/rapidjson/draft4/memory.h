/* SPDX-License-Identifier: MIT
** memory.h -- remembers within one validation which values fit which schemas.
** Must hold: only results for schemas that a reference leads to are remembered. A schema that stands inside another one
** is checked as often as that one, so this is enough to keep the time linear: 20 schemas, each of which is allOf of the
** next one twice, are checked 20 times, not a million times. */
#pragma once

#include "equal.h"

struct schema_known {
  const struct tree_value *schema; /* NULL: the slot is free */
  uintptr_t value;                 /* address of the value, which is even; plus 1 if it fits */
};

struct schema_memory {
  struct schema_known *slots; /* mask + 1 of them, at least half of them free; NULL: none */
  size_t mask, count;
};

/* Does the value fit? -1: not known. */
FL_PRIVATE int schema_recall(const struct schema_memory *m, const struct tree_value *schema,
                             const struct tree_value *v);

/* Releases the memory, to the allocator of b. */
FL_PRIVATE void schema_forget(struct schema_memory *m, const struct buffer *b);
FL_PRIVATE void schema_remember(struct schema_work *k, struct schema_memory *m, const struct tree_value *schema,
                                const struct tree_value *v, int fits);
