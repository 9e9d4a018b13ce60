/* SPDX-License-Identifier: MIT
** binary.h -- what the tests of the binary format share: documents from JSON, a reader of everything,
** and a sink that holds a document against the text it was made from. */
#ifndef FLEECE_TESTS_BINARY_H
#define FLEECE_TESTS_BINARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/check/check.h"
#include "document/from_json/json_to_binary.h"
#include "text/cpu.h"
#include "heap.h"

static int must(int claim) {
  MUST(claim);
  return 1;
}

/* ------------------------------------------------------------------------------------- documents */

struct outcome {
  uint8_t *bytes; /* malloc'ed, just as long; NULL: an error */
  size_t n;
  enum bin_error error;
  int json_error;
};

/* The document of a JSON text whose end is readable and 0. */
static struct outcome encode(struct heap *h, const char *s, size_t n, int compact) {
  struct outcome r = {NULL, 0, BIN_ERROR_NONE, 0};
  struct bin_encoder e;
  struct json_to_binary k;
  const char *p;
  bin_encoder_init(&e, heap_alloc, h, compact ? BIN_COMPACT : BIN_COMPATIBLE);
  json_to_binary_init(&k, &e, s, s + n);
  k.reference = !compact;
  k.scan.utf8 = text_utf8_pick(text_cpu());
  k.scan.max_depth = compact ? 1000 : JSON_TO_BINARY_DEPTH_COMPATIBLE + 1;
  p = json_to_binary_scan(&k, &k.scan, json_skip_space(&k.scan, s));
  if (p && !e.error && json_skip_space(&k.scan, p) == s + n && bin_finish(&e)) {
    r.n = (size_t)(e.w - e.out.begin);
    MUST(r.bytes = (uint8_t *)malloc(r.n));
    memcpy(r.bytes, e.out.begin, r.n);
  }
  r.error = e.error;
  r.json_error = k.scan.error;
  json_to_binary_free(&k);
  bin_encoder_free(&e);
  return r;
}

enum { MOST_LEVELS = 1000 };

/* The verdict on a document that may have a base; *d is ready for reading if it is NONE. */
static enum bin_error verdict_within(uint32_t levels, struct heap *h, const struct bin_doc *base, const uint8_t *bytes,
                                     size_t n, int utf8, struct bin_doc *d) {
  struct bin_check *c = (struct bin_check *)malloc(sizeof *c);
  enum bin_error error;
  int fine;
  MUST(c);
  memset(c, 0xa5, sizeof *c);
  memset(d, 0, sizeof *d);
  d->begin = bytes;
  d->end = bytes + n;
  d->base = base;
  c->alloc = heap_alloc, c->alloc_ud = h;
  c->max_depth = levels;
  c->utf8 = utf8;
  c->codes = 1;
  c->max_values = UINT64_MAX; /* these tests are about what no option allows */
  fine = bin_check(c, d);
  error = c->error;
  MUST(fine == (error == BIN_ERROR_NONE));
  MUST(fine || (c->where >= bytes && c->where <= bytes + n) ||
       (base && c->where >= base->begin && c->where <= base->end));
  free(c);
  return error;
}
static enum bin_error verdict_on(struct heap *h, const struct bin_doc *base, const uint8_t *bytes, size_t n, int utf8,
                                 struct bin_doc *d) {
  return verdict_within(MOST_LEVELS, h, base, bytes, n, utf8, d);
}
static enum bin_error verdict(struct heap *h, const uint8_t *bytes, size_t n, int utf8, struct bin_doc *d) {
  return verdict_on(h, NULL, bytes, n, utf8, d);
}

/* ------------------------------------------------------------------------------------- reading everything */

enum { READ_STEPS = 1000000 }; /* and no more: small dicts may have a large parent in common */

struct reader {
  const struct bin_doc *doc;
  uint8_t *done;      /* of each even offset, the base's first */
  bin_value *waiting; /* collections; each comes once */
  size_t count, steps;
  int repeats;  /* a dict has a name twice */
  uint64_t sum; /* of all bytes read, so that they are */
};

/* The offset of a value, counted from the beginning of the base. */
static size_t read_place(const struct bin_doc *d, bin_value v) {
  const size_t base_n = d->base ? (size_t)(d->base->end - d->base->begin) : 0;
  if (v >= d->begin && v < d->end) return base_n + (size_t)(v - d->begin);
  MUST(d->base && v >= d->base->begin && v < d->base->end);
  return (size_t)(v - d->base->begin);
}

static void read_value(struct reader *r, bin_value v) {
  const size_t place = read_place(r->doc, v);
  size_t n, i;
  int big;
  r->steps++;
  MUST(place % 2 == 0);
  switch (bin_type_of(v)) {
  case BIN_TYPE_NUMBER:
    r->sum += bin_is_integer(v) ? bin_integer(v, &big) : bin_is_double(v) ? bin_double(v) > 0 : bin_float(v) > 0;
    break;
  case BIN_TYPE_STRING:
  case BIN_TYPE_DATA: {
    const char *s = bin_bytes(v, &n);
    for (i = 0; i < n; i++) r->sum += (uint8_t)s[i];
    break;
  }
  case BIN_TYPE_ARRAY:
  case BIN_TYPE_DICT:
    if (r->done[place / 2]++) break;
    r->waiting[r->count++] = v;
    break;
  default: break;
  }
}

/* Every pair by iteration, which is in order, and by look-up. */
static void read_dict(struct reader *r, bin_value dict) {
  struct bin_pairs i;
  bin_value before = NULL;
  size_t count = 0;
  int missed = 0;
  bin_pairs_begin(&i, r->doc, dict);
  while (bin_next_pair(&i) && r->steps < READ_STEPS) {
    size_t n;
    const char *s = bin_key_text(r->doc, i.key, &n);
    const int again = before && bin_compare_keys(before, i.key) == 0;
    bin_value found = s ? bin_dict_get(r->doc, dict, s, n) : NULL;
    MUST(!before || bin_compare_keys(before, i.key) <= 0);
    MUST(s || r->doc->keys == NULL);
    if (again) r->repeats = 1;
    read_value(r, i.value);
    if (s && !found && !bin_is_undefined(i.value)) missed = 1; /* of equal keys another may be found, undefined */
    if (found) read_value(r, found);
    before = i.key;
    count++;
  }
  MUST(!missed || r->repeats || r->steps >= READ_STEPS);
  if (r->steps < READ_STEPS) MUST(bin_dict_count(r->doc, dict) == count);
}

/* Reads all that can be reached. True: no dict has a name twice. */
static int read_all(const struct bin_doc *d) {
  const size_t n = (size_t)(d->end - d->begin) + (d->base ? (size_t)(d->base->end - d->base->begin) : 0);
  struct reader r = {d, (uint8_t *)calloc(1, n), (bin_value *)malloc(n * sizeof(bin_value)), 0, 0, 0, 0};
  MUST(r.done && r.waiting && bin_root(d) == d->root);
  read_value(&r, d->root);
  while (r.count > 0 && r.steps < READ_STEPS) {
    bin_value v = r.waiting[--r.count];
    struct bin_list l = bin_list_of(v);
    size_t i;
    if (bin_type_of(v) == BIN_TYPE_DICT) {
      read_dict(&r, v);
      continue;
    }
    for (i = 0; i < l.count && r.steps < READ_STEPS; i++) read_value(&r, bin_array_get(d, v, i));
    MUST(bin_array_get(d, v, l.count) == NULL);
  }
  free(r.done);
  free(r.waiting);
  return !r.repeats;
}

/* Collections in collections in the value, itself included; a parent counts as a value of its dict. `known`: of each
** even offset, 0 until it is known. */
static uint32_t read_levels(const struct bin_doc *d, bin_value v, uint32_t *known) {
  uint32_t *levels = &known[read_place(d, v) / 2], most = 0;
  struct bin_list l;
  size_t i, items;
  if (bin_type_of(v) != BIN_TYPE_ARRAY && bin_type_of(v) != BIN_TYPE_DICT) return 0;
  if (*levels) return *levels;
  l = bin_list_of(v);
  items = bin_type_of(v) == BIN_TYPE_DICT ? 2 * (size_t)l.count : l.count;
  for (i = 0; i < items; i++) {
    const uint32_t inner = read_levels(d, bin_item_value(d, l.first + i * l.width, l.width), known);
    if (inner > most) most = inner;
  }
  return *levels = most + 1;
}

/* The check lets pass as many levels as max_depth says: no more, no fewer. */
FL_FUNC void must_count_levels(struct heap *h, const struct bin_doc *base, const struct bin_doc *d) {
  const size_t n = (size_t)(d->end - d->begin), all = n + (base ? (size_t)(base->end - base->begin) : 0);
  uint32_t *known = (uint32_t *)calloc(all, sizeof *known), levels;
  struct bin_doc again;
  MUST(known);
  levels = read_levels(d, d->root, known);
  free(known);
  MUST(levels <= MOST_LEVELS);
  if (levels < 2) return; /* max_depth is at least 1 */
  MUST(verdict_within(levels, h, base, d->begin, n, 0, &again) == BIN_ERROR_NONE);
  MUST(verdict_within(levels - 1, h, base, d->begin, n, 0, &again) == BIN_ERROR_DEPTH);
}

/* ------------------------------------------------------------------------------------- document and text */

enum { SAME_DEEPEST = 1001 };

/* A sink of the scanner: each value of the text must be in the document where it should be. Names must not repeat. */
struct same {
  struct json_scan scan;
  const struct bin_doc *doc;
  int reference; /* as of json_to_binary */
  size_t depth, scratch_room;
  struct {
    bin_value v;
    size_t count;
  } open[SAME_DEEPEST];
  bin_value next; /* the value of the name that was read last */
};

static bin_value same_take(struct same *k) {
  bin_value v;
  if (k->depth == 0) return k->doc->root;
  if (bin_type_of(k->open[k->depth - 1].v) == BIN_TYPE_DICT) {
    MUST(k->next);
    v = k->next;
    k->next = NULL;
  } else {
    MUST(v = bin_array_get(k->doc, k->open[k->depth - 1].v, k->open[k->depth - 1].count));
  }
  k->open[k->depth - 1].count++;
  return v;
}

static char *same_grow(void *owner, size_t n) {
  struct same *k = (struct same *)owner;
  k->scan.scratch = (char *)realloc(k->scan.scratch, n);
  return k->scan.scratch;
}
static int same_null(struct same *k) { return must(bin_type_of(same_take(k)) == BIN_TYPE_NULL); }
static int same_boolean(struct same *k, int b) {
  bin_value v = same_take(k);
  return must(bin_type_of(v) == BIN_TYPE_BOOLEAN && bin_is_true(v) == b);
}
static int same_integer(struct same *k, int64_t i) {
  bin_value v = same_take(k);
  int big;
  return must(bin_type_of(v) == BIN_TYPE_NUMBER && bin_is_integer(v) && bin_integer(v, &big) == (uint64_t)i && !big);
}
static int same_double(struct same *k, double d) {
  bin_value v = same_take(k);
  double there;
  int big;
  MUST(bin_type_of(v) == BIN_TYPE_NUMBER);
  if (k->reference && d == 0 && bin_is_integer(v)) return must(bin_integer(v, &big) == 0); /* -0 */
  MUST(!bin_is_integer(v) && bin_is_double(v));
  there = bin_double(v);
  return must(memcmp(&there, &d, sizeof d) == 0);
}
static int same_big(struct same *k, const char *text, size_t n, const struct num_value *number) {
  bin_value v = same_take(k);
  char digits[24];
  int big;
  if (!bin_is_integer(v)) return must(bin_double(v) == number->d);
  MUST(n == (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)bin_integer(v, &big)));
  return must(big && memcmp(digits, text, n) == 0);
}
static int same_number(struct same *k, const char *text, size_t n, const struct num_value *v) {
  if (v->kind == NUM_INTEGER) return same_integer(k, v->i);
  return v->kind == NUM_DOUBLE ? same_double(k, v->d) : same_big(k, text, n, v);
}
static int same_string(struct same *k, const char *s, size_t n) {
  bin_value v = same_take(k);
  size_t there;
  MUST(bin_type_of(v) == BIN_TYPE_STRING);
  return must(memcmp(bin_bytes(v, &there), s, n) == 0 && there == n);
}
static int same_name(struct same *k, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  k->next = bin_dict_get(k->doc, k->open[k->depth - 1].v, name.s, name.n);
  return must(k->next != NULL);
}
static void same_open(struct same *k, enum scan_container kind) {
  bin_value v = same_take(k);
  MUST(bin_type_of(v) == (kind == SCAN_OBJECT ? BIN_TYPE_DICT : BIN_TYPE_ARRAY));
  MUST(k->depth < SAME_DEEPEST);
  k->open[k->depth].count = 0;
  k->open[k->depth++].v = v;
}
static enum scan_container same_close(struct same *k, enum scan_container kind) {
  struct bin_list l;
  k->depth--;
  MUST(bin_type_of(k->open[k->depth].v) == (kind == SCAN_OBJECT ? BIN_TYPE_DICT : BIN_TYPE_ARRAY));
  l = bin_list_of(k->open[k->depth].v);
  MUST(l.count == k->open[k->depth].count);
  if (k->depth == 0) return SCAN_ROOT;
  return bin_type_of(k->open[k->depth - 1].v) == BIN_TYPE_DICT ? SCAN_OBJECT : SCAN_ARRAY;
}

#define SCAN_NAME same_scan
#define SCAN_SINK struct same
#define SCAN(event) same_##event
#include "json/grammar/scan_template.h"

static void must_be_same(const struct bin_doc *d, const char *s, size_t n, int reference) {
  struct same *k = (struct same *)calloc(1, sizeof *k);
  MUST(k);
  k->doc = d;
  k->reference = reference;
  k->scan.begin = s;
  k->scan.end = s + n;
  k->scan.max_depth = SAME_DEEPEST;
  k->scan.utf8 = text_utf8_pick(text_cpu());
  k->scan.grow = same_grow;
  k->scan.owner = k;
  MUST(same_scan(k, &k->scan, json_skip_space(&k->scan, s)) != NULL);
  free(k->scan.scratch);
  free(k);
}

/* Text that is JSON becomes a document in both modes that passes the check and reads back the same. */
FL_FUNC void must_become_binary(const char *s, size_t n) {
  struct heap h = {0};
  int compact, repeats = 1;
  for (compact = 0; compact < 2; compact++) {
    struct outcome r = encode(&h, s, n, compact);
    struct bin_doc d;
    MUST(h.blocks == 0);
    if (!r.bytes) continue;
    MUST(verdict(&h, r.bytes, r.n, 1, &d) == BIN_ERROR_NONE && h.blocks == 0);
    if (compact == 0) repeats = !read_all(&d); /* the compatible form keeps all pairs */
    else read_all(&d);
    if (!repeats) must_be_same(&d, s, n, !compact);
    free(r.bytes);
  }
}

#endif
