/* SPDX-License-Identifier: MIT
** random.h -- the random numbers of tests, the same in each run: xorshift64*, Vigna 2016. */
#ifndef FLEECE_TESTS_RANDOM_H
#define FLEECE_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * 2685821657736338717u;
}

static inline unsigned random_below(size_t n) { return (unsigned)((random_bits() >> 33) % n); }

#endif
