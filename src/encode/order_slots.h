/* SPDX-License-Identifier: MIT
** order_slots.h -- finds the slot with the order of a table's members by the table's address, also for readers below
** the API.
** Must hold: as order.h; no lua.h here. */
#pragma once

#include "../base/def.h"

/* What a Lua state remembers. The arrays belong to Lua: the book, a table, keeps them alive. */
struct order_state {
  size_t slots, used;   /* slots: a power of two, or 0; used: those that have or had a table */
  const void **address; /* of the table in a slot; NULL if never used */
  const char *tables;   /* a Lua table: item i + 1 is the table of slot i */
  const char *lists;    /* a Lua table: item i + 1 is the list of that table's names */
  const char *recent;   /* a Lua table: lists that other tables can share, by the hash of their names */
};

enum {
  ORDER_RECENT_LISTS = 256, /* so many lists are recent, */
  ORDER_RECENT_NAMES = 64   /* limited to so many names */
};

FL_INLINE size_t order_hash(const void *address) {
  return (size_t)(((uint64_t)(uintptr_t)address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* A hash of n names, to which the address of each one's text is added; of a number NULL. */
FL_INLINE uint64_t order_hash_begin(size_t n) { return n; }
FL_INLINE uint64_t order_hash_add(uint64_t hash, const void *name) {
  hash = (hash ^ (uint64_t)(uintptr_t)name) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}
/* Returns the item of `recent` for the names with this hash. */
FL_INLINE int order_recent_item(uint64_t hash) { return (int)(hash % ORDER_RECENT_LISTS) + 1; }

/* Returns the slot for a table with this address: its own, or an unused one. There must be one. */
FL_INLINE size_t order_place(const void *const *address, size_t slots, const void *of) {
  size_t i = order_hash(of) & (slots - 1);
  while (address[i] && address[i] != of) i = (i + 1) & (slots - 1);
  return i;
}

FL_INLINE int order_has_room(const struct order_state *o) { return 4 * (o->used + 1) <= 3 * o->slots; }

/* Returns the slot of the address, whose table may be dead, or `slots`. */
FL_INLINE size_t order_slot(const struct order_state *o, const void *address) {
  const size_t mask = o->slots - 1;
  if (!o->slots) return 0;
  for (size_t i = order_hash(address) & mask; o->address[i]; i = (i + 1) & mask)
    if (o->address[i] == address) return i;
  return o->slots;
}
