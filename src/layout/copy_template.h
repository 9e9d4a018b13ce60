/* SPDX-License-Identifier: MIT
** copy_template.h -- template: copies of whole tables, for each layout.
** Must hold: as copy.h. It writes by functions that are proven (prove_write.h). A table with the same keys and as
** many nodes as another one may have them in the same nodes and chains, because these two alone determine where a
** key belongs. */

#define LAY(name) FL_PASTE(LAYOUT, name)

FL_FUNC size_t LAY(copy_node_count)(const char *table) { return LAY(node_count)(table); }

FL_INLINE int LAY(copy_is_fresh)(const char *to) { return LAY(is_white)(to) && !LAY(is_black)(to); }

/* A node of a removed member has a key: its chain may continue, but its key may no longer be an object. */
FL_INLINE int LAY(copy_is_node)(const char *node) {
  const struct lay_value key = LAY(node_key)(node);
  return LAY(node_is_nil)(node) ? LAY(is_nil)(key) : LAY(is_interned)(key);
}

FL_FUNC int LAY(copy_members)(char *to, const char *from) {
  const char *nodes = LAY(nodes)(from), *free_node, *node;
  const size_t count = LAY(node_count)(from);
  const char *const end = nodes + count * LAY(node_bytes);
  if (!LAY(copy_is_fresh)(to) || LAY(array_size)(from) != 0 || LAY(has_key0)(from)) return 0;
  if (LAY(node_count)(to) != count || (count == 1 && LAY(node_is_nil)(nodes))) return 0;
  for (node = nodes; node < end; node += LAY(node_bytes))
    if (!LAY(copy_is_node)(node)) return 0;
  for (node = nodes; node < end; node += LAY(node_bytes)) {
    struct lay_member m;
    if (LAY(node_is_nil)(node)) continue;
    m.key = (uint64_t)(uintptr_t)LAY(pointer)(LAY(node_key)(node));
    m.at = (uint32_t)(node - nodes);
    m.next = LAY(node_next)(node);
    LAY(put_member)((char *)(uintptr_t)LAY(nodes)(to), &m, node); /* a node begins as a slot does, with its value */
  }
  free_node = LAY(free_mark)(from);
  LAY(end_members)(to, free_node ? (uint32_t)(fl_load_ptr(free_node) - nodes) : 0);
  return 1;
}

FL_FUNC int LAY(copy_items)(char *to, const char *from, size_t n) {
  const char *array = LAY(array)(from);
  const size_t size = LAY(array_size)(from);
  char slot[16];
  if (!LAY(copy_is_fresh)(to) || size < n || LAY(array_size)(to) < n || LAY(has_key0)(from)) return 0;
  if (LAY(node_count)(from) != 1 || !LAY(node_is_nil)(LAY(nodes)(from))) return 0;
  for (size_t i = 0; i < size; i++)
    if (LAY(array_is_nil)(array, i) != (i >= n)) return 0;
  memset(slot, 0, sizeof slot);
  for (size_t i = 0; i < n; i++) {
    LAY(put_value)(slot, LAY(array_item)(array, i));
    LAY(put_item)(to, i, slot);
  }
  return 1;
}

static const struct lay_copy LAY(copy) = {LAY(copy_node_count), LAY(copy_members), LAY(copy_items)};

#undef LAY
