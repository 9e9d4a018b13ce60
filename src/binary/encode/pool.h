/* SPDX-License-Identifier: MIT
** pool.h -- hash tables of what an encoder has written and may point to again.
** Must hold: an entry is 32 bits of hash and a position; the caller compares the values. Memory comes from the
** encoder's allocator. */
#pragma once

#include "../../base/buffer.h"
#include "../../number/scale.h"

enum {
  BIN_POOL_FIRST = 64,
  BIN_POOL_KEPT = 16 * 1024,
  BIN_POOL_PROBES = 512,
  BIN_POOL_WINDOW = 256 * 1024,     /* see struct bin_pool; */
  BIN_POOL_WINDOW_NEXT = 15 * 1000, /* two of these make a table of */
  BIN_POOL_NEXT = 64 * 1024,        /* so many slots, 512 KB, which second caches hold */
  BIN_POOL_FAR = 16,
  BIN_POOL_SAVES = 8 /* bytes from which a string is longer than the wide pointers to a distant one */
};

struct bin_pool_slot {
  uint32_t hash;
  uint32_t position; /* of a value, plus 1; 0 if free */
};

/* In long texts most strings may be new, and each search misses the caches. So the table of a compact document is
** emptied after two windows of BIN_POOL_WINDOW new strings, if in the second one the strings of before it saved less
** than a BIN_POOL_FAR-th of its bytes; from then on windows have BIN_POOL_WINDOW_NEXT. Only uses as values are counted,
** because callers remember some keys without a search. */
struct bin_pool {
  struct bin_pool_slot *slots;
  size_t room, count;  /* slots, a power of two or 0; those in use */
  size_t window, due;  /* new strings in a window; at this count the window ends */
  uint32_t since;      /* position where it began, or 0 for the first one, which is not judged */
  uint64_t far;        /* bytes that earlier strings saved in it */
  size_t before;       /* slots that the previous document used */
  uint64_t generation; /* changes when entries move or are removed */
};

FL_INLINE uint64_t bin_mix(uint64_t a, uint64_t b) {
  struct num_product w = num_mul(a, b);
  return w.hi ^ w.lo;
}

/* Hashes bytes by folded multiplication of 64 bits to 128, like wyhash. Sets *seen to all words of the string, ORed. */
FL_INLINE uint32_t bin_hash_seen(const char *s, size_t n, uint64_t seed, uint64_t *seen) {
  uint64_t a, b, all = 0, h = seed ^ UINT64_C(0xa0761d6478bd642f);
  size_t left = n;
  if (FL_LIKELY(n <= 16)) {
    if (n >= 8) a = fl_load64(s), b = fl_load64(s + n - 8);
    else if (n >= 4) a = fl_load32(s), b = fl_load32(s + n - 4);
    else if (n > 0) a = (uint64_t)(uint8_t)s[0] << 16 | (uint64_t)(uint8_t)s[n >> 1] << 8 | (uint8_t)s[n - 1], b = 0;
    else a = b = 0;
  } else {
    for (; left > 16; s += 16, left -= 16) {
      a = fl_load64(s), b = fl_load64(s + 8);
      all |= a | b;
      h = bin_mix(a ^ h, b ^ UINT64_C(0xe7037ed1a0b428db));
    }
    a = fl_load64(s + left - 16), b = fl_load64(s + left - 8);
  }
  *seen = all | a | b;
  h = bin_mix(a ^ h, b ^ UINT64_C(0x8ebc6af09c88c6e3) ^ n);
  return (uint32_t)(h ^ h >> 32);
}

FL_INLINE uint32_t bin_hash(const char *s, size_t n, uint64_t seed) {
  uint64_t seen;
  return bin_hash_seen(s, n, seed, &seen);
}

FL_INLINE uint32_t bin_hash_word(uint64_t low, uint64_t high) {
  const uint64_t h = bin_mix(low ^ UINT64_C(0x589965cc75374cc3), high ^ UINT64_C(0x9e3779b97f4a7c15));
  return (uint32_t)(h ^ h >> 32);
}

/* Enlarges the table. One that is already large grows at once to the size it had for the previous document. */
FL_PRIVATE_NOINLINE int bin_pool_grow_(struct bin_pool *p, fl_alloc alloc, void *ud);

/* Makes sure that there is a free slot for the next entry. */
FL_INLINE int bin_pool_reserve(struct bin_pool *p, fl_alloc alloc, void *ud) {
  return FL_LIKELY(2 * p->count < p->room) || bin_pool_grow_(p, alloc, ud);
}

FL_INLINE void bin_pool_free(struct bin_pool *p, fl_alloc alloc, void *ud) {
  if (p->slots) alloc(ud, p->slots, p->room * sizeof *p->slots, 0);
  p->slots = NULL;
  p->room = p->count = 0;
}

FL_INLINE void bin_pool_begin_window(struct bin_pool *p, size_t window, uint32_t since) {
  p->window = window;
  p->due = window == SIZE_MAX ? window : p->count + window;
  p->since = since;
  p->far = 0;
}

enum { BIN_RECENT_FIRST = 128, BIN_RECENT_WAYS = 4 };

/* A table without search, with the last four entries of each hash. It stays small enough for the CPU's caches (canada:
** 110 -> 220 MB/s, size 71 -> 74 % of the text). */
struct bin_recent {
  struct bin_pool_slot *slots;
  size_t room, count, most; /* slots, a power of two or 0; entries since it was cleared; limit of room */
};

FL_INLINE struct bin_pool_slot *bin_recent_slots(const struct bin_recent *r, uint32_t hash) {
  FL_ASSERT(r->room >= BIN_RECENT_WAYS && (r->room & (r->room - 1)) == 0);
  return &r->slots[hash & (r->room - BIN_RECENT_WAYS)];
}

/* Returns whether one of the four has this hash. Written out, because mostly none has. */
FL_INLINE int bin_recent_has(const struct bin_pool_slot *four, uint32_t hash) {
  return four[0].hash == hash || four[1].hash == hash || four[2].hash == hash || four[3].hash == hash;
}

FL_INLINE void bin_recent_enter(struct bin_recent *r, struct bin_pool_slot *four, uint32_t position, uint32_t hash) {
  four[3] = four[2], four[2] = four[1], four[1] = four[0];
  four[0].hash = hash;
  four[0].position = position + 1;
  r->count++;
}

FL_PRIVATE_NOINLINE int bin_recent_grow_(struct bin_recent *r, fl_alloc alloc, void *ud);

/* Makes sure that the table has slots. */
FL_INLINE int bin_recent_reserve(struct bin_recent *r, fl_alloc alloc, void *ud) {
  return FL_LIKELY(4 * r->count < r->room) || (r->room && r->room >= r->most) || bin_recent_grow_(r, alloc, ud);
}

FL_INLINE void bin_recent_free(struct bin_recent *r, fl_alloc alloc, void *ud) {
  if (r->slots) alloc(ud, r->slots, r->room * sizeof *r->slots, 0);
  r->slots = NULL;
  r->room = r->count = 0;
}
