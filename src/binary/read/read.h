/* SPDX-License-Identifier: MIT
** read.h -- reading values in place: headers, pointers, scalars, items, shared keys, look-up of names, iteration.
** Must hold: the bytes were checked by binary/check/check.h, or are trusted: no bounds are tested here. A document's
** bytes do not change or move while one of its values is in use. No recursion, no allocation.
**
** The bits of the format (docs/format.md); a value is the address of its first byte, which is even:
**   0000iiii iiiiiiii           small integer, 12 bits, two's complement
**   0001uccc + ccc+1 bytes      integer, little-endian; u: unsigned
**   0010wd-- -------- + bytes   floating point: 4 bytes, or 8 if w; d or w: the value is a double
**   0011ss-- --------           00 null, 01 false, 10 true, 11 undefined
**   0100nnnn + bytes            string; n = 15: a varint with the length stands first
**   0101nnnn + bytes            data, the same way
**   0110wccc cccccccc + items   array; count 2047: a varint with what is above it follows, padded to even
**   0111wccc cccccccc + items   dict of count pairs; w: items take 4 bytes instead of 2
**   1xoooooo oooooooo           pointer: o * 2 bytes back; x: into the base document; in 4 bytes 30 bits of o */
#pragma once

#include "../../base/buffer.h"
#include "../../base/def.h"

typedef const uint8_t *bin_value;

/* clang-format off */
enum bin_tag {
  BIN_TAG_SMALL, BIN_TAG_INTEGER, BIN_TAG_FLOAT, BIN_TAG_SPECIAL, BIN_TAG_STRING, BIN_TAG_DATA, BIN_TAG_ARRAY,
  BIN_TAG_DICT
};

enum {
  BIN_NULL = 0x30, BIN_FALSE = 0x34, BIN_TRUE = 0x38, BIN_UNDEFINED = 0x3c, /* first bytes */
  BIN_UNSIGNED = 0x08,    /* in an integer's first byte */
  BIN_EIGHT_BYTES = 0x08, /* in a float's first byte */
  BIN_DOUBLE = 0x0c,      /* any of these bits: a double */
  BIN_WIDE = 0x08,        /* in a collection's first byte */
  BIN_POINTER = 0x80, BIN_EXTERN = 0x40,
  BIN_LONG_LENGTH = 15, BIN_LONG_COUNT = 2047,
  BIN_SMALL_LEAST = -2048, BIN_SMALL_MOST = 2047,
  BIN_NARROW_REACH = 0x7ffe, /* how many bytes a narrow pointer can go back */
  BIN_PARENT_0 = 0x08, BIN_PARENT_1 = 0x00, /* key of a dict's parent: the small integer -2048 */
  BIN_VARINT_MOST = 10,
  BIN_LONG_TEXT = 128, BIN_TEXT_VALUE = 32, /* in bytes: see bin_text_values */
  BIN_VALUES_LEAST = 1000000 /* values that any document may have, unless its reader sets a lower limit */
};

/* clang-format on */
#define BIN_WIDE_REACH UINT32_C(0x7ffffffe)

/* The type of a value, with the numbers of the reference implementation. */
/* clang-format off */
enum bin_type {
  BIN_TYPE_UNDEFINED = -1, BIN_TYPE_NULL, BIN_TYPE_BOOLEAN, BIN_TYPE_NUMBER, BIN_TYPE_STRING, BIN_TYPE_DATA,
  BIN_TYPE_ARRAY, BIN_TYPE_DICT
};

/* clang-format on */

FL_INLINE unsigned bin_tag(bin_value v) { return v[0] >> 4; }

FL_INLINE int bin_is_pointer(bin_value v) { return v[0] >= BIN_POINTER; }

FL_INLINE int bin_is_collection(bin_value v) { return (v[0] & 0xe0) == 0x60; }

FL_INLINE int bin_small(bin_value v) {
  FL_ASSERT(bin_tag(v) == BIN_TAG_SMALL);
  return (int)((((uint32_t)v[0] & 15) << 8 | v[1]) ^ 0x800) - 0x800;
}

FL_INLINE int bin_is_parent_key(bin_value key) { return key[0] == BIN_PARENT_0 && key[1] == BIN_PARENT_1; }

FL_INLINE uint32_t bin_big16(bin_value p) { return (uint32_t)p[0] << 8 | p[1]; }

FL_INLINE uint32_t bin_big32(bin_value p) { return bin_big16(p) << 16 | bin_big16(p + 2); }

/* Reads big-endian numbers, which compare like their bytes. */
FL_INLINE uint64_t bin_big64(bin_value p) {
  uint64_t x = 0;
  unsigned i;
#if defined(__GNUC__) && !FLEECE_BIG_ENDIAN
  (void)i;
  x = fl_load64(p);
  return __builtin_bswap64(x);
#else
  for (i = 0; i < 8; i++) x = x << 8 | p[i];
  return x;
#endif
}

/* Returns the first eight bytes of a string as a big-endian number, missing ones as 0, for ordering strings. */
FL_INLINE uint64_t bin_prefix(const char *s, size_t n) {
  uint64_t x = 0;
  for (size_t i = 0; i < n && i < 8; i++) x |= (uint64_t)(uint8_t)s[i] << (56 - 8 * i);
  return x;
}

/* Returns the additional values that a string or data of n bytes counts for at each pointer to it, because readers go
** through its bytes each time. binary/check/check.h bounds their sum. The encoder limits sharing so that its documents
** pass. */
FL_INLINE uint64_t bin_text_values(size_t n) { return n < BIN_LONG_TEXT ? 0 : n / BIN_TEXT_VALUE; }

/* How many bytes a pointer goes back. */
FL_INLINE size_t bin_narrow_offset(bin_value p) { return 2 * (size_t)(bin_big16(p) & 0x3fff); }

FL_INLINE size_t bin_wide_offset(bin_value p) { return 2 * (size_t)(bin_big32(p) & 0x3fffffff); }

/* Reads a little-endian number of n bytes, 1 to 8. */
FL_INLINE uint64_t bin_little(bin_value p, unsigned n) {
  uint64_t x = 0;
  FL_ASSERT(n >= 1 && n <= 8);
  while (n--) x = x << 8 | p[n];
  return x;
}

FL_INLINE uint64_t bin_little64(bin_value p) { return FLEECE_BIG_ENDIAN ? bin_little(p, 8) : fl_load64(p); }
FL_INLINE uint32_t bin_little32(bin_value p) { return FLEECE_BIG_ENDIAN ? (uint32_t)bin_little(p, 4) : fl_load32(p); }

FL_INLINE void bin_store_little64(uint8_t *w, uint64_t x) {
  if (!FLEECE_BIG_ENDIAN) fl_store64(w, x);
  else
    for (unsigned i = 0; i < 8; i++) w[i] = (uint8_t)(x >> 8 * i);
}

/* Reads the varint at *p and moves *p after it. Returns 0 if it does not end before `end`, or is above 2^32 - 1.
** Accepts forms that are longer than needed. */
FL_PRIVATE int bin_varint(bin_value *p, bin_value end, uint32_t *out);

/* Like bin_varint, for a checked varint. */
FL_INLINE uint32_t bin_varint_trusted(bin_value *p) {
  uint32_t x = 0;
  unsigned shift = 0;
  while (**p >= 0x80) {
    if (shift < 32) x |= (uint32_t)(**p & 0x7f) << shift;
    shift += 7;
    ++*p;
  }
  if (shift < 32) x |= (uint32_t)(*p)[0] << shift;
  ++*p;
  return x;
}

/* Writes a varint, at most 5 bytes. */
FL_INLINE uint8_t *bin_put_varint(uint8_t *w, uint32_t x) {
  while (x >= 0x80) {
    *w++ = (uint8_t)(x | 0x80);
    x >>= 7;
  }
  *w++ = (uint8_t)x;
  return w;
}

/* A list of names, which documents write as small numbers (codes). It only grows; a name's code never changes. The
** caller owns the memory. */
enum { BIN_KEYS_MOST = 2048, BIN_KEY_BYTES = 16, BIN_KEY_SLOTS = 2 * BIN_KEYS_MOST };

struct bin_key {
  char text[BIN_KEY_BYTES];
  uint8_t length;
};

struct bin_keys {
  unsigned count;
  uint16_t slots[BIN_KEY_SLOTS]; /* code + 1; 0 if free */
  struct bin_key key[BIN_KEYS_MOST];
};

FL_INLINE void bin_keys_init(struct bin_keys *k) {
  k->count = 0;
  memset(k->slots, 0, sizeof k->slots);
}

/* Returns the slot of a name, or a free one for it. Half of the slots are free, so the search ends. With at most 2048
** names even the worst search is short. */
FL_PRIVATE unsigned bin_keys_slot(const struct bin_keys *k, const char *s, size_t n);

/* Returns the code of a name, or -1. */
FL_INLINE int bin_keys_find(const struct bin_keys *k, const char *s, size_t n) {
  return n > BIN_KEY_BYTES ? -1 : (int)k->slots[bin_keys_slot(k, s, n)] - 1;
}

/* Returns the code of a name. A new name gets the next code if it is eligible, else -1. */
FL_PRIVATE int bin_keys_add(struct bin_keys *k, const char *s, size_t n);

/* The bytes of a document, and what is needed to read it. */
struct bin_doc {
  const uint8_t *begin, *end;
  const struct bin_doc *base;  /* the target of pointers marked `extern`, or NULL */
  const struct bin_keys *keys; /* shared keys, or NULL */
  bin_value root;
  /* values that readers visit, as binary/check/check.h counts them, or more; 0 if the document was not checked */
  uint64_t values;
  size_t loose_bytes; /* bytes of its values that are elsewhere: see fleece_edit_json */
};

/* Returns the bytes of a document and its bases. All bounds on work are proportional to this. */
FL_PRIVATE size_t bin_doc_bytes(const struct bin_doc *d);

/* Returns the default max_bytes: how much may be written from documents of so many bytes. */
FL_INLINE size_t bin_default_bytes(size_t bytes) {
  const size_t least = (size_t)64 << 20;
  return bytes > SIZE_MAX / 64 ? SIZE_MAX : 64 * bytes > least ? 64 * bytes : least;
}

/* Returns the number of values that readers visit, without loose ones. An unchecked document counts one value per
** byte. */
FL_INLINE uint64_t bin_doc_values(const struct bin_doc *d) {
  return d->values ? d->values : bin_doc_bytes(d) - d->loose_bytes;
}

/* Returns which of a document and its bases contains v, or NULL. */
FL_PRIVATE const struct bin_doc *bin_owning_document(const struct bin_doc *d, bin_value v);

/* Returns whether d shares memory with a base or one of its bases. */
FL_PRIVATE int bin_overlaps(const struct bin_doc *d, const struct bin_doc *base);

/* Follows an extern pointer: the part of its distance that goes beyond the document's start is counted from the end of
** the base. Without a base it is a narrow pointer of an old form, with 15 bits of offset. */
FL_PRIVATE_NOINLINE bin_value bin_follow_extern_(const struct bin_doc *d, bin_value p, unsigned width);

/* Returns whether v has the same content in both documents. The same bytes can belong to two deltas with different
** bases. */
FL_PRIVATE int bin_is_same_in(const struct bin_doc *a, const struct bin_doc *b, bin_value v);

FL_INLINE bin_value bin_follow_once(const struct bin_doc *d, bin_value p, unsigned width) {
  FL_ASSERT(bin_is_pointer(p) && (width == 2 || width == 4));
  if (FL_UNLIKELY(p[0] & BIN_EXTERN)) return bin_follow_extern_(d, p, width);
  return p - (width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p));
}

/* Follows a pointer that is another pointer's target to the final value. Such pointers are wide. */
FL_PRIVATE_NOINLINE bin_value bin_follow_wide_(const struct bin_doc *d, bin_value p);

FL_INLINE bin_value bin_follow(const struct bin_doc *d, bin_value p, unsigned width) {
  p = bin_follow_once(d, p, width);
  return FL_UNLIKELY(bin_is_pointer(p)) ? bin_follow_wide_(d, p) : p;
}

/* Returns the value of an item, or its target. */
FL_INLINE bin_value bin_item_value(const struct bin_doc *d, bin_value item, unsigned width) {
  return bin_is_pointer(item) ? bin_follow(d, item, width) : item;
}

FL_INLINE enum bin_type bin_type_of(bin_value v) {
  static const int8_t types[8] = {BIN_TYPE_NUMBER, BIN_TYPE_NUMBER, BIN_TYPE_NUMBER, BIN_TYPE_NULL,
                                  BIN_TYPE_STRING, BIN_TYPE_DATA,   BIN_TYPE_ARRAY,  BIN_TYPE_DICT};
  if (bin_tag(v) != BIN_TAG_SPECIAL) return (enum bin_type)types[bin_tag(v) & 7];
  switch (v[0]) {
  case BIN_FALSE:
  case BIN_TRUE: return BIN_TYPE_BOOLEAN;
  case BIN_UNDEFINED: return BIN_TYPE_UNDEFINED;
  default: return BIN_TYPE_NULL;
  }
}

/* Returns a special value's first byte; undefined counts as null. */
FL_INLINE unsigned bin_special(bin_value v) { return bin_type_of(v) == BIN_TYPE_NULL ? BIN_NULL : v[0]; }

FL_INLINE int bin_is_true(bin_value v) { return v[0] == BIN_TRUE; }

FL_INLINE int bin_is_undefined(bin_value v) { return v[0] == BIN_UNDEFINED; }

/* Returns the 64 bits of an integer, as int64_t, or, if *is_big, as uint64_t because int64_t cannot hold it. */
FL_INLINE uint64_t bin_integer(bin_value v, int *is_big) {
  FL_ASSERT(bin_tag(v) <= BIN_TAG_INTEGER);
  *is_big = 0;
  if (bin_tag(v) == BIN_TAG_SMALL) return (uint64_t)(int64_t)bin_small(v);
  const unsigned n = (v[0] & 7u) + 1;
  const uint64_t x = bin_little(v + 1, n);
  if (v[0] & BIN_UNSIGNED) {
    *is_big = x >> 63 != 0;
    return x;
  }
  return n == 8 ? x : (x ^ (UINT64_C(1) << (8 * n - 1))) - (UINT64_C(1) << (8 * n - 1)); /* sign extension */
}

FL_INLINE int bin_is_integer(bin_value v) { return bin_tag(v) <= BIN_TAG_INTEGER; }

FL_INLINE int bin_is_double(bin_value v) { return (v[0] & BIN_DOUBLE) != 0; } /* of a floating point value */

/* Reads a floating point number of 4 bytes. */
FL_INLINE float bin_float(bin_value v) {
  uint32_t bits = bin_little32(v + 2);
  float f;
  FL_ASSERT(bin_tag(v) == BIN_TAG_FLOAT && !(v[0] & BIN_EIGHT_BYTES));
  memcpy(&f, &bits, sizeof f);
  return f;
}

FL_INLINE double bin_double(bin_value v) {
  double d;
  FL_ASSERT(bin_tag(v) == BIN_TAG_FLOAT);
  if (!(v[0] & BIN_EIGHT_BYTES)) return (double)bin_float(v);
  uint64_t bits = bin_little64(v + 2);
  memcpy(&d, &bits, sizeof d);
  return d;
}

FL_INLINE const char *bin_bytes(bin_value v, size_t *n) {
  FL_ASSERT(bin_tag(v) == BIN_TAG_STRING || bin_tag(v) == BIN_TAG_DATA);
  *n = v[0] & 15;
  v++;
  if (FL_UNLIKELY(*n == BIN_LONG_LENGTH)) *n = bin_varint_trusted(&v);
  return (const char *)v;
}

struct bin_list {
  bin_value first; /* item */
  uint32_t count;  /* items of an array, pairs of a dict */
  unsigned width;  /* bytes of an item */
};

FL_PRIVATE_NOINLINE void bin_long_list_(bin_value v, struct bin_list *out);

FL_INLINE struct bin_list bin_list_of(bin_value v) {
  struct bin_list l;
  FL_ASSERT(bin_is_collection(v) && (uintptr_t)v % 2 == 0);
  l.count = bin_big16(v) & 0x7ff;
  l.width = v[0] & BIN_WIDE ? 4 : 2;
  l.first = v + 2;
  if (FL_UNLIKELY(l.count == BIN_LONG_COUNT)) bin_long_list_(v, &l);
  return l;
}

/* Returns item i, from 0, of an array's list. */
FL_INLINE bin_value bin_list_item(const struct bin_doc *d, const struct bin_list *l, size_t i) {
  FL_ASSERT(i < l->count);
  return bin_item_value(d, l->first + i * l->width, l->width);
}

/* Returns item i, from 0, of an array, or NULL. */
FL_INLINE bin_value bin_array_get(const struct bin_doc *d, bin_value array, size_t i) {
  struct bin_list l = bin_list_of(array);
  FL_ASSERT(bin_tag(array) == BIN_TAG_ARRAY);
  return i < l.count ? bin_list_item(d, &l, i) : NULL;
}

/* The parent of a dict is its first pair. Codes of shared keys come next, then strings. */
FL_INLINE int bin_has_parent(const struct bin_list *l) { return l->count > 0 && bin_is_parent_key(l->first); }

FL_INLINE bin_value bin_parent(const struct bin_doc *d, const struct bin_list *l) {
  FL_ASSERT(bin_has_parent(l));
  return bin_item_value(d, l->first + l->width, l->width);
}

FL_INLINE int bin_uses_codes(const struct bin_list *l) {
  const size_t from = (size_t)bin_has_parent(l);
  return l->count > from && bin_tag(l->first + from * 2 * l->width) == BIN_TAG_SMALL;
}

/* Compares names by bytes; a prefix comes first. */
FL_INLINE int bin_compare_bytes(const char *a, size_t an, const char *b, size_t bn) {
  const int order = memcmp(a, b, an < bn ? an : bn);
  return order ? order : an < bn ? -1 : an > bn;
}

/* Compares keys: small integers by number, then strings. */
FL_PRIVATE int bin_compare_keys(bin_value a, bin_value b);

/* Returns a dict's value under the name s[0..n), or NULL if there is none or it is undefined. */
FL_PRIVATE bin_value bin_dict_get(const struct bin_doc *d, bin_value dict, const char *s, size_t n);

enum { BIN_ANCESTORS = 16 }; /* limit for a dict, enforced by binary/check/check.h */

struct bin_pairs {
  const struct bin_doc *doc;
  struct bin_list level[BIN_ANCESTORS + 1]; /* what is left of the dict, of its parent, ... */
  bin_value dict[BIN_ANCESTORS + 1];
  unsigned levels;
  /* A queue of the levels with pairs left, in the order of their next keys; of equal keys the child's is first. Used
  ** only for a dict with parents. */
  unsigned waiting;
  uint8_t order[BIN_ANCESTORS + 1];
  bin_value key, value; /* of the pair that bin_next_pair found */
};

/* Inserts a level into the queue by its next key, unless it has no pairs left. The cost depends only on the length of
** this key, not on those of the other levels. */
FL_PRIVATE_NOINLINE void bin_queue_level_(struct bin_pairs *i, unsigned level);

/* Begins to iterate over a dict's pairs in the order of their keys, including those of its parents that it does not
** override. */
FL_INLINE void bin_pairs_begin(struct bin_pairs *i, const struct bin_doc *d, bin_value dict) {
  i->doc = d;
  i->levels = 0;
  for (;;) {
    struct bin_list *l = &i->level[i->levels];
    i->dict[i->levels++] = dict;
    *l = bin_list_of(dict);
    if (FL_LIKELY(!bin_has_parent(l)) || i->levels > BIN_ANCESTORS) break;
    dict = bin_parent(d, l);
    l->first += 2 * l->width;
    l->count--;
  }
  i->waiting = 0;
  if (FL_LIKELY(i->levels == 1)) return;
  for (unsigned n = 0; n < i->levels; n++) bin_queue_level_(i, n);
}

FL_INLINE void bin_pairs_step(struct bin_list *l) {
  l->first += 2 * l->width;
  l->count--;
}

/* Returns the text of a key, or NULL if it is a code without a name here. */
FL_INLINE const char *bin_key_text(const struct bin_doc *d, bin_value key, size_t *n) {
  if (FL_LIKELY(bin_tag(key) == BIN_TAG_STRING)) return bin_bytes(key, n);
  const int code = bin_small(key);
  if (!d->keys || code < 0 || (unsigned)code >= d->keys->count) return NULL;
  *n = d->keys->key[code].length;
  return d->keys->key[code].text;
}

/* Finds the next pair of a dict with parents: the least key of all levels, of equal ones the child's. An undefined
** value hides the key. */
FL_PRIVATE_NOINLINE int bin_next_merged_(struct bin_pairs *i);

/* Stores the next pair in key and value. Returns 0 at the end. */
FL_INLINE int bin_next_pair(struct bin_pairs *i) {
  struct bin_list *l = &i->level[0];
  FL_ASSERT(i->levels >= 1 && i->levels <= BIN_ANCESTORS + 1);
  if (FL_UNLIKELY(i->levels > 1)) return bin_next_merged_(i);
  if (l->count == 0) return 0;
  i->key = bin_item_value(i->doc, l->first, l->width);
  i->value = bin_item_value(i->doc, l->first + l->width, l->width);
  bin_pairs_step(l);
  return 1;
}

/* Returns how many pairs iteration visits. */
FL_PRIVATE size_t bin_dict_count(const struct bin_doc *d, bin_value dict);

/* Returns the root of trusted bytes: the last two are the value itself, or a pointer to it. */
FL_INLINE bin_value bin_root(const struct bin_doc *d) {
  FL_ASSERT(d->end - d->begin >= 2);
  return bin_item_value(d, d->end - 2, 2);
}
