/* SPDX-License-Identifier: MIT
** memory.h -- which values fit which schemas, as far as that was found out in this validation.
** May call: base, tree.
** Must hold: only what a reference leads to is remembered. A schema that stands in another one is met with a value as
** often as that one, so this alone keeps the time linear: 20 schemas of which each is allOf of the next one twice are
** checked 20 times, not a million times. */
#ifndef FLEECE_SCHEMA_MEMORY_H
#define FLEECE_SCHEMA_MEMORY_H

#include "equal.h"

struct schema_known {
  const struct tree_value *schema; /* NULL: a free slot */
  uintptr_t value;                 /* its address, which is even, and whether it fits */
};

struct schema_memory {
  struct schema_known *slots; /* mask + 1 of them, at least half of them free; NULL: none */
  size_t mask, count;
};

/* Does the value fit? -1: that is not known. */
FL_PRIVATE int schema_recall(const struct schema_memory *m, const struct tree_value *schema,
                             const struct tree_value *v);
FL_PRIVATE void schema_forget(struct schema_memory *m, const struct buffer *b);
FL_PRIVATE void schema_remember(struct schema_work *k, struct schema_memory *m, const struct tree_value *schema,
                                const struct tree_value *v, int fits);

#endif
