/* SPDX-License-Identifier: MIT
** value.h -- the results of every layout: one Lua value, copied from its slot; and the proven facts.
** Must hold: no lua_* call while a value read from a layout is in use. */
#pragma once

#include "../base/def.h"

/* A value: `bits` is the payload (pointer, double, integer), `tag` its type, in the layout's own numbers. */
struct lay_value {
  uint64_t bits;
  uint32_t tag;
};

/* Where the core has placed one pair of a table whose keys are strings. Tables with the same keys, added in the same
** order, and with the same number of nodes are placed in the same way (ltable.c, lj_tab.c). */
struct lay_member {
  uint64_t key; /* the payload of its key */
  uint32_t at;  /* offset of its node from the first node */
  int32_t next; /* how many nodes further its chain continues, or 0 */
};

/* The offsets and sizes that a layout assumes and the probe proves; all in bytes. */
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
