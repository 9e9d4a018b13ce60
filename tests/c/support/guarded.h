/* SPDX-License-Identifier: MIT
** guarded.h -- memory between two pages that may not be touched. */
#ifndef FLEECE_TESTS_GUARDED_H
#define FLEECE_TESTS_GUARDED_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns the end of `size` bytes, the first that may not be touched. */
static char *guarded(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size + page - 1) / page * page;
  char *p = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, bytes, PROT_READ | PROT_WRITE) != 0) abort();
  return p + page + bytes;
}

#endif
