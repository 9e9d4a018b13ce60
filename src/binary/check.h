/* SPDX-License-Identifier: MIT
** check.h -- is this a document that can be read without further tests? The only place that looks at untrusted
** binary.
** May call: base, text/utf8.h, binary/read.h.
** Must hold: reads nothing outside the document and its base; linear time whatever is shared; no recursion.
**
** Each value that can be reached from the root is looked at: its bytes end before the pointer that led to it, so
** there are no cycles. A collection is gone through once: what its items hold does not depend on who points to it. A
** bit for every even offset says which are done. Readers go through shared values as often as they are pointed to, so
** their number, counted that way, is bounded too: the table `seen` knows it for those collections that hold others;
** for the rest it is what their header says. */
#ifndef FLEECE_BINARY_CHECK_H
#define FLEECE_BINARY_CHECK_H

#include "../text/utf8.h"
#include "errors.h"
#include "read.h"

enum {
  BIN_CHECK_FRAMES = 64, /* on the C stack, as the others; what needs more takes memory */
  BIN_CHECK_SLOTS = 64,
  BIN_CHECK_BITS = 512,  /* bytes of them */
  BIN_CHECK_NEIGHBOURS = 128,
  BIN_CHECK_WORK = 16, BIN_CHECK_WORK_LEAST = 1 << 22, /* steps of bin_check_spend: per byte, and anyway */
  BIN_EXPANSION = 64,    /* values that readers may meet, per byte of the document, */
  BIN_EXPANSION_LEAST = 1 << 24 /* and as many as this anyway */
};

struct bin_seen {
  bin_value at;          /* a collection that holds collections; NULL: a free slot */
  uint64_t values : 56;  /* in it, itself included */
  uint64_t ancestors : 8;
};

/* Two strings that are keys one behind the other, in order. Dicts with the same keys share those strings, so a few of
** these save most comparisons of keys that begin alike (+30 % on documents of records with long names). */
struct bin_neighbours {
  bin_value before, key, end; /* end: behind the key's bytes */
  uint64_t prefix;            /* of the key */
};

/* A collection that is being gone through. */
struct bin_check_frame {
  const struct bin_doc *doc; /* that it lies in */
  bin_value at, item, end;   /* the next item, and the end of the items */
  bin_value key;             /* of a dict: the last key, or NULL, */
  uint64_t prefix;           /* and the first bytes of its text */
  uint64_t values;           /* in it, as far as is known; */
  uint64_t own;              /* and if there are no collections in it */
  uint8_t width, is_dict, ancestors;
};

struct bin_check {
  /* given */
  fl_alloc alloc;
  void *alloc_ud;
  uint32_t max_depth;     /* collections in collections */
  int utf8;               /* strings and keys must be UTF-8 */
  const struct bin_doc *doc;
  /* found */
  enum bin_error error;
  bin_value where;        /* of the error */
  /* its own */
  uint8_t *bits;          /* of the document, then of its base ...: collections that are done or open */
  size_t bits_n;
  struct bin_seen *seen;
  size_t seen_count, slots;
  uint64_t seed;
  struct bin_check_frame *frames;
  size_t depth, room;
  size_t budget;          /* bytes of items that collections may still take */
  uint64_t most_values;
  uint64_t work;          /* steps that may still be taken besides one for each item: see bin_check_spend */
  uint8_t first_bits[BIN_CHECK_BITS];
  struct bin_neighbours neighbours[BIN_CHECK_NEIGHBOURS];
  struct bin_seen first_seen[BIN_CHECK_SLOTS];
  struct bin_check_frame first_frames[BIN_CHECK_FRAMES];
};

FL_NOINLINE int bin_check_fail(struct bin_check *c, enum bin_error error, bin_value where) {
  c->error = error;
  c->where = where;
  return 0;
}

/* ------------------------------------------------------------------------------------- collections that are done */

/* Was the collection v of `doc` begun before? From now on it was. */
FL_INLINE int bin_check_met(struct bin_check *c, const struct bin_doc *doc, bin_value v) {
  size_t at = (size_t)(v - doc->begin) / 2;
  const struct bin_doc *d;
  uint8_t bit, met;
  for (d = c->doc; FL_UNLIKELY(d != doc); d = d->base) at += (size_t)(d->end - d->begin) / 2;
  bit = (uint8_t)(1 << at % 8);
  met = c->bits[at / 8] & bit;
  c->bits[at / 8] |= bit;
  return met != 0;
}

/* Multiplication by a number that is not known beforehand: who makes documents cannot make many collide
** (Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair problem, 1997). */
FL_INLINE size_t bin_seen_slot(const struct bin_check *c, bin_value v) {
  size_t i = (size_t)((uint64_t)((uintptr_t)v >> 1) * c->seed >> 32) & (c->slots - 1);
  while (c->seen[i].at && c->seen[i].at != v) i = (i + 1) & (c->slots - 1);
  return i;
}

FL_NOINLINE int bin_seen_grow_(struct bin_check *c) {
  struct bin_seen *old = c->seen;
  size_t slots = c->slots, i;
  struct bin_seen *wider = (struct bin_seen *)c->alloc(c->alloc_ud, NULL, 0, 2 * slots * sizeof *wider);
  if (!wider) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memset(wider, 0, 2 * slots * sizeof *wider);
  c->seen = wider;
  c->slots = 2 * slots;
  for (i = 0; i < slots; i++)
    if (old[i].at) wider[bin_seen_slot(c, old[i].at)] = old[i];
  if (old != c->first_seen) c->alloc(c->alloc_ud, old, slots * sizeof *old, 0);
  return 1;
}

FL_INLINE int bin_seen_add(struct bin_check *c, const struct bin_check_frame *f) {
  struct bin_seen *s;
  if (FL_UNLIKELY(2 * ++c->seen_count > c->slots) && !bin_seen_grow_(c)) return 0;
  s = &c->seen[bin_seen_slot(c, f->at)];
  s->at = f->at;
  s->values = f->values;
  s->ancestors = f->ancestors;
  return 1;
}

/* ------------------------------------------------------------------------------------- pointers */

/* A string of n bytes is looked at, or a pointer that a pointer led to. What many items lead to is looked at many
** times, so that long strings and long chains of pointers could cost the square of the document's length. */
FL_NOINLINE int bin_check_spend(struct bin_check *c, size_t n, bin_value where) {
  const uint64_t steps = 1 + n / 16;
  if (FL_UNLIKELY(c->work < steps)) return bin_check_fail(c, BIN_ERROR_EXPANSION, where);
  c->work -= steps;
  return 1;
}

/* The pointer at p, with width bytes: where it leads once; NULL: out of the document. *doc is the one that the
** target lies in. */
FL_NOINLINE bin_value bin_check_extern_(struct bin_check *c, bin_value p, unsigned width,
                                        const struct bin_doc **doc) {
  const struct bin_doc *d = *doc;
  size_t offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p), here = (size_t)(p - d->begin);
  if (!d->base) {
    offset = 2 * (size_t)(bin_big16(p) & 0x7fff);
    return width == 4 || offset == 0 || offset > here ? (bin_check_fail(c, BIN_ERROR_POINTER, p), NULL) : p - offset;
  }
  if (offset <= here || offset - here > (size_t)(d->base->end - d->base->begin))
    return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
  *doc = d->base;
  return d->base->end - (offset - here);
}

FL_INLINE bin_value bin_check_once(struct bin_check *c, bin_value p, unsigned width, const struct bin_doc **doc) {
  size_t offset;
  if (FL_UNLIKELY(p[0] & BIN_EXTERN)) return bin_check_extern_(c, p, width, doc);
  offset = width == 2 ? bin_narrow_offset(p) : bin_wide_offset(p);
  if (FL_UNLIKELY(offset == 0 || offset > (size_t)(p - (*doc)->begin)))
    return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
  return p - offset;
}

/* Where the pointer at p leads in the end; *limit becomes the byte that the target must end before. */
FL_INLINE bin_value bin_check_pointer(struct bin_check *c, bin_value p, unsigned width, const struct bin_doc **doc,
                                      bin_value *limit) {
  for (;;) {
    const struct bin_doc *from = *doc;
    bin_value target = bin_check_once(c, p, width, doc);
    if (FL_UNLIKELY(!target)) return NULL;
    *limit = FL_LIKELY(*doc == from) ? p : (*doc)->end;
    if (FL_UNLIKELY(*limit - target < 2)) return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
    if (FL_LIKELY(!bin_is_pointer(target))) return target;
    if (FL_UNLIKELY(*limit - target < 4)) return bin_check_fail(c, BIN_ERROR_POINTER, p), NULL;
    if (FL_UNLIKELY(!bin_check_spend(c, 0, p))) return NULL;
    p = target, width = 4;
  }
}

/* ------------------------------------------------------------------------------------- values */

/* A string or data of 15 bytes or more. */
FL_NOINLINE int bin_check_long_(struct bin_check *c, bin_value v, bin_value limit) {
  bin_value p = v + 1;
  uint32_t n;
  if (!bin_varint(&p, limit, &n)) return bin_check_fail(c, BIN_ERROR_LENGTH, v);
  if (n > (size_t)(limit - p)) return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  return 1;
}

FL_NOINLINE int bin_check_utf8_(struct bin_check *c, bin_value v) {
  size_t n;
  const char *s = bin_bytes(v, &n);
  if (!bin_check_spend(c, n, v)) return 0;
  return text_utf8_valid(s, n) == n || bin_check_fail(c, BIN_ERROR_UTF8, v);
}

/* How many bytes a value takes, by its first one; BIN_ASK, more than any offset: that does not tell. Of long strings
** and data this is what stands before the bytes if their number takes one byte. */
#define BIN_ASK UINT32_MAX
#define BIN_FOUR(x) x, x, x, x
#define BIN_SIXTEEN(x) BIN_FOUR(x), BIN_FOUR(x), BIN_FOUR(x), BIN_FOUR(x)
static const uint32_t bin_sizes[256] = {
  BIN_SIXTEEN(2),
  2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 9,
  BIN_FOUR(6), BIN_FOUR(6), BIN_FOUR(10), BIN_FOUR(10),
  BIN_SIXTEEN(2),
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2,
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2,
  BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK),
  BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK), BIN_SIXTEEN(BIN_ASK)
};

FL_INLINE int bin_is_long(bin_value v) { return (v[0] & 0xef) == (BIN_TAG_STRING << 4 | BIN_LONG_LENGTH); }

/* How many bytes the value at v takes, or more than any offset. No branch: nobody can guess which strings are long
** (+25 % on people). The second byte of a long one, sign-extended, is its length, or too much. */
FL_INLINE uint64_t bin_size(bin_value v) {
  return (uint64_t)bin_sizes[v[0]] + ((uint32_t)(int32_t)(int8_t)v[1] & (0u - (uint32_t)bin_is_long(v)));
}

/* A scalar, or a collection without items: do its bytes end before the limit? At least two are there. */
FL_FUNC int bin_check_scalar(struct bin_check *c, bin_value v, bin_value limit) {
  if (bin_is_long(v)) {
    if (!bin_check_long_(c, v, limit)) return 0;
  } else if (!bin_is_collection(v) && bin_sizes[v[0]] > (size_t)(limit - v)) {
    return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  }
  return !c->utf8 || bin_tag(v) != BIN_TAG_STRING || bin_check_utf8_(c, v);
}

/* A collection's items, with all tests that concern its bytes alone. */
FL_INLINE int bin_check_list(struct bin_check *c, bin_value v, bin_value limit, struct bin_list *l) {
  uint64_t bytes;
  l->count = bin_big16(v) & 0x7ff;
  l->width = v[0] & BIN_WIDE ? 4 : 2;
  l->first = v + 2;
  if (FL_UNLIKELY(l->count == BIN_LONG_COUNT)) {
    bin_value p = v + 2;
    uint32_t more;
    if (!bin_varint(&p, limit, &more) || more > UINT32_MAX - BIN_LONG_COUNT)
      return bin_check_fail(c, BIN_ERROR_LENGTH, v);
    l->count += more;
    l->first = p + ((p - v) & 1);
    if (l->first > limit) return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  }
  bytes = (uint64_t)l->count * l->width * (bin_tag(v) == BIN_TAG_DICT ? 2 : 1);
  if (FL_UNLIKELY(bytes > (uint64_t)(limit - l->first))) return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  return 1;
}

FL_NOINLINE int bin_check_frames_(struct bin_check *c) {
  struct bin_check_frame *old = c->frames;
  struct bin_check_frame *wider;
  wider = (struct bin_check_frame *)c->alloc(c->alloc_ud, NULL, 0, 2 * c->room * sizeof *wider);
  if (!wider) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memcpy(wider, old, c->room * sizeof *wider);
  if (old != c->first_frames) c->alloc(c->alloc_ud, old, c->room * sizeof *old, 0);
  c->frames = wider;
  c->room *= 2;
  return 1;
}

/* Begins with a collection that has items; `inside`: it lies within an item, where its bytes were counted. */
FL_INLINE int bin_check_open(struct bin_check *c, bin_value v, const struct bin_list *l, const struct bin_doc *doc,
                             int inside) {
  struct bin_check_frame *f;
  const int is_dict = bin_tag(v) == BIN_TAG_DICT;
  const size_t bytes = ((size_t)l->count << is_dict) * l->width;
  if (FL_UNLIKELY(c->depth >= c->max_depth)) return bin_check_fail(c, BIN_ERROR_DEPTH, v);
  /* No encoder writes collections that overlap, so together they take no more than the document. */
  if (FL_UNLIKELY(bytes > c->budget) && !inside) return bin_check_fail(c, BIN_ERROR_OVERLAP, v);
  if (FL_LIKELY(!inside)) c->budget -= bytes;
  if (FL_UNLIKELY(c->depth == c->room) && !bin_check_frames_(c)) return 0;
  f = &c->frames[c->depth++];
  f->doc = doc;
  f->at = v;
  f->item = l->first;
  f->end = l->first + bytes;
  f->key = NULL;
  f->prefix = 0;
  f->values = f->own = 1 + (uint64_t)l->count;
  f->width = (uint8_t)l->width;
  f->is_dict = (uint8_t)is_dict;
  f->ancestors = 0;
  return 1;
}

/* A collection inside `f`, which counted as one value, is done. */
FL_INLINE int bin_check_add(struct bin_check *c, struct bin_check_frame *f, uint64_t values, unsigned ancestors) {
  f->values += values - 1;
  if (FL_UNLIKELY(f->values > c->most_values)) return bin_check_fail(c, BIN_ERROR_EXPANSION, f->at);
  if (FL_UNLIKELY(f->key != NULL) && FL_UNLIKELY(bin_is_parent_key(f->key))) {
    if (ancestors >= BIN_ANCESTORS) return bin_check_fail(c, BIN_ERROR_ANCESTORS, f->at);
    f->ancestors = (uint8_t)(ancestors + 1);
  }
  return 1;
}

FL_INLINE int bin_check_close(struct bin_check *c) {
  const struct bin_check_frame *f = &c->frames[--c->depth];
  if ((f->values != f->own || f->ancestors) && FL_UNLIKELY(!bin_seen_add(c, f))) return 0;
  return c->depth == 0 || bin_check_add(c, &c->frames[c->depth - 1], f->values, f->ancestors);
}

/* The collection v, which may have been met before: it opens as the innermost one if it was not. */
FL_INLINE int bin_check_collection(struct bin_check *c, struct bin_check_frame *f, bin_value v, bin_value limit,
                                   const struct bin_doc *doc, int inside) {
  struct bin_list l;
  const struct bin_seen *seen;
  if (!bin_check_list(c, v, limit, &l)) return 0;
  if (l.count == 0) return !f || bin_check_add(c, f, 1, 0);
  if (FL_LIKELY(!bin_check_met(c, doc, v))) return bin_check_open(c, v, &l, doc, inside);
  seen = &c->seen[bin_seen_slot(c, v)];
  return seen->at ? bin_check_add(c, f, seen->values, seen->ancestors)
                  : bin_check_add(c, f, 1 + (uint64_t)l.count, 0);
}

/* The value that an item of f is or leads to, whatever it is. A collection may open. */
FL_NOINLINE int bin_check_item_(struct bin_check *c, struct bin_check_frame *f, bin_value item) {
  const struct bin_doc *doc = f->doc;
  bin_value v = item, limit = item + f->width;
  if (bin_is_pointer(v) && FL_UNLIKELY(!(v = bin_check_pointer(c, item, f->width, &doc, &limit)))) return 0;
  if (bin_is_collection(v)) return bin_check_collection(c, f, v, limit, doc, v == item);
  return bin_check_scalar(c, v, limit);
}

/* What a key may be besides a string: a code, or first of all the mark of a parent, which is a dict. */
FL_NOINLINE int bin_check_code_(struct bin_check *c, const struct bin_check_frame *f, bin_value item, bin_value key) {
  const struct bin_doc *doc = f->doc;
  bin_value parent = item + f->width, limit = parent + f->width;
  if (key != item || bin_tag(key) != BIN_TAG_SMALL) return bin_check_fail(c, BIN_ERROR_KEY, item);
  if (bin_small(key) >= 0) {
    return !c->doc->keys || bin_small(key) < (int)c->doc->keys->count || bin_check_fail(c, BIN_ERROR_CODE, item);
  }
  if (f->key || !bin_is_parent_key(key)) return bin_check_fail(c, BIN_ERROR_KEY, item);
  if (bin_is_pointer(parent) && !(parent = bin_check_pointer(c, parent, f->width, &doc, &limit))) return 0;
  return bin_tag(parent) == BIN_TAG_DICT || bin_check_fail(c, BIN_ERROR_PARENT, item);
}

/* The first eight bytes of a string as a number in whose order strings come; 0 where bytes are missing. */
FL_FUNC uint64_t bin_check_prefix(bin_value key) {
  size_t n, i;
  const char *s = bin_bytes(key, &n);
  uint64_t x = 0;
  for (i = 0; i < n && i < 8; i++) x |= (uint64_t)(uint8_t)s[i] << (56 - 8 * i);
  return x;
}

/* Is the key behind the one before it? Equal ones are. */
FL_FUNC int bin_check_order(struct bin_check *c, bin_value before, bin_value key, bin_value item) {
  size_t n = 0;
  if (bin_tag(key) == BIN_TAG_STRING) (void)bin_bytes(key, &n);
  if (!bin_check_spend(c, n, item)) return 0;
  return bin_compare_keys(before, key) <= 0 || bin_check_fail(c, BIN_ERROR_KEY_ORDER, item);
}

/* A key: a string or a code, behind those before it; equal ones are in order. */
FL_NOINLINE int bin_check_key_(struct bin_check *c, struct bin_check_frame *f, bin_value item) {
  const struct bin_doc *doc = f->doc;
  bin_value key = item, limit = item + f->width;
  struct bin_neighbours *n;
  if (bin_is_pointer(key) && FL_UNLIKELY(!(key = bin_check_pointer(c, item, f->width, &doc, &limit)))) return 0;
  n = &c->neighbours[((uintptr_t)key >> 1) % BIN_CHECK_NEIGHBOURS];
  if (n->key == key && n->before == f->key && n->end <= limit) {
    f->key = key;
    f->prefix = n->prefix;
    return 1;
  }
  if (bin_tag(key) != BIN_TAG_STRING ? !bin_check_code_(c, f, item, key) : !bin_check_scalar(c, key, limit)) return 0;
  if (f->key && !bin_check_order(c, f->key, key, item)) return 0;
  if (bin_tag(key) == BIN_TAG_STRING) {
    size_t length;
    n->before = f->key;
    n->key = key;
    n->end = (bin_value)bin_bytes(key, &length);
    n->end += length;
    n->prefix = bin_check_prefix(key);
  }
  f->key = key;
  f->prefix = bin_tag(key) == BIN_TAG_STRING ? n->prefix : 0;
  return 1;
}

/* Where the item leads inside its document, and how many bytes are there before the limit; 0: elsewhere, or it is
** bad. */
FL_INLINE size_t bin_check_near(bin_value begin, bin_value item, unsigned width, bin_value *v) {
  const uint32_t word = width == 2 ? bin_big16(item) << 16 : bin_big32(item);
  size_t offset;
  *v = item;
  if (!(word & 0x80000000)) return width;
  offset = width == 2 ? word >> 15 & 0x7ffe : (size_t)(word & 0x3fffffff) * 2;
  if (FL_UNLIKELY(word & 0x40000000) || FL_UNLIKELY(offset > (size_t)(item - begin))) return 0;
  *v = item - offset;
  return offset;
}

/* Is the item a key as it mostly is: short, in the same document, greater by its first bytes? bin_check_key_ decides
** the rest. */
FL_INLINE int bin_check_key(const struct bin_doc *doc, bin_value item, unsigned width, bin_value *key,
                            uint64_t *prefix) {
  bin_value v;
  const size_t room = bin_check_near(doc->begin, item, width, &v), n = v[0] & 15;
  uint64_t x;
  if (FL_UNLIKELY(bin_tag(v) != BIN_TAG_STRING) || FL_UNLIKELY(bin_size(v) > room) || FL_UNLIKELY(doc->end - v < 9) ||
      FL_UNLIKELY(n == BIN_LONG_LENGTH))
    return 0;
  x = bin_big64(v + 1);
  if (n < 8) x &= ~(UINT64_MAX >> 8 * n);
  if (FL_UNLIKELY(x <= *prefix)) return 0;
  *key = v;
  *prefix = x;
  return 1;
}

/* Goes through the items of the innermost collection, up to its end or one that opens another. */
FL_INLINE int bin_check_items(struct bin_check *c, unsigned width, int is_dict) {
  const size_t depth = c->depth;
  struct bin_check_frame *f = &c->frames[depth - 1];
  const struct bin_doc *doc = f->doc;
  bin_value item = f->item, end = f->end, key = f->key;
  uint64_t prefix = f->prefix;
  const int utf8 = c->utf8;
  while (item < end) {
    bin_value v;
    size_t room;
    if (is_dict) {
      if (FL_UNLIKELY(utf8) || !bin_check_key(doc, item, width, &key, &prefix)) {
        f->key = key;
        f->prefix = prefix;
        if (FL_UNLIKELY(!bin_check_key_(c, f, item))) return 0;
        key = f->key;
        prefix = f->prefix;
      }
      item += width;
    }
    room = bin_check_near(doc->begin, item, width, &v);
    item += width;
    if (FL_LIKELY(bin_size(v) <= room) && FL_LIKELY(!utf8)) continue;
    f->item = item;
    f->key = key;
    f->prefix = prefix;
    if (FL_UNLIKELY(!bin_check_item_(c, f, item - width))) return 0;
    if (c->depth != depth) return 1;
  }
  return bin_check_close(c);
}

FL_NOINLINE int bin_check_array_2(struct bin_check *c) { return bin_check_items(c, 2, 0); }
FL_NOINLINE int bin_check_array_4(struct bin_check *c) { return bin_check_items(c, 4, 0); }
FL_NOINLINE int bin_check_dict_2(struct bin_check *c) { return bin_check_items(c, 2, 1); }
FL_NOINLINE int bin_check_dict_4(struct bin_check *c) { return bin_check_items(c, 4, 1); }

/* Goes through the collections that are open, and all in them. */
FL_FUNC int bin_check_walk(struct bin_check *c) {
  int fine = 1;
  while (fine && c->depth > 0) {
    const struct bin_check_frame *f = &c->frames[c->depth - 1];
    if (f->width == 2) fine = f->is_dict ? bin_check_dict_2(c) : bin_check_array_2(c);
    else fine = f->is_dict ? bin_check_dict_4(c) : bin_check_array_4(c);
  }
  return fine;
}

/* The root: the last two bytes, or what they lead to. */
FL_FUNC int bin_check_root(struct bin_check *c, struct bin_doc *d) {
  const struct bin_doc *doc = d;
  bin_value last = d->end - 2, limit = d->end;
  d->root = last;
  if (bin_is_pointer(last)) d->root = bin_check_pointer(c, last, 2, &doc, &limit);
  else if (last != d->begin) return bin_check_fail(c, BIN_ERROR_TRAILER, last);
  if (!d->root) return 0;
  return bin_is_collection(d->root) ? bin_check_collection(c, NULL, d->root, limit, doc, 0)
                                    : bin_check_scalar(c, d->root, limit);
}

/* Memory for the bits of n bytes of documents, and empty tables. */
FL_INLINE int bin_check_begin(struct bin_check *c, size_t n) {
  c->bits = c->first_bits;
  c->bits_n = n / 16 + 1;
  c->seen = c->first_seen;
  c->seen_count = 0;
  c->slots = BIN_CHECK_SLOTS;
  c->frames = c->first_frames;
  c->depth = 0;
  c->room = BIN_CHECK_FRAMES;
  c->seed = ((uint64_t)(uintptr_t)c ^ (uint64_t)(uintptr_t)c->doc->begin << 20) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  memset(c->first_seen, 0, sizeof c->first_seen);
  memset(c->neighbours, 0, sizeof c->neighbours);
  if (c->bits_n > BIN_CHECK_BITS) c->bits = (uint8_t *)c->alloc(c->alloc_ud, NULL, 0, c->bits_n);
  if (!c->bits) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memset(c->bits, 0, c->bits_n);
  return 1;
}

FL_INLINE void bin_check_end(struct bin_check *c) {
  if (c->bits != c->first_bits) c->alloc(c->alloc_ud, c->bits, c->bits_n, 0);
  if (c->seen != c->first_seen) c->alloc(c->alloc_ud, c->seen, c->slots * sizeof *c->seen, 0);
  if (c->frames != c->first_frames) c->alloc(c->alloc_ud, c->frames, c->room * sizeof *c->frames, 0);
}

/* Is the document `d` (its bytes, base and keys are given, and its base has passed) sound? Then d->root is set. Else
** c->error and c->where tell why. alloc, alloc_ud, max_depth and utf8 of `c` are given. */
FL_FUNC int bin_check(struct bin_check *c, struct bin_doc *d) {
  const size_t n = (size_t)(d->end - d->begin);
  const struct bin_doc *base;
  int fine;
  c->doc = d;
  c->error = BIN_ERROR_NONE;
  c->where = d->begin;
  if (n < 2 || n % 2) return bin_check_fail(c, BIN_ERROR_SIZE, d->begin);
  if ((uintptr_t)d->begin % 2) return bin_check_fail(c, BIN_ERROR_ADDRESS, d->begin);
  c->budget = n;
  for (base = d->base; base; base = base->base) c->budget += (size_t)(base->end - base->begin);
  c->most_values = BIN_EXPANSION_LEAST + BIN_EXPANSION * (uint64_t)c->budget;
  c->work = BIN_CHECK_WORK_LEAST + BIN_CHECK_WORK * (uint64_t)c->budget;
  if (!bin_check_begin(c, c->budget)) return 0;
  fine = bin_check_root(c, d) && bin_check_walk(c);
  bin_check_end(c);
  return fine;
}

#endif
