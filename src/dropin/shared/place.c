/* SPDX-License-Identifier: MIT */
#include "place.h"

FL_PRIVATE void dropin_push_place(const struct mod_decode *d, const char *at, const char *format) {
  const char *p = d->begin, *start = p, *stop = at < d->end ? at : d->end;
  char line[NUM_ROOM], column[NUM_ROOM];
  size_t lines = 1;
  FL_ASSERT(at >= d->begin);
  for (; p < stop && (p = (const char *)memchr(p, '\n', (size_t)(stop - p))) != NULL; lines++) start = ++p;
  *num_write_u64(line, lines) = 0;
  *num_write_u64(column, (size_t)(at - start) + 1) = 0;
  lua_pushfstring(d->L, format, line, column);
}
