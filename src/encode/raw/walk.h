/* SPDX-License-Identifier: MIT
** walk.h -- template: the raw encoder, from Lua tables to JSON text, pasted once per layout.
** Must hold: as open.h; for all it cannot decide the encoder returns ENCODE_REDO.
**
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

/* The instances: the default texts without a run-time option (that of E4 is for E0 to E3 too), rounded numbers, as
** other JSON libraries write them, and one that knows all options. Each is a function of its own, so that its loop lies
** where it lay when the others change. CPUs without wide vectors share the default one and the styled one. */
#define ENCODE_INSTANCE(name, escape, numbers)                                                                        \
  FL_NOINLINE FL_ALIGNED ENCODE_FAST_TARGET enum encode_result LAY(name)(struct encode_state * c, const char *root) { \
    return LAY(ENCODE_FAST_BODY)(c, root, escape, 0, numbers, ENCODE_KEYS_NUMBERS, NULL);                             \
  }
ENCODE_INSTANCE(encode_json, JSON_ESCAPE_JSON, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e4, JSON_ESCAPE_E4, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_rounded_json, JSON_ESCAPE_JSON, ENCODE_NUM_ROUNDED)
ENCODE_INSTANCE(encode_rounded_e4, JSON_ESCAPE_E4, ENCODE_NUM_ROUNDED)

FL_INLINE enum encode_result LAY(encode_plain)(struct encode_state *c, const char *root) {
  return FL_LIKELY(c->out.style->escape == JSON_ESCAPE_JSON) ? LAY(encode_json)(c, root) : LAY(encode_e4)(c, root);
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

/* ------------------------------------------------------------------------------------- the order of members */

/* For a Lua state that remembers it (encode/order.h). A table whose members are not those of its list is one for the
** public-API walk, which can change the list. */

FL_INLINE size_t LAY(encode_live_nodes)(const char *nodes, size_t count) {
  size_t i, live = 0;
  for (i = 0; i < count; i++) live += !LAY(node_is_nil)(nodes + i * LAY(node_bytes));
  return live;
}

/* The place of a name among those of the entries, by its address: from a hash table of `mask` + 1 places, which has
** numbers from 1. It ends at an empty place, where the name belongs if it is not there. */
FL_INLINE uint32_t *LAY(encode_find_name)(const struct encode_entry *e, uint32_t *places, size_t mask, uint64_t name) {
  size_t i = order_hash(lay_bits_pointer(name)) & mask;
  while (places[i] && e[places[i] - 1].key.bits != name) i = (i + 1) & mask;
  return &places[i];
}

/* Appends the n names of the list, and the values that the table has for them, to c->list. The table has n live nodes.
** ENCODE_REDO: other ones. */
FL_FUNC enum encode_result LAY(encode_collect_ordered)(struct encode_state *c, const char *t, const char *list,
                                                       size_t n) {
  const char *nodes = LAY(nodes)(t), *names = LAY(array)(list);
  const size_t start = c->list_length, count = LAY(node_count)(t);
  size_t i, places_count = 2;
  struct encode_entry *e;
  uint32_t *places, *place;
  if (n > UINT32_MAX / 4) return ENCODE_REDO;
  while (places_count < 2 * n) places_count *= 2;
  if (!encode_need_list(c, start + n + 1 + places_count * sizeof *places / sizeof *e)) return ENCODE_MEMORY;
  e = c->list + start;
  places = (uint32_t *)(void *)(e + n);
  memset(places, 0, places_count * sizeof *places);
  for (i = 0; i < n; i++) {
    e[i].key = LAY(array_item)(names, i);
    if (!LAY(is_string)(e[i].key)) return ENCODE_REDO;
    *LAY(encode_find_name)(e, places, places_count - 1, e[i].key.bits) = (uint32_t)i + 1;
  }
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes);
    struct lay_value key;
    if (LAY(node_is_nil)(node)) continue;
    key = LAY(node_key)(node);
    if (!LAY(is_string)(key)) return ENCODE_REDO;
    place = LAY(encode_find_name)(e, places, places_count - 1, key.bits);
    if (!*place) return ENCODE_REDO;
    e[*place - 1].value = LAY(node_value)(node);
  }
  c->list_length = start + n;
  return ENCODE_DONE;
}

/* As encode_open; a table with an order gets a list of its members. */
FL_NOINLINE enum encode_result LAY(encode_open_ordered)(struct encode_state *c, const char *t,
                                                        struct encode_opened *f) {
  const char *list = LAY(encode_names_of)(c->orders, t), *mt = LAY(metatable)(t);
  const int sorts = c->out.style->sort_keys;
  size_t n, live, size = LAY(array_size)(t);
  enum table_class mark = ENCODE_PLAIN;
  enum encode_result result;
  if (mt && list) mark = LAY(encode_table_class_)(c, mt);
  if (!list || (sorts && mark != ENCODE_PLAIN)) return LAY(encode_open)(c, t, f, 1, LAY(encode_list_));
  if (sorts) return LAY(encode_open_remembered_)(c, t, f);
  n = LAY(encode_dense)(LAY(array)(list), LAY(array_size)(list));
  live = LAY(encode_live_nodes)(LAY(nodes)(t), LAY(node_count)(t));
  if (n != live || (mark != ENCODE_PLAIN && mark != ENCODE_OBJECT)) return ENCODE_REDO;
  while (size > 0 && LAY(array_is_nil)(LAY(array)(t), size - 1)) size--;
  if (size > 0 || LAY(has_key0)(t)) return ENCODE_REDO;
  f->kind = ENCODE_LIST_OBJECT, f->base = NULL, f->empty = n ? ENCODE_FILLED : ENCODE_EMPTY;
  f->i = c->list_length;
  result = LAY(encode_collect_ordered)(c, t, list, n);
  f->n = c->list_length;
  return result;
}

FL_NOINLINE FL_ALIGNED ENCODE_FAST_TARGET enum encode_result LAY(encode_ordered_json)(struct encode_state *c,
                                                                                      const char *root) {
  return LAY(ENCODE_FAST_BODY)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_SHORTEST, ENCODE_KEYS_NUMBERS,
                               LAY(encode_open_ordered));
}

/* As encode. It takes that one's place in a Lua state as soon as something is remembered there. */
FL_FUNC enum encode_result LAY(encode_ordered)(struct encode_state *c, const char *root, enum encode_speed speed) {
  if (!c->orders->used || !c->policy->rules->keeps_order || c->policy->shape) return LAY(encode)(c, root, speed);
  if (speed == ENCODE_FASTEST && c->out.style->escape == JSON_ESCAPE_JSON &&
      (!FLEECE_WIDE || json_may(&c->out, TEXT_CPU_WIDE)))
    return LAY(encode_ordered_json)(c, root);
  return LAY(encode_styled)(c, root, LAY(encode_open_ordered));
}

#undef ENCODE_FAST_BODY
#undef ENCODE_FAST_TARGET
#undef ENCODE_INSTANCE
#undef LAY
