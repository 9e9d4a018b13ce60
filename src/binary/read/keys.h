/* SPDX-License-Identifier: MIT
** keys.h -- shared keys: a list of names, which documents write as small numbers (codes).
** Must hold: a list only grows; a name's code never changes. The caller owns the memory. */
#pragma once

#include "../../base/buffer.h"

enum { BIN_KEYS_MOST = 2048, BIN_KEY_BYTES = 16, BIN_KEY_SLOTS = 2 * BIN_KEYS_MOST };

struct bin_key {
  char text[BIN_KEY_BYTES];
  uint8_t length;
};

struct bin_keys {
  unsigned count;
  uint16_t slots[BIN_KEY_SLOTS]; /* code + 1; 0: free */
  struct bin_key key[BIN_KEYS_MOST];
};

FL_INLINE void bin_keys_init(struct bin_keys *k) {
  k->count = 0;
  memset(k->slots, 0, sizeof k->slots);
}

/* The slot of a name, or the free slot where it belongs. Half of the slots are free, so the search ends. With at most
** 2048 names even the worst search is short. */
FL_PRIVATE unsigned bin_keys_slot(const struct bin_keys *k, const char *s, size_t n);

/* The code of a name, or -1. */
FL_INLINE int bin_keys_find(const struct bin_keys *k, const char *s, size_t n) {
  return n > BIN_KEY_BYTES ? -1 : (int)k->slots[bin_keys_slot(k, s, n)] - 1;
}

/* The code of a name. A new name that is eligible gets the next code; others get -1. */
FL_PRIVATE int bin_keys_add(struct bin_keys *k, const char *s, size_t n);
