/* SPDX-License-Identifier: MIT */
#include "work.h"

FL_PRIVATE_NOINLINE int bin_work_fail(struct bin_work *w, int error) {
  FL_ASSERT(error != 0);
  if (!w->error) w->error = error;
  return 0;
}

FL_PRIVATE_NOINLINE void *bin_work_grow(struct bin_work *w, void *array, size_t *room, size_t need, size_t size) {
  size_t more = *room ? 2 * *room : 16;
  void *wider = NULL;
  FL_ASSERT(need > *room && size > 0);
  while (more < need && more <= SIZE_MAX / 4) more *= 2;
  if (more <= SIZE_MAX / 4 / size) wider = w->alloc(w->alloc_ud, array, *room * size, more * size);
  if (!wider) return (void)bin_work_fail(w, BIN_ERROR_MEMORY), NULL;
  *room = more;
  return wider;
}
