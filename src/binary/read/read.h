/* SPDX-License-Identifier: MIT
** read.h -- reading values in place: scalars, items, look-up of names, iteration.
** May call: base.
** Must hold: the bytes were checked by binary/check/check.h, or are trusted: no bounds are tested here. A document's
** bytes do not change or move while one of its values is in use. No recursion, no allocation. */
#ifndef FLEECE_BINARY_READ_READ_H
#define FLEECE_BINARY_READ_READ_H

#include "format.h"
#include "../encode/keys.h"

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
FL_FUNC size_t bin_doc_bytes(const struct bin_doc *d) {
  size_t n = 0;
  for (; d; d = d->base) n += (size_t)(d->end - d->begin) + d->loose_bytes;
  return n;
}

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
FL_FUNC const struct bin_doc *bin_owning_document(const struct bin_doc *d, bin_value v) {
  while (d && !(v >= d->begin && v < d->end)) d = d->base;
  return d;
}

/* Does d share memory with a base or one of its bases? */
FL_FUNC int bin_overlaps(const struct bin_doc *d, const struct bin_doc *base) {
  for (; base; base = base->base)
    if (d->begin < base->end && base->begin < d->end) return 1;
  return 0;
}

/* Follows an extern pointer: what its distance leaves before the document is counted from the end of the base. Without
** a base it is a narrow pointer of an old form, with 15 bits of offset. */
FL_NOINLINE bin_value bin_follow_extern_(const struct bin_doc *d, bin_value p, unsigned width) {
  size_t offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p);
  d = bin_owning_document(d, p);
  FL_ASSERT(d != NULL);
  if (!d->base) return p - 2 * (size_t)(bin_big16(p) & 0x7fff);
  FL_ASSERT(offset > (size_t)(p - d->begin));
  return d->base->end - (offset - (size_t)(p - d->begin));
}

/* Does v have the same content in both documents? The same bytes can belong to two deltas with different bases. */
FL_FUNC int bin_is_same_in(const struct bin_doc *a, const struct bin_doc *b, bin_value v) {
  const struct bin_doc *in_a = bin_owning_document(a, v), *in_b = bin_owning_document(b, v);
  return a->keys == b->keys && in_a && in_b && (in_a == in_b || in_a->base == in_b->base);
}

FL_INLINE bin_value bin_follow_once(const struct bin_doc *d, bin_value p, unsigned width) {
  FL_ASSERT(bin_is_pointer(p) && (width == 2 || width == 4));
  if (FL_UNLIKELY(p[0] & BIN_EXTERN)) return bin_follow_extern_(d, p, width);
  return p - (width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p));
}

/* The value that a pointer leads to. A pointer that a pointer leads to is wide. */
FL_INLINE bin_value bin_follow(const struct bin_doc *d, bin_value p, unsigned width) {
  p = bin_follow_once(d, p, width);
  while (FL_UNLIKELY(bin_is_pointer(p))) p = bin_follow_once(d, p, 4);
  return p;
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
  uint32_t bits = (uint32_t)bin_little(v + 2, 4);
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
  bits = bin_little(v + 2, 8);
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

FL_NOINLINE void bin_long_list_(bin_value v, struct bin_list *out) {
  bin_value p = v + 2;
  uint32_t more = bin_varint_trusted(&p);
  out->count = BIN_LONG_COUNT + more;
  out->first = p + ((p - v) & 1);
}

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
FL_FUNC int bin_compare_keys(bin_value a, bin_value b) {
  const int ia = bin_tag(a) == BIN_TAG_SMALL, ib = bin_tag(b) == BIN_TAG_SMALL;
  size_t an, bn;
  const char *as, *bs;
  if (ia || ib) return ia && ib ? bin_small(a) - bin_small(b) : ib - ia;
  as = bin_bytes(a, &an), bs = bin_bytes(b, &bn);
  return bin_compare_bytes(as, an, bs, bn);
}

/* The value of a dict's own pair whose key is the string s[0..n), or, if s is NULL, the code; NULL: there is none. Of
** equal keys binary search decides which one is found, as in the reference. */
FL_INLINE bin_value bin_search(const struct bin_doc *d, const struct bin_list *l, const char *s, size_t n, int code) {
  bin_value at = l->first;
  size_t left = l->count;
  const unsigned pair = 2 * l->width;
  while (left > 0) {
    bin_value middle = at + left / 2 * pair, key = bin_item_value(d, middle, l->width);
    const int is_code = bin_tag(key) == BIN_TAG_SMALL;
    int order = s ? 1 : -1; /* codes come before strings */
    if (FL_LIKELY(is_code == !s)) {
      size_t kn;
      const char *ks = s ? bin_bytes(key, &kn) : NULL;
      order = s ? bin_compare_bytes(s, n, ks, kn) : code - bin_small(key);
      if (order == 0) return bin_item_value(d, middle + l->width, l->width);
    }
    if (order > 0) {
      at = middle + pair;
      left -= left / 2 + 1;
    } else {
      left /= 2;
    }
  }
  return NULL;
}
FL_INLINE bin_value bin_search_string(const struct bin_doc *d, const struct bin_list *l, const char *s, size_t n) {
  return bin_search(d, l, s, n, 0);
}
FL_FUNC bin_value bin_search_code(const struct bin_doc *d, const struct bin_list *l, int code) {
  return bin_search(d, l, NULL, 0, code);
}

/* The value of a dict's own pair with the name s[0..n), whose key may be its code; NULL: there is none. */
FL_FUNC bin_value bin_search_name(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  const struct bin_list l = bin_list_of(dict);
  const int code = d->keys && bin_uses_codes(&l) ? bin_keys_find(d->keys, s, n) : -1;
  FL_ASSERT(bin_tag(dict) == BIN_TAG_DICT && s != NULL);
  return code >= 0 ? bin_search_code(d, &l, code) : bin_search_string(d, &l, s, n);
}

/* Continues bin_dict_get for dicts with codes or parents. */
FL_NOINLINE bin_value bin_dict_get_(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  for (;;) {
    const struct bin_list l = bin_list_of(dict);
    bin_value found = bin_search_name(d, dict, s, n);
    if (found) return bin_is_undefined(found) ? NULL : found;
    if (!bin_has_parent(&l)) return NULL;
    dict = bin_parent(d, &l);
  }
}

/* The value that a dict has under the name s[0..n), or NULL: none, or undefined. */
FL_INLINE bin_value bin_dict_get(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  struct bin_list l = bin_list_of(dict);
  bin_value found;
  FL_ASSERT(bin_tag(dict) == BIN_TAG_DICT && s != NULL);
  if (FL_UNLIKELY(l.count == 0)) return NULL;
  if (FL_UNLIKELY(bin_tag(l.first) == BIN_TAG_SMALL)) return bin_dict_get_(d, dict, s, n);
  found = bin_search_string(d, &l, s, n);
  return found && FL_LIKELY(!bin_is_undefined(found)) ? found : NULL;
}

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

FL_INLINE bin_value bin_level_key(const struct bin_pairs *i, unsigned level) {
  FL_ASSERT(level < i->levels && i->level[level].count > 0);
  return bin_item_value(i->doc, i->level[level].first, i->level[level].width);
}

/* Inserts a level into the queue by its next key, unless it has no pairs left. The cost depends only on the length of
** this key, not on those of the other levels. */
FL_NOINLINE void bin_queue_level_(struct bin_pairs *i, unsigned level) {
  unsigned at, n;
  bin_value key;
  if (i->level[level].count == 0) return;
  key = bin_level_key(i, level);
  for (at = 0; at < i->waiting; at++) {
    const int order = bin_compare_keys(key, bin_level_key(i, i->order[at]));
    if (order < 0 || (order == 0 && level < i->order[at])) break;
  }
  for (n = i->waiting++; n > at; n--) i->order[n] = i->order[n - 1];
  i->order[at] = (uint8_t)level;
  FL_ASSERT(i->waiting <= i->levels);
}

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

/* Does a dict nearer than this level have the name of the key that was found? With shared keys one name can be a code
** in one dict and a string in another. Names too long for a code were already compared as strings. */
FL_NOINLINE int bin_is_overridden_(const struct bin_pairs *i, unsigned level) {
  size_t n = 0;
  const char *s = bin_key_text(i->doc, i->key, &n);
  while (s && n <= BIN_KEY_BYTES && level-- > 0)
    if (bin_search_name(i->doc, i->dict[level], s, n)) return 1;
  return 0;
}

/* The next pair of a dict with parents: the least key of all levels, of equal ones the child's. A value that is
** undefined hides the key. */
FL_NOINLINE int bin_next_merged_(struct bin_pairs *i) {
  while (i->waiting > 0) {
    const unsigned least = i->order[0];
    bin_value key = bin_level_key(i, least);
    unsigned n, equal = 1, next[BIN_ANCESTORS + 1];
    i->key = key;
    i->value = bin_item_value(i->doc, i->level[least].first + i->level[least].width, i->level[least].width);
    bin_pairs_step(&i->level[least]); /* a name that is there twice comes twice */
    next[0] = least;
    while (equal < i->waiting && bin_compare_keys(bin_level_key(i, i->order[equal]), key) == 0) {
      struct bin_list *l = &i->level[i->order[equal]];
      do bin_pairs_step(l);
      while (l->count > 0 && bin_compare_keys(bin_level_key(i, i->order[equal]), key) == 0);
      next[equal] = i->order[equal];
      equal++;
    }
    i->waiting -= equal;
    memmove(i->order, i->order + equal, i->waiting);
    for (n = 0; n < equal; n++) bin_queue_level_(i, next[n]);
    if (!bin_is_undefined(i->value) && !(i->doc->keys && bin_is_overridden_(i, least))) return 1;
  }
  return 0;
}

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
FL_FUNC size_t bin_dict_count(const struct bin_doc *d, bin_value dict) {
  struct bin_pairs i;
  size_t n = 0;
  bin_pairs_begin(&i, d, dict);
  if (i.levels == 1) return i.level[0].count;
  while (bin_next_pair(&i)) n++;
  return n;
}

/* ------------------------------------------------------------------------------------- the root */

/* The root of trusted bytes: the last two are the value itself, or a pointer to it. */
FL_INLINE bin_value bin_root(const struct bin_doc *d) {
  FL_ASSERT(d->end - d->begin >= 2);
  return bin_item_value(d, d->end - 2, 2);
}

#endif
