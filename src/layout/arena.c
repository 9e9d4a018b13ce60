/* SPDX-License-Identifier: MIT
** A layout that is only assumed must not be followed blindly. Inside an arena it can be tried without risk: an
** address is followed only if the arena knows it, and the size that the core asked for is that of the structure as
** the core was compiled. */
#include "arena.h"

/* Precedes each block: its size, and its own address, which shows that an address is the beginning of a block. */
struct lay_block {
  uint64_t size;
  uint64_t self;
};

enum { LAY_BLOCK_HEAD = sizeof(struct lay_block), LAY_BLOCK_ALIGN = 16 };

FL_PRIVATE size_t lay_arena_block(const struct lay_arena *a, const char *p) {
  struct lay_block head;
  uintptr_t at = (uintptr_t)p;
  if (at % LAY_BLOCK_ALIGN != 0 || at < (uintptr_t)a->base + LAY_BLOCK_HEAD) return 0;
  if (!lay_arena_has(a, p, 1)) return 0;
  memcpy(&head, p - LAY_BLOCK_HEAD, sizeof head);
  if (head.self != (uint64_t)at || !lay_arena_has(a, p, (size_t)head.size)) return 0;
  return (size_t)head.size;
}

FL_PRIVATE void *lay_arena_alloc(void *ud, void *block, size_t old_size, size_t size) {
  struct lay_arena *a = (struct lay_arena *)ud;
  struct lay_block head;
  size_t room = (size_t)(a->end - a->next);
  size_t had = block != NULL ? lay_arena_block(a, (const char *)block) : 0;
  (void)old_size; /* for a new block it is the type of the object, not a size */
  if (size == 0) {
    if (block != NULL && block == a->awaited) a->seen = fl_load64(a->watched);
    return NULL;
  }
  if (size <= had) { /* shrinking must not fail, so the block stays in place */
    fl_store64((char *)block - LAY_BLOCK_HEAD, size);
    return block;
  }
  if (room < 2 * LAY_BLOCK_ALIGN || room - 2 * LAY_BLOCK_ALIGN < size) {
    a->exhausted = 1;
    return NULL;
  }
  char *p = a->next + LAY_BLOCK_HEAD;
  a->next = p + ((size + LAY_BLOCK_ALIGN - 1) & ~(size_t)(LAY_BLOCK_ALIGN - 1));
  head.size = size;
  head.self = (uint64_t)(uintptr_t)p;
  memcpy(p - LAY_BLOCK_HEAD, &head, sizeof head);
  if (had) memcpy(p, block, had);
  memset(p + had, 0xA5, (size_t)(a->next - p) - had);
  return p;
}

FL_PRIVATE void lay_arena_open(struct lay_arena *a, char *memory, size_t bytes) {
  size_t skew = (size_t)((uintptr_t)memory % LAY_BLOCK_ALIGN);
  a->end = memory + bytes;
  a->base = skew == 0 ? memory : bytes < LAY_BLOCK_ALIGN ? a->end : memory + (LAY_BLOCK_ALIGN - skew);
  a->next = a->base;
  a->exhausted = 0;
  a->awaited = a->watched = NULL;
}
