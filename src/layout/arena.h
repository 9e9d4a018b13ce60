/* SPDX-License-Identifier: MIT
** arena.h -- the memory of a private Lua state, which knows every block that it has given out.
** Must hold: memory is never reused, so a proven block stays where it is. */
#pragma once

#include "../base/def.h"

struct lay_arena {
  char *base, *next, *end;
  int exhausted;                 /* a block was refused */
  const char *awaited, *watched; /* when the core frees the block `awaited` (NULL: none), */
  uint64_t seen;                 /* the word at `watched` is stored here */
};

FL_INLINE int lay_arena_has(const struct lay_arena *a, const char *p, size_t bytes) {
  uintptr_t at = (uintptr_t)p, base = (uintptr_t)a->base, end = (uintptr_t)a->next;
  return at >= base && at <= end && bytes <= end - at;
}

/* Returns the size of the block that begins at p, or 0 if none does. */
FL_PRIVATE size_t lay_arena_block(const struct lay_arena *a, const char *p);

/* The allocation function of a private state. New memory is filled with a pattern that no probed field may have, so
** that memory that happens to be zero proves nothing. */
FL_PRIVATE void *lay_arena_alloc(void *ud, void *block, size_t old_size, size_t size);

/* Begins an arena in `memory`, which need not be aligned: bytes before the first aligned one are not used. */
FL_PRIVATE void lay_arena_open(struct lay_arena *a, char *memory, size_t bytes);
