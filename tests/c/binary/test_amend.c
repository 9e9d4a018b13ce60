/* SPDX-License-Identifier: MIT
** test_amend.c -- copies, mutable layers, amended documents: by hand and random, with every allocation failing once.
** FLEECE_TEST_COUNT in the environment: how long the random tests are.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_amend.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "binary/delta/amend.h"
#include "binary/read/equal.h"
#include "../support/models.h"

static long count = 2000;
static struct heap heap;

static struct bin_doc doc_of_hex(const char *hex) {
  struct bin_doc d;
  size_t n = strlen(hex) / 2, i;
  uint8_t *bytes = malloc(n);
  unsigned x;
  for (i = 0; i < n; i++) sscanf(hex + 2 * i, "%2x", &x), bytes[i] = (uint8_t)x;
  memset(&d, 0, sizeof d);
  d.begin = bytes, d.end = bytes + n;
  MUST(doc_check(&d));
  return d;
}

static const char *hex_of(const uint8_t *begin, const uint8_t *end) {
  static char hex[2000];
  char *w = hex;
  MUST((size_t)(end - begin) < sizeof hex / 2);
  for (*w = 0; begin < end; begin++) w += sprintf(w, "%02x", *begin);
  return hex;
}

/* ------------------------------------------------------------------------------------- copies */

/* 0: *out is a copy; else the error. */
static int copied(struct heap *h, const struct bin_doc *d, int compact, struct bin_keys *keys, struct bin_doc *out) {
  struct bin_work w;
  struct bin_copier c;
  struct bin_encoder e;
  int error = 0;
  bin_work_init(&w, heap_alloc, h, (size_t)(d->end - d->begin));
  bin_encoder_init(&e, heap_alloc, h, compact ? BIN_COMPACT : BIN_COMPATIBLE);
  e.keys = keys;
  bin_copier_init(&c, &w, &e);
  if (bin_copy(&c, d, d->root) && bin_finish(&e)) *out = doc_of(&e, NULL, keys);
  else error = w.error ? w.error : (int)e.error;
  bin_copier_free(&c);
  bin_encoder_free(&e);
  return error;
}

static void test_copy(void **unused) {
  static const char *const cases[][2] = {
      /* document, copy; docs/format.md, but for the last two */
      {"190008007001416180048003", "780141610000190008008005"},
      {"19b80b008002", "19b80b008002"},
      {"4568656c6c6f60030005800580068004", "4568656c6c6f60030005800580068004"},
      {"24000000c03f28009a9999999999b93f6002800980078003", "24000000c03f28009a9999999999b93f6002800980078003"},
      {"19001000600180031a701101600180031b002d310100600180046003800c800980058004",
       "68011900100068011a7011011b002d310100600180046003800c800a80058004"},
      {"700141613c008003", "700141613c008003"},                 /* undefined is there, though look-up does not see it */
      {"700241610001416100028005", "700241610001416100028005"}, /* a name twice */
  };
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bin_doc d = doc_of_hex(cases[i][0]), copy;
    MUST(copied(&heap, &d, 0, NULL, &copy) == 0);
    assert_string_equal(hex_of(copy.begin, copy.end), cases[i][1]);
    doc_free(&d), doc_free(&copy);
  }
}

static void test_copy_random(void **unused) {
  static struct bin_keys some, others;
  struct bin_keys *from, *to;
  long i;
  (void)unused;
  for (i = 0; i < count; i++) {
    struct model *m;
    struct bin_doc d, copy, again;
    struct bin_work w;
    const int compact = upto(1);
    if (i % 100 == 0) bin_keys_init(&some), bin_keys_init(&others), (void)bin_keys_add(&others, "zebra", 5);
    models_clear();
    m = random_value(4, 1);
    from = upto(1) ? &some : NULL, to = upto(2) ? upto(1) ? &some : &others : NULL;
    d = doc_of_model(m, upto(1), from);
    MUST(copied(&heap, &d, compact, to, &copy) == 0);
    MUST(m_is(m, &copy, copy.root));
    bin_work_init(&w, heap_alloc, &heap, 0);
    MUST(bin_equal(&w, &d, d.root, &copy, copy.root, 1) == 1);
    if (compact) { /* its numbers are the shortest; where all pointers are narrow the order does not count */
      again = doc_of_model(m, 1, to);
      MUST(copy.end - copy.begin <= again.end - again.begin || again.end - again.begin > BIN_NARROW_REACH);
      doc_free(&again);
    }
    doc_free(&d), doc_free(&copy);
  }
  assert_int_equal(heap.blocks, 0);
}

/* ------------------------------------------------------------------------------------- amending */

enum { REUSE = 1, EXTERN = 2 };

/* Base and delta as one document; extern: the delta, opened with the base. *delta is for the caller to free. 0: no
** memory. */
static int amended(struct heap *h, const struct bin_doc *base, const struct bin_layer *l, int how,
                   struct bin_keys *keys, struct bin_doc *delta, struct bin_doc *out) {
  struct bin_work w;
  struct bin_encoder e;
  const size_t n = (size_t)(base->end - base->begin);
  int done;
  bin_work_init(&w, heap_alloc, h, n);
  bin_encoder_init(&e, heap_alloc, h, BIN_COMPATIBLE);
  e.keys = keys;
  done = bin_amend(&e, base, how & REUSE, how & EXTERN) && bin_write_layer(&w, &e, l) && bin_finish(&e);
  MUST(done || (h->fail_at && (w.error == BIN_ERROR_MEMORY || e.error == BIN_ERROR_MEMORY)));
  if (done && how & EXTERN) {
    *delta = *out = doc_of(&e, base, keys);
  } else if (done) {
    const size_t more = (size_t)(e.w - e.out.begin);
    uint8_t *all = malloc(n + more);
    memset(delta, 0, sizeof *delta), memset(out, 0, sizeof *out);
    delta->begin = memcpy(malloc(more), e.out.begin, more);
    delta->end = delta->begin + more;
    memcpy(all, base->begin, n), memcpy(all + n, e.out.begin, more);
    out->begin = all, out->end = all + n + more, out->base = base->base, out->keys = keys;
    MUST(doc_check(out));
  }
  bin_encoder_free(&e);
  return done;
}

/* Puts a model into the tree. NULL: no memory. */
static bin_value tree_value(struct bin_tree *t, const struct model *m) {
  struct bin_doc d = doc_of_model(m, upto(1), (struct bin_keys *)(uintptr_t)t->fresh.keys);
  bin_value v = bin_tree_value(t, (const char *)d.begin, (size_t)(d.end - d.begin));
  doc_free(&d);
  return v;
}

static const char base_hex[] = /* {"name":"Bob","age":42,"tags":["one","two"],"addr":{"city":"Paris"},"x":1,"y":2} */
    "446e616d650043426f6243616765447461677300436f6e654374776f600280058004446164647200446369747900455061726973"
    "7001800780057006800d8005801b002a80228020801d80174178000141790002800d";

static void test_amend(void **unused) {
  /* clang-format off */
  static const struct { const char *set; int value; const char *removed; int how; const char *delta; } cases[] = {
    {"age", 43, NULL, 0, "436167657002080080128005002b8005"}, {"age", 43, NULL, REUSE, "7002080080108029002b8005"},
    {"age", 43, NULL, REUSE | EXTERN, "70020800c010c029002b8005"}, {NULL, 0, "x", 0, "70020800801041783c008005"},
    {NULL, 0, "x", EXTERN, "70020800c01041783c008005"},
    {NULL, 0, "xyage addr tags ", 0, "446e616d650070018004802d8003"}, /* in full; what is left lies in the base */
    {NULL, 0, "none", 0, "800e"},                                     /* no change: the base's root */
    {NULL, 0, NULL, EXTERN, "c00e"},
  };
  /* clang-format on */
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bin_doc base = doc_of_hex(base_hex), delta, all;
    struct bin_tree t;
    struct bin_layer *l;
    bin_tree_init(&t, heap_alloc, &heap, NULL);
    l = bin_tree_root(&t, &base, base.root);
    if (cases[i].set)
      MUST(bin_layer_set(&t, l, cases[i].set, strlen(cases[i].set), &t.fresh,
                         tree_value(&t, m_integer(cases[i].value))));
    if (cases[i].removed && strlen(cases[i].removed) > 4) {
      MUST(bin_layer_remove(&t, l, "x", 1) && bin_layer_remove(&t, l, "y", 1) && bin_layer_remove(&t, l, "age", 3) &&
           bin_layer_remove(&t, l, "addr", 4) && bin_layer_remove(&t, l, "tags", 4));
    } else if (cases[i].removed) {
      MUST(bin_layer_remove(&t, l, cases[i].removed, strlen(cases[i].removed)));
    }
    MUST(amended(&heap, &base, l, cases[i].how, NULL, &delta, &all));
    assert_string_equal(hex_of(delta.begin, delta.end), cases[i].delta);
    if (all.begin != delta.begin) doc_free(&all);
    doc_free(&delta), doc_free(&base);
    bin_tree_free(&t);
  }
  assert_int_equal(heap.blocks, 0);
}

/* All that is put in counts, wherever it lies: what bounds the work of writing the layers grows with it. */
static void test_put(void **unused) {
  struct bin_doc base = doc_of_hex(base_hex);
  const size_t n = (size_t)(base.end - base.begin);
  struct bin_tree t;
  struct bin_layer *l, *tags;
  (void)unused;
  bin_tree_init(&t, heap_alloc, &heap, NULL);
  l = bin_tree_root(&t, &base, base.root);
  tags = bin_layer_nested(&t, l, "tags", 4);
  assert_int_equal(t.put, 0);
  MUST(bin_layer_set(&t, l, "x", 1, &t.fresh, bin_tree_value(&t, (const char *)base.begin, n)));
  assert_int_equal(t.put, n);
  MUST(bin_layer_set(&t, l, "y", 1, &base, base.root) && bin_layer_set_at(&t, tags, 0, &base, base.root) &&
       bin_layer_insert_at(&t, tags, 0, &base, base.root));
  assert_int_equal(t.put, 4 * n);
  MUST(bin_layer_remove(&t, l, "y", 1) && bin_layer_remove_at(&t, tags, 0));
  assert_int_equal(t.put, 4 * n);
  bin_tree_free(&t);
  doc_free(&base);
  assert_int_equal(heap.blocks, 0);
}

/* A random change of a layer and of its model. 0: no memory, and the model does not matter any more. */
static int change(struct bin_tree *t, struct bin_layer *l, struct model *m, unsigned depth) {
  struct model *value = random_value(2, 1), *name;
  struct bin_layer *nested = NULL;
  bin_value v;
  size_t i = m->n ? upto((unsigned)m->n - 1) : 0;
  if (depth && m->n && upto(2)) {
    if (m->kind == M_DICT) nested = bin_layer_nested(t, l, m->name[i]->s, m->name[i]->n);
    else nested = bin_layer_nested_at(t, l, i);
    MUST((nested != NULL) == (m->item[i]->kind >= M_ARRAY) || t->error);
    if (nested) return change(t, nested, m->item[i], depth - 1);
    if (t->error) return 0;
  }
  v = upto(3) ? tree_value(t, value) : NULL; /* else something is removed */
  if (t->error) return 0;
  if (m->kind == M_DICT) {
    name = m->n && upto(1) ? m->name[i] : random_name();
    m_set(m, name, v ? value : NULL);
    return v ? bin_layer_set(t, l, name->s, name->n, &t->fresh, v) : bin_layer_remove(t, l, name->s, name->n);
  }
  if (v && m->n && upto(1)) return m->item[i] = value, bin_layer_set_at(t, l, i, &t->fresh, v);
  if (v && upto(1)) return m_insert(m, m->n, value), bin_layer_set_at(t, l, m->n - 1, &t->fresh, v);
  if (v) return m_insert(m, i, value), bin_layer_insert_at(t, l, i, &t->fresh, v);
  if (m->n == 0) return 1;
  memmove(m->item + i, m->item + i + 1, (m->n - i - 1) * sizeof *m->item);
  m->n--;
  return bin_layer_remove_at(t, l, i);
}

/* Does a layer say what the model says? */
static int layer_is(const struct bin_tree *t, const struct bin_layer *l, const struct model *m) {
  size_t i;
  if (l->is_dict != (m->kind == M_DICT) || (!l->is_dict && l->count != m->n)) return 0;
  for (i = 0; i < m->n; i++) {
    struct bin_slot s = l->is_dict ? bin_layer_get(t, l, m->name[i]->s, m->name[i]->n) : bin_layer_get_at(l, i);
    if (bin_slot_layer(s) ? !layer_is(t, bin_slot_layer(s), m->item[i])
                          : bin_slot_is_empty(s) || !m_is(m->item[i], s.doc, bin_slot_value(s)))
      return 0;
  }
  return l->is_dict || bin_slot_is_empty(bin_layer_get_at(l, m->n));
}

/* A document is amended again and again; each state must be what the model is. */
static void test_amend_random(void **unused) {
  static struct bin_keys list;
  long i;
  (void)unused;
  for (i = 0; i < count / 4; i++) {
    struct bin_keys *keys = upto(1) ? &list : NULL;
    struct bin_doc docs[24], *base = &docs[0], delta;
    struct model *m;
    unsigned rounds = 1 + upto(5), made = 1, n;
    if (i % 50 == 0) bin_keys_init(&list);
    models_clear();
    m = random_collection(1 + upto(3), 1);
    docs[0] = doc_of_model(m, upto(1), keys);
    while (rounds--) {
      struct bin_doc *all = &docs[made];
      struct bin_tree t;
      struct bin_layer *l;
      int how = (int)upto(3);
      bin_tree_init(&t, heap_alloc, &heap, keys);
      l = bin_tree_root(&t, base, base->root);
      for (n = upto(upto(3) ? 3 : 60); n > 0; n--) MUST(change(&t, l, m, 4));
      MUST(layer_is(&t, l, m));
      MUST(amended(&heap, base, l, how, keys, &delta, all));
      MUST(m_is(m, all, all->root));
      if (all->begin != delta.begin) doc_free(&delta);
      bin_tree_free(&t);
      base = all;
      made++;
    }
    for (n = 0; n < made; n++) doc_free(&docs[n]);
  }
  assert_int_equal(heap.blocks, 0);
}

/* Setting one name after the other: dicts with a parent never have more than two ancestors, nor do they grow as if
** written anew. */
static void test_ancestors(void **unused) {
  struct bin_doc docs[41], delta;
  struct model *m;
  int i;
  (void)unused;
  models_clear();
  m = m_new(M_DICT);
  for (i = 0; i < 40; i++) {
    char name[16];
    m_set(m, m_bytes(M_STRING, name, (size_t)sprintf(name, "key%d", i)), m_integer(i));
  }
  docs[0] = doc_of_model(m, 0, NULL);
  for (i = 0; i < 40; i++) {
    struct bin_tree t;
    struct bin_layer *l;
    struct bin_pairs pairs;
    bin_tree_init(&t, heap_alloc, &heap, NULL);
    l = bin_tree_root(&t, &docs[i], docs[i].root);
    m->item[i] = m_integer(-i);
    MUST(bin_layer_set(&t, l, m->name[i]->s, m->name[i]->n, &t.fresh, tree_value(&t, m->item[i])));
    MUST(amended(&heap, &docs[i], l, REUSE, NULL, &delta, &docs[i + 1]));
    MUST(m_is(m, &docs[i + 1], docs[i + 1].root));
    bin_pairs_begin(&pairs, &docs[i + 1], docs[i + 1].root);
    assert_int_equal(pairs.levels, 1 + (i + 1) % 3); /* with one parent, with two, in full */
    assert_true(delta.end - delta.begin <= (pairs.levels > 1 ? 20 : 4 * 40 + 20));
    doc_free(&delta);
    bin_tree_free(&t);
  }
  for (i = 0; i <= 40; i++) doc_free(&docs[i]);
}

static void test_memory(void **unused) {
  long n, good;
  (void)unused;
  for (good = 0; good < 3; good++) {
    for (n = 1;; n++) {
      struct heap h = {0};
      const uint64_t chance = random_state;
      struct bin_doc d, delta, all;
      struct bin_tree t;
      struct bin_layer *l;
      struct model *m;
      int i, done = 1;
      random_state = 4711; /* the same each time */
      models_clear();
      m = random_collection(5, 1);
      d = doc_of_model(m, 0, NULL);
      h.fail_at = n, h.for_good = good == 1;
      if (good == 2) { /* a copy */
        const int error = copied(&h, &d, 1, NULL, &all);
        MUST(error == 0 || error == BIN_ERROR_MEMORY);
        if (!error) MUST(m_is(m, &all, all.root));
        if (!error) doc_free(&all);
      } else {
        bin_tree_init(&t, heap_alloc, &h, NULL);
        l = bin_tree_root(&t, &d, d.root);
        for (i = 0; i < 100 && l && done; i++) done = change(&t, l, m, 4);
        MUST((l && done) || t.error == BIN_ERROR_MEMORY);
        if (l && done && amended(&h, &d, l, REUSE, NULL, &delta, &all)) {
          MUST(m_is(m, &all, all.root));
          doc_free(&delta), doc_free(&all);
        }
        bin_tree_free(&t);
      }
      doc_free(&d);
      MUST(h.blocks == 0);
      random_state = chance;
      if (h.requests < n) break;
    }
    assert_true(n > 3);
  }
}

/* ------------------------------------------------------------------------------------- what nobody wrote */

/* A sound document made of another one's bytes, some of them changed; the bytes are d's own. */
static int mutate(struct bin_doc *d) {
  static struct bin_check check;
  uint8_t *bytes = (uint8_t *)(uintptr_t)d->begin;
  const unsigned n = (unsigned)(d->end - d->begin);
  unsigned i;
  for (i = upto(4) + 1; i > 0; i--) {
    const unsigned at = upto(n - 1);
    switch (upto(3)) {
    case 0: bytes[at] = (uint8_t)random_bits(); break;
    case 1: bytes[at] ^= (uint8_t)(1u << upto(7)); break;
    case 2: bytes[at] = bytes[upto(n - 1)]; break;
    default: memcpy(bytes + (at & ~1u), upto(1) ? "\x08\x00\x80\x04" : "\x3c\x00\x70\x01", n - (at & ~1u) < 4 ? 2 : 4);
    }
  }
  check.alloc = heap_alloc, check.alloc_ud = &heap;
  check.max_depth = 1000;
  check.codes = 1;
  check.max_values = 0;
  return bin_check(&check, d);
}

static int same(const struct bin_doc *a, const struct bin_doc *b) {
  struct bin_work w;
  int result;
  bin_work_init(&w, heap_alloc, &heap, 10000);
  result = bin_equal(&w, a, a->root, b, b->root, 1);
  MUST(result >= 0);
  return result;
}

/* Whatever passes the check can be copied, compared, changed; and the laws hold there too: a copy is equal, a delta
** leads to what it was made for. A code without a name has no place in a delta, so that there may be none. */
static void test_mutated(void **unused) {
  long i, sound = 0;
  (void)unused;
  for (i = 0; i < 8 * count; i++) {
    struct bin_doc a, b, copy, delta, all;
    struct bin_tree t;
    struct bin_layer *l;
    struct model *m;
    models_clear();
    m = random_collection(1 + upto(2), 1);
    a = doc_of_model(m, upto(1), NULL);
    b = doc_of_model(changed(m, 4, 1), upto(1), NULL);
    if (mutate(&a) && (upto(1) || mutate(&b)) && doc_check(&b)) {
      sound++;
      MUST(copied(&heap, &a, (int)upto(1), NULL, &copy) == 0 && same(&a, &copy) && same(&copy, &a));
      doc_free(&copy);
      heap.fail_at = -1; /* no request fails, but an error is one that may be */
      if (bin_is_collection(a.root)) {
        bin_tree_init(&t, heap_alloc, &heap, NULL);
        l = bin_tree_root(&t, &a, a.root);
        if (l->is_dict) MUST(bin_layer_set(&t, l, "new", 3, &b, b.root) && bin_layer_remove(&t, l, "a", 1));
        else MUST(bin_layer_set_at(&t, l, 0, &b, b.root));
        MUST(amended(&heap, &a, l, (int)upto(3), NULL, &delta, &all));
        if (all.begin != delta.begin) doc_free(&all);
        doc_free(&delta);
        bin_tree_free(&t);
      }
      if (binary_delta(&heap, &a, &b, &delta)) {
        MUST(patched(&heap, &a, &delta, (int)upto(1), NULL, &copy) == 0);
        MUST(same(&b, &copy));
        doc_free(&delta), doc_free(&copy);
      }
      heap.fail_at = 0;
    }
    doc_free(&a), doc_free(&b);
  }
  assert_true(sound > count / 2);
  assert_int_equal(heap.blocks, 0);
}

static void test_deep(void **unused) {
  struct bin_encoder e;
  struct bin_doc d, copy;
  unsigned i;
  (void)unused;
  bin_encoder_init(&e, heap_alloc, &heap, BIN_COMPATIBLE);
  for (i = 0; i < 300000; i++) MUST(bin_begin(&e, 0));
  MUST(bin_put_integer(&e, 1));
  for (i = 0; i < 300000; i++) MUST(bin_end(&e));
  MUST(bin_finish(&e));
  d = doc_of(&e, NULL, NULL);
  bin_encoder_free(&e);
  MUST(copied(&heap, &d, 0, NULL, &copy) == 0);
  assert_int_equal(copy.end - copy.begin, d.end - d.begin);
  assert_memory_equal(copy.begin, d.begin, (size_t)(d.end - d.begin));
  doc_free(&d), doc_free(&copy);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copy),   cmocka_unit_test(test_copy_random),  cmocka_unit_test(test_amend),
      cmocka_unit_test(test_put),    cmocka_unit_test(test_amend_random), cmocka_unit_test(test_ancestors),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_mutated),      cmocka_unit_test(test_deep)};
  if (getenv("FLEECE_TEST_COUNT")) count = atol(getenv("FLEECE_TEST_COUNT")) / 400 + 20;
  if (argc > 1) count = atol(argv[1]);
  return cmocka_run_group_tests_name("amend", tests, NULL, NULL);
}
