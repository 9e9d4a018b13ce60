/* SPDX-License-Identifier: MIT
** json_to_binary.h -- converts JSON text to a binary document, without Lua: a sink of the scanner.
** Must hold: the text's *end is readable and 0. If the encoder fails, the scan stops and e->error is set.
** For the objects of one text it remembers their names, which name follows which, and the sorted order of their pairs;
** only names without escapes, which can be compared as bytes. Entries are only added. The tables and every search are
** bounded; what does not fit is not remembered. */
#pragma once

#include "../../binary/encode/encode.h"
#include "../../binary/encode/end.h"
#include "../../json/grammar/scan.h"

enum {
  NAMES_NAMES = 512, /* size of each table */
  NAMES_SHAPES = 1024,
  NAMES_ORDERS = 4096,
  NAMES_LONGEST = 64, /* an object with more names is a map, not a record */
  NAMES_NAME_BYTES = 40,
  NAMES_PROBES = 8,                 /* slots that a search tries */
  NAMES_TEXT_LEAST = 512,           /* the table is not used for shorter texts */
  NAMES_LOST = 1,                   /* the shape of objects with a name that is not in the table */
  NAMES_IN_ORDER = NAMES_ORDERS + 1 /* pairs of this shape need no sorting */
};

/* A name including its closing quote. `word`: its first 16 bytes, `mask`: those that belong to the name. */
struct names_name {
  uint64_t word[2], mask[2];
  bin_known known; /* where it was last written as a key */
  uint32_t length, hash;
  char text[NAMES_NAME_BYTES + 1];
};

struct names_shape {
  uint16_t name, parent, count; /* the last name; the shape without it; number of names */
  uint16_t likely;              /* the shape that followed last time, or 0 */
  uint16_t inside;              /* first shape of the last object that was this name's value */
  uint16_t order;               /* index in `orders` + 1, or NAMES_IN_ORDER; 0 if unknown */
  uint8_t ended, repeats;       /* an object ended with it; a name is there twice: no order */
};

struct names_table {
  uint16_t names, shapes, orders_used;
  uint16_t name_slots[2 * NAMES_NAMES]; /* hash tables of number + 1; 0 if free */
  uint16_t shape_slots[2 * NAMES_SHAPES];
  struct names_name name[NAMES_NAMES];
  struct names_shape shape[NAMES_SHAPES];
  uint8_t orders[NAMES_ORDERS];
};

FL_PRIVATE void names_init(struct names_table *h);

/* Returns whether the name, with its closing quote, is at p. 16 bytes must be readable. */
FL_INLINE int names_is_at(const struct names_name *name, const char *p, const char *end) {
  const size_t n = name->length + 1;
  if (((fl_load64(p) ^ name->word[0]) & name->mask[0]) | ((fl_load64(p + 8) ^ name->word[1]) & name->mask[1])) return 0;
  return n <= 16 || ((size_t)(end - p) >= n && memcmp(p + 16, name->text + 16, n - 16) == 0);
}

/* Computes the sorted order of a shape's pairs, when an object ends with it for the second time. All names must have
** been written as keys at least once. */
FL_PRIVATE_NOINLINE void names_learn_(struct names_table *h, unsigned shape);

/* Sorts the pairs of an object of this shape. Returns 0 if the order is unknown. */
FL_INLINE int names_sort(struct names_table *h, unsigned shape, struct bin_item *items) {
  const unsigned n = h->shape[shape].count;
  struct bin_item before[2 * NAMES_LONGEST];
  FL_ASSERT(shape < h->shapes && n <= NAMES_LONGEST);
  if (FL_UNLIKELY(!h->shape[shape].order)) names_learn_(h, shape);
  if (h->shape[shape].order == NAMES_IN_ORDER) return 1;
  if (FL_UNLIKELY(!h->shape[shape].order)) return 0;
  const uint8_t *order = h->orders + h->shape[shape].order - 1;
  memcpy(before, items, 2 * n * sizeof *items);
  for (unsigned i = 0; i < n; i++) memcpy(items + 2 * i, before + 2 * order[i], 2 * sizeof *items);
  return 1;
}

/* The reference accepts 100 nested containers, and an empty one inside. */
enum { JSON_TO_BINARY_DEPTH_COMPATIBLE = 100 };

/* Position of a collection in the document, in units of two bytes, and in the text. */
struct json_to_binary_place {
  size_t position;
  const char *begin, *end;
};

/* The positions of all collections of one text, in the order of their ends, which is also that of their positions in
** the document. The encoder allocates the memory. */
struct json_to_binary_places {
  struct json_to_binary_place *items;
  const char **open; /* where each open collection begins */
  size_t count, room, depth, open_room;
};

struct json_to_binary {
  struct json_scan scan;
  struct bin_encoder *e;
  struct names_table *names; /* NULL: remember nothing */
  uint16_t *likely;          /* in the innermost object: the shape that probably comes next, or 0 */
  uint16_t nothing;
  size_t scratch_room;
  size_t root;          /* number of collections open before the text */
  int reference;        /* like the reference: -0 is an integer, numbers beyond double are infinite, depth is limited */
  const char *document; /* with several documents: where the current one begins */
  struct json_to_binary_places *places;   /* or NULL, if not needed */
  const char *ended;                      /* with places: the byte after the collection that has just ended */
  const struct json_to_binary_pass *pass; /* or NULL */
  const char *due;                        /* at a collection that ends from here on, places or `pass` want to know */
};

/* Is told from time to time up to where the text has been read. */
struct json_to_binary_pass {
  void (*to)(void *ud, const char *p);
  void *ud;
};

enum { JSON_TO_BINARY_STEP = 1024 * 1024 };

/* Sets what is told of the progress. */
FL_INLINE void json_to_binary_set_pass(struct json_to_binary *k, const struct json_to_binary_pass *pass) {
  k->pass = pass;
  if (pass) k->due = k->scan.begin;
}

FL_INLINE void json_to_binary_set_places(struct json_to_binary *k, struct json_to_binary_places *places) {
  k->places = places;
  k->due = k->scan.begin;
}

/* Grows the scratch memory for strings with escapes by the encoder's allocator. */
FL_PRIVATE char *json_to_binary_grow_scratch(void *owner, size_t n);

/* Prepares a scan of [begin, end) into the encoder. Next, set the options of k->scan and call json_to_binary_scan. */
FL_INLINE void json_to_binary_init(struct json_to_binary *k, struct bin_encoder *e, const char *begin,
                                   const char *end) {
  memset(k, 0, sizeof *k);
  k->e = e;
  k->scan.begin = begin;
  k->scan.end = end;
  k->scan.grow = json_to_binary_grow_scratch;
  k->scan.owner = k;
  k->root = e->depth;
  k->likely = &k->nothing;
  k->due = end + 1;
  if (end < begin + NAMES_TEXT_LEAST) return;
  bin_presize(e, (size_t)(end - begin));
  k->names = (struct names_table *)e->out.alloc(e->out.alloc_ud, NULL, 0, sizeof *k->names);
  if (k->names) names_init(k->names);
}

/* Frees the memory of places. */
FL_PRIVATE void json_to_binary_free_places(struct bin_encoder *e, struct json_to_binary_places *places);

/* Reads all documents from p on, separated by white space or record separators (RFC 7464), as items of the open array.
** Returns the end, or NULL after an error. */
FL_PRIVATE const char *json_to_binary_scan_lines(struct json_to_binary *k, const char *p);

FL_INLINE void json_to_binary_free(struct json_to_binary *k) {
  const struct buffer *b = &k->e->out;
  if (k->scratch_room) b->alloc(b->alloc_ud, k->scan.scratch, k->scratch_room, 0);
  if (k->names) b->alloc(b->alloc_ud, k->names, sizeof *k->names, 0);
  k->names = NULL;
  k->scratch_room = k->scan.room = 0;
}

/* Reads the value at p into the encoder. Returns the byte after it, or NULL if the scan or the encoder failed. */
FL_PRIVATE_NOINLINE const char *json_to_binary_scan(struct json_to_binary *k, struct json_scan *j, const char *p);
