/* SPDX-License-Identifier: MIT
** state.h -- the state of a check: the stack of open collections, and what is known about checked ones.
** Must hold: a checked collection is found in constant time; the author of a document cannot cause many collisions. */
#pragma once

#include "../read/errors.h"
#include "../read/read.h"

enum {
  /* The sizes of the first five are those on the C stack. Frames, slots and bits move to the heap when they grow. */
  BIN_CHECK_FRAMES = 64,
  BIN_CHECK_SLOTS = 64,
  BIN_CHECK_BITS = 256, /* words */
  BIN_CHECK_NEIGHBOURS = 128,
  BIN_CHECK_SHAPES = 128,
  BIN_CHECK_WORK = 16,            /* bin_check_spend: steps for each byte of the document, */
  BIN_CHECK_WORK_LEAST = 1 << 22, /* and for any document */
  BIN_EXPANSION = 64,             /* values that readers may visit for each byte of the document, */
  BIN_EXPANSION_LEAST = 1 << 24,  /* and for any document */
  BIN_CHECK_FEW = 16              /* items of a collection that are looked at each time it is met */
};

/* Returns the limit of values that readers of so many bytes may visit. */
FL_INLINE uint64_t bin_most_values(size_t bytes) { return BIN_EXPANSION_LEAST + BIN_EXPANSION * (uint64_t)bytes; }

/* Returns the default of max_values. Without sharing each value takes at least two bytes. */
FL_INLINE uint64_t bin_default_values(size_t bytes) { return bytes > BIN_VALUES_LEAST ? bytes : BIN_VALUES_LEAST; }

struct bin_seen {
  bin_value at;         /* a collection that was met more than once, or NULL for a free slot */
  uint64_t values : 56; /* values in it, including itself */
  uint64_t ancestors : 8;
  uint64_t texts;  /* see struct bin_check_frame */
  uint32_t levels; /* levels of nested collections, including itself */
};

/* Two strings that are consecutive keys, in order. Similar dicts share them, so a small table of them saves most
** comparisons of keys that begin alike. */
struct bin_neighbours {
  bin_value before, key, end; /* end: of the bytes of `key` */
  uint64_t prefix;            /* of `key` */
};

enum bin_check_kind {
  BIN_CHECK_ARRAY,
  BIN_CHECK_KNOWN, /* a dict with the keys of a checked dict */
  BIN_CHECK_DICT
};

/* An open collection. */
struct bin_check_frame {
  const struct bin_doc *doc; /* contains the collection */
  bin_value at, item, end;   /* the collection, its next item or pair, the end of its items */
  bin_value key;             /* of a dict: the previous key, or NULL */
  uint64_t prefix;           /* the previous key's first bytes */
  uint64_t values;           /* values counted so far */
  uint64_t texts;            /* additional values for long strings, names and data: see bin_text_values */
  uint32_t levels;           /* levels of nested collections, including itself */
  uint8_t width, kind, ancestors, long_keys;
  uint8_t again; /* it was checked before: it is walked once more for what bin_seen holds */
};

struct bin_check {
  /* parameters */
  fl_alloc alloc;
  void *alloc_ud;
  uint32_t max_depth;  /* limit for nesting */
  uint64_t max_values; /* limit for values that readers visit, shared ones once for each pointer; 0 for the default */
  int utf8;            /* strings and keys must be UTF-8 */
  int codes;           /* keys may be codes even without shared keys */
  const struct bin_doc *doc;
  /* results */
  enum bin_error error;
  bin_value where; /* position of the error */
  uint64_t values; /* values in the root, including itself */
  uint64_t texts;  /* additional values of the root for long strings, names and data */
  bin_value code;  /* first key that is a code without shared keys, or NULL */
  /* private */
  uint32_t *bits; /* one bit for each even offset of the document, then of its base, and so on */
  size_t bits_n;  /* in bytes */
  struct bin_seen *seen;
  size_t seen_count, slots;
  uint64_t seed;
  struct bin_check_frame *frames;
  size_t depth, room;
  size_t budget; /* bytes of items that further collections may have */
  uint64_t most_values;
  uint64_t work; /* steps left besides one for each item: see bin_check_spend */
  uint32_t first_bits[BIN_CHECK_BITS];
  struct bin_neighbours neighbours[BIN_CHECK_NEIGHBOURS];
  bin_value shapes[BIN_CHECK_SHAPES]; /* checked dicts: see keys.h */
  struct bin_seen first_seen[BIN_CHECK_SLOTS];
  struct bin_check_frame first_frames[BIN_CHECK_FRAMES];
};

FL_PRIVATE_NOINLINE int bin_check_fail(struct bin_check *c, enum bin_error error, bin_value where);

/* Pays for a visit to a string of n bytes, or to a pointer that is another pointer's target. Each item that leads there
** visits it, so long strings and chains of pointers could cost the square of the document's length. */
FL_PRIVATE_NOINLINE int bin_check_spend(struct bin_check *c, size_t n, bin_value where);

/* Marks the collection v of `doc` as visited. Returns whether it was. */
FL_INLINE int bin_check_mark(const struct bin_check *c, const struct bin_doc *doc, bin_value v) {
  size_t at = (size_t)(v - doc->begin) / 2;
  const struct bin_doc *d;
  for (d = c->doc; FL_UNLIKELY(d != doc); d = d->base) at += (size_t)(d->end - d->begin) / 2;
  FL_ASSERT(at / 32 < c->bits_n / sizeof *c->bits);
  const uint32_t word = c->bits[at / 32];
  c->bits[at / 32] = word | UINT32_C(1) << at % 32;
  return word >> at % 32 & 1;
}

/* Returns the slot of the collection v. The hash multiplies by a number that the author of a document cannot know, so
** he cannot cause many collisions (Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair problem,
** 1997). */
FL_INLINE size_t bin_seen_slot(const struct bin_check *c, bin_value v) {
  size_t i = (size_t)((uint64_t)((uintptr_t)v >> 1) * c->seed >> 32) & (c->slots - 1);
  FL_ASSERT((c->slots & (c->slots - 1)) == 0 && c->seen_count < c->slots && i < c->slots);
  while (c->seen[i].at && c->seen[i].at != v) i = (i + 1) & (c->slots - 1);
  return i;
}

FL_PRIVATE_NOINLINE int bin_seen_grow_(struct bin_check *c);

FL_INLINE int bin_seen_add(struct bin_check *c, const struct bin_check_frame *f) {
  if (FL_UNLIKELY(2 * ++c->seen_count > c->slots) && !bin_seen_grow_(c)) return 0;
  struct bin_seen *s = &c->seen[bin_seen_slot(c, f->at)];
  s->at = f->at;
  FL_ASSERT(f->values <= UINT64_MAX >> 8);
  s->values = f->values & (UINT64_MAX >> 8); /* at most c->most_values */
  s->texts = f->texts;
  s->ancestors = f->ancestors;
  s->levels = f->levels;
  return 1;
}

/* Opens the collection v, which becomes the innermost one. */
FL_PRIVATE_NOINLINE int bin_check_push(struct bin_check *c, const struct bin_doc *doc, bin_value v, bin_value first,
                                       bin_value end, uint32_t count, enum bin_check_kind kind, int again);

/* Adds a checked collection to its parent `f`, which has counted it as one value so far. */
FL_INLINE int bin_check_count(struct bin_check *c, struct bin_check_frame *f, uint64_t values, uint64_t texts,
                              unsigned ancestors, uint32_t levels) {
  FL_ASSERT(values > 0 && levels > 0);
  f->values += values - 1;
  f->texts += texts;
  if (levels >= f->levels) f->levels = levels + 1;
  if (FL_UNLIKELY(f->values > c->max_values)) return bin_check_fail(c, BIN_ERROR_VALUES, f->at);
  if (FL_UNLIKELY(f->values + f->texts > c->most_values)) return bin_check_fail(c, BIN_ERROR_EXPANSION, f->at);
  if (FL_UNLIKELY(f->key != NULL) && FL_UNLIKELY(bin_is_parent_key(f->key))) {
    if (ancestors >= BIN_ANCESTORS) return bin_check_fail(c, BIN_ERROR_ANCESTORS, f->at);
    f->ancestors = (uint8_t)(ancestors + 1);
  }
  return 1;
}

/* Counts the string or data v, which is, or is the target of, an item of `f`, and may be long. */
FL_PRIVATE_NOINLINE int bin_check_text_(struct bin_check *c, struct bin_check_frame *f, bin_value v);

FL_INLINE int bin_check_pop(struct bin_check *c) {
  struct bin_check_frame *f = &c->frames[--c->depth];
  FL_ASSERT(f->at != NULL && f->values <= c->most_values);
  if (FL_UNLIKELY(f->again) && !bin_seen_add(c, f)) return 0;
  c->values = f->values, c->texts = f->texts; /* the root is the last one */
  if (FL_UNLIKELY(f->values > c->max_values)) return bin_check_fail(c, BIN_ERROR_VALUES, f->at);
  return c->depth == 0 || bin_check_count(c, &c->frames[c->depth - 1], f->values, f->texts, f->ancestors, f->levels);
}

/* Initializes empty tables, and bits for n bytes of documents. */
FL_INLINE int bin_check_init(struct bin_check *c, size_t n) {
  c->bits = c->first_bits;
  c->bits_n = (n / 64 + 1) * sizeof *c->bits; /* for n / 2 offsets */
  c->seen = c->first_seen;
  c->seen_count = 0;
  c->slots = BIN_CHECK_SLOTS;
  c->frames = c->first_frames;
  c->depth = 0;
  c->values = 1;
  c->texts = 0;
  c->code = NULL;
  c->room = BIN_CHECK_FRAMES;
  c->seed = ((uint64_t)(uintptr_t)c ^ (uint64_t)(uintptr_t)c->doc->begin << 20) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  memset(c->first_seen, 0, sizeof c->first_seen);
  memset(c->neighbours, 0, sizeof c->neighbours);
  memset(c->shapes, 0, sizeof c->shapes);
  if (c->bits_n > sizeof c->first_bits) c->bits = (uint32_t *)c->alloc(c->alloc_ud, NULL, 0, c->bits_n);
  if (!c->bits) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memset(c->bits, 0, c->bits_n);
  return 1;
}

FL_INLINE void bin_check_free(struct bin_check *c) {
  if (c->bits != c->first_bits) c->alloc(c->alloc_ud, c->bits, c->bits_n, 0);
  if (c->seen != c->first_seen) c->alloc(c->alloc_ud, c->seen, c->slots * sizeof *c->seen, 0);
  if (c->frames != c->first_frames) c->alloc(c->alloc_ud, c->frames, c->room * sizeof *c->frames, 0);
}
