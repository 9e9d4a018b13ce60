/* SPDX-License-Identifier: MIT
** luajit_write.h -- template: the second half of luajit.h, which includes it: writing stack slots and fresh tables.
** Must hold: as in puc_write.h. lua_createtable collects before it creates the table, so the table is always new and
** white here; it is tested anyway, which costs nothing. A NaN other than the canonical one would be a type tag: only
** numbers that a JSON text can contain are written. */

enum { LAY(slot_bytes) = 8, LAY(marked) = 8, LAY(white_bits) = 0x03, LAY(black_bit) = 0x04 };

FL_INLINE char *LAY(top)(const void *state) { return fl_load_mutable((const char *)state + 40); }
FL_INLINE void LAY(set_top)(void *state, char *top) { memcpy((char *)state + 40, &top, sizeof top); }

/* Returns the end of the usable slots, of those that lua_checkstack granted up to `end`. The collector removes unused
** slots above the top, even granted ones (lj_state.c: lj_state_shrinkstack). `margin` slots are left for calls of Lua,
** which grow the stack themselves. */
FL_INLINE char *LAY(granted)(const void *state, char *end, int margin) {
  char *last = fl_load_mutable((const char *)state + 48) - (ptrdiff_t)margin * LAY(slot_bytes);
  return end < last ? end : last;
}

FL_INLINE uint64_t LAY(tagged)(int tag, uint64_t payload) { return (uint64_t)(int64_t)tag << 47 | payload; }

FL_INLINE void LAY(put_value)(char *slot, struct lay_value v) { fl_store64(slot, v.bits); }
FL_INLINE void LAY(put_nil)(char *slot) { fl_store64(slot, ~(uint64_t)0); }
FL_INLINE void LAY(put_boolean)(char *slot, int b) {
  fl_store64(slot, LAY(tagged)(b ? -3 : -2, ((uint64_t)1 << 47) - 1));
}
FL_INLINE void LAY(put_number)(char *slot, double d) { memcpy(slot, &d, sizeof d); }
FL_INLINE void LAY(put_integer)(char *slot, int64_t i) { LAY(put_number)(slot, (double)i); }
/* `word`: the payload of this light userdata, which the probe has read: the whole slot. */
FL_INLINE void LAY(put_light)(char *slot, uint64_t word) { fl_store64(slot, word); }

FL_INLINE int LAY(is_interned)(struct lay_value v) { return LAY(is_string)(v); }
FL_INLINE void LAY(put_interned)(char *slot, const char *object) {
  fl_store64(slot, LAY(tagged)(-5, (uint64_t)(uintptr_t)object));
}
FL_INLINE const char *LAY(interned_bytes)(const char *object) { return object + 24; }

FL_INLINE int LAY(is_white)(const char *object) { return (object[LAY(marked)] & LAY(white_bits)) != 0; }
FL_INLINE int LAY(is_black)(const char *object) { return (object[LAY(marked)] & LAY(black_bit)) != 0; }

FL_INLINE void LAY(fill_items)(char *table, const char *slots, size_t n) {
  if (n) memcpy(fl_load_mutable(table + 16) + 8, slots, 8 * n); /* no items, no array */
}
FL_INLINE void LAY(put_metatable)(char *table, const char *metatable) {
  memcpy(table + 32, &metatable, sizeof metatable);
}
FL_INLINE void LAY(put_item)(char *table, size_t i, const char *slot) {
  memcpy(fl_load_mutable(table + 16) + 8 * (i + 1), slot, 8);
}

FL_INLINE char *LAY(free_mark)(const char *table) { return (char *)(uintptr_t)(table + 56); }
FL_INLINE const char *LAY(node_after)(const char *node) { return fl_load_ptr(node + 16); }
FL_INLINE int32_t LAY(node_next)(const char *node) {
  const char *next = LAY(node_after)(node);
  return next ? (int32_t)((next - node) / 24) : 0;
}
/* A string has at offset 12 the number that determines its chain: its identifier, before June 2020 its hash. */
FL_INLINE const char *LAY(chain_of)(const char *table, const char *object) {
  return LAY(nodes)(table) + (fl_load32(object + 12) & fl_load32(table + 52)) * (size_t)24;
}
FL_INLINE void LAY(put_member)(char *nodes, const struct lay_member *m, const char *slot) {
  char *node = nodes + m->at;
  memcpy(node, slot, 8);
  fl_store64(node + 8, LAY(tagged)(-5, m->key));
  fl_store64(node + 16, m->next ? (uint64_t)(uintptr_t)(node + (ptrdiff_t)m->next * 24) : 0);
}
FL_INLINE void LAY(end_members)(char *table, uint32_t free_at) {
  char *free_node = fl_load_mutable(table + 40) + free_at;
  memcpy(table + 56, &free_node, sizeof free_node);
  table[10] = 0;
}
