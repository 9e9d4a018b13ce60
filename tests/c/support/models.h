/* SPDX-License-Identifier: MIT
** models.h -- what the tests of binary documents share: values as plain C structures, random ones, changed ones;
** writing them as documents, and the oracle: does a document say what the model says, by look-up and by iteration?
** Memory of models comes from one arena, which models_clear empties. */
#ifndef FLEECE_TESTS_MODELS_H
#define FLEECE_TESTS_MODELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/check/check.h"
#include "binary/delta/delta.h"
#include "binary/delta/apply.h"
#include "binary/encode/end.h"
#include "heap.h"
#include "random.h"

#define MAYBE __attribute__((unused)) /* not each test needs it */

enum model_kind { M_NULL, M_FALSE, M_TRUE, M_INTEGER, M_DOUBLE, M_STRING, M_DATA, M_ARRAY, M_DICT };

struct model {
  enum model_kind kind;
  int64_t i;
  double d;
  const char *s;
  size_t n;            /* bytes, items, members */
  struct model **item; /* of an array or dict */
  struct model **name; /* of a dict: strings, each once */
};

/* ------------------------------------------------------------------------------------- memory and chance */

static char models_arena[32 << 20];
static size_t models_used;
static void models_clear(void) { models_used = 0; }

static void *models_take(size_t n) {
  void *p = models_arena + models_used;
  models_used += (n + 15) & ~(size_t)15;
  MUST(models_used <= sizeof models_arena);
  return memset(p, 0, n);
}

static unsigned upto(unsigned n) { return (unsigned)(random_bits() >> 33) % (n + 1); }

/* ------------------------------------------------------------------------------------- making models */

static struct model *m_new(enum model_kind kind) {
  struct model *m = models_take(sizeof *m);
  m->kind = kind;
  return m;
}

static struct model *m_bytes(enum model_kind kind, const char *s, size_t n) {
  struct model *m = m_new(kind);
  m->s = memcpy(models_take(n + 1), s, n);
  m->n = n;
  return m;
}

static struct model *m_integer(int64_t i) {
  struct model *m = m_new(M_INTEGER);
  m->i = i;
  return m;
}

/* Text of whole characters, of 1 to 4 bytes; few different ones, so that runs repeat. */
static size_t random_text(char *w, unsigned characters, int ascii) {
  static const char *const wide[] = {"\xc3\xa9",     "\xc3\xa8",         "\xe4\xb8\xad",
                                     "\xe4\xb8\xae", "\xf0\x9f\x98\x80", "\xc2\x80"};
  size_t n = 0;
  while (characters--) {
    const char *c = wide[upto(5)];
    if (ascii || upto(2)) w[n++] = "abcd |+-=0123"[upto(12)];
    else memcpy(w + n, c, strlen(c)), n += strlen(c);
  }
  return n;
}

static struct model *random_string(void) {
  static char text[2000];
  const unsigned most[] = {1, 3, 15, 20, 60, 400};
  return m_bytes(M_STRING, text, random_text(text, upto(most[upto(5)]), upto(1)));
}

static struct model *random_name(void) {
  /* clang-format off */
  static const char *const names[] = {"", "a", "b", "age", "name", "name2", "a long name that is no shared key",
                                      "\xc3\xa9", "\xe4\xb8\xad\xe6\x96\x87", "x-1", "x_1", "0", "1", "1-", "zebra",
                                      "with blank"};
  /* clang-format on */
  const char *name = names[upto(15)];
  char text[16];
  if (upto(3) == 0) return m_bytes(M_STRING, text, (size_t)sprintf(text, "k%u", upto(40)));
  return m_bytes(M_STRING, name, strlen(name));
}

static struct model *random_value(unsigned depth, int binary);

static size_t m_find(const struct model *dict, const struct model *name) {
  size_t i;
  for (i = 0; i < dict->n; i++)
    if (dict->name[i]->n == name->n && memcmp(dict->name[i]->s, name->s, name->n) == 0) return i;
  return dict->n;
}

/* Sets a member; NULL removes it. */
static void m_set(struct model *dict, struct model *name, struct model *value) {
  const size_t i = m_find(dict, name);
  if (!value) {
    if (i == dict->n) return;
    dict->n--;
    dict->name[i] = dict->name[dict->n], dict->item[i] = dict->item[dict->n];
    return;
  }
  if (i == dict->n) {
    struct model **names = models_take((dict->n + 1) * sizeof *names);
    struct model **items = models_take((dict->n + 1) * sizeof *items);
    if (dict->n) memcpy(names, dict->name, dict->n * sizeof *names);
    if (dict->n) memcpy(items, dict->item, dict->n * sizeof *items);
    dict->name = names, dict->item = items;
    dict->name[dict->n++] = name;
  }
  dict->item[i] = value;
}

/* Puts an item before item i. */
static void m_insert(struct model *array, size_t i, struct model *value) {
  struct model **items = models_take((array->n + 1) * sizeof *items);
  if (array->n) memcpy(items, array->item, i * sizeof *items);
  if (array->n) memcpy(items + i + 1, array->item + i, (array->n - i) * sizeof *items);
  items[i] = value;
  array->item = items;
  array->n++;
}

static struct model *random_collection(unsigned depth, int binary) {
  struct model *m = m_new(upto(1) ? M_ARRAY : M_DICT);
  unsigned n = upto(upto(3) ? 6 : 25);
  while (n--) {
    if (m->kind == M_ARRAY) m_insert(m, m->n, random_value(depth, binary));
    else m_set(m, random_name(), random_value(depth, binary));
  }
  return m;
}

static double random_double(void) {
  static const double some[] = {0.0, -0.0, 0.5, 1.0, 2048.0, -1e300, 0.1, 1e15, 3.0e38, 9007199254740993.0};
  return some[upto(9)];
}

static struct model *random_value(unsigned depth, int binary) {
  struct model *m;
  switch (upto(depth ? 9 : 6)) {
  case 0: return m_new((enum model_kind)upto(2));
  case 1: return m_integer((int64_t)(upto(1) ? random_bits() % 4 : random_bits() >> upto(63)) * (upto(1) ? 1 : -1));
  case 2:
    m = m_new(M_DOUBLE);
    m->d = random_double();
    return m;
  case 3:
    m = random_string();
    if (binary) m->kind = M_DATA;
    return m;
  case 4:
  case 5:
  case 6: return random_string();
  default: return random_collection(depth - 1, binary);
  }
}

/* ------------------------------------------------------------------------------------- changing them */

static size_t text_boundary(const char *s, size_t n, size_t at) {
  while (at < n && ((unsigned char)s[at] & 0xc0) == 0x80) at++;
  return at;
}

/* A string with some of its characters dropped, and others put in. */
static struct model *changed_string(const struct model *m) {
  char *w = models_take(m->n + 100);
  size_t from = text_boundary(m->s, m->n, upto((unsigned)m->n));
  size_t to = text_boundary(m->s, m->n, from + upto(5)), n = from;
  if (to > m->n) to = m->n;
  memcpy(w, m->s, from);
  n += random_text(w + n, upto(8), upto(1));
  memcpy(w + n, m->s + to, m->n - to);
  return m_bytes(m->kind, w, n + m->n - to);
}

/* A copy in which, at every value, one in `rare` + 1 is different. */
MAYBE static struct model *changed(const struct model *m, unsigned rare, int binary) {
  struct model *copy = models_take(sizeof *copy);
  size_t i;
  if (upto(rare) == 0) {
    if (m->kind == M_STRING && upto(3)) return changed_string(changed_string(m));
    if (m->kind < M_ARRAY || upto(7) == 0) return random_value(1, binary);
  }
  *copy = *m;
  if (m->kind < M_ARRAY) return copy;
  copy->n = 0, copy->item = copy->name = NULL;
  for (i = 0; i < m->n; i++) {
    if (upto(2 * rare) == 0) continue;
    if (m->kind == M_ARRAY) m_insert(copy, copy->n, changed(m->item[i], rare, binary));
    else m_set(copy, m->name[i], changed(m->item[i], rare, binary));
  }
  if (upto(rare) > 0) return copy;
  if (m->kind == M_ARRAY) m_insert(copy, upto((unsigned)copy->n), random_value(1, binary));
  else m_set(copy, random_name(), random_value(1, binary));
  return copy;
}

/* Strict: integers are no doubles, 0.0 is not -0.0. */
MAYBE static int models_equal(const struct model *a, const struct model *b) {
  size_t i, at;
  if (a->kind != b->kind) return 0;
  if (a->kind == M_INTEGER) return a->i == b->i;
  if (a->kind == M_DOUBLE) return memcmp(&a->d, &b->d, sizeof a->d) == 0;
  if (a->kind < M_STRING) return 1;
  if (a->n != b->n) return 0;
  if (a->kind < M_ARRAY) return memcmp(a->s, b->s, a->n) == 0;
  for (i = 0; i < a->n; i++) {
    at = a->kind == M_DICT ? m_find(b, a->name[i]) : i;
    if (at == b->n || !models_equal(a->item[i], b->item[at])) return 0;
  }
  return 1;
}

/* ------------------------------------------------------------------------------------- models as documents */

static int m_put(struct bin_encoder *e, const struct model *m) {
  size_t i;
  switch (m->kind) {
  case M_NULL: return bin_put_special(e, BIN_NULL);
  case M_FALSE: return bin_put_special(e, BIN_FALSE);
  case M_TRUE: return bin_put_special(e, BIN_TRUE);
  case M_INTEGER: return upto(1) ? bin_put_signed(e, m->i) : bin_put_integer(e, m->i);
  case M_DOUBLE: return bin_put_double(e, m->d);
  case M_STRING: return bin_put_string(e, m->s, m->n);
  case M_DATA: return bin_put_data(e, m->s, m->n);
  default: break;
  }
  if (!bin_begin(e, m->kind == M_DICT)) return 0;
  for (i = 0; i < m->n; i++) {
    if (m->kind == M_DICT && !bin_put_key(e, m->name[i]->s, m->name[i]->n)) return 0;
    if (!m_put(e, m->item[i])) return 0;
  }
  return bin_end(e);
}

/* Does a document say what the model says? */
static int m_is(const struct model *m, const struct bin_doc *d, bin_value v) {
  struct bin_pairs pairs;
  struct bin_list l;
  const char *s;
  size_t n, i;
  int big;
  double x;
  switch (m->kind) {
  case M_NULL: return bin_type_of(v) == BIN_TYPE_NULL;
  case M_FALSE:
  case M_TRUE: return bin_type_of(v) == BIN_TYPE_BOOLEAN && bin_is_true(v) == (m->kind == M_TRUE);
  case M_INTEGER: return bin_is_integer(v) && (int64_t)bin_integer(v, &big) == m->i && !big;
  case M_DOUBLE:
    if (bin_tag(v) != BIN_TAG_FLOAT) return 0;
    x = bin_double(v);
    return memcmp(&x, &m->d, sizeof x) == 0;
  case M_STRING:
  case M_DATA:
    if (bin_tag(v) != (m->kind == M_STRING ? BIN_TAG_STRING : BIN_TAG_DATA)) return 0;
    s = bin_bytes(v, &n);
    return n == m->n && memcmp(s, m->s, n) == 0;
  case M_ARRAY:
    if (bin_tag(v) != BIN_TAG_ARRAY) return 0;
    l = bin_list_of(v);
    if (l.count != m->n) return 0;
    for (i = 0; i < m->n; i++)
      if (!m_is(m->item[i], d, bin_list_item(d, &l, i))) return 0;
    return 1;
  default: break;
  }
  if (bin_tag(v) != BIN_TAG_DICT) return 0;
  for (i = 0; i < m->n; i++) {
    bin_value found = bin_dict_get(d, v, m->name[i]->s, m->name[i]->n);
    if (!found || !m_is(m->item[i], d, found)) return 0;
  }
  bin_pairs_begin(&pairs, d, v);
  for (n = 0; bin_next_pair(&pairs); n++) continue;
  return n == m->n;
}

/* ------------------------------------------------------------------------------------- documents */

static int doc_check(struct bin_doc *d) {
  static struct bin_check check;
  static struct heap heap;
  check.alloc = heap_alloc, check.alloc_ud = &heap;
  check.max_depth = 1000000;
  check.codes = 1;
  check.max_values = 0;
  if (bin_check(&check, d)) return 1;
  fprintf(stderr, "document is not sound: error %d at %d\n", check.error, (int)(check.where - d->begin));
  return 0;
}

/* A document's bytes, in a block of their own size, so that sanitizers see its edges. */
static struct bin_doc doc_of(const struct bin_encoder *e, const struct bin_doc *base, const struct bin_keys *keys) {
  struct bin_doc d;
  const size_t n = (size_t)(e->w - e->out.begin);
  memset(&d, 0, sizeof d);
  d.begin = memcpy(malloc(n), e->out.begin, n);
  d.end = d.begin + n;
  d.base = base, d.keys = keys;
  MUST(doc_check(&d));
  return d;
}

static void doc_free(struct bin_doc *d) { free((void *)(uintptr_t)d->begin); }

static struct bin_doc doc_of_model(const struct model *m, int compact, struct bin_keys *keys) {
  struct heap heap = {0};
  struct bin_encoder e;
  struct bin_doc d;
  bin_encoder_init(&e, heap_alloc, &heap, compact ? BIN_COMPACT : BIN_COMPATIBLE);
  e.keys = keys;
  MUST(m_put(&e, m) && bin_finish(&e));
  d = doc_of(&e, NULL, keys);
  bin_encoder_free(&e);
  MUST(heap.blocks == 0);
  MUST(m_is(m, &d, d.root));
  return d;
}

/* ------------------------------------------------------------------------------------- a delta as a value, which keeps data and undefined */

MAYBE static int delta_put_begin(void *c, int is_dict) { return bin_begin(((struct bin_copier *)c)->e, is_dict); }
MAYBE static int delta_put_end(void *c, int is_dict) { return (void)is_dict, bin_end(((struct bin_copier *)c)->e); }
MAYBE static int delta_put_key(void *c, const char *s, size_t n) {
  return bin_put_key(((struct bin_copier *)c)->e, s, n);
}
MAYBE static int delta_put_string(void *c, const char *s, size_t n) {
  return bin_put_string(((struct bin_copier *)c)->e, s, n);
}
MAYBE static int delta_put_integer(void *c, int i) { return bin_put_integer(((struct bin_copier *)c)->e, i); }
MAYBE static int delta_put_value(void *c, const struct bin_doc *d, bin_value v) {
  return bin_copy((struct bin_copier *)c, d, v);
}

/* A sink that writes into the encoder of `c`. */
MAYBE static struct bin_delta_sink delta_to_encoder(struct bin_copier *c) {
  struct bin_delta_sink s = {NULL,
                             delta_put_begin,
                             delta_put_end,
                             delta_put_key,
                             delta_put_string,
                             delta_put_integer,
                             delta_put_value,
                             NULL,
                             NULL,
                             NULL};
  s.owner = c;
  return s;
}

/* ------------------------------------------------------------------------------------- deltas of documents */

/* The delta as a document. 0: no memory. */
MAYBE static int binary_delta(struct heap *h, const struct bin_doc *a, const struct bin_doc *b, struct bin_doc *out) {
  struct bin_work w;
  struct bin_encoder e;
  struct bin_copier c;
  struct bin_delta_sink sink;
  int done;
  bin_work_init(&w, heap_alloc, h, (size_t)(a->end - a->begin) + (size_t)(b->end - b->begin));
  bin_encoder_init(&e, heap_alloc, h, BIN_COMPACT);
  bin_copier_init(&c, &w, &e);
  sink = delta_to_encoder(&c);
  done = bin_diff(&w, &sink, a, a->root, b, b->root) && bin_finish(&e);
  if (done) *out = doc_of(&e, NULL, NULL);
  else MUST(h->fail_at && (w.error == BIN_ERROR_MEMORY || e.error == BIN_ERROR_MEMORY || w.error == BIN_ERROR_KEYS));
  bin_copier_free(&c);
  bin_encoder_free(&e);
  return done;
}

/* 0: *out is the new document; or w.error, or e.error. */
MAYBE static int patched(struct heap *h, const struct bin_doc *a, const struct bin_doc *delta, int compact,
                         struct bin_keys *keys, struct bin_doc *out) {
  struct bin_patch_place place;
  struct bin_work w;
  struct bin_encoder e;
  int error = 0;
  bin_work_init(&w, heap_alloc, h, (size_t)(a->end - a->begin) + (size_t)(delta->end - delta->begin));
  bin_encoder_init(&e, heap_alloc, h, compact ? BIN_COMPACT : BIN_COMPATIBLE);
  e.keys = keys;
  if (bin_patch(&w, &e, a, a->root, delta, delta->root, &place) && bin_finish(&e)) *out = doc_of(&e, NULL, keys);
  else error = w.error ? w.error : (int)e.error;
  bin_encoder_free(&e);
  return error;
}

#endif
