/* SPDX-License-Identifier: MIT
** puc_write.h -- template: the second half of puc.h, which includes it: writing stack slots and fresh tables.
** Must hold:
**   - Slots: only those above the base of the running C function and below what lua_checkstack has granted. The stack
**     is a root that the collector visits again before it sweeps, so no barrier is needed.
**   - Tables: only one that lua_createtable has just returned and that is still white, with no allocation since. The
**     collector will visit a reachable white table; the core's own barriers, too, act on black tables only
**     (luaC_barrierback). A table that is not white is filled through the public API.
**   - Nodes: only those that lua_createtable made for this table on request. The node that all tables without a hash
**     part share is never written. */

enum {
  LAY(slot_bytes) = 16,
  LAY(marked) = 9,
#if PUC_VERSION >= 504
  LAY(white_bits) = 0x18,
  LAY(black_bit) = 0x20
#else
  LAY(white_bits) = 0x03,
  LAY(black_bit) = 0x04
#endif
};

FL_INLINE char *LAY(top)(const void *state) { return fl_load_mutable((const char *)state + 16); }
FL_INLINE void LAY(set_top)(void *state, char *top) { memcpy((char *)state + 16, &top, sizeof top); }

/* Returns the end of the usable slots, of those that lua_checkstack granted up to `end`: all of them. The collector
** respects what each call was granted (lgc.c, ldo.c: luaD_shrinkstack). */
FL_INLINE char *LAY(granted)(const void *state, char *end, int margin) {
  (void)state, (void)margin;
  return end;
}

#if PUC_TAG_BYTES == 4
#define PUC_STORE_TAG(p, tag) fl_store32(p, tag)
#else
#define PUC_STORE_TAG(p, tag) ((void)(*(p) = (char)(tag)))
#endif

FL_INLINE void LAY(put)(char *slot, uint64_t bits, uint32_t tag) {
  fl_store64(slot, bits);
  PUC_STORE_TAG(slot + 8, tag);
}
FL_INLINE void LAY(put_value)(char *slot, struct lay_value v) { LAY(put)(slot, v.bits, v.tag); }
FL_INLINE void LAY(put_nil)(char *slot) { PUC_STORE_TAG(slot + 8, 0); }
FL_INLINE void LAY(put_boolean)(char *slot, int b) {
#if PUC_VERSION >= 504
  PUC_STORE_TAG(slot + 8, b ? 0x11 : 0x01);
#else
  LAY(put)(slot, (uint64_t)b, 1);
#endif
}
FL_INLINE void LAY(put_number)(char *slot, double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  LAY(put)(slot, bits, PUC_FLOAT);
}
FL_INLINE void LAY(put_integer)(char *slot, int64_t i) {
#if PUC_VERSION >= 503
  LAY(put)(slot, (uint64_t)i, PUC_INTEGER);
#else
  LAY(put_number)(slot, (double)i);
#endif
}
/* `word`: the payload of this light userdata, which the probe has read. */
FL_INLINE void LAY(put_light)(char *slot, uint64_t word) { LAY(put)(slot, word, 2); }

/* Returns whether the string is equal only to itself. In 5.1 all strings are; since then the short ones. */
FL_INLINE int LAY(is_interned)(struct lay_value v) { return v.tag == (4u | PUC_COLLECTABLE); }
FL_INLINE void LAY(put_interned)(char *slot, const char *object) {
  LAY(put)(slot, (uint64_t)(uintptr_t)object, 4u | PUC_COLLECTABLE);
}
/* Returns the bytes of an interned string. */
FL_INLINE const char *LAY(interned_bytes)(const char *object) { return object + 24; }

FL_INLINE int LAY(is_white)(const char *object) { return (object[LAY(marked)] & LAY(white_bits)) != 0; }
FL_INLINE int LAY(is_black)(const char *object) { return (object[LAY(marked)] & LAY(black_bit)) != 0; }

/* Copies n slots to the items 1..n of a new white table with an array part of at least n. */
FL_INLINE void LAY(fill_items)(char *table, const char *slots, size_t n) {
  char *array = fl_load_mutable(table + PUC_ARRAY);
#if PUC_VERSION >= 505
  size_t i;
  for (i = 0; i < n; i++) {
    fl_store64(array - 8 * (i + 1), fl_load64(slots + 16 * i));
    array[4 + i] = slots[16 * i + 8];
  }
#else
  if (n != 0) memcpy(array, slots, 16 * n); /* without items the array is NULL; padding may have any value */
#endif
}

/* Sets the metatable of a new white table without one. It must not have a __gc, since the core must be told about
** finalizers. */
FL_INLINE void LAY(put_metatable)(char *table, const char *metatable) {
  memcpy(table + PUC_METATABLE, &metatable, sizeof metatable);
}

/* Sets item i + 1 of a table that is not black and has that slot in its array part. */
FL_INLINE void LAY(put_item)(char *table, size_t i, const char *slot) {
  char *array = fl_load_mutable(table + PUC_ARRAY);
#if PUC_VERSION >= 505
  fl_store64(array - 8 * (i + 1), fl_load64(slot));
  array[4 + i] = slot[8];
#else
  memcpy(array + 16 * i, slot, 16);
#endif
}

/* Returns where the table keeps the pointer below which its free nodes are, or NULL for a 5.5 table with less than 8
** nodes. */
FL_INLINE char *LAY(free_mark)(const char *table) {
#if PUC_VERSION >= 505
  return table[11] >= 3 ? fl_load_mutable(table + PUC_NODES) - 8 : NULL;
#elif PUC_VERSION == 501
  return (char *)(uintptr_t)(table + 40);
#else
  return (char *)(uintptr_t)(table + 32);
#endif
}

/* Returns the next node of this node's chain, or NULL at its end. */
FL_INLINE const char *LAY(node_after)(const char *node) {
#if PUC_VERSION < 503
  return fl_load_ptr(node + 32);
#else
#if PUC_VERSION == 503
  const uint32_t distance = fl_load32(node + 28);
#else
  const uint32_t distance = fl_load32(node + 12);
#endif
  return distance ? node + (ptrdiff_t)(int32_t)distance * PUC_NODE_BYTES : NULL;
#endif
}

/* Returns the distance to it, in nodes, or 0 at the end of the chain. */
FL_INLINE int32_t LAY(node_next)(const char *node) {
  const char *next = LAY(node_after)(node);
  return next ? (int32_t)((next - node) / PUC_NODE_BYTES) : 0;
}

/* Returns the first node of the chain that has an interned string, if it is a key of the table. */
FL_INLINE const char *LAY(chain_of)(const char *table, const char *object) {
  return LAY(nodes)(table) + (fl_load32(object + 12) & (LAY(node_count)(table) - 1)) * PUC_NODE_BYTES;
}

/* Writes a pair to its node: `m` has the node, the key and the chain; the value comes from a slot. */
FL_INLINE void LAY(put_member)(char *nodes, const struct lay_member *m, const char *slot) {
  char *node = nodes + m->at;
#if PUC_VERSION >= 504
  /* tag, key tag, two bytes of padding and the chain are one word */
  fl_store64(node, fl_load64(slot));
  fl_store64(node + 8,
             (uint64_t)(uint8_t)slot[8] | (uint64_t)(4u | PUC_COLLECTABLE) << 8 | (uint64_t)(uint32_t)m->next << 32);
  fl_store64(node + 16, m->key);
#else
  memcpy(node, slot, 16);
  fl_store64(node + 16, m->key);
#if PUC_VERSION == 503
  fl_store64(node + 24, (uint64_t)(4u | PUC_COLLECTABLE) | (uint64_t)(uint32_t)m->next << 32);
#else
  fl_store64(node + 24, 4u | PUC_COLLECTABLE);
  fl_store64(node + 32, m->next ? (uint64_t)(uintptr_t)(node + (ptrdiff_t)m->next * PUC_NODE_BYTES) : 0);
#endif
#endif
}

/* Call it after the members: sets the pointer to free nodes, and clears the cache of missing metamethods, like the core
** after each raw store of a string. */
FL_INLINE void LAY(end_members)(char *table, uint32_t free_at) {
  char *mark = LAY(free_mark)(table), *free_node = fl_load_mutable(table + PUC_NODES) + free_at;
  if (mark) memcpy(mark, &free_node, sizeof free_node);
#if PUC_VERSION >= 504
  table[10] = (char)(table[10] & ~0x3f);
#else
  table[10] = 0;
#endif
}

#undef PUC_STORE_TAG
