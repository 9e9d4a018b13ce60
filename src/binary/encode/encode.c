/* SPDX-License-Identifier: MIT
** Collisions can be forged, so searches must be bounded: after BIN_POOL_PROBES slots a value counts as new and takes
** the last of them. The compatible mode must find every string, because its output is exactly specified; its pool
** has an unpredictable seed instead. Numbers and collections need neither: they may be missed, and each hash has a
** few slots (struct bin_recent). */
#include "encode.h"
#include "../../number/scale.h"
#include "end.h"

/* Enlarges the table to `room` slots, a power of two. Returns 0 if out of memory. */
FL_NOINLINE int bin_pool_resize_(struct bin_pool *p, fl_alloc alloc, void *ud, size_t room) {
  struct bin_pool_slot *slots = (struct bin_pool_slot *)alloc(ud, NULL, 0, room * sizeof *slots);
  FL_ASSERT((room & (room - 1)) == 0 && room > p->count);
  if (!slots) return 0;
  buf_advise_pages(slots, room * sizeof *slots); /* each string asks for an address of its own */
  memset(slots, 0, room * sizeof *slots);
  for (size_t i = 0; i < p->room; i++) {
    size_t at = p->slots[i].hash & (room - 1);
    if (!p->slots[i].position) continue;
    while (slots[at].position) at = (at + 1) & (room - 1);
    slots[at] = p->slots[i];
  }
  if (p->slots) alloc(ud, p->slots, p->room * sizeof *p->slots, 0);
  p->slots = slots;
  p->room = room;
  p->generation++;
  return 1;
}

FL_PRIVATE_NOINLINE int bin_pool_grow_(struct bin_pool *p, fl_alloc alloc, void *ud) {
  size_t room = p->room ? 4 * p->room : BIN_POOL_FIRST;
  while (p->room >= BIN_POOL_KEPT / 4 && room / 2 < p->before) room *= 2;
  return bin_pool_resize_(p, alloc, ud, room);
}

/* Returns whether to free a table instead of clearing it for the next document: if it is large or was hardly used, so
** that small documents after a large one do not pay for its tables. */
FL_INLINE int bin_pool_should_free(size_t room, size_t count) {
  return room > BIN_POOL_KEPT || (room > BIN_POOL_FIRST && count < room / 64);
}

static void bin_pool_clear(struct bin_pool *p, fl_alloc alloc, void *ud) {
  p->before = p->count;
  if (bin_pool_should_free(p->room, p->count)) bin_pool_free(p, alloc, ud);
  else if (p->count) memset(p->slots, 0, p->room * sizeof *p->slots);
  p->count = 0;
  p->generation++;
}

FL_PRIVATE_NOINLINE int bin_recent_grow_(struct bin_recent *r, fl_alloc alloc, void *ud) {
  struct bin_recent wider = {NULL, r->room ? 4 * r->room : BIN_RECENT_FIRST, 0, r->most};
  wider.slots = (struct bin_pool_slot *)alloc(ud, NULL, 0, wider.room * sizeof *wider.slots);
  if (!wider.slots) return 0;
  memset(wider.slots, 0, wider.room * sizeof *wider.slots);
  for (size_t i = r->room; i-- > 0;) { /* the first of four is the latest */
    const struct bin_pool_slot *s = &r->slots[i];
    if (s->position) bin_recent_enter(&wider, bin_recent_slots(&wider, s->hash), s->position - 1, s->hash);
  }
  if (r->slots) alloc(ud, r->slots, r->room * sizeof *r->slots, 0);
  *r = wider;
  return 1;
}

/* Clears the table. It must begin small again, because what is found depends on its size, and the same document must
** give the same bytes. */
static void bin_recent_clear(struct bin_recent *r, fl_alloc alloc, void *ud) {
  if (r->room > BIN_RECENT_FIRST) bin_recent_free(r, alloc, ud);
  else if (r->count) memset(r->slots, 0, r->room * sizeof *r->slots);
  r->count = 0;
}

FL_INLINE void *bin_free_array(struct bin_encoder *e, void *block, size_t bytes) {
  if (block) e->out.alloc(e->out.alloc_ud, block, bytes, 0);
  return NULL;
}

FL_PRIVATE void bin_encoder_free(struct bin_encoder *e) {
  buf_free(&e->out);
  e->w = NULL;
  e->items = (struct bin_item *)bin_free_array(e, e->items, e->items_room * sizeof *e->items);
  e->open = (struct bin_open *)bin_free_array(e, e->open, e->open_room * sizeof *e->open);
  e->pairs = (struct bin_pair *)bin_free_array(e, e->pairs, e->pairs_room * sizeof *e->pairs);
  e->orders = (struct bin_order *)bin_free_array(e, e->orders, BIN_ORDERS * sizeof *e->orders);
  bin_pool_free(&e->pool, e->out.alloc, e->out.alloc_ud);
  bin_recent_free(&e->numbers, e->out.alloc, e->out.alloc_ud);
  bin_recent_free(&e->lists, e->out.alloc, e->out.alloc_ud);
  e->count = e->items_room = e->depth = e->open_room = e->pairs_room = 0;
}

/* Begins another document: no order is known. */
FL_INLINE void bin_forget_orders(struct bin_encoder *e) {
  if (FL_LIKELY(++e->document != 0)) return;
  if (e->orders) memset(e->orders, 0, BIN_ORDERS * sizeof *e->orders);
  e->document = 1;
}

FL_PRIVATE void bin_encoder_reset(struct bin_encoder *e) {
  e->w = e->out.begin;
  e->count = e->depth = 0;
  e->values = e->names = e->texts = e->names_again = 0;
  e->error = BIN_ERROR_NONE;
  e->newest = 0;
  bin_forget_orders(e);
  bin_recent_clear(&e->numbers, e->out.alloc, e->out.alloc_ud);
  bin_recent_clear(&e->lists, e->out.alloc, e->out.alloc_ud);
  bin_pool_clear(&e->pool, e->out.alloc, e->out.alloc_ud);
  bin_pool_begin_window(&e->pool, e->compact ? BIN_POOL_WINDOW : SIZE_MAX, 0);
}

FL_PRIVATE_NOINLINE int bin_end_window_(struct bin_encoder *e) {
  struct bin_pool *const p = &e->pool;
  const uint32_t here = bin_position(e);
  if (!p->since || p->far * BIN_POOL_FAR >= 2 * (uint64_t)(here - p->since)) {
    bin_pool_begin_window(p, p->window, here);
    return 1;
  }
  bin_pool_free(p, e->out.alloc, e->out.alloc_ud);
  p->generation++;
  e->slot = NULL;
  bin_pool_begin_window(p, BIN_POOL_WINDOW_NEXT, 0);
  return bin_pool_resize_(p, e->out.alloc, e->out.alloc_ud, BIN_POOL_NEXT) || bin_fail(e, BIN_ERROR_MEMORY);
}

FL_PRIVATE_NOINLINE void bin_count_far_(struct bin_encoder *e, size_t n) {
  const struct bin_open *o = e->depth ? &e->open[e->depth - 1] : NULL;
  const int is_key = o && o->is_dict && (e->count - o->first) % 2 == 0;
  if (!is_key && n >= BIN_POOL_SAVES) e->pool.far += n;
}

FL_PRIVATE_NOINLINE int bin_fail(struct bin_encoder *e, enum bin_error error) {
  FL_ASSERT(error != BIN_ERROR_NONE || e->error);
  if (!e->error) e->error = error;
  return 0;
}

FL_PRIVATE_NOINLINE int bin_grow_(struct bin_encoder *e, void **array, size_t *room, size_t need, size_t member) {
  size_t more = *room ? 2 * *room : BIN_FIRST_ITEMS;
  while (more < need) more *= 2;
  if (more > SIZE_MAX / 4 / member) return bin_fail(e, BIN_ERROR_MEMORY);
  void *block = e->out.alloc(e->out.alloc_ud, *array, *room * member, more * member);
  if (!block) return bin_fail(e, BIN_ERROR_MEMORY);
  *array = block;
  *room = more;
  return 1;
}

FL_PRIVATE void bin_presize(struct bin_encoder *e, size_t n) {
  size_t room = BIN_POOL_FIRST;
  char *w = e->out.extend ? NULL : buf_reserve(&e->out, e->w, n / 2);
  if (w) e->w = w;
  while (room < n / BIN_TEXT_PER_ENTRY && room < 4 * BIN_POOL_WINDOW) room *= 2;
  if (room > e->pool.room && (e->compact || e->pooled_most[0]))
    (void)bin_pool_resize_(&e->pool, e->out.alloc, e->out.alloc_ud, room);
}

FL_PRIVATE_NOINLINE int bin_spend_text_(struct bin_encoder *e, size_t n) {
  const uint64_t texts = e->texts + bin_text_values(n);
  if (texts > BIN_TEXT_SPREAD_LEAST + BIN_TEXT_SPREAD * (uint64_t)bin_end_offset(e)) return 0;
  e->texts = texts;
  return 1;
}

FL_PRIVATE int bin_put_number_bytes(struct bin_encoder *e, const uint8_t *bytes, size_t size) {
  const unsigned high = size < 10 ? 0 : (unsigned)bin_little(bytes + 8, 2);
  return bin_put_number(e, bin_little(bytes, size < 8 ? (unsigned)size : 8), high, (unsigned)size);
}

/* Puts 4 bytes; the first byte tells whether the value was a float or a double. */
static int bin_put_float_bytes(struct bin_encoder *e, float f, unsigned first_byte) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bin_put_number(e, (uint64_t)bits << 16 | first_byte, 0, 6);
}

FL_PRIVATE int bin_put_float(struct bin_encoder *e, float f) {
  return f != f ? bin_fail(e, BIN_ERROR_NAN) : bin_put_float_bytes(e, f, BIN_TAG_FLOAT << 4);
}

/* A float has no more than 24 of a double's 53 bits, which most doubles need: their low 29 bits are looked at first. */
FL_PRIVATE int bin_put_double(struct bin_encoder *e, double d) {
  const uint64_t bits = num_bits(d);
  if (FL_UNLIKELY(d != d)) return bin_fail(e, BIN_ERROR_NAN);
  if (bits << 35 == 0 && d >= -3.4028234663852886e38 && d <= 3.4028234663852886e38 &&
      bits == num_bits((double)(float)d))
    return bin_put_float_bytes(e, (float)d, BIN_TAG_FLOAT << 4 | 4);
  return bin_put_number(e, bits << 16 | BIN_TAG_FLOAT << 4 | BIN_EIGHT_BYTES, (unsigned)(bits >> 48), 10);
}

/* Returns the bytes of a key that is a string, or NULL for a small integer. `byte`: room for a string that is inside
** the item. */
FL_INLINE const char *bin_item_text(const struct bin_encoder *e, struct bin_item key, size_t *n, char *byte) {
  if (FL_LIKELY(bin_item_points(key))) return bin_bytes(bin_value_at(e, bin_item_position(key)), n);
  if (key.word >> 28 != BIN_TAG_STRING) return NULL;
  *n = key.word >> 24 & 15;
  *byte = (char)(key.word >> 16);
  return byte;
}

FL_INLINE uint64_t bin_item_prefix(const struct bin_encoder *e, struct bin_item key) {
  size_t n;
  char byte;
  const char *s = bin_item_text(e, key, &n, &byte);
  if (!s || n == 0) return 0;
  if (FL_UNLIKELY(s == &byte)) return (uint64_t)(uint8_t)byte << 56;
  if (n >= 8) return bin_big64((bin_value)s);
  /* Eight bytes can be read from a short string in the output, but maybe not from one at the end of the base. */
  if (FL_UNLIKELY(e->base_n > 0) && (bin_value)s < e->base + e->base_n && (bin_value)s >= e->base)
    return bin_prefix(s, n);
  return bin_big64((bin_value)s) & ~(UINT64_MAX >> 8 * n); /* the buffer has slack after its last byte */
}

/* Compares keys (docs/format.md, "dicts"): small integers by number, then strings by their bytes. */
FL_NOINLINE int bin_pair_order_(const struct bin_encoder *e, const struct bin_pair *a, const struct bin_pair *b) {
  size_t an, bn;
  char abyte, bbyte;
  const char *as = bin_item_text(e, a->key, &an, &abyte), *bs = bin_item_text(e, b->key, &bn, &bbyte);
  if (as && bs) return bin_compare_bytes(as, an, bs, bn);
  if (as || bs) return as ? 1 : -1;
  return (int)((a->key.word >> 16 ^ 0x800) & 0xfff) - (int)((b->key.word >> 16 ^ 0x800) & 0xfff);
}

FL_INLINE int bin_pair_order(const struct bin_encoder *e, const struct bin_pair *a, const struct bin_pair *b) {
  if (FL_LIKELY(a->prefix != b->prefix)) return a->prefix < b->prefix ? -1 : 1;
  return bin_pair_order_(e, a, b);
}

/* Stable. */
FL_INLINE void bin_insertion_sort(const struct bin_encoder *e, struct bin_pair *p, size_t n) {
  size_t i, j;
  for (i = 1; i < n; i++) {
    const struct bin_pair x = p[i];
    for (j = i; j > 0 && bin_pair_order(e, &p[j - 1], &x) > 0; j--) p[j] = p[j - 1];
    p[j] = x;
  }
}

#define MERGE_NAME bin_pairs_merge
#define MERGE_TYPE struct bin_pair
#define MERGE_CONTEXT const struct bin_encoder *
#define MERGE_IS_AFTER(encoder, a, b) (bin_pair_order(encoder, a, b) > 0)
#include "../../base/merge_template.h"

/* Merges sorted runs of 16, stably; the result is in `p`. */
FL_NOINLINE void bin_merge_sort_(const struct bin_encoder *e, struct bin_pair *p, size_t n, struct bin_pair *scratch) {
  enum { RUN = 16 };
  const struct bin_pair *sorted;
  size_t i;
  for (i = 0; i < n; i += RUN) bin_insertion_sort(e, p + i, n - i < RUN ? n - i : RUN);
  sorted = bin_pairs_merge(e, p, scratch, n, RUN);
  if (sorted != p) memcpy(p, sorted, n * sizeof *p);
}

/* Keeps the last of pairs with the same key, like decoders. Returns the number of pairs left. */
static size_t bin_drop_duplicates(struct bin_encoder *e, struct bin_pair *p, size_t n) {
  size_t i, kept = 0;
  for (i = 0; i < n; i++) {
    if (i + 1 < n && p[i].prefix == p[i + 1].prefix && bin_pair_order_(e, &p[i], &p[i + 1]) == 0) continue;
    p[kept++] = p[i];
  }
  e->dropped |= kept < n;
  return kept;
}

/* Returns whether two scalars out of line have the same bytes. */
static int bin_same_scalar(bin_value a, bin_value b) {
  size_t an, bn;
  const char *as, *bs;
  if (a[0] != b[0] || bin_is_collection(a)) return 0;
  if (bin_tag(a) == BIN_TAG_INTEGER) return memcmp(a, b, 2 + (a[0] & 7u)) == 0;
  if (bin_tag(a) == BIN_TAG_FLOAT) return memcmp(a, b, a[0] & BIN_EIGHT_BYTES ? 10 : 6) == 0;
  as = bin_bytes(a, &an), bs = bin_bytes(b, &bn);
  return an == bn && memcmp(as, bs, an) == 0;
}

FL_PRIVATE_NOINLINE void bin_alloc_orders_(struct bin_encoder *e) {
  e->orders = (struct bin_order *)e->out.alloc(e->out.alloc_ud, NULL, 0, BIN_ORDERS * sizeof *e->orders);
  if (e->orders) memset(e->orders, 0, BIN_ORDERS * sizeof *e->orders);
}

FL_PRIVATE_NOINLINE int bin_is_key_again_(const struct bin_encoder *e, uint32_t known, struct bin_item key) {
  return (known & key.word & BIN_ITEM_POINTER) &&
         bin_same_scalar(bin_value_at(e, known & ~BIN_ITEM_POINTER), bin_value_at(e, bin_item_position(key)));
}

FL_PRIVATE_NOINLINE void bin_sort_pairs_(struct bin_encoder *e, struct bin_item *items, size_t n, struct bin_order *o,
                                         size_t *left) {
  enum { SHORT = 24 };
  struct bin_pair *p = e->pairs;
  size_t i;
  int sorted = 1;
  FL_ASSERT(2 * n <= e->pairs_room && *left == n);
  for (i = 0; i < n; i++) {
    p[i].prefix = bin_item_prefix(e, items[2 * i]);
    p[i].key = items[2 * i];
    p[i].value = items[2 * i + 1];
    p[i].from = (uint32_t)i;
    sorted &= i == 0 || p[i - 1].prefix < p[i].prefix;
    if (o) o->words[i] = items[2 * i].word;
  }
  if (!sorted) {
    if (n <= SHORT) bin_insertion_sort(e, p, n);
    else bin_merge_sort_(e, p, n, p + n);
    if (e->drops_duplicates) *left = bin_drop_duplicates(e, p, n);
  }
  for (i = 0; i < *left; i++) {
    items[2 * i] = p[i].key;
    items[2 * i + 1] = p[i].value;
    if (o) o->from[i] = (uint8_t)p[i].from;
  }
  if (!o) return;
  o->document = e->document;
  o->n = *left == n ? (uint32_t)n : 0;
}

FL_INLINE void bin_store32(uint8_t *w, uint32_t x) { bin_store16(w, x >> 16), bin_store16(w + 2, x); }

FL_PRIVATE int bin_holds_items(const struct bin_encoder *e, bin_value v, const struct bin_item *items, size_t n,
                               int is_dict) {
  if (bin_tag(v) != (unsigned)(is_dict ? BIN_TAG_DICT : BIN_TAG_ARRAY)) return 0;
  struct bin_list l = bin_list_of(v);
  if (((size_t)l.count << is_dict) != n) return 0;
  for (size_t i = 0; i < n; i++) {
    bin_value item = l.first + i * l.width, mine;
    if (!bin_item_points(items[i])) {
      if (bin_big16(item) != items[i].word >> 16) return 0;
      continue;
    }
    if (!bin_is_pointer(item)) return 0;
    item -= l.width == 2 ? bin_narrow_offset(item) : bin_wide_offset(item);
    mine = bin_value_at(e, bin_item_position(items[i]));
    if (item != mine && !bin_same_scalar(item, mine)) return 0;
  }
  return 1;
}

/* Returns the size of a scalar out of line. */
static size_t bin_scalar_size(bin_value v) {
  size_t n;
  FL_ASSERT(!bin_is_collection(v) && !bin_is_pointer(v));
  switch (bin_tag(v)) {
  case BIN_TAG_INTEGER: n = 2 + (v[0] & 7u); break;
  case BIN_TAG_FLOAT: n = v[0] & BIN_EIGHT_BYTES ? 10 : 6; break;
  default: {
    const char *s = bin_bytes(v, &n);
    n += (size_t)((bin_value)s - v);
  }
  }
  return (n + 1) & ~(size_t)1;
}

FL_INLINE int bin_is_any_number(bin_value v) { return v[0] < BIN_NULL; }

/* Returns the slot with the latest copy of the string or data at v, or NULL if the table has lost it. */
static struct bin_pool_slot *bin_find_scalar(const struct bin_encoder *e, bin_value v, uint32_t hash) {
  const size_t mask = e->pool.room - 1;
  size_t at = hash & mask, probes;
  for (probes = 0; probes < BIN_POOL_PROBES && e->pool.slots[at].position; at = (at + 1) & mask, probes++) {
    struct bin_pool_slot *slot = &e->pool.slots[at];
    bin_value other = bin_value_at(e, slot->position - 1);
    if (slot->hash == hash && (other == v || bin_same_scalar(other, v))) return slot;
  }
  return NULL;
}

/* Writes the number, string or data of an item again, unless an earlier item did. The pool then has the new copy of a
** string or data. */
FL_NOINLINE int bin_copy_scalar_here_(struct bin_encoder *e, struct bin_item *item) {
  const size_t size = bin_scalar_size(bin_value_at(e, bin_item_position(*item)));
  if (!bin_reserve(e, size)) return 0;
  const bin_value v = bin_value_at(e, bin_item_position(*item));
  if (!bin_is_any_number(v)) {
    struct bin_pool_slot *slot = bin_find_scalar(e, v, item->hash);
    if (slot && slot->position - 1 != bin_item_position(*item)) {
      item->word = (slot->position - 1) | BIN_ITEM_POINTER;
      return 1;
    }
    if (slot) slot->position = bin_position(e) + 1;
  }
  memcpy(e->w, v, size);
  item->word = bin_position(e) | BIN_ITEM_POINTER;
  e->w += size;
  return 1;
}

FL_INLINE int bin_is_far(struct bin_item item, size_t here, size_t reach) {
  return bin_item_points(item) && here - 2 * (size_t)bin_item_position(item) > reach;
}

FL_PRIVATE_NOINLINE int bin_copy_far_items_(struct bin_encoder *e, struct bin_item *items, size_t n, int is_dict) {
  const size_t here = bin_end_offset(e); /* fixed, so that items do not become far while others are written */
  size_t i, bytes = 0, names = 0, reach = BIN_NARROW_REACH - 8;
  if (4 * n + 1024 >= reach) return 1;
  reach -= 4 * n + 1024; /* minus the items themselves, and what is written again before them */
  for (i = 0; i < n; i++) {
    if (!bin_is_far(items[i], here, reach)) continue;
    const bin_value v = bin_value_at(e, bin_item_position(items[i]));
    if (!bin_is_collection(v) && !bin_is_any_number(v)) {
      const struct bin_pool_slot *slot = bin_find_scalar(e, v, items[i].hash);
      if (slot && slot->position - 1 != bin_item_position(items[i])) {
        items[i].word = (slot->position - 1) | BIN_ITEM_POINTER;
        if (!bin_is_far(items[i], here, reach)) continue;
      }
    }
    if (bin_is_collection(v)) return 1;
    *(is_dict && i % 2 == 0 ? &names : &bytes) += bin_scalar_size(v);
    if (bytes >= 2 * n) return 1;
  }
  if (e->names_again + names > here / 4 && bytes + names >= 2 * n) return 1;
  e->names_again += names;
  for (i = 0; i < n; i++)
    if (bin_is_far(items[i], here, reach) && !bin_copy_scalar_here_(e, &items[i])) return 0;
  return 1;
}

FL_INLINE uint32_t bin_extern_flag(const struct bin_encoder *e, uint32_t position) {
  return FL_UNLIKELY(e->is_extern) && 2 * (size_t)position < e->base_n;
}

FL_PRIVATE_NOINLINE int bin_write_any_items_(struct bin_encoder *e, const struct bin_item *items, size_t n, int is_dict,
                                             int wide, uint32_t *out) {
  const size_t count = is_dict ? n / 2 : n;
  uint8_t *w, *header;
  if (FL_UNLIKELY(count > UINT32_MAX) || !bin_reserve(e, 4 * n + 16)) return bin_fail(e, BIN_ERROR_MEMORY);
  *out = bin_position(e);
  w = header = (uint8_t *)e->w;
  w += 2;
  if (FL_UNLIKELY(count >= BIN_LONG_COUNT)) {
    w = bin_put_varint(w, (uint32_t)(count - BIN_LONG_COUNT));
    *w = 0;
    w += (w - header) & 1;
  }
  uint32_t here = *out + (uint32_t)((w - header) / 2);
  for (size_t i = 0; i < n && !wide; i++)
    wide = bin_item_points(items[i]) && here + (uint32_t)i - bin_item_position(items[i]) > BIN_NARROW_REACH / 2;
  bin_store16(header, bin_header(count, is_dict, wide));
  e->w = (char *)w + (n << wide) * 2;
  if (FL_LIKELY(wide)) {
    for (size_t i = 0; i < n; i++, w += 4, here += 2) {
      const uint32_t word = items[i].word, p = bin_item_position(items[i]);
      if (bin_item_points(items[i]) && FL_UNLIKELY(here - p > BIN_WIDE_REACH / 2)) return bin_fail(e, BIN_ERROR_REACH);
      bin_store32(w, bin_item_points(items[i]) ? BIN_ITEM_POINTER | bin_extern_flag(e, p) << 30 | (here - p) : word);
    }
  } else {
    for (size_t i = 0; i < n; i++, w += 2, here++) {
      const uint32_t word = items[i].word, p = bin_item_position(items[i]);
      bin_store16(w, bin_item_points(items[i]) ? 0x8000 | bin_extern_flag(e, p) << 14 | (here - p) : word >> 16);
    }
  }
  return bin_is_short(e);
}

FL_PRIVATE int bin_end_empty(struct bin_encoder *e) {
  const struct bin_open *o = &e->open[e->depth - 1];
  const int is_dict = o->is_dict;
  const uint32_t position = bin_position(e);
  FL_ASSERT(e->depth > 0 && e->count == o->first);
  if (!bin_reserve(e, 2)) return 0;
  bin_store16((uint8_t *)e->w, bin_header(0, is_dict, 0));
  e->w += 2;
  e->newest = position + 1;
  e->depth--;
  return bin_push_pointer(e, position, 0);
}

FL_PRIVATE int bin_end(struct bin_encoder *e) { return bin_end_collection(e, 0); }

FL_PRIVATE int bin_finish(struct bin_encoder *e) {
  if (e->depth) return bin_fail(e, BIN_ERROR_STATE_OPEN);
  if (e->count == 0) return bin_fail(e, BIN_ERROR_STATE_EMPTY);
  if (e->count > 1) return bin_fail(e, BIN_ERROR_STATE_TWO);
  if (!bin_reserve(e, 8)) return 0;
  struct bin_item root = e->items[0];
  if (bin_item_points(root)) {
    const uint32_t p = bin_item_position(root), back = bin_position(e) - p, mark = bin_extern_flag(e, p);
    if (back > BIN_WIDE_REACH / 2) return bin_fail(e, BIN_ERROR_REACH);
    if (back > BIN_NARROW_REACH / 2) {
      bin_store32((uint8_t *)e->w, BIN_ITEM_POINTER | mark << 30 | back);
      bin_store16((uint8_t *)e->w + 4, 0x8002);
      e->w += 6;
      return 1;
    }
    bin_store16((uint8_t *)e->w, 0x8000 | mark << 14 | back);
  } else {
    bin_store16((uint8_t *)e->w, root.word >> 16);
  }
  e->w += 2;
  return 1;
}
