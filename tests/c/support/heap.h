/* SPDX-License-Identifier: MIT
** heap.h -- an allocator for tests, with the signature of lua_Alloc: counts blocks, notices a wrong old size or place,
** and fails when told to. Blocks always move. */
#ifndef FLEECE_TESTS_HEAP_H
#define FLEECE_TESTS_HEAP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MUST
/* Ends the program: a fuzzer wants no less, and cmocka reports it. */
/* clang-format off */
#define MUST(claim) \
  do { if (!(claim)) { fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); abort(); } } while (0)
/* clang-format on */
#endif

struct heap {
  long blocks, requests; /* alive; made */
  long fail_at;          /* the request that fails; 0: none */
  int for_good;          /* and all after it */
  size_t most;           /* larger requests fail, in bytes; 0: none */
};

/* In front of each block. */
union heap_block {
  struct {
    size_t size;
    const void *self;
  } is;
  long double align;
};

__attribute__((unused)) static void *heap_alloc(void *ud, void *block, size_t old_size, size_t n) {
  struct heap *h = (struct heap *)ud;
  union heap_block *old = block ? (union heap_block *)block - 1 : NULL, *new;
  MUST(!old || old->is.self == old);
  MUST((old ? old->is.size : 0) == old_size);
  if (n == 0) {
    h->blocks -= old != NULL;
    free(old);
    return NULL;
  }
  h->requests++;
  if (h->fail_at && (h->requests == h->fail_at || (h->for_good && h->requests > h->fail_at))) return NULL;
  if (h->most && n > h->most) return NULL;
  if (!(new = (union heap_block *)malloc(sizeof *new + n))) return NULL;
  memset(new, 0xa5, sizeof *new + n); /* what is read before it was written is the same everywhere, and no zero */
  new->is.size = n;
  new->is.self = new;
  if (old) memcpy(new + 1, block, old_size < n ? old_size : n);
  h->blocks += old == NULL;
  free(old);
  return new + 1;
}

#endif
