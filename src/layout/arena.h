/* SPDX-License-Identifier: MIT
** arena.h -- the memory of a private Lua state, which knows every block it gave away.
** May call: base.  Must hold: nothing is given back, so a block, once proven, stays where it is. */
#ifndef FLEECE_LAYOUT_ARENA_H
#define FLEECE_LAYOUT_ARENA_H

#include "../base/def.h"

struct lay_arena {
  char *base, *next, *end;
  int exhausted;                 /* it had to refuse a block */
  const char *awaited, *watched; /* when the core gives back the first, */
  uint64_t seen;                 /* this is what lies at the second; NULL: nothing is awaited */
};

FL_INLINE int lay_arena_has(const struct lay_arena *a, const char *p, size_t bytes) {
  uintptr_t at = (uintptr_t)p, base = (uintptr_t)a->base, end = (uintptr_t)a->next;
  return at >= base && at <= end && bytes <= end - at;
}

/* Size of the block that begins at p; 0 where none does. */
FL_PRIVATE size_t lay_arena_block(const struct lay_arena *a, const char *p);

/* The allocation function of a private state. Fresh memory is filled with a pattern that no probed
** field may have, so that nothing is proven by memory that happened to be zero. */
FL_PRIVATE void *lay_arena_alloc(void *ud, void *block, size_t old_size, size_t size);

/* `memory` is not yet aligned; what is lost at the front is given up. */
FL_PRIVATE void lay_arena_open(struct lay_arena *a, char *memory, size_t bytes);

#endif
