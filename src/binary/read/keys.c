/* SPDX-License-Identifier: MIT
** A document that was written with a list can only be read with it. A list has at most BIN_KEYS_MOST names, of at most
** 16 bytes each: letters, digits, '_' and '-' (docs/format.md). */
#include "keys.h"

static int bin_key_is_eligible(const char *s, size_t n) {
  size_t i;
  if (n > BIN_KEY_BYTES) return 0;
  for (i = 0; i < n; i++) {
    const char c = s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) return 0;
  }
  return 1;
}

FL_PRIVATE unsigned bin_keys_slot(const struct bin_keys *k, const char *s, size_t n) {
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

FL_PRIVATE int bin_keys_add(struct bin_keys *k, const char *s, size_t n) {
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
