/* SPDX-License-Identifier: MIT
** pool.h -- what an encoder has written and may point to again: a hash table of positions.
** May call: base.
** Must hold: an entry is 32 bits of hash and a position; whether the value there is the wanted one, the caller sees. Memory comes
** from the encoder's allocator.
**
** Collisions can be forged, so that a search must not follow them for long: after BIN_POOL_PROBES slots a value counts as new
** and takes the last of them. A pool that must find everything, for its output is given to the byte, has a seed that nobody
** knows beforehand instead. */
#ifndef FLEECE_BINARY_POOL_H
#define FLEECE_BINARY_POOL_H

#include "../base/buffer.h"
#include "../number/scale.h"

enum { BIN_POOL_FIRST = 64, BIN_POOL_KEPT = 16 * 1024, BIN_POOL_PROBES = 24 };

struct bin_pool_slot {
  uint32_t hash;
  uint32_t position; /* of a value, halved, plus 1; 0: free */
};

struct bin_pool {
  struct bin_pool_slot *slots;
  size_t room, count; /* slots, a power of two; those taken */
};

/* ------------------------------------------------------------------------------------- hashes */

FL_INLINE uint64_t bin_mix(uint64_t a, uint64_t b) {
  struct num_product w = num_mul(a, b);
  return w.hi ^ w.lo;
}

/* Of bytes. Multiplications of 64 bits to 128, folded (as wyhash and others do it). */
FL_INLINE uint32_t bin_hash(const char *s, size_t n, uint64_t seed) {
  uint64_t a, b, h = seed ^ UINT64_C(0xa0761d6478bd642f);
  size_t left = n;
  if (FL_LIKELY(n <= 16)) {
    if (n >= 8) a = fl_load64(s), b = fl_load64(s + n - 8);
    else if (n >= 4) a = fl_load32(s), b = fl_load32(s + n - 4);
    else if (n > 0) a = (uint64_t)(uint8_t)s[0] << 16 | (uint64_t)(uint8_t)s[n >> 1] << 8 | (uint8_t)s[n - 1], b = 0;
    else a = b = 0;
  } else {
    for (; left > 16; s += 16, left -= 16)
      h = bin_mix(fl_load64(s) ^ h, fl_load64(s + 8) ^ UINT64_C(0xe7037ed1a0b428db));
    a = fl_load64(s + left - 16), b = fl_load64(s + left - 8);
  }
  h = bin_mix(a ^ h, b ^ UINT64_C(0x8ebc6af09c88c6e3) ^ n);
  return (uint32_t)(h ^ h >> 32);
}

/* Of a number. */
FL_INLINE uint32_t bin_hash_word(uint64_t low, uint64_t high) {
  const uint64_t h = bin_mix(low ^ UINT64_C(0x589965cc75374cc3), high ^ UINT64_C(0x9e3779b97f4a7c15));
  return (uint32_t)(h ^ h >> 32);
}

/* ------------------------------------------------------------------------------------- the table */

/* Makes the table larger, of `room` slots, a power of two; false: there is no memory. */
FL_NOINLINE int bin_pool_resize_(struct bin_pool *p, fl_alloc alloc, void *ud, size_t room) {
  size_t i;
  struct bin_pool_slot *slots = (struct bin_pool_slot *)alloc(ud, NULL, 0, room * sizeof *slots);
  if (!slots) return 0;
  memset(slots, 0, room * sizeof *slots);
  for (i = 0; i < p->room; i++) {
    size_t at = p->slots[i].hash & (room - 1);
    if (!p->slots[i].position) continue;
    while (slots[at].position) at = (at + 1) & (room - 1);
    slots[at] = p->slots[i];
  }
  if (p->slots) alloc(ud, p->slots, p->room * sizeof *p->slots, 0);
  p->slots = slots;
  p->room = room;
  return 1;
}

/* A free slot must be left for the next entry. */
FL_INLINE int bin_pool_reserve(struct bin_pool *p, fl_alloc alloc, void *ud) {
  return FL_LIKELY(2 * p->count < p->room) ||
         bin_pool_resize_(p, alloc, ud, p->room ? 4 * p->room : BIN_POOL_FIRST);
}

FL_INLINE void bin_pool_free(struct bin_pool *p, fl_alloc alloc, void *ud) {
  if (p->slots) alloc(ud, p->slots, p->room * sizeof *p->slots, 0);
  p->slots = NULL;
  p->room = p->count = 0;
}

/* Empties the table for another document. A large one is given back. */
FL_FUNC void bin_pool_clear(struct bin_pool *p, fl_alloc alloc, void *ud) {
  if (p->room > BIN_POOL_KEPT) bin_pool_free(p, alloc, ud);
  else if (p->count) memset(p->slots, 0, p->room * sizeof *p->slots);
  p->count = 0;
}

#endif
