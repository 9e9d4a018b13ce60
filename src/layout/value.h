/* SPDX-License-Identifier: MIT
** value.h -- what every layout answers in: one Lua value, copied out of its slot.
** May call: base.  Must hold: no lua_* call while a value read from a layout is in use. */
#ifndef FLEECE_LAYOUT_VALUE_H
#define FLEECE_LAYOUT_VALUE_H

#include "../base/def.h"

/* `bits` is the payload (pointer, double, integer), `tag` says which, in the layout's own numbers. */
struct lay_value {
  uint64_t bits;
  uint32_t tag;
};

/* A pair of an object whose keys are known, as the core has placed it once: the payload of its key, a string;
** its node, in bytes from the first; and how many nodes further its chain goes on, 0 for nowhere. Tables of
** the same keys, in the same order, with the same number of nodes are placed alike (ltable.c, lj_tab.c). */
struct lay_member {
  uint64_t key;
  uint32_t at;
  int32_t next;
};

/* The offsets a layout claims, for the probe to prove; all in bytes. */
struct lay_facts {
  const char *name;    /* as fleece.info() shows it */
  uint8_t stack_top;   /* of L->top in lua_State */
  uint8_t slot;        /* size of a stack slot */
  uint8_t table_bytes; /* sizeof(Table) */
  uint8_t table_array_size, table_array, table_nodes, table_node_count, table_metatable;
  uint8_t node_bytes, string_header;
};

FL_INLINE double lay_bits_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

FL_INLINE const char *lay_bits_pointer(uint64_t bits) { return (const char *)(uintptr_t)bits; }

#endif
