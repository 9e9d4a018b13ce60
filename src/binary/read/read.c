/* SPDX-License-Identifier: MIT
** A document written with a list can only be read with it. A list has at most BIN_KEYS_MOST names of at most 16
** bytes each: letters, digits, '_' and '-' (docs/format.md). */
#include "read.h"

FL_PRIVATE int bin_varint(bin_value *p, bin_value end, uint32_t *out) {
  uint64_t x = 0;
  for (unsigned i = 0; i < BIN_VARINT_MOST && *p < end; i++) {
    const uint8_t b = *(*p)++;
    if (7 * i < 64) x |= (uint64_t)(b & 0x7f) << 7 * i;
    if (7 * i >= 35 && (b & 0x7f)) return 0;
    if (b < 0x80) {
      *out = (uint32_t)x;
      return x <= UINT32_MAX;
    }
  }
  return 0;
}

static int bin_key_is_eligible(const char *s, size_t n) {
  if (n > BIN_KEY_BYTES) return 0;
  for (size_t i = 0; i < n; i++) {
    const char c = s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) return 0;
  }
  return 1;
}

FL_PRIVATE unsigned bin_keys_slot(const struct bin_keys *k, const char *s, size_t n) {
  uint32_t h = 2166136261u; /* FNV-1a (Fowler, Noll, Vo) */
  FL_ASSERT(k->count <= BIN_KEYS_MOST && n <= BIN_KEY_BYTES);
  for (size_t i = 0; i < n; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
  for (h ^= h >> 15;; h++) {
    const unsigned slot = h % BIN_KEY_SLOTS, code = k->slots[slot];
    if (code == 0) return slot;
    FL_ASSERT(code <= k->count);
    if (k->key[code - 1].length == n && memcmp(k->key[code - 1].text, s, n) == 0) return slot;
  }
}

FL_PRIVATE int bin_keys_add(struct bin_keys *k, const char *s, size_t n) {
  if (!bin_key_is_eligible(s, n)) return -1;
  const unsigned slot = bin_keys_slot(k, s, n);
  if (k->slots[slot] == 0) {
    if (k->count == BIN_KEYS_MOST) return -1;
    memcpy(k->key[k->count].text, s, n);
    k->key[k->count].length = (uint8_t)n;
    k->slots[slot] = (uint16_t)++k->count;
  }
  return (int)k->slots[slot] - 1;
}

FL_PRIVATE size_t bin_doc_bytes(const struct bin_doc *d) {
  size_t n = 0;
  for (; d; d = d->base) n += (size_t)(d->end - d->begin) + d->loose_bytes;
  return n;
}

FL_PRIVATE const struct bin_doc *bin_owning_document(const struct bin_doc *d, bin_value v) {
  while (d && !(v >= d->begin && v < d->end)) d = d->base;
  return d;
}

FL_PRIVATE int bin_overlaps(const struct bin_doc *d, const struct bin_doc *base) {
  for (; base; base = base->base)
    if (d->begin < base->end && base->begin < d->end) return 1;
  return 0;
}

FL_PRIVATE_NOINLINE bin_value bin_follow_extern_(const struct bin_doc *d, bin_value p, unsigned width) {
  size_t offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p);
  d = bin_owning_document(d, p);
  FL_ASSERT(d != NULL);
  if (!d->base) return p - 2 * (size_t)(bin_big16(p) & 0x7fff);
  FL_ASSERT(offset > (size_t)(p - d->begin));
  return d->base->end - (offset - (size_t)(p - d->begin));
}

FL_PRIVATE_NOINLINE bin_value bin_follow_wide_(const struct bin_doc *d, bin_value p) {
  while (bin_is_pointer(p)) p = bin_follow_once(d, p, 4);
  return p;
}

FL_PRIVATE int bin_is_same_in(const struct bin_doc *a, const struct bin_doc *b, bin_value v) {
  const struct bin_doc *in_a = bin_owning_document(a, v), *in_b = bin_owning_document(b, v);
  return a->keys == b->keys && in_a && in_b && (in_a == in_b || in_a->base == in_b->base);
}

FL_PRIVATE_NOINLINE void bin_long_list_(bin_value v, struct bin_list *out) {
  bin_value p = v + 2;
  uint32_t more = bin_varint_trusted(&p);
  out->count = BIN_LONG_COUNT + more;
  out->first = p + ((p - v) & 1);
}

FL_PRIVATE int bin_compare_keys(bin_value a, bin_value b) {
  const int ia = bin_tag(a) == BIN_TAG_SMALL, ib = bin_tag(b) == BIN_TAG_SMALL;
  size_t an, bn;
  const char *as, *bs;
  if (ia || ib) return ia && ib ? bin_small(a) - bin_small(b) : ib - ia;
  as = bin_bytes(a, &an), bs = bin_bytes(b, &bn);
  return bin_compare_bytes(as, an, bs, bn);
}

/* Returns the value of a dict's own pair whose key is the string s[0..n), or, if s is NULL, the code; NULL if there is
** none. Of equal keys binary search decides which one is found, as in the reference. */
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

/* Returns the value of a dict's own pair with the name s[0..n), whose key may be its code, or NULL. */
static bin_value bin_search_name(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  const struct bin_list l = bin_list_of(dict);
  const int code = d->keys && bin_uses_codes(&l) ? bin_keys_find(d->keys, s, n) : -1;
  FL_ASSERT(bin_tag(dict) == BIN_TAG_DICT && s != NULL);
  return FL_UNLIKELY(code >= 0) ? bin_search(d, &l, NULL, 0, code) : bin_search(d, &l, s, n, 0);
}

/* bin_dict_get for dicts with codes or parents. */
FL_NOINLINE bin_value bin_dict_get_(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  for (;;) {
    const struct bin_list l = bin_list_of(dict);
    bin_value found = bin_search_name(d, dict, s, n);
    if (found) return bin_is_undefined(found) ? NULL : found;
    if (!bin_has_parent(&l)) return NULL;
    dict = bin_parent(d, &l);
  }
}

FL_PRIVATE bin_value bin_dict_get(const struct bin_doc *d, bin_value dict, const char *s, size_t n) {
  struct bin_list l = bin_list_of(dict);
  FL_ASSERT(bin_tag(dict) == BIN_TAG_DICT && s != NULL);
  if (FL_UNLIKELY(l.count == 0)) return NULL;
  if (FL_UNLIKELY(bin_tag(l.first) == BIN_TAG_SMALL)) return bin_dict_get_(d, dict, s, n);
  const bin_value found = bin_search(d, &l, s, n, 0);
  return found && FL_LIKELY(!bin_is_undefined(found)) ? found : NULL;
}

FL_INLINE bin_value bin_level_key(const struct bin_pairs *i, unsigned level) {
  FL_ASSERT(level < i->levels && i->level[level].count > 0);
  return bin_item_value(i->doc, i->level[level].first, i->level[level].width);
}

FL_PRIVATE_NOINLINE void bin_queue_level_(struct bin_pairs *i, unsigned level) {
  unsigned at, n;
  if (i->level[level].count == 0) return;
  const bin_value key = bin_level_key(i, level);
  for (at = 0; at < i->waiting; at++) {
    const int order = bin_compare_keys(key, bin_level_key(i, i->order[at]));
    if (order < 0 || (order == 0 && level < i->order[at])) break;
  }
  for (n = i->waiting++; n > at; n--) i->order[n] = i->order[n - 1];
  i->order[at] = (uint8_t)level;
  FL_ASSERT(i->waiting <= i->levels);
}

/* Returns whether a dict nearer than this level has the name of the key that was found. With shared keys one name can
** be a code in one dict and a string in another. Names too long for a code were already compared as strings. */
FL_NOINLINE int bin_is_overridden_(const struct bin_pairs *i, unsigned level) {
  size_t n = 0;
  const char *s = bin_key_text(i->doc, i->key, &n);
  while (s && n <= BIN_KEY_BYTES && level-- > 0)
    if (bin_search_name(i->doc, i->dict[level], s, n)) return 1;
  return 0;
}

FL_PRIVATE_NOINLINE int bin_next_merged_(struct bin_pairs *i) {
  while (i->waiting > 0) {
    const unsigned least = i->order[0];
    bin_value key = bin_level_key(i, least);
    unsigned n, equal = 1, next[BIN_ANCESTORS + 1];
    i->key = key;
    i->value = bin_item_value(i->doc, i->level[least].first + i->level[least].width, i->level[least].width);
    bin_pairs_step(&i->level[least]); /* a name that this dict has twice is returned twice */
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

FL_PRIVATE size_t bin_dict_count(const struct bin_doc *d, bin_value dict) {
  struct bin_pairs i;
  size_t n = 0;
  bin_pairs_begin(&i, d, dict);
  if (i.levels == 1) return i.level[0].count;
  while (bin_next_pair(&i)) n++;
  return n;
}
