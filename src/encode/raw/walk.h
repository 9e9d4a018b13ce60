/* SPDX-License-Identifier: MIT
** walk.h -- template: the raw encoder, from Lua tables to JSON text, included once per layout.
** Must hold: as open.h; whatever it cannot decide is ENCODE_REDO.
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: instances.h. */
#define LAY(name) FL_PASTE(LAYOUT, name)

#if FLEECE_WIDE
#define ENCODE_BODY LAY(encode_body_wide)
#define ENCODE_PUT_STRING json_put_string_wide
#define ENCODE_TARGET TEXT_WIDE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double_wide
#define ENCODE_PUT_ROUNDED json_write_rounded_wide
#include "loop.h"
#define ENCODE_FAST_BODY encode_body_wide
#define ENCODE_FAST_TARGET TEXT_WIDE_TARGET
#else
#define ENCODE_FAST_BODY encode_body
#define ENCODE_FAST_TARGET
#endif

/* The instances: the default texts without a run-time option (E4's also serves E1 to E3), rounded numbers, as other
** JSON libraries write them, and one with all options. Each is a separate function, so that changes of one do not move
** the others' loops. CPUs without wide vectors share the default one and the styled one. */
#define ENCODE_INSTANCE(name, escape, numbers)                                                                        \
  FL_NOINLINE FL_ALIGNED ENCODE_FAST_TARGET enum encode_result LAY(name)(struct encode_state * c, const char *root) { \
    return LAY(ENCODE_FAST_BODY)(c, root, escape, 0, numbers, ENCODE_KEYS_NUMBERS, NULL);                             \
  }
ENCODE_INSTANCE(encode_json, JSON_ESCAPE_JSON, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e0, JSON_ESCAPE_E0, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e4, JSON_ESCAPE_E4, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_rounded_json, JSON_ESCAPE_JSON, ENCODE_NUM_ROUNDED)
ENCODE_INSTANCE(encode_rounded_e4, JSON_ESCAPE_E4, ENCODE_NUM_ROUNDED)

FL_INLINE enum encode_result LAY(encode_plain)(struct encode_state *c, const char *root) {
  const enum json_escape escape = c->out.style->escape;
  if (FL_LIKELY(escape == JSON_ESCAPE_JSON)) return LAY(encode_json)(c, root);
  return escape == JSON_ESCAPE_E0 ? LAY(encode_e0)(c, root) : LAY(encode_e4)(c, root);
}

FL_NOINLINE enum encode_result LAY(encode_styled)(struct encode_state *c, const char *root, LAY(encode_shaped) shaped) {
  return LAY(encode_body)(c, root, 0, 1, ENCODE_NUM_STYLED, ENCODE_KEYS_NUMBERS, shaped);
}

#if FLEECE_WIDE
FL_NOINLINE enum encode_result LAY(encode_json_narrow)(struct encode_state *c, const char *root) {
  return LAY(encode_body)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_SHORTEST, ENCODE_KEYS_NUMBERS, NULL);
}
#endif

FL_NOINLINE enum encode_result LAY(encode_slower_)(struct encode_state *c, const char *root, enum encode_speed speed) {
  FL_ASSERT(speed != ENCODE_SHAPED || (c->policy->shape && c->policy->shape->encode));
  if (speed == ENCODE_SHAPED) return c->policy->shape->encode(c, root);
#if FLEECE_WIDE
  if (!json_may(&c->out, TEXT_CPU_WIDE)) {
    if (speed == ENCODE_FASTEST && c->out.style->escape == JSON_ESCAPE_JSON) return LAY(encode_json_narrow)(c, root);
    return LAY(encode_styled)(c, root, NULL);
  }
#endif
  if (speed == ENCODE_STYLED) return LAY(encode_styled)(c, root, NULL);
  FL_ASSERT(speed == ENCODE_ROUNDED);
  return c->out.style->escape == JSON_ESCAPE_JSON ? LAY(encode_rounded_json)(c, root) : LAY(encode_rounded_e4)(c, root);
}

FL_FUNC enum encode_result LAY(encode)(struct encode_state *c, const char *root, enum encode_speed speed) {
  if (FL_LIKELY(speed == ENCODE_FASTEST && (!FLEECE_WIDE || json_may(&c->out, TEXT_CPU_WIDE))))
    return LAY(encode_plain)(c, root);
  return LAY(encode_slower_)(c, root, speed);
}

/* For Lua states that remember orders (encode/order.h), and for the option key_order. */

/* Finds the place of a name among those of the entries, by its address, in a hash table of `mask` + 1 places with
** numbers from 1. Returns an empty place for the name if it is not there. */
FL_INLINE uint32_t *LAY(encode_find_name)(const struct encode_entry *e, uint32_t *places, size_t mask, uint64_t name) {
  size_t i = order_hash(lay_bits_pointer(name)) & mask;
  while (places[i] && e[places[i] - 1].key.bits != name) i = (i + 1) & mask;
  return &places[i];
}

/* Returns the item of order_state.recent that has the names of the entries from `start` on, or 0. */
FL_FUNC int LAY(encode_find_recent)(const struct encode_state *c, size_t start) {
  const char *const recent = c->orders->recent;
  const struct encode_entry *e = c->list + start;
  const size_t n = c->list_length - start;
  uint64_t hash = order_hash_begin(n);
  size_t i, length;
  if (n > ORDER_RECENT_NAMES || LAY(array_size)(recent) < ORDER_RECENT_LISTS) return 0;
  for (i = 0; i < n; i++) hash = order_hash_add(hash, LAY(string)(e[i].key, &length));
  const int item = order_recent_item(hash);
  const struct lay_value list = LAY(array_item)(LAY(array)(recent), (size_t)item - 1);
  if (!LAY(is_table)(list) || LAY(array_size)(LAY(pointer)(list)) < n) return 0;
  const char *names = LAY(array)(LAY(pointer)(list));
  if (LAY(encode_dense)(names, LAY(array_size)(LAY(pointer)(list))) != n) return 0;
  for (i = 0; i < n; i++) {
    const struct lay_value name = LAY(array_item)(names, i);
    if (name.bits != e[i].key.bits || name.tag != e[i].key.tag) return 0;
  }
  return item;
}

/* Some of the first n entries from `start` on have no value any more, or others, new ones, follow them: removes the
** first, sorts the last, and notes that the order of the table changes. ENCODE_REDO: a name is a long string, which may
** be one of both. */
FL_NOINLINE enum encode_result LAY(encode_change_order_)(struct encode_state *c, const char *t, size_t start,
                                                         size_t n) {
  struct encode_entry *e = c->list + start;
  const size_t others = c->list_length - start - n;
  size_t i, kept = 0;
  for (i = 0; i < n + others; i++) {
    const int is_kept = i < n && !LAY(is_nil)(e[i].value);
    if (is_kept) e[kept++] = e[i];
    else if (!LAY(is_interned)(e[i].key)) return ENCODE_REDO;
  }
  memmove(e + kept, e + n, others * sizeof *e);
  c->list_length = start + kept + others;
  if (others > 1 && !LAY(encode_sort_keys)(c, start + kept)) return ENCODE_MEMORY;
  if (c->changed_length == c->changed_room &&
      !encode_grow_(c, (void **)&c->changed, &c->changed_room, c->changed_length + 1, ENCODE_CHANGED_FIRST,
                    sizeof *c->changed))
    return ENCODE_MEMORY;
  c->changed[c->changed_length].table = t;
  c->changed[c->changed_length++].recent = LAY(encode_find_recent)(c, start);
  return ENCODE_DONE;
}

FL_INLINE struct encode_layout *LAY(encode_layout_of)(struct encode_state *c, const char *list, size_t count) {
  return &c->layouts[((uintptr_t)list >> 5 ^ count) % ENCODE_LAYOUTS];
}

/* Notes where the n names of the entries are among the nodes. */
FL_FUNC void LAY(encode_learn_layout)(struct encode_state *c, const char *t, const char *list,
                                      const struct encode_entry *e, size_t n) {
  const char *nodes = LAY(nodes)(t);
  const size_t count = LAY(node_count)(t);
  struct encode_layout *k = LAY(encode_layout_of)(c, list, count);
  if (n > ENCODE_LAYOUT_NAMES || count > UINT8_MAX) return;
  k->list = list, k->nodes = count;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < count; j++)
      if (LAY(node_key)(nodes + j * LAY(node_bytes)).bits == e[i].key.bits) k->at[i] = (unsigned char)j;
}

/* Sets the n entries to the names of the list and their values if these are all the table has, and where the last table
** with the list had them. */
FL_INLINE int LAY(encode_follow_layout)(struct encode_state *c, const char *t, const char *list, struct encode_entry *e,
                                        size_t n) {
  const char *nodes = LAY(nodes)(t), *names = LAY(array)(list);
  const size_t count = LAY(node_count)(t);
  const struct encode_layout *k = LAY(encode_layout_of)(c, list, count);
  size_t i, live = 0;
  if (k->list != list || k->nodes != count || n > ENCODE_LAYOUT_NAMES) return 0;
  for (i = 0; i < count; i++) live += !LAY(node_is_nil)(nodes + i * LAY(node_bytes));
  if (live != n) return 0;
  for (i = 0; i < n; i++) {
    if (k->at[i] >= count) return 0;
    const char *node = nodes + k->at[i] * LAY(node_bytes);
    e[i].key = LAY(node_key)(node);
    e[i].value = LAY(node_value)(node);
    const struct lay_value name = LAY(array_item)(names, i);
    if (e[i].key.bits != name.bits || e[i].key.tag != name.tag || LAY(node_is_nil)(node)) return 0;
    if (!LAY(is_string)(name)) return 0;
  }
  return 1;
}

/* Appends the pairs of a table to c->list: first those with the names of the list, in their order, then new ones,
** sorted. ENCODE_REDO: a key of either is not a string. */
FL_FUNC enum encode_result LAY(encode_collect_ordered)(struct encode_state *c, const char *t, const char *list) {
  const char *nodes = LAY(nodes)(t), *names = LAY(array)(list);
  const size_t n = LAY(encode_dense)(names, LAY(array_size)(list));
  const size_t start = c->list_length, count = LAY(node_count)(t);
  size_t i, places_count = 2, found = 0;
  struct encode_entry *e, *to;
  uint32_t *places;
  if (n > UINT32_MAX / 4) return ENCODE_REDO;
  while (places_count < 2 * n) places_count *= 2;
  if (!encode_need_list(c, start + n + count + 1 + places_count * sizeof *places / sizeof *e)) return ENCODE_MEMORY;
  e = c->list + start, to = e + n;
  if (FL_LIKELY(LAY(encode_follow_layout)(c, t, list, e, n))) return c->list_length = start + n, ENCODE_DONE;
  places = (uint32_t *)(void *)(to + count);
  memset(places, 0, places_count * sizeof *places);
  for (i = 0; i < n; i++) {
    e[i].key = LAY(array_item)(names, i);
    e[i].value = LAY(nil)();
    if (!LAY(is_string)(e[i].key)) return ENCODE_REDO;
    *LAY(encode_find_name)(e, places, places_count - 1, e[i].key.bits) = (uint32_t)i + 1;
  }
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes);
    if (LAY(node_is_nil)(node)) continue;
    const struct lay_value key = LAY(node_key)(node);
    if (!LAY(is_string)(key)) return ENCODE_REDO;
    const uint32_t place = *LAY(encode_find_name)(e, places, places_count - 1, key.bits);
    if (FL_LIKELY(place)) {
      e[place - 1].value = LAY(node_value)(node);
      found++;
      continue;
    }
    to->key = key;
    to++->value = LAY(node_value)(node);
  }
  c->list_length = (size_t)(to - c->list);
  if (FL_LIKELY(found == n && to == e + n)) return LAY(encode_learn_layout)(c, t, list, e, n), ENCODE_DONE;
  return LAY(encode_change_order_)(c, t, start, n);
}

/* encode_open, which for a table with an order makes a list of its members. */
FL_FUNC enum encode_result LAY(encode_open_remembering)(struct encode_state *c, const char *t,
                                                        struct encode_opened *f) {
  const char *list = LAY(encode_names_of)(c->orders, t), *mt = LAY(metatable)(t);
  const int sorts = c->out.style->sort_keys;
  size_t size = LAY(array_size)(t);
  enum table_class mark = ENCODE_PLAIN;
  if (mt && list) mark = LAY(encode_table_class_)(c, mt);
  if (!list || (sorts && mark != ENCODE_PLAIN)) return LAY(encode_open)(c, t, f, 1, LAY(encode_list_));
  if (sorts) return LAY(encode_open_remembered_)(c, t, f);
  if (mark != ENCODE_PLAIN && mark != ENCODE_OBJECT) return ENCODE_REDO;
  while (size > 0 && LAY(array_is_nil)(LAY(array)(t), size - 1)) size--;
  if (size > 0 || LAY(has_key0)(t)) return ENCODE_REDO;
  f->i = c->list_length;
  const enum encode_result result = LAY(encode_collect_ordered)(c, t, list);
  f->n = c->list_length;
  f->kind = ENCODE_LIST_OBJECT, f->base = NULL, f->empty = f->i < f->n ? ENCODE_FILLED : ENCODE_EMPTY;
  return result;
}

/* Appends the pairs of the nodes to the list. Returns 0 if out of memory. */
FL_FUNC int LAY(encode_collect_nodes)(struct encode_state *c, const char *node, const char *end) {
  struct encode_entry *to;
  if (!encode_need_list(c, c->list_length + (size_t)(end - node) / LAY(node_bytes))) return 0;
  for (to = c->list + c->list_length; node < end; node += LAY(node_bytes)) {
    if (LAY(node_is_nil)(node)) continue;
    to->key = LAY(node_key)(node);
    to++->value = LAY(node_value)(node);
  }
  c->list_length = (size_t)(to - c->list);
  return 1;
}

/* Returns the rank of a key, or 0. ENCODE_NO_RANK: the public-API walk must look for it, by its text. */
FL_INLINE uint64_t LAY(encode_rank_of_key)(const struct encode_ranks *ranks, struct lay_value key) {
  size_t length;
  if (FL_LIKELY(LAY(is_string)(key))) return encode_rank_of(ranks, LAY(string)(key, &length));
  if (ranks->has_numbers || !LAY(encode_is_key)(key)) return ENCODE_NO_RANK;
  return LAY(is_float)(key) && LAY(number)(key) - LAY(number)(key) != 0 ? ENCODE_NO_RANK : 0;
}

FL_FUNC int LAY(encode_has_ranked)(const struct encode_ranks *ranks, const char *node, const char *end) {
  for (; node < end; node += LAY(node_bytes))
    if (!LAY(node_is_nil)(node) && LAY(encode_rank_of_key)(ranks, LAY(node_key)(node))) return 1;
  return 0;
}

/* Moves the pairs from `start` on whose names have a rank to the front, in the order of their ranks. */
FL_FUNC enum encode_result LAY(encode_sort_ranked)(struct encode_state *c, const struct encode_ranks *ranks,
                                                   size_t start) {
  const size_t n = c->list_length - start;
  struct encode_entry *e, *ranked;
  size_t i, count = 0, others = 0;
  if (!encode_need_list(c, c->list_length + 2 * n)) return ENCODE_MEMORY;
  e = c->list + start, ranked = e + n;
  for (i = 0; i < n; i++) {
    const uint64_t rank = LAY(encode_rank_of_key)(ranks, e[i].key);
    if (FL_UNLIKELY(rank == ENCODE_NO_RANK)) return ENCODE_REDO;
    if (!rank) {
      e[others++] = e[i];
      continue;
    }
    size_t at = count++;
    if (FL_LIKELY(at < ENCODE_RANKED_FEW))
      for (; at > 0 && ranked[at - 1].prefix > rank; at--) ranked[at] = ranked[at - 1];
    ranked[at] = e[i];
    ranked[at].prefix = rank;
  }
  if (count > ENCODE_RANKED_FEW) encode_sort(ranked, count, ranked + n, LAY(encode_compare));
  memmove(e + count, e, others * sizeof *e);
  memcpy(e, ranked, count * sizeof *e);
  return ENCODE_DONE;
}

/* After a table was opened: with key_order puts the members that it names first. Names that are not written unchanged
** are left to the public-API walk. */
FL_NOINLINE enum encode_result LAY(encode_rank_)(struct encode_state *c, struct encode_opened *f) {
  const struct encode_ranks *const ranks = c->policy->ranks;
  if (f->empty || f->kind == ENCODE_ITEMS || f->kind == ENCODE_LIST_ARRAY) return ENCODE_DONE;
  if (FL_UNLIKELY(encode_mends(c->out.style))) return ENCODE_REDO;
  if (f->kind == ENCODE_NODES) {
    if (!LAY(encode_has_ranked)(ranks, f->base + f->i, f->base + f->n)) return ENCODE_DONE;
    const size_t start = c->list_length;
    if (!LAY(encode_collect_nodes)(c, f->base + f->i, f->base + f->n)) return ENCODE_MEMORY;
    f->kind = ENCODE_LIST_OBJECT, f->i = start, f->n = c->list_length;
  }
  return LAY(encode_sort_ranked)(c, ranks, f->i);
}

/* encode_open with both orders. */
FL_NOINLINE enum encode_result LAY(encode_open_ordered)(struct encode_state *c, const char *t,
                                                        struct encode_opened *f) {
  const enum encode_result result = c->orders->used ? LAY(encode_open_remembering)(c, t, f)
                                                    : LAY(encode_open)(c, t, f, 1, LAY(encode_list_));
  return result == ENCODE_DONE && c->policy->ranks ? LAY(encode_rank_)(c, f) : result;
}

FL_NOINLINE FL_ALIGNED ENCODE_FAST_TARGET enum encode_result LAY(encode_ordered_json)(struct encode_state *c,
                                                                                      const char *root) {
  return LAY(ENCODE_FAST_BODY)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_SHORTEST, ENCODE_KEYS_NUMBERS,
                               LAY(encode_open_ordered));
}

/* The raw encoder for values whose members have an order. A walk that pauses must not have found changed tables: their
** lists may need memory before it goes on. */
FL_NOINLINE enum encode_result LAY(encode_ordered_)(struct encode_state *c, const char *root, enum encode_speed speed) {
  enum encode_result result;
  if (!c->policy->rules->keeps_order || c->policy->shape) return LAY(encode)(c, root, speed);
  c->changed_length = 0;
  if (speed == ENCODE_FASTEST && c->out.style->escape == JSON_ESCAPE_JSON &&
      (!FLEECE_WIDE || json_may(&c->out, TEXT_CPU_WIDE)))
    result = LAY(encode_ordered_json)(c, root);
  else result = LAY(encode_styled)(c, root, LAY(encode_open_ordered));
  if (FL_LIKELY(!c->changed_length)) return result;
  if (result == ENCODE_DONE) return ENCODE_CHANGED;
  c->changed_length = 0;
  return result == ENCODE_PAUSED ? ENCODE_REDO : result;
}

/* The whole raw encoder. */
FL_FUNC enum encode_result LAY(encode_any)(struct encode_state *c, const char *root, enum encode_speed speed) {
  if (FL_UNLIKELY(c->orders->used || c->policy->ranks)) return LAY(encode_ordered_)(c, root, speed);
  return LAY(encode)(c, root, speed);
}

#undef ENCODE_FAST_BODY
#undef ENCODE_FAST_TARGET
#undef ENCODE_INSTANCE
#undef LAY
