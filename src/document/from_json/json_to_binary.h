/* SPDX-License-Identifier: MIT
** json_to_binary.h -- JSON text to a binary document, without Lua: a sink of the scanner.
** Must hold: the text's *end is readable and 0. If the encoder fails the scan stops, and e->error is set. */
#pragma once

#include "../../binary/encode/known.h"
#include "../../binary/encode/end.h"
#include "../../json/grammar/scan.h"
#include "names.h"

/* The reference accepts 100 nested containers, and an empty one in them. */
enum { JSON_TO_BINARY_DEPTH_COMPATIBLE = 100 };

/* Where a collection stands in the document, in units of two bytes, and in the text. */
struct json_to_binary_place {
  size_t position;
  const char *begin, *end;
};

/* The places of all collections of one text, in the order of their ends, which is that of their positions. Memory is
** the encoder's. */
struct json_to_binary_places {
  struct json_to_binary_place *items;
  const char **open; /* where those begin that have not ended */
  size_t count, room, depth, open_room;
};

struct json_to_binary {
  struct json_scan scan;
  struct bin_encoder *e;
  struct names_table *names; /* NULL: nothing is remembered */
  uint16_t *likely;          /* the shape that will probably come next in the innermost object; 0: unknown */
  uint16_t nothing;
  size_t scratch_room;
  size_t root;          /* the number of collections that were open before the text */
  int reference;        /* as the reference: -0 is an integer, numbers beyond double are infinite, depth is limited */
  const char *document; /* where the current one of several documents begins */
  struct json_to_binary_places *places; /* NULL: they are not wanted */
  const char *ended;                    /* the byte after the collection that ends */
};

/* Grows the scratch memory, for strings with escapes, with the encoder's allocator. */
FL_PRIVATE char *json_to_binary_grow_scratch(void *owner, size_t n);

/* Prepares a scan of [begin, end) into the encoder. The caller then sets the options of k->scan and calls
** json_to_binary_scan. */
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
  if (end < begin + NAMES_TEXT_LEAST) return;
  bin_presize(e, (size_t)(end - begin));
  k->names = (struct names_table *)e->out.alloc(e->out.alloc_ud, NULL, 0, sizeof *k->names);
  if (k->names) names_init(k->names);
}

/* Frees the memory of places. */
FL_PRIVATE void json_to_binary_free_places(struct bin_encoder *e, struct json_to_binary_places *places);

/* Reads all documents from p on, with white space or record separators (RFC 7464) between them, as items of the open
** array. Returns the end, or NULL. */
FL_PRIVATE const char *json_to_binary_scan_lines(struct json_to_binary *k, const char *p);

FL_INLINE void json_to_binary_free(struct json_to_binary *k) {
  const struct buffer *b = &k->e->out;
  if (k->scratch_room) b->alloc(b->alloc_ud, k->scan.scratch, k->scratch_room, 0);
  if (k->names) b->alloc(b->alloc_ud, k->names, sizeof *k->names, 0);
  k->names = NULL;
  k->scratch_room = k->scan.room = 0;
}

/* Reads the value at p into the encoder. Returns the byte after it, or NULL: the scan or the encoder has failed. */
FL_PRIVATE_NOINLINE const char *json_to_binary_scan(struct json_to_binary *k, struct json_scan *j, const char *p);
