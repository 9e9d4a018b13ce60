/* SPDX-License-Identifier: MIT
** encode.h -- writes a document bottom-up: values arrive in the order of JSON, a collection is written when it ends.
** Must hold: a function that returns 0 has set e->error, and nothing more can be written. The calls are in a valid
** order (checked.h tests it). bin_encoder_free frees the memory. No recursion.
** Three modes. `compatible` writes the same bytes as the reference: it shares strings of 2 to 15 bytes within the reach
** of a narrow pointer. `compact` writes everything that takes more than two bytes once, even collections of equal
** content, unless a second copy nearby is shorter than the wide pointers that it saves. `fast` shares only names.
** Positions are counted from the start of the base document (base_n bytes long, 0 without one) in units of two
** bytes. */
#pragma once

#include "../../base/buffer.h"
#include "../../text/page_read.h"
#include "../read/errors.h"
#include "pool.h"
#include "../read/read.h"

/* An item of an open collection: an inline value, its first byte highest, or, with BIN_ITEM_POINTER, the position of a
** value. The hash is that of the content. */
struct bin_item {
  uint32_t word, hash;
};
#define BIN_ITEM_POINTER UINT32_C(0x80000000)

struct bin_open {
  size_t first;   /* index of its first item */
  uint32_t begin; /* position where it began */
  uint8_t is_dict, wide;
  uint16_t mark; /* for the caller; initially 0 */
};

/* A pair during sorting. prefix: the first bytes of the key, big-endian. */
struct bin_pair {
  uint64_t prefix;
  struct bin_item key, value;
  uint32_t from; /* its index before sorting */
};

/* A remembered permutation: how the pairs of a dict were sorted. The next dict with the same keys in the same order
** need not be sorted. */
enum { BIN_ORDERS = 64, BIN_ORDER_PAIRS = 48 };

struct bin_order {
  uint32_t document;               /* number of the document it is valid for */
  uint32_t n;                      /* number of pairs */
  uint32_t words[BIN_ORDER_PAIRS]; /* of the keys' items */
  uint8_t from[BIN_ORDER_PAIRS];   /* index of each sorted pair before sorting */
};

enum {
  BIN_POOLED_LEAST = 2,
  BIN_POOLED_MOST = 15,                           /* longest strings that the reference shares, in bytes, */
  BIN_POOLED_REACH = BIN_NARROW_REACH - 32,       /* and their distance */
  BIN_SHARED_REACH = BIN_NARROW_REACH - 4 * 1024, /* equal collections are always shared up to this distance */
  BIN_SPREAD = 16,                 /* values for each byte up to which collections are shared: see BIN_EXPANSION */
  BIN_TEXT_SPREAD = 32,            /* the same for values that long texts count as, */
  BIN_TEXT_SPREAD_LEAST = 1 << 23, /* and for any document */
  BIN_KEY_SPACE = 16,              /* in a hash's seed; greater than all tags */
  BIN_FIRST_ITEMS = 256,
  BIN_NUMBERS = 8 * 1024, /* slots for numbers, and */
  BIN_LISTS = 16 * 1024,  /* for collections; only the latest are remembered */
  BIN_TEXT_PER_ENTRY = 32 /* estimated bytes of JSON for each pooled string or collection */
};

enum bin_mode { BIN_COMPACT, BIN_COMPATIBLE, BIN_FAST, BIN_MODES };

struct bin_encoder {
  struct buffer out;
  char *w; /* end of the output; even between two calls */
  struct bin_item *items;
  size_t count, items_room;
  struct bin_open *open;
  size_t depth, open_room;
  size_t max_depth; /* for copied collections */
  struct bin_pair *pairs;
  size_t pairs_room;
  struct bin_order *orders; /* BIN_ORDERS of them, or NULL */
  uint32_t document;        /* its number, for `orders` */
  struct bin_pool pool;
  struct bin_recent numbers, lists;
  uint32_t newest; /* position after the last new string or collection */
  uint64_t seed;
  uint64_t values;            /* values in the collections that ended; */
  uint64_t names;             /* the names among them */
  uint64_t texts;             /* bin_text_values of all shared uses of long strings */
  size_t names_again;         /* bytes of names that were written again to be near */
  struct bin_pool_slot *slot; /* slot of the last string out of line; NULL if it is not pooled */
  size_t pooled_most[2];      /* longest strings that are shared, in bytes: values, keys; compact shares all */
  enum bin_mode mode;
  uint8_t compact;          /* mode == BIN_COMPACT */
  uint8_t drops_duplicates; /* write only the last of members with the same name; by default unless compatible */
  uint8_t dropped;          /* set when one was dropped */
  uint8_t is_extern;        /* pointers into the base are marked */
  struct bin_keys *keys;
  const uint8_t *base;
  size_t base_n;
  size_t layers; /* nesting of changed collections written after the base */
  enum bin_error error;
};

/* Settings for documents that are read once and need not be small: only names, which repeat, are shared. */
FL_INLINE void bin_pool_keys(struct bin_encoder *e) {
  e->pooled_most[0] = 0;
  e->pooled_most[1] = SIZE_MAX;
}

/* Sets what is pooled, and how duplicates are handled, by the mode. */
FL_INLINE void bin_pool_by_mode(struct bin_encoder *e) {
  e->drops_duplicates = e->mode != BIN_COMPATIBLE;
  e->pooled_most[0] = e->pooled_most[1] = BIN_POOLED_MOST;
  if (e->mode == BIN_FAST) bin_pool_keys(e);
}

FL_INLINE void bin_encoder_init(struct bin_encoder *e, fl_alloc alloc, void *alloc_ud, enum bin_mode mode) {
  memset(e, 0, sizeof *e);
  buf_init(&e->out, alloc, alloc_ud);
  e->mode = mode;
  e->compact = mode == BIN_COMPACT;
  e->max_depth = SIZE_MAX;
  bin_pool_by_mode(e);
  e->numbers.most = BIN_NUMBERS;
  e->lists.most = BIN_LISTS;
  bin_pool_begin_window(&e->pool, e->compact ? BIN_POOL_WINDOW : SIZE_MAX, 0);
  e->seed = e->compact ? 0 : (uint64_t)(uintptr_t)e * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)alloc_ud;
}

/* Frees all memory but keeps the settings. */
FL_PRIVATE void bin_encoder_free(struct bin_encoder *e);

/* Returns the bytes of memory kept for the next document, without the output buffer. */
FL_INLINE size_t bin_encoder_memory(const struct bin_encoder *e) {
  return e->items_room * sizeof *e->items + e->open_room * sizeof *e->open + e->pairs_room * sizeof *e->pairs +
         (e->orders ? BIN_ORDERS * sizeof *e->orders : 0) +
         (e->pool.room + e->numbers.room + e->lists.room) * sizeof *e->pool.slots;
}

/* Begins the next document, keeping memory and settings. */
FL_PRIVATE void bin_encoder_reset(struct bin_encoder *e);
FL_PRIVATE_NOINLINE int bin_fail(struct bin_encoder *e, enum bin_error error);

/* Doubles the room of an array of the encoder, to at least `need` elements. */
FL_PRIVATE_NOINLINE int bin_grow_(struct bin_encoder *e, void **array, size_t *room, size_t need, size_t member);

/* Makes room for n more bytes of output. */
FL_INLINE int bin_reserve(struct bin_encoder *e, size_t n) {
  char *w = buf_reserve(&e->out, e->w, n);
  if (FL_UNLIKELY(!w)) return bin_fail(e, BIN_ERROR_MEMORY);
  e->w = w;
  return 1;
}

/* Allocates at once, if possible, for about n bytes of JSON, instead of in steps. */
FL_PRIVATE void bin_presize(struct bin_encoder *e, size_t n);

FL_INLINE size_t bin_end_offset(const struct bin_encoder *e) { return e->base_n + (size_t)(e->w - e->out.begin); }

/* Tests the length after each value out of line, so that a document that becomes too long is refused early. */
FL_INLINE int bin_is_short(struct bin_encoder *e) {
  return FL_LIKELY(bin_end_offset(e) <= BIN_WIDE_REACH) || bin_fail(e, BIN_ERROR_REACH);
}

FL_INLINE uint32_t bin_position(const struct bin_encoder *e) { return (uint32_t)(bin_end_offset(e) / 2); }

FL_INLINE bin_value bin_value_at(const struct bin_encoder *e, uint32_t position) {
  const size_t at = 2 * (size_t)position;
  FL_ASSERT(at < bin_end_offset(e));
  return FL_LIKELY(at >= e->base_n) ? (bin_value)e->out.begin + (at - e->base_n) : e->base + at;
}

FL_INLINE uint32_t bin_item_position(struct bin_item i) { return i.word & ~BIN_ITEM_POINTER; }

FL_INLINE int bin_item_points(struct bin_item i) { return (i.word & BIN_ITEM_POINTER) != 0; }

FL_INLINE int bin_push(struct bin_encoder *e, uint32_t word, uint32_t hash) {
  if (FL_UNLIKELY(e->count == e->items_room) &&
      !bin_grow_(e, (void **)&e->items, &e->items_room, e->count + 1, sizeof *e->items))
    return 0;
  e->items[e->count].word = word;
  e->items[e->count++].hash = hash;
  return 1;
}

FL_INLINE int bin_push_inline(struct bin_encoder *e, uint32_t word) {
  return bin_push(e, word, word * UINT32_C(0x9e3779b1) ^ word >> 16);
}

FL_INLINE int bin_push_pointer(struct bin_encoder *e, uint32_t position, uint32_t hash) {
  FL_ASSERT(2 * (size_t)position < bin_end_offset(e));
  return bin_push(e, position | BIN_ITEM_POINTER, hash);
}

FL_INLINE int bin_same_bytes(const char *a, const char *b, size_t n) {
  FL_ASSERT(n >= 2 && n < 16);
  if (n >= 8) return ((fl_load64(a) ^ fl_load64(b)) | (fl_load64(a + n - 8) ^ fl_load64(b + n - 8))) == 0;
  if (n >= 4) return ((fl_load32(a) ^ fl_load32(b)) | (fl_load32(a + n - 4) ^ fl_load32(b + n - 4))) == 0;
  return ((fl_load16(a) ^ fl_load16(b)) | (fl_load16(a + n - 2) ^ fl_load16(b + n - 2))) == 0;
}

FL_INLINE int bin_holds_bytes(bin_value v, unsigned tag, const char *s, size_t n) {
  size_t length;
  if (FL_LIKELY(n < BIN_LONG_LENGTH)) return v[0] == (tag << 4 | n) && bin_same_bytes((const char *)v + 1, s, n);
  if (v[0] != (tag << 4 | BIN_LONG_LENGTH)) return 0;
  const char *bytes = bin_bytes(v, &length);
  return length == n && memcmp(bytes, s, n) == 0;
}

/* Returns the slot of a string or data, or a free one for it. */
FL_INLINE struct bin_pool_slot *bin_find_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n,
                                               uint32_t hash) {
  const size_t mask = e->pool.room - 1;
  size_t at = hash & mask, probes = e->compact ? BIN_POOL_PROBES : SIZE_MAX;
  FL_ASSERT(e->pool.count < e->pool.room);
  for (;; at = (at + 1) & mask) {
    struct bin_pool_slot *slot = &e->pool.slots[at];
    if (slot->position == 0) return slot;
    if (slot->hash == hash && bin_holds_bytes(bin_value_at(e, slot->position - 1), tag, s, n)) return slot;
    if (FL_UNLIKELY(--probes == 0)) {
      slot->position = 0;
      e->pool.generation++;
      return slot;
    }
  }
}

FL_INLINE void bin_pool_enter(struct bin_encoder *e, struct bin_pool_slot *slot, uint32_t position, uint32_t hash) {
  e->pool.count += slot->position == 0;
  slot->hash = hash;
  slot->position = position + 1;
}

FL_INLINE int bin_write_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n) {
  if (FL_UNLIKELY(n > BIN_WIDE_REACH)) return bin_fail(e, BIN_ERROR_REACH);
  if (!bin_reserve(e, n + 8)) return 0;
  uint8_t *w = (uint8_t *)e->w;
  if (FL_LIKELY(n < BIN_LONG_LENGTH)) {
    *w++ = (uint8_t)(tag << 4 | n);
  } else {
    *w++ = (uint8_t)(tag << 4 | BIN_LONG_LENGTH);
    w = bin_put_varint(w, (uint32_t)n);
  }
  if (FL_LIKELY(n <= 32) && text_is_readable(s, 32)) memcpy(w, s, 32); /* the buffer has slack */
  else memcpy(w, s, n);
  w += n;
  *w = 0;
  e->w = (char *)w + ((w - (uint8_t *)e->out.begin) & 1);
  return bin_is_short(e);
}

FL_INLINE int bin_is_in_reach(const struct bin_encoder *e, uint32_t position) {
  return e->compact || bin_end_offset(e) - 2 * (size_t)position <= BIN_POOLED_REACH ||
         (e->depth && e->open[e->depth - 1].wide);
}

/* Returns whether a string or data of n bytes, at least BIN_POOLED_LEAST, is pooled in this mode. */
FL_INLINE int bin_is_pooled(const struct bin_encoder *e, unsigned tag, int is_key, size_t n) {
  return e->compact || (n <= e->pooled_most[is_key] && tag == BIN_TAG_STRING);
}

/* Returns the seed for the hash of a string or data. Compact documents pool the same string separately as a key and as
** a value. */
FL_INLINE uint64_t bin_seed(const struct bin_encoder *e, unsigned tag, int is_key) {
  return e->seed + tag + (is_key && e->compact ? BIN_KEY_SPACE : 0);
}

/* Puts a string or data of at most one byte, which fits into the slot. */
FL_INLINE int bin_put_inline_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n) {
  return bin_push_inline(e, tag << 28 | (uint32_t)n << 24 | (n ? (uint32_t)(uint8_t)*s << 16 : 0));
}

/* Returns whether a string or data of n bytes may be pointed to once more. Otherwise it is written again, which allows
** BIN_TEXT_SPREAD * BIN_TEXT_VALUE more uses, so that the document passes binary/check/check.h. */
FL_PRIVATE_NOINLINE int bin_spend_text_(struct bin_encoder *e, size_t n);

/* Ends a window of the pool. */
FL_PRIVATE_NOINLINE int bin_end_window_(struct bin_encoder *e);

/* Counts that a value of n bytes from before the window was used again. A key is not counted: it is put when its dict
** has an even number of items, so the fast path need not keep that it is one. */
FL_PRIVATE_NOINLINE void bin_count_far_(struct bin_encoder *e, size_t n);

FL_INLINE int bin_put_shared_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n, uint32_t hash) {
  struct bin_pool_slot *slot;
  if (!bin_pool_reserve(&e->pool, e->out.alloc, e->out.alloc_ud)) return bin_fail(e, BIN_ERROR_MEMORY);
  e->slot = slot = bin_find_bytes(e, tag, s, n, hash);
  if (slot->position && bin_is_in_reach(e, slot->position - 1) &&
      (FL_LIKELY(n < BIN_LONG_TEXT) || bin_spend_text_(e, n))) {
    if (FL_UNLIKELY(slot->position <= e->pool.since)) bin_count_far_(e, n);
    return bin_push_pointer(e, slot->position - 1, hash);
  }
  const uint32_t position = bin_position(e);
  if (!bin_write_bytes(e, tag, s, n)) return 0;
  bin_pool_enter(e, slot, position, hash);
  if (FL_UNLIKELY(e->pool.count >= e->pool.due) && !bin_end_window_(e)) return 0;
  e->newest = position + 1;
  return bin_push_pointer(e, position, hash);
}

/* Puts a string or data that is not pooled. */
FL_INLINE int bin_put_unshared_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n) {
  const uint32_t position = bin_position(e);
  e->slot = NULL;
  if (!bin_write_bytes(e, tag, s, n)) return 0;
  e->newest = position + 1;
  return bin_push_pointer(e, position, 0);
}

FL_INLINE int bin_put_pooled(struct bin_encoder *e, unsigned tag, int is_key, const char *s, size_t n) {
  if (n < BIN_POOLED_LEAST) return bin_put_inline_bytes(e, tag, s, n);
  if (!bin_is_pooled(e, tag, is_key, n)) return bin_put_unshared_bytes(e, tag, s, n);
  return bin_put_shared_bytes(e, tag, s, n, bin_hash(s, n, bin_seed(e, tag, is_key)));
}

FL_INLINE int bin_put_bytes(struct bin_encoder *e, unsigned tag, const char *s, size_t n) {
  return bin_put_pooled(e, tag, 0, s, n);
}

FL_INLINE int bin_put_string(struct bin_encoder *e, const char *s, size_t n) {
  return bin_put_bytes(e, BIN_TAG_STRING, s, n);
}

FL_INLINE int bin_put_data(struct bin_encoder *e, const char *s, size_t n) {
  return bin_put_bytes(e, BIN_TAG_DATA, s, n);
}

/* Puts BIN_NULL, BIN_FALSE, BIN_TRUE or BIN_UNDEFINED. */
FL_INLINE int bin_put_special(struct bin_encoder *e, unsigned first_byte) {
  FL_ASSERT(first_byte >= BIN_NULL && first_byte <= BIN_UNDEFINED && first_byte % 4 == 0);
  return bin_push_inline(e, (uint32_t)first_byte << 24);
}

/* Returns whether the number at the slot's position is near and has these `size` bytes: those of `low`, then of `high`.
** Without a branch, because the answer cannot be predicted. The buffer has slack after its last byte. */
FL_INLINE int bin_is_number_at(const struct bin_encoder *e, uint32_t here, const struct bin_pool_slot *slot,
                               uint64_t low, unsigned high, unsigned size) {
  const uint32_t next = slot->position;
  const int near = (next != 0) & (here - next < BIN_POOLED_REACH / 2);
  bin_value v = (bin_value)e->w - (near ? 2 * (size_t)(here + 1 - next) : 0);
  const uint64_t other = (bin_little64(v) ^ low) << (size < 8 ? 64 - 8 * size : 0);
  return near & (((size == 10 ? ((unsigned)v[8] | (unsigned)v[9] << 8) ^ high : 0) | other) == 0);
}

/* Puts a number out of line: `size` bytes, even, at most 10, those of `low`, then of `high`. Compact documents share
** only numbers nearby, because the wide pointers to a distant one cost as much as the number; so a small table is
** enough (canada: 110 -> 300 MB/s). */
FL_INLINE int bin_put_number(struct bin_encoder *e, uint64_t low, unsigned high, unsigned size) {
  const uint32_t position = bin_position(e);
  uint32_t hash = 0;
  FL_ASSERT(size >= 2 && size <= 10 && size % 2 == 0 && (size == 10 || high == 0));
  if (!bin_reserve(e, 16)) return 0;
  if (e->compact) {
    if (!bin_recent_reserve(&e->numbers, e->out.alloc, e->out.alloc_ud)) return bin_fail(e, BIN_ERROR_MEMORY);
    hash = bin_hash_word(low, high);
    struct bin_pool_slot *slot = bin_recent_slots(&e->numbers, hash);
    for (unsigned i = bin_recent_has(slot, hash) ? 0 : BIN_RECENT_WAYS; i < BIN_RECENT_WAYS; i++)
      if (slot[i].hash == hash && bin_is_number_at(e, position, &slot[i], low, high, size))
        return bin_push_pointer(e, slot[i].position - 1, hash);
    bin_recent_enter(&e->numbers, slot, position, hash);
  }
  uint8_t *const w = (uint8_t *)e->w;
  e->w += size;
  bin_store_little64(w, low);
  w[8] = (uint8_t)high, w[9] = (uint8_t)(high >> 8);
  return bin_is_short(e) && bin_push_pointer(e, position, hash);
}

/* Puts a number whose bytes are elsewhere. */
FL_PRIVATE int bin_put_number_bytes(struct bin_encoder *e, const uint8_t *bytes, size_t size);

/* Puts the low n bytes of an integer, 2 to 8. */
FL_INLINE int bin_put_long_integer(struct bin_encoder *e, uint64_t bits, unsigned n, unsigned flag) {
  FL_ASSERT(n >= 2 && n <= 8);
  if (n < 8) bits &= ~(UINT64_MAX << 8 * n);
  return bin_put_number(e, bits << 8 | BIN_TAG_INTEGER << 4 | flag | (n - 1), (unsigned)(bits >> 56),
                        (1 + n + 1) & ~1u);
}

FL_INLINE int bin_put_signed(struct bin_encoder *e, int64_t i) {
  if (FL_LIKELY(i >= BIN_SMALL_LEAST && i <= BIN_SMALL_MOST)) return bin_push_inline(e, ((uint32_t)i & 0xfff) << 16);
  return bin_put_long_integer(e, (uint64_t)i, 8 - fl_leading_zeros((uint64_t)(i < 0 ? ~i : i) << 1) / 8, 0);
}

FL_INLINE int bin_put_unsigned(struct bin_encoder *e, uint64_t u) {
  if (FL_LIKELY(u <= BIN_SMALL_MOST)) return bin_push_inline(e, (uint32_t)u << 16);
  return bin_put_long_integer(e, u, 8 - fl_leading_zeros(u) / 8, BIN_UNSIGNED);
}

/* Puts an integer in the shorter of both forms. */
FL_INLINE int bin_put_integer(struct bin_encoder *e, int64_t i) {
  return i >= 0 ? bin_put_unsigned(e, (uint64_t)i) : bin_put_signed(e, i);
}

FL_PRIVATE int bin_put_float(struct bin_encoder *e, float f);

/* Puts a double in 4 bytes if a float holds it exactly; otherwise, and if it is infinite, in 8. */
FL_PRIVATE int bin_put_double(struct bin_encoder *e, double d);

FL_INLINE int bin_begin(struct bin_encoder *e, int is_dict) {
  if (FL_UNLIKELY(e->depth == e->open_room) &&
      !bin_grow_(e, (void **)&e->open, &e->open_room, e->depth + 1, sizeof *e->open))
    return 0;
  e->open[e->depth].first = e->count;
  e->open[e->depth].begin = bin_position(e);
  e->open[e->depth].is_dict = is_dict != 0;
  e->open[e->depth].mark = 0;
  e->open[e->depth++].wide = 0;
  return 1;
}

/* Puts the key of the next value: its code if it is or becomes a shared key, else a string. */
FL_INLINE int bin_put_key(struct bin_encoder *e, const char *s, size_t n) {
  if (FL_UNLIKELY(e->keys != NULL)) {
    int code = bin_keys_add(e->keys, s, n);
    if (code >= 0) return bin_push_inline(e, (uint32_t)code << 16);
  }
  return bin_put_pooled(e, BIN_TAG_STRING, 1, s, n);
}

/* The caller remembers where a string was put, so that it need not be hashed and looked up again. The output is the
** same as that of bin_put_key for the same bytes. */

/* The index of a string's slot in the pool, or, with BIN_KNOWN_INLINE, the word of its item. A string keeps its slot as
** long as the pool's generation does not change, even if it is written again elsewhere. Only 32 bits of the generation
** are stored: a caller that keeps this for longer than one document must compare the others (pack_begin). */
typedef struct {
  uint32_t place, generation;
} bin_known;
#define BIN_KNOWN_INLINE UINT32_C(0x80000000)
#define BIN_UNKNOWN UINT32_MAX

/* Returns whether the string of an item is long. The encoder must count the uses of long strings. */
FL_INLINE int bin_is_long_text(const struct bin_encoder *e, struct bin_item item) {
  bin_value v = bin_value_at(e, bin_item_position(item));
  return v[0] == (BIN_TAG_STRING << 4 | BIN_LONG_LENGTH) && v[1] >= 0x80;
}

/* Remembers the string that was put last, unless it is long. */
FL_INLINE void bin_remember(const struct bin_encoder *e, bin_known *known) {
  const struct bin_item last = e->items[e->count - 1];
  FL_ASSERT(e->count > 0);
  known->place = BIN_UNKNOWN;
  if (!bin_item_points(last)) known->place = last.word | BIN_KNOWN_INLINE;
  else if (e->slot && (size_t)(e->slot - e->pool.slots) < BIN_KNOWN_INLINE && FL_LIKELY(!bin_is_long_text(e, last)))
    known->place = (uint32_t)(e->slot - e->pool.slots);
  known->generation = (uint32_t)e->pool.generation;
}

FL_INLINE int bin_is_code(uint32_t place) { return place >> 28 == (BIN_KNOWN_INLINE >> 28 | BIN_TAG_SMALL); }

/* Puts a remembered string. Returns 0 if its bytes are needed, or with e->error set. */
FL_INLINE int bin_put_remembered(struct bin_encoder *e, bin_known known) {
  if (FL_UNLIKELY(known.generation != (uint32_t)e->pool.generation)) return 0;
  if (FL_UNLIKELY(known.place & BIN_KNOWN_INLINE))
    return known.place != BIN_UNKNOWN && bin_push_inline(e, known.place & ~BIN_KNOWN_INLINE);
  FL_ASSERT(known.place < e->pool.room && e->pool.slots[known.place].position != 0);
  struct bin_pool_slot slot = e->pool.slots[known.place];
  return FL_LIKELY(bin_is_in_reach(e, slot.position - 1)) && bin_push_pointer(e, slot.position - 1, slot.hash);
}

FL_INLINE int bin_put_known(struct bin_encoder *e, const char *s, size_t n, bin_known *known) {
  if (FL_LIKELY(bin_put_remembered(e, *known))) return 1;
  if (FL_UNLIKELY(e->error) || FL_UNLIKELY(!bin_put_key(e, s, n))) return 0;
  bin_remember(e, known);
  return 1;
}
