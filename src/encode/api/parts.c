/* SPDX-License-Identifier: MIT */
#include "parts.h"

FL_INLINE size_t api_levels_on_stack(const struct api_walk *a) { return a->depth < API_LEVELS ? a->depth : API_LEVELS; }

/* The number of the level whose pair is the n-th on the stack. */
FL_INLINE size_t api_level_at(const struct api_walk *a, size_t n) { return n < API_LEVELS ? n : a->depth; }

FL_PRIVATE void api_park(struct api_walk *a) {
  size_t n, i;
  for (n = 1; n <= api_levels_on_stack(a); n++) api_spill_pair(a, api_slot_of(a, n), api_level_at(a, n));
  for (i = 2 * a->depth + 1; i <= 2 * a->stored; i++) { /* closed since */
    lua_pushnil(a->L);
    lua_rawseti(a->L, a->spill, (int)i);
  }
  a->stored = a->depth;
  lua_settop(a->L, a->levels - 1);
}

FL_PRIVATE void api_unpark(struct api_walk *a) {
  size_t n;
  a->shared->calls.count++; /* anything may have happened to the tables meanwhile */
  for (n = 1; n <= api_levels_on_stack(a); n++) api_push_spilled(a, api_level_at(a, n));
}
