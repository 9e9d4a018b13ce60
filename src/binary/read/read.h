/* SPDX-License-Identifier: MIT
** read.h -- reading values in place: scalars, items, look-up of names, iteration.
** Must hold: the bytes were checked by binary/check/check.h, or are trusted: no bounds are tested here. A document's
** bytes do not change or move while one of its values is in use. No recursion, no allocation. */
#pragma once

#include "format.h"
#include "keys.h"

/* The bytes of a document, and what is needed to read it. */
struct bin_doc {
  const uint8_t *begin, *end;
  const struct bin_doc *base;  /* where pointers marked `extern` lead, or NULL */
  const struct bin_keys *keys; /* shared keys, or NULL */
  bin_value root;
  uint64_t values;    /* that readers visit, as binary/check/check.h counts them; 0: the document was not checked */
  size_t loose_bytes; /* bytes of values of it that lie elsewhere: see fleece_edit_json */
};

/* The bytes of a document and its bases. All bounds on work are in proportion to this. */
FL_PRIVATE size_t bin_doc_bytes(const struct bin_doc *d);

/* The default max_bytes: how much may be written from documents of so many bytes. */
FL_INLINE size_t bin_default_bytes(size_t bytes) {
  const size_t least = (size_t)64 << 20;
  return bytes > SIZE_MAX / 64 ? SIZE_MAX : 64 * bytes > least ? 64 * bytes : least;
}

/* The number of values that readers visit, without loose ones. An unchecked document counts one value per byte. */
FL_INLINE uint64_t bin_doc_values(const struct bin_doc *d) {
  return d->values ? d->values : bin_doc_bytes(d) - d->loose_bytes;
}

/* ------------------------------------------------------------------------------------- pointers */

/* Which of a document and its bases contains v; NULL: none. */
FL_PRIVATE const struct bin_doc *bin_owning_document(const struct bin_doc *d, bin_value v);

/* Does d share memory with a base or one of its bases? */
FL_PRIVATE int bin_overlaps(const struct bin_doc *d, const struct bin_doc *base);

/* Follows an extern pointer: what its distance leaves before the document is counted from the end of the base. Without
** a base it is a narrow pointer of an old form, with 15 bits of offset. */
FL_PRIVATE_NOINLINE bin_value bin_follow_extern_(const struct bin_doc *d, bin_value p, unsigned width);

/* Does v have the same content in both documents? The same bytes can belong to two deltas with different bases. */
FL_PRIVATE int bin_is_same_in(const struct bin_doc *a, const struct bin_doc *b, bin_value v);

FL_INLINE bin_value bin_follow_once(const struct bin_doc *d, bin_value p, unsigned width) {
  FL_ASSERT(bin_is_pointer(p) && (width == 2 || width == 4));
  if (FL_UNLIKELY(p[0] & BIN_EXTERN)) return bin_follow_extern_(d, p, width);
  return p - (width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p));
}

/* The value that a pointer, which another pointer leads to, leads to at last. Those are wide. */
FL_PRIVATE_NOINLINE bin_value bin_follow_wide_(const struct bin_doc *d, bin_value p);

FL_INLINE bin_value bin_follow(const struct bin_doc *d, bin_value p, unsigned width) {
  p = bin_follow_once(d, p, width);
  return FL_UNLIKELY(bin_is_pointer(p)) ? bin_follow_wide_(d, p) : p;
}

/* The value that an item is or points to. */
FL_INLINE bin_value bin_item_value(const struct bin_doc *d, bin_value item, unsigned width) {
  return bin_is_pointer(item) ? bin_follow(d, item, width) : item;
}

/* ------------------------------------------------------------------------------------- scalars */

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

/* A special value's first byte; undefined ones count as null. */
FL_INLINE unsigned bin_special(bin_value v) { return bin_type_of(v) == BIN_TYPE_NULL ? BIN_NULL : v[0]; }

FL_INLINE int bin_is_true(bin_value v) { return v[0] == BIN_TRUE; }

FL_INLINE int bin_is_undefined(bin_value v) { return v[0] == BIN_UNDEFINED; }

/* The 64 bits of an integer, to be read as int64_t, or if *is_big as uint64_t: then int64_t cannot hold it. */
FL_INLINE uint64_t bin_integer(bin_value v, int *is_big) {
  unsigned n;
  uint64_t x;
  FL_ASSERT(bin_tag(v) <= BIN_TAG_INTEGER);
  *is_big = 0;
  if (bin_tag(v) == BIN_TAG_SMALL) return (uint64_t)(int64_t)bin_small(v);
  n = (v[0] & 7u) + 1;
  x = bin_little(v + 1, n);
  if (v[0] & BIN_UNSIGNED) {
    *is_big = x >> 63 != 0;
    return x;
  }
  return n == 8 ? x : (x ^ (UINT64_C(1) << (8 * n - 1))) - (UINT64_C(1) << (8 * n - 1)); /* sign extension */
}

FL_INLINE int bin_is_integer(bin_value v) { return bin_tag(v) <= BIN_TAG_INTEGER; }

FL_INLINE int bin_is_double(bin_value v) { return (v[0] & BIN_DOUBLE) != 0; } /* of a floating point value */

/* The value of a floating point number of 4 bytes. */
FL_INLINE float bin_float(bin_value v) {
  uint32_t bits = bin_little32(v + 2);
  float f;
  FL_ASSERT(bin_tag(v) == BIN_TAG_FLOAT && !(v[0] & BIN_EIGHT_BYTES));
  memcpy(&f, &bits, sizeof f);
  return f;
}

FL_INLINE double bin_double(bin_value v) {
  uint64_t bits;
  double d;
  FL_ASSERT(bin_tag(v) == BIN_TAG_FLOAT);
  if (!(v[0] & BIN_EIGHT_BYTES)) return (double)bin_float(v);
  bits = bin_little64(v + 2);
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* The bytes of a string or data. */
FL_INLINE const char *bin_bytes(bin_value v, size_t *n) {
  FL_ASSERT(bin_tag(v) == BIN_TAG_STRING || bin_tag(v) == BIN_TAG_DATA);
  *n = v[0] & 15;
  v++;
  if (FL_UNLIKELY(*n == BIN_LONG_LENGTH)) *n = bin_varint_trusted(&v);
  return (const char *)v;
}

/* ------------------------------------------------------------------------------------- collections */

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

/* Item number i, from 0, of an array's list. */
FL_INLINE bin_value bin_list_item(const struct bin_doc *d, const struct bin_list *l, size_t i) {
  FL_ASSERT(i < l->count);
  return bin_item_value(d, l->first + i * l->width, l->width);
}

/* Item number i, from 0, of an array, or NULL. */
FL_INLINE bin_value bin_array_get(const struct bin_doc *d, bin_value array, size_t i) {
  struct bin_list l = bin_list_of(array);
  FL_ASSERT(bin_tag(array) == BIN_TAG_ARRAY);
  return i < l.count ? bin_list_item(d, &l, i) : NULL;
}

/* A dict with a parent has it as its first pair. Codes of shared keys come next, then strings. */
FL_INLINE int bin_has_parent(const struct bin_list *l) { return l->count > 0 && bin_is_parent_key(l->first); }

FL_INLINE bin_value bin_parent(const struct bin_doc *d, const struct bin_list *l) {
  FL_ASSERT(bin_has_parent(l));
  return bin_item_value(d, l->first + l->width, l->width);
}

FL_INLINE int bin_uses_codes(const struct bin_list *l) {
  const size_t from = (size_t)bin_has_parent(l);
  return l->count > from && bin_tag(l->first + from * 2 * l->width) == BIN_TAG_SMALL;
}

/* Order of names: by bytes, the shorter first. */
FL_INLINE int bin_compare_bytes(const char *a, size_t an, const char *b, size_t bn) {
  const int order = memcmp(a, b, an < bn ? an : bn);
  return order ? order : an < bn ? -1 : an > bn;
}

/* Order of keys: small integers by number, then strings. */
FL_PRIVATE int bin_compare_keys(bin_value a, bin_value b);

/* The value that a dict has under the name s[0..n), or NULL: none, or undefined. */
FL_PRIVATE bin_value bin_dict_get(const struct bin_doc *d, bin_value dict, const char *s, size_t n);

/* ------------------------------------------------------------------------------------- iteration over dicts */

enum { BIN_ANCESTORS = 16 }; /* a dict may have; binary/check/check.h enforces it */

struct bin_pairs {
  const struct bin_doc *doc;
  struct bin_list level[BIN_ANCESTORS + 1]; /* what is left of the dict, its parent, ... */
  bin_value dict[BIN_ANCESTORS + 1];
  unsigned levels;
  /* A queue of the levels that have pairs left, in the order of their next keys; of equal keys the child's is first.
  ** Used only for a dict with parents. */
  unsigned waiting;
  uint8_t order[BIN_ANCESTORS + 1];
  bin_value key, value; /* of the pair that bin_next_pair found */
};

/* Inserts a level into the queue by its next key, unless it has no pairs left. The cost depends only on the length of
** this key, not on those of the other levels. */
FL_PRIVATE_NOINLINE void bin_queue_level_(struct bin_pairs *i, unsigned level);

/* Starts iteration over a dict's pairs in the order of their keys, with those of its parents that it does not
** override. */
FL_INLINE void bin_pairs_begin(struct bin_pairs *i, const struct bin_doc *d, bin_value dict) {
  unsigned n;
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
  for (n = 0; n < i->levels; n++) bin_queue_level_(i, n);
}

FL_INLINE void bin_pairs_step(struct bin_list *l) {
  l->first += 2 * l->width;
  l->count--;
}

/* The text of a key; NULL: it is a code that has no name here. */
FL_INLINE const char *bin_key_text(const struct bin_doc *d, bin_value key, size_t *n) {
  int code;
  if (FL_LIKELY(bin_tag(key) == BIN_TAG_STRING)) return bin_bytes(key, n);
  code = bin_small(key);
  if (!d->keys || code < 0 || (unsigned)code >= d->keys->count) return NULL;
  *n = d->keys->key[code].length;
  return d->keys->key[code].text;
}

/* The next pair of a dict with parents: the least key of all levels, of equal ones the child's. A value that is
** undefined hides the key. */
FL_PRIVATE_NOINLINE int bin_next_merged_(struct bin_pairs *i);

/* Stores the next pair in key and value; false: there is none. */
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

/* How many pairs iteration visits. */
FL_PRIVATE size_t bin_dict_count(const struct bin_doc *d, bin_value dict);

/* ------------------------------------------------------------------------------------- the root */

/* The root of trusted bytes: the last two are the value itself, or a pointer to it. */
FL_INLINE bin_value bin_root(const struct bin_doc *d) {
  FL_ASSERT(d->end - d->begin >= 2);
  return bin_item_value(d, d->end - 2, 2);
}
