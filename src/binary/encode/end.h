/* SPDX-License-Identifier: MIT
** end.h -- ends a collection: sorts its pairs, looks for an equal collection, writes header and items.
** Must hold: the items of the innermost collection are the last ones. One item for the collection replaces them. */
#pragma once

#include "encode.h"

/* Allocates the orders; if out of memory, none are remembered. */
FL_PRIVATE_NOINLINE void bin_alloc_orders_(struct bin_encoder *e);

/* Returns the first of two entries for the order of n pairs with these keys. NULL: do not remember it. */
FL_INLINE struct bin_order *bin_find_order(struct bin_encoder *e, const struct bin_item *items, size_t n) {
  const uint32_t hash = (items[0].hash + 5 * items[2 * n - 2].hash + (uint32_t)n) * UINT32_C(0x9e3779b1);
  if (FL_UNLIKELY(n > BIN_ORDER_PAIRS) || FL_UNLIKELY(!e->orders)) return NULL;
  return &e->orders[(hash >> 16) % BIN_ORDERS & ~1u];
}

/* Returns whether this is the remembered key, although it was written again elsewhere. */
FL_PRIVATE_NOINLINE int bin_is_key_again_(const struct bin_encoder *e, uint32_t known, struct bin_item key);

/* Copies the pairs to `to` in the order remembered for their keys. NULL if it is the order of other keys. */
FL_INLINE struct bin_item *bin_reorder(const struct bin_encoder *e, struct bin_order *o, const struct bin_item *items,
                                       size_t n, struct bin_item *to) {
  FL_ASSERT(n <= BIN_ORDER_PAIRS);
  if (o->document != e->document || o->n != n) return NULL;
  for (size_t i = 0; i < n; i++) {
    if (FL_LIKELY(o->words[i] == items[2 * i].word)) continue;
    if (!bin_is_key_again_(e, o->words[i], items[2 * i])) return NULL;
    o->words[i] = items[2 * i].word;
  }
  for (size_t i = 0; i < n; i++) memcpy(&to[2 * i], &items[2 * (size_t)o->from[i]], 2 * sizeof *to);
  return to;
}

/* Sorts the n pairs at `items`; sets *left to their number without duplicates. Stores the order in `o`, unless that is
** NULL. e->pairs must have room for 2 * n pairs. */
FL_PRIVATE_NOINLINE void bin_sort_pairs_(struct bin_encoder *e, struct bin_item *items, size_t n, struct bin_order *o,
                                         size_t *left);

/* Sorts the *n items of the innermost dict and returns them. NULL if out of memory. */
FL_INLINE struct bin_item *bin_sort_pairs(struct bin_encoder *e, struct bin_item *items, size_t *n) {
  size_t pairs = *n / 2;
  struct bin_item *ordered = NULL;
  if (FL_UNLIKELY(2 * pairs > e->pairs_room) &&
      !bin_grow_(e, (void **)&e->pairs, &e->pairs_room, 2 * pairs, sizeof *e->pairs))
    return NULL;
  if (FL_UNLIKELY(!e->orders)) bin_alloc_orders_(e);
  struct bin_order *o = bin_find_order(e, items, pairs);
  if (o && !(ordered = bin_reorder(e, o, items, pairs, (struct bin_item *)e->pairs))) {
    if (o->document == e->document) o++;
    ordered = bin_reorder(e, o, items, pairs, (struct bin_item *)e->pairs);
  }
  if (FL_LIKELY(ordered != NULL)) return ordered;
  bin_sort_pairs_(e, items, pairs, o, &pairs);
  *n = 2 * pairs;
  return items;
}

FL_INLINE void bin_store16(uint8_t *w, uint32_t x) { w[0] = (uint8_t)(x >> 8), w[1] = (uint8_t)x; }

/* Returns the first two bytes of a collection. */
FL_INLINE uint32_t bin_header(size_t count, int is_dict, int wide) {
  return (uint32_t)(is_dict ? BIN_TAG_DICT : BIN_TAG_ARRAY) << 12 | (wide ? BIN_WIDE << 8 : 0u) |
         (count < BIN_LONG_COUNT ? (uint32_t)count : BIN_LONG_COUNT);
}

/* Returns the content of a narrow slot at `here` for an item within its reach, in the low 16 bits. */
FL_INLINE uint32_t bin_narrow_slot(uint32_t word, uint32_t here) {
  return word & BIN_ITEM_POINTER ? 0x8000 | (here - word) : word >> 16;
}

FL_INLINE uint64_t bin_add_hash(uint64_t h, uint64_t more) {
  h = (h ^ more) * UINT64_C(0xff51afd7ed558ccd);
  return h ^ h >> 29;
}

FL_INLINE uint32_t bin_farther(uint32_t least, struct bin_item item) {
  const uint32_t position = item.word ^ BIN_ITEM_POINTER;
  return position < least ? position : least;
}

/* Returns the position of the farthest value that the items point to, or at least BIN_ITEM_POINTER if they point to
** none. */
FL_INLINE uint32_t bin_farthest_position(const struct bin_item *items, size_t n) {
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < n; i++) least = bin_farther(least, items[i]);
  return least;
}

/* Returns the hash of a collection's content; sets *least to bin_farthest_position. */
FL_INLINE uint32_t bin_hash_items(const struct bin_item *items, size_t n, int is_dict, uint32_t *least) {
  uint64_t h = is_dict ? UINT64_C(0x2545f4914f6cdd1d) : UINT64_C(0x9e3779b97f4a7c15);
  uint32_t farthest = UINT32_MAX;
  size_t i;
  for (i = 0; i + 1 < n; i += 2) {
    h = bin_add_hash(h, (uint64_t)items[i + 1].hash << 32 | items[i].hash);
    farthest = bin_farther(bin_farther(farthest, items[i]), items[i + 1]);
  }
  if (i < n) {
    h = bin_add_hash(h, items[i].hash);
    farthest = bin_farther(farthest, items[i]);
  }
  *least = farthest;
  return (uint32_t)(h ^ h >> 32);
}

/* Returns whether the collection at v, in this encoder's output, holds exactly these items. */
FL_PRIVATE int bin_holds_items(const struct bin_encoder *e, bin_value v, const struct bin_item *items, size_t n,
                               int is_dict);

/* Compares slots, which is fast: returns 1 if the collection at `position` is narrow and its items point to exactly
** these values, 0 if that is unknown. All of them must be near, so that no distance is mistaken for another. (A value
** after the collection would set the flag of extern pointers.) */
FL_INLINE int bin_has_equal_slots(const struct bin_encoder *e, uint32_t position, const struct bin_item *items,
                                  size_t n, int is_dict, uint32_t least) {
  const size_t count = is_dict ? n / 2 : n;
  bin_value v = bin_value_at(e, position);
  if (count >= BIN_LONG_COUNT || bin_big16(v) != bin_header(count, is_dict, 0) || FL_UNLIKELY(e->is_extern)) return 0;
  if (bin_position(e) - (position < least ? position : least) > BIN_NARROW_REACH / 2) return 0;
  for (size_t i = 0; i < n; i++)
    if (bin_big16(v += 2) != (uint16_t)bin_narrow_slot(items[i].word, ++position)) return 0;
  return 1;
}

/* Returns the one of four slots with an equal collection, or NULL. */
FL_INLINE struct bin_pool_slot *bin_find_items(const struct bin_encoder *e, struct bin_pool_slot *four,
                                               const struct bin_item *items, size_t n, int is_dict, uint32_t hash,
                                               uint32_t least) {
  for (unsigned i = bin_recent_has(four, hash) ? 0 : BIN_RECENT_WAYS; i < BIN_RECENT_WAYS; i++)
    if (four[i].hash == hash && four[i].position &&
        (FL_LIKELY(bin_has_equal_slots(e, four[i].position - 1, items, n, is_dict, least)) ||
         bin_holds_items(e, bin_value_at(e, four[i].position - 1), items, n, is_dict)))
      return &four[i];
  return NULL;
}

/* Returns whether pointing to a collection of n items at `position` is shorter than writing it again. A pointer to a
** distant one makes the items of the enclosing collection wide, of which `siblings` are known so far. In addition,
** nested shared collections must not let the number of values grow without bound: binary/check/check.h allows one value
** per byte, or BIN_VALUES_LEAST. Anything written in full takes at least two bytes per value, so if nothing more is
** shared from half of the limit on, the document passes. */
FL_INLINE int bin_is_worth_sharing(const struct bin_encoder *e, uint32_t position, size_t n, size_t siblings) {
  const uint64_t here = bin_end_offset(e), distance = here - 2 * (uint64_t)position, values = e->values + e->count;
  if (FL_UNLIKELY(values > BIN_SPREAD * here + 1024)) return 0;
  if (FL_UNLIKELY(values > BIN_VALUES_LEAST / 2) && values - e->names > here &&
      values - e->names > BIN_VALUES_LEAST / 2 + here / 2)
    return 0;
  return distance <= BIN_SHARED_REACH || n > siblings;
}

/* Brings items into the reach of narrow pointers. An item whose value has a later copy points to that. The others are
** written again if that takes fewer bytes than wide items. Names do not count, because they will be used again; but all
** repeated names must stay below a quarter of the document, or names longer in total than the reach would be written
** for each dict. A collection is not written again. */
FL_PRIVATE_NOINLINE int bin_copy_far_items_(struct bin_encoder *e, struct bin_item *items, size_t n, int is_dict);

/* Writes header and items of any collection; sets *out to its position. */
FL_PRIVATE_NOINLINE int bin_write_any_items_(struct bin_encoder *e, const struct bin_item *items, size_t n, int is_dict,
                                             int wide, uint32_t *out);

/* Like bin_write_any_items_, for items that do not point before `least`. */
FL_INLINE int bin_write_items(struct bin_encoder *e, const struct bin_item *items, size_t n, int is_dict, int wide,
                              uint32_t least, uint32_t *out) {
  const size_t count = is_dict ? n / 2 : n;
  uint32_t here = bin_position(e);
  if (FL_UNLIKELY(count >= BIN_LONG_COUNT) || FL_UNLIKELY(wide) || FL_UNLIKELY(e->is_extern) ||
      (least <= here && here - least + n >= BIN_NARROW_REACH / 2))
    return bin_write_any_items_(e, items, n, is_dict, wide, out);
  if (!bin_reserve(e, 2 * n + 2)) return 0;
  *out = here++;
  uint8_t *w = (uint8_t *)e->w;
  bin_store16(w, bin_header(count, is_dict, 0));
  e->w += 2 * n + 2;
  for (size_t i = 0; i < n; i++) bin_store16(w += 2, bin_narrow_slot(items[i].word, here++));
  return bin_is_short(e);
}

FL_INLINE void bin_drop_items(struct bin_encoder *e, size_t first, int is_dict) {
  FL_ASSERT(e->depth > 0 && e->count >= first);
  e->values += e->count - first;
  e->names += is_dict ? (e->count - first) / 2 : 0;
  e->count = first;
  e->depth--;
}

/* Ends the innermost collection. sorted: a dict's pairs are in order without duplicate keys. */
FL_INLINE int bin_end_collection(struct bin_encoder *e, int sorted) {
  const struct bin_open *o = &e->open[e->depth - 1];
  const size_t first = o->first;
  const int is_dict = o->is_dict;
  struct bin_pool_slot *four = NULL;
  uint32_t position = 0, hash = 0, least;
  FL_ASSERT(e->depth > 0 && e->count >= first && (!is_dict || (e->count - first) % 2 == 0));
  if (FL_UNLIKELY(e->count == first)) {
    e->depth--;
    return bin_push_inline(e, (uint32_t)(is_dict ? BIN_TAG_DICT : BIN_TAG_ARRAY) << 28);
  }
  struct bin_item *items = e->items + first;
  size_t n = e->count - first;
  if (is_dict && !sorted && n > 2 && !(items = bin_sort_pairs(e, items, &n))) return 0;
  if (e->compact) {
    hash = bin_hash_items(items, n, is_dict, &least);
    if (!bin_recent_reserve(&e->lists, e->out.alloc, e->out.alloc_ud)) return bin_fail(e, BIN_ERROR_MEMORY);
    four = bin_recent_slots(&e->lists, hash);
    /* A collection with something new in it has no equal. (New numbers do not count: an equal one may exist.) */
    if (e->newest <= o->begin) {
      const struct bin_pool_slot *slot = bin_find_items(e, four, items, n, is_dict, hash, least);
      const size_t siblings = slot && e->depth > 1 ? first - e->open[e->depth - 2].first : 0;
      if (slot && bin_is_worth_sharing(e, slot->position - 1, n, siblings)) {
        bin_drop_items(e, first, is_dict);
        return bin_push_pointer(e, slot->position - 1, hash);
      }
    }
    if (least < BIN_ITEM_POINTER && FL_UNLIKELY(bin_end_offset(e) - 2 * (size_t)least + 4 * n + 8 > BIN_NARROW_REACH)) {
      if (!bin_copy_far_items_(e, items, n, is_dict)) return 0;
      least = bin_farthest_position(items, n);
    }
  } else {
    least = bin_farthest_position(items, n);
  }
  if (!bin_write_items(e, items, n, is_dict, o->wide, least, &position)) return 0;
  if (four) bin_recent_enter(&e->lists, four, position, hash);
  e->newest = position + 1;
  bin_drop_items(e, first, is_dict);
  return bin_push_pointer(e, position, hash);
}

/* Ends the innermost collection, which is empty, out of line; usually an empty collection is in its parent's slot. */
FL_PRIVATE int bin_end_empty(struct bin_encoder *e);

FL_PRIVATE int bin_end(struct bin_encoder *e);

/* Ends the document, which must be one value: its bytes are [out.begin, w). */
FL_PRIVATE int bin_finish(struct bin_encoder *e);
