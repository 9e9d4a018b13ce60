/* SPDX-License-Identifier: MIT
** keys.h -- shared keys: a list of names, which documents write as small numbers (codes).
** May call: base.
** Must hold: a list only grows; a name's code never changes. The caller owns the memory.
**
** A document that was written with a list can only be read with it. A list has at most BIN_KEYS_MOST names, of at most
** 16 bytes each: letters, digits, '_' and '-' (docs/format.md). */
#ifndef FLEECE_BINARY_ENCODE_KEYS_H
#define FLEECE_BINARY_ENCODE_KEYS_H

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

FL_FUNC int bin_key_is_eligible(const char *s, size_t n) {
  size_t i;
  if (n > BIN_KEY_BYTES) return 0;
  for (i = 0; i < n; i++) {
    const char c = s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) return 0;
  }
  return 1;
}

/* The slot of a name, or the free slot where it belongs. Half of the slots are free, so the search ends. With at most
** 2048 names even the worst search is short. */
FL_FUNC unsigned bin_keys_slot(const struct bin_keys *k, const char *s, size_t n) {
  uint32_t h = 2166136261u; /* FNV-1a (Fowler, Noll, Vo) */
  size_t i;
  FL_ASSERT(k->count <= BIN_KEYS_MOST && n <= BIN_KEY_BYTES);
  for (i = 0; i < n; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
  for (h ^= h >> 15;; h++) {
    const unsigned slot = h % BIN_KEY_SLOTS, code = k->slots[slot];
    if (code == 0) return slot;
    FL_ASSERT(code <= k->count);
    if (k->key[code - 1].length == n && memcmp(k->key[code - 1].text, s, n) == 0) return slot;
  }
}

/* The code of a name, or -1. */
FL_INLINE int bin_keys_find(const struct bin_keys *k, const char *s, size_t n) {
  return n > BIN_KEY_BYTES ? -1 : (int)k->slots[bin_keys_slot(k, s, n)] - 1;
}

/* The code of a name. A new name that is eligible gets the next code; others get -1. */
FL_FUNC int bin_keys_add(struct bin_keys *k, const char *s, size_t n) {
  unsigned slot;
  if (!bin_key_is_eligible(s, n)) return -1;
  slot = bin_keys_slot(k, s, n);
  if (k->slots[slot] == 0) {
    if (k->count == BIN_KEYS_MOST) return -1;
    memcpy(k->key[k->count].text, s, n);
    k->key[k->count].length = (uint8_t)n;
    k->slots[slot] = (uint16_t)++k->count;
  }
  return (int)k->slots[slot] - 1;
}

#endif
