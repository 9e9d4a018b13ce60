/* SPDX-License-Identifier: MIT
** test_delta.c -- equality, JSON deltas made and applied, text deltas, dates: by hand and random, with every
** allocation failing once.
** FLEECE_TEST_COUNT in the environment: how long the random tests are.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_delta.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "binary/read/dates.h"
#include "binary/delta/apply.h"
#include "document/to_json/delta.h"
#include "document/from_json/json_to_binary.h"
#include "number/integer.h"
#include "number/shortest.h"
#include "../support/models.h"
#include "../support/sparse.h"

static long count = 2000;
static struct heap heap;

/* ------------------------------------------------------------------------------------- JSON there and back */

static char *json_string(void *owner, struct buffer *b, char *w, const char *s, size_t n) {
  size_t i;
  (void)owner;
  w = buf_reserve(b, w, 6 * n + 64);
  if (!w) return NULL;
  *w++ = '"';
  for (i = 0; i < n; i++) {
    if (s[i] == '"' || s[i] == '\\') *w++ = '\\';
    if ((unsigned char)s[i] < 32) w += sprintf(w, "\\u%04x", s[i]);
    else *w++ = s[i];
  }
  *w++ = '"';
  return w;
}

static char *json_value(void *owner, struct buffer *b, char *w, const struct bin_doc *d, bin_value v) {
  struct bin_pairs pairs;
  struct bin_list l;
  size_t n = 0, i;
  const char *s, *word = NULL;
  int big, dict = 0;
  w = buf_reserve(b, w, 64);
  if (!w) return NULL;
  switch (bin_type_of(v)) {
  case BIN_TYPE_NULL: word = "null"; break;
  case BIN_TYPE_UNDEFINED: word = "undefined"; break;
  case BIN_TYPE_BOOLEAN: word = bin_is_true(v) ? "true" : "false"; break;
  case BIN_TYPE_NUMBER:
    if (bin_is_integer(v)) return num_write_i64(w, (int64_t)bin_integer(v, &big));
    return num_write_double(w, bin_double(v), 1);
  case BIN_TYPE_ARRAY:
    l = bin_list_of(v);
    *w++ = '[';
    for (i = 0; i < l.count && w; i++) {
      w = json_value(owner, b, w, d, bin_list_item(d, &l, i));
      if (w && (w = buf_reserve(b, w, 2))) *w++ = ',';
    }
    break;
  case BIN_TYPE_DICT:
    *w++ = '{', dict = 1;
    bin_pairs_begin(&pairs, d, v);
    while (w && bin_next_pair(&pairs)) {
      s = bin_key_text(d, pairs.key, &n);
      w = json_string(owner, b, w, s, n);
      if (w) *w++ = ':', w = json_value(owner, b, w, d, pairs.value);
      if (w && (w = buf_reserve(b, w, 2))) *w++ = ',';
    }
    break;
  default: return s = bin_bytes(v, &n), json_string(owner, b, w, s, n);
  }
  if (!w) return NULL;
  if (word) return memcpy(w, word, strlen(word)), w + strlen(word);
  if (w[-1] == ',') w--;
  *w++ = dict ? '}' : ']';
  return w;
}

static struct bin_doc doc_of_json(const char *text, size_t n) {
  struct bin_encoder e;
  struct json_to_binary k;
  struct bin_doc d;
  const char *p;
  bin_encoder_init(&e, heap_alloc, &heap, BIN_COMPACT);
  json_to_binary_init(&k, &e, text, text + n);
  k.scan.utf8 = text_utf8_valid;
  k.scan.max_depth = 1000;
  p = json_to_binary_scan(&k, &k.scan, json_skip_space(&k.scan, text));
  MUST(p == text + n && bin_finish(&e));
  json_to_binary_free(&k);
  d = doc_of(&e, NULL, NULL);
  bin_encoder_free(&e);
  return d;
}

/* The delta as JSON, ended with 0, for the caller to free; NULL: no memory. */
static char *json_delta(struct heap *h, const struct bin_doc *a, const struct bin_doc *b, size_t *n) {
  struct bin_work w;
  struct json_style style;
  struct json_out out;
  char *text = NULL, *end;
  memset(&out, 0, sizeof out);
  memset(&style, 0, sizeof style);
  style.max_depth = 1000;
  out.style = &style;
  json_out_cpu(&out, 0);
  bin_work_init(&w, heap_alloc, h, (size_t)(a->end - a->begin) + (size_t)(b->end - b->begin));
  buf_init(&out.buffer, heap_alloc, h);
  end = delta_to_json(&w, &out, NULL, a, a->root, b, b->root);
  if (end) {
    *n = (size_t)(end - out.buffer.begin);
    text = memcpy(malloc(*n + 1), out.buffer.begin, *n);
    text[*n] = 0;
  } else {
    MUST(h->fail_at && (w.error == BIN_ERROR_MEMORY || (!w.error && out.error == FL_ERROR_MEMORY)));
  }
  buf_free(&out.buffer);
  return text;
}

static int equal(struct heap *h, const struct bin_doc *a, const struct bin_doc *b, int strict) {
  struct bin_work w;
  int same;
  bin_work_init(&w, heap_alloc, h, (size_t)(a->end - a->begin) + (size_t)(b->end - b->begin));
  same = bin_equal(&w, a, a->root, b, b->root, strict);
  MUST(same >= 0 || (h->fail_at && w.error == BIN_ERROR_MEMORY));
  return same;
}

/* ------------------------------------------------------------------------------------- by hand */

static const char long_a[] =
    "\"the parser read forty megabytes of records before it noticed that the first byte had been wrong\"";
static const char long_b[] =
    "\"The parser read fifty megabytes of records before it noticed that the first byte had been wrong.\"";

/* A value that makes it longer to replace a whole array or dict. */
#define STAYS "\"what stays as it is\""

static void test_make(void **unused) {
  /* clang-format off */
  static const char *const cases[][3] = { /* section "JSON deltas" of docs/format.md, rule by rule */
    {"[1,2,3]", "[1,2,3]", "{}"}, {"7", "7", "{}"}, {"{}", "{}", "{}"}, {"[]", "[]", "{}"},
    {"{\"a\":1,\"b\":2}", "{\"a\":1}", "{\"b\":[]}"},
    {"{\"m\":1,\"z\":1,\"c\":1,\"s\":" STAYS "}", "{\"x\":1,\"b\":2,\"m\":2,\"s\":" STAYS "}",
     "{\"b\":2,\"m\":2,\"x\":1,\"c\":[],\"z\":[]}"},
    {"[1," STAYS "]", "[9," STAYS ",4]", "{\"0\":9,\"2-\":[4]}"}, {"[" STAYS ",2,3]", "[" STAYS "]", "{\"1-\":[]}"},
    /* never longer than the new value in brackets; a long array from the first item that differs on */
    {"[1,2,3]", "[1,9,3,4]", "[[1,9,3,4]]"}, {"[1,2,3]", "[1]", "[[1]]"}, {"[1,2]", "[9,2]", "{\"0\":9}"},
    {"{\"m\":1,\"z\":1}", "{\"x\":1}", "[{\"x\":1}]"},
    {"[" STAYS ",2,3,4,5]", "[" STAYS ",3,4,5]", "{\"1-\":[3,4,5]}"},
    {"{\"a\":[" STAYS ",2,3,4,5],\"b\":1}", "{\"a\":[" STAYS ",3,4,5],\"b\":2}", "{\"a\":{\"1-\":[3,4,5]},\"b\":2}"},
    {"[1]", "[]", "[[]]"}, {"[]", "[1]", "[[1]]"}, {"1", "2", "[2]"}, {"1", "null", "[null]"},
    {"{\"a\":1}", "{\"a\":1.0}", "{\"a\":1.0}"}, {"[0.0,5]", "[-0.0,5]", "{\"0\":-0.0}"},
    {"{\"a\":{}}", "{\"a\":{\"b\":{\"c\":1}}}", "{\"a\":{\"b\":[{\"c\":1}]}}"},
    {"{\"a\":1}", "{\"a\":[]}", "{\"a\":[[]]}"},
    {"[[[[1]]],5]", "[[[[2]]],5]", "[[[[[2]]],5]]"},
    {"[[[" STAYS ",1]],5]", "[[[" STAYS ",2]],5]", "{\"0\":{\"0\":{\"1\":2}}}"}, {"[[1],2]", "{\"0\":1}", "[{\"0\":1}]"},
    {"{\"a\":\"short\"}", "{\"a\":\"shorter\"}", "{\"a\":\"shorter\"}"},
    {long_a, long_b, "[\"1-1+T|16=2-2+if|76=1+.|\",0,2]"},
  };
  /* clang-format on */
  size_t i, n;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bin_doc a = doc_of_json(cases[i][0], strlen(cases[i][0]));
    struct bin_doc b = doc_of_json(cases[i][1], strlen(cases[i][1]));
    char *text = json_delta(&heap, &a, &b, &n);
    assert_string_equal(text, cases[i][2]);
    free(text);
    doc_free(&a), doc_free(&b);
  }
}

static void test_apply(void **unused) {
  /* clang-format off */
  static const struct { const char *old, *delta, *result; int error; } cases[] = {
    {"{\"a\":1}", "{\"a\":[]}", "{}", 0}, {"{\"a\":1}", "{\"b\":[]}", NULL, BIN_DELTA_ERROR_DELETION},
    {"{\"a\":1}", "[]", "undefined", 0}, {"{\"a\":1}", "[{\"b\":2}]", "{\"b\":2}", 0},
    {"{\"a\":1}", "{}", "{\"a\":1}", 0},
    {"[1,2]", "{\"5\":5}", "[1,2]", 0}, {"[1,2]", "{\"01\":5,\"x\":[],\"-\":1,\"\":2}", "[1,2]", 0},
    {"[1,2]", "{\"1-\":[7,8]}", "[1,7,8]", 0},
    {"[1,2]", "{\"2-\":[7,8]}", "[1,2,7,8]", 0},
    {"[1,2]", "{\"3-\":[7,8]}", "[1,2]", 0}, {"[1,2]", "{\"0\":[]}", "[undefined,2]", 0},
    {"[1,2]", "{\"0-\":[]}", "[]", 0},
    {"[1,2]", "{\"0\":3,\"0-\":[]}", "[3,2]", 0}, {"[]", "{\"0-\":[1]}", "[1]", 0},
    {"[\"abc\"]", "{\"0\":[\"1=1-1+X|1=\",0,2]}", "[\"aXc\"]", 0},
    {"[\"abc\"]", "{\"0\":[\"9=\",0,2]}", NULL, BIN_DELTA_ERROR_TEXT_LENGTH},
    {"\"abc\"", "[\"1=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_SHORT},
    {"\"abc\"", "[\"1+X3=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_DELIMITER},
    {"\"abc\"", "[\"9+X\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_DELIMITER},
    {"\"abc\"", "[\"3=1+\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_DELIMITER},
    {"\"abc\"", "[\"3*\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_OPERATION},
    {"\"abc\"", "[\"3\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_OPERATION},
    {"\"abc\"", "[\"=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_OPERATION},
    {"\"abc\"", "[\"\",0,2]", NULL, BIN_DELTA_ERROR_TEXT},
    {"\"abc\"", "[\"99999999999999999999=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_LENGTH},
    {"\"abc\"", "[5,0,2]", NULL, BIN_DELTA_ERROR_TEXT},
    {"\"abc\"", "[\"18446744073709551619=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_LENGTH}, /* 2^64 + 3 */
    {"1", "[\"1=\",0,2]", NULL, BIN_DELTA_ERROR_TEXT_OLD},
    {"{}", "{\"a\":[\"1=\",0,2]}", NULL, BIN_DELTA_ERROR_TEXT_OLD},
    {"[1]", "{\"0\":[1,2]}", "[2]", 0}, {"{}", "{\"a\":[1,2]}", NULL, BIN_DELTA_ERROR_REPLACEMENT},
    {"[1]", "[1,2,3,4]", NULL, BIN_DELTA_ERROR_COUNT}, {"{\"a\":1}", "{\"a\":[1,0,0]}", "{}", 0},
    {"[1]", "[1,0,3]", NULL, BIN_DELTA_ERROR_MODE}, {"[1]", "[1,0,\"2\"]", NULL, BIN_DELTA_ERROR_MODE},
    {"{\"a\":1}", "{\"b\":{\"c\":1}}", NULL, BIN_DELTA_ERROR_OBJECT},
    {"{\"a\":1}", "{\"b\":{}}", NULL, BIN_DELTA_ERROR_OBJECT},
    {"{\"a\":1}", "{\"a\":{}}", "{\"a\":1}", 0}, {"{\"a\":1}", "{\"a\":{\"b\":1}}", NULL, BIN_DELTA_ERROR_OBJECT},
    {"{\"a\":1}", "5", "5", 0}, {"{\"a\":[1]}", "{\"a\":{\"0-\":5}}", NULL, BIN_DELTA_ERROR_REMAINDER},
  };
  /* clang-format on */
  struct buffer out;
  size_t i;
  (void)unused;
  buf_init(&out, heap_alloc, &heap);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bin_doc a = doc_of_json(cases[i].old, strlen(cases[i].old)), r;
    struct bin_doc delta = doc_of_json(cases[i].delta, strlen(cases[i].delta));
    const int error = patched(&heap, &a, &delta, (int)i & 1, NULL, &r);
    if (error != cases[i].error) fail_msg("%s with %s: error %d", cases[i].old, cases[i].delta, error);
    if (!error) {
      *json_value(NULL, &out, buf_reserve(&out, out.begin, 1), &r, r.root) = 0;
      assert_string_equal(out.begin, cases[i].result);
      doc_free(&r);
    }
    doc_free(&a), doc_free(&delta);
  }
  buf_free(&out);
}

static void test_equal_numbers(void **unused) {
  /* clang-format off */
  static const struct { const char *a, *b; int strict, loose; } cases[] = {
    {"2048", "2048.0", 0, 1}, {"0", "-0.0", 0, 1}, {"0.0", "-0.0", 0, 1}, {"1", "1.5", 0, 0},
    {"-1", "18446744073709551615", 0, 0},
    {"9007199254740993", "9007199254740992.0", 0, 0}, {"9223372036854775807", "9223372036854775808.0", 0, 0},
    {"9223372036854775808", "9223372036854775808.0", 0, 1}, {"-9223372036854775808", "-9223372036854775808.0", 0, 1},
    {"18446744073709551615", "18446744073709551616.0", 0, 0}, {"18446744073709551615", "18446744073709551615", 1, 1},
    {"-5", "-5.0", 0, 1}, {"5", "-5.0", 0, 0}, {"1", "true", 0, 0}, {"[1,[2]]", "[1,[2.0]]", 0, 1},
    {"{}", "[]", 0, 0},
    {"[null,false]", "[false,null]", 0, 0}, {"\"a\"", "\"b\"", 0, 0}, {"{\"a\":1}", "{\"b\":1}", 0, 0},
  };
  /* clang-format on */
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bin_doc a = doc_of_json(cases[i].a, strlen(cases[i].a)), b = doc_of_json(cases[i].b, strlen(cases[i].b));
    if (equal(&heap, &a, &b, 1) != cases[i].strict || equal(&heap, &b, &a, 1) != cases[i].strict ||
        equal(&heap, &a, &b, 0) != cases[i].loose || equal(&heap, &b, &a, 0) != cases[i].loose)
      fail_msg("%s and %s", cases[i].a, cases[i].b);
    doc_free(&a), doc_free(&b);
  }
}

/* ------------------------------------------------------------------------------------- random */

static void check_pair(const struct model *old, const struct model *fresh, int text_only) {
  static struct bin_keys keys, other;
  struct bin_keys *k = upto(1) ? &keys : NULL;
  struct bin_doc a, b, none, delta, r;
  size_t n, whole;
  char *text;
  if (upto(99) == 0) bin_keys_init(&keys), bin_keys_init(&other);
  (void)bin_keys_add(&other, "zebra", 5), (void)bin_keys_add(&other, "b", 1); /* other codes for the same names */
  a = doc_of_model(old, upto(1), k);
  b = doc_of_model(fresh, upto(1), upto(1) ? k : upto(1) ? &other : NULL);
  MUST(equal(&heap, &a, &b, 1) == models_equal(old, fresh));
  MUST(binary_delta(&heap, &a, &b, &delta));
  MUST(patched(&heap, &a, &delta, upto(1), k, &r) == 0);
  MUST(m_is(fresh, &r, r.root) && equal(&heap, &r, &b, 1) == 1 && equal(&heap, &b, &r, 0) == 1);
  doc_free(&r), doc_free(&delta);
  if (text_only) {
    text = json_delta(&heap, &a, &b, &n);
    delta = doc_of_json(text, n);
    MUST(patched(&heap, &a, &delta, upto(1), NULL, &r) == 0);
    MUST(m_is(fresh, &r, r.root));
    MUST((strcmp(text, "{}") == 0) == models_equal(old, fresh));
    none = doc_of_json("[]", 2); /* from which any other value is made by its text in brackets, or as long a form */
    free(json_delta(&heap, &none, &b, &whole));
    MUST(n <= whole || whole == 2);
    free(text);
    doc_free(&r), doc_free(&delta), doc_free(&none);
  }
  doc_free(&a), doc_free(&b);
}

static void test_random(void **unused) {
  long i;
  (void)unused;
  for (i = 0; i < count; i++) {
    const int binary = upto(3) == 0;
    struct model *m;
    models_clear();
    m = upto(9) ? random_collection(1 + upto(3), binary) : random_value(1, binary);
    check_pair(m, changed(m, 3 + upto(60), binary), !binary);
    if (i % 10 == 0) check_pair(m, random_value(3, binary), !binary);
  }
  assert_int_equal(heap.blocks, 0);
}

/* ------------------------------------------------------------------------------------- text */

/* A text delta if there is one must give the new string; returns its length or 0. */
static size_t text_delta(const char *a, size_t an, const char *b, size_t bn) {
  struct bin_work w;
  struct bin_text t;
  size_t n = 0, ops_n = 0;
  int found;
  char *ops;
  bin_work_init(&w, heap_alloc, &heap, an + bn);
  bin_text_init(&t, &w);
  found = bin_text_diff(&t, a, an, b, bn);
  MUST(found >= 0);
  if (found) {
    ops_n = t.ops_n;
    ops = memcpy(malloc(ops_n), t.ops, ops_n);
    MUST(ops_n + 6 < bn && text_utf8_valid(ops, ops_n) == ops_n);
    MUST(bin_text_apply(&t, ops, ops_n, a, an, &n) && n == bn && memcmp(t.applied, b, bn) == 0);
    free(ops);
  }
  bin_text_free(&t);
  return ops_n;
}

static void test_text(void **unused) {
  char a[200], b[200];
  size_t i;
  long r;
  (void)unused;
  for (i = 0; i < 40; i++) memcpy(a + 2 * i, "\xc3\xa9", 2); /* the reference makes a wrong delta of these two */
  memcpy(b, a, 40), memcpy(b + 40, "\xc3\xa8", 2), memcpy(b + 42, a + 40, 40);
  assert_int_equal(text_delta(a, 80, b, 82), strlen("40=2+XX|40="));
  memcpy(b, a, 80), memcpy(b + 40, "\xc3\xa8", 2); /* the two differ in a second byte */
  assert_int_equal(text_delta(a, 80, b, 80), strlen("40=2-2+XX|38="));
  b[40] = 'x'; /* and now it is not UTF-8 */
  assert_int_equal(text_delta(a, 80, b, 80), 0);
  assert_int_equal(text_delta(b, 80, a, 80), 0);
  assert_int_equal(text_delta(a, 80, a, 58), 0); /* too short */
  assert_int_equal(text_delta(a, 80, a, 60), strlen("60=20-"));
  assert_int_equal(text_delta(a, 0, a, 80), 0);
  for (r = 0; r < 10 * count; r++) {
    struct model *m, *c;
    models_clear();
    m = m_bytes(M_STRING, a, random_text(a, 60, upto(2) == 0));
    for (c = changed_string(m); upto(3); c = changed_string(c)) continue;
    (void)text_delta(m->s, m->n, c->s, c->n);
  }
  assert_int_equal(heap.blocks, 0);
}

/* Work is bounded whatever the strings are: seconds would be too long for any of these. */
static void test_text_work(void **unused) {
  const size_t n = (1 << 20) / SPARSE;
  char *a = malloc(n), *b = malloc(n);
  size_t i;
  int kind;
  (void)unused;
  for (kind = 0; kind < 4; kind++) {
    const clock_t begin = clock();
    for (i = 0; i < n; i++) {
      a[i] = (char)('a' + (kind == 0 ? upto(25) : kind == 1 ? 0 : kind == 2 ? upto(1) : (unsigned)(i / 64) % 7));
      b[i] = (char)('a' + (kind == 0   ? upto(25)
                           : kind == 1 ? i % 4000 == 0
                           : kind == 2 ? upto(1)
                                       : (unsigned)((i + 37) / 65) % 7));
    }
    (void)text_delta(a, n, b, n);
    assert_true(clock() - begin < 20 * (clock_t)CLOCKS_PER_SEC); /* slow machines, checkers */
    if (kind == 1) assert_true(text_delta(a, n, b, n) > 0);      /* a few changes in a long string must pay */
  }
  free(a), free(b);
}

/* ------------------------------------------------------------------------------------- memory */

static void test_memory(void **unused) {
  struct model *m, *c;
  struct bin_doc a, b, same, delta, r;
  const uint64_t chance = random_state;
  long n, kind, good;
  (void)unused;
  random_state = 4711; /* the same each time */
  do models_clear(), m = random_collection(4, 0), c = changed(m, 4, 0);
  while (m->n < 5 || c->kind != m->kind || models_used < 100000);
  a = doc_of_model(m, 0, NULL), same = doc_of_model(m, 1, NULL), b = doc_of_model(c, 1, NULL);
  MUST(binary_delta(&heap, &a, &b, &delta));
  for (kind = 0; kind < 8; kind++) {
    for (n = 1, good = kind / 4;; n++) {
      struct heap h = {.fail_at = n};
      struct bin_doc d;
      size_t length;
      char *text = NULL;
      int done;
      h.for_good = (int)good;
      switch (kind % 4) {
      case 0: done = (text = json_delta(&h, &a, &b, &length)) != NULL; break;
      case 1:
        if ((done = binary_delta(&h, &a, &b, &d))) doc_free(&d);
        break;
      case 2:
        done = !patched(&h, &a, &delta, 1, NULL, &r);
        if (!done) break;
        MUST(m_is(c, &r, r.root));
        doc_free(&r);
        break;
      default: done = equal(&h, &a, &same, 1) == 1; break;
      }
      free(text);
      MUST(h.blocks == 0);
      if (h.requests < n) break; /* none failed */
      MUST(!done || !good);      /* a buffer asks again for less */
    }
    assert_true(n > 3); /* some requests there were */
  }
  random_state = chance;
  doc_free(&a), doc_free(&b), doc_free(&same), doc_free(&delta);
}

/* ------------------------------------------------------------------------------------- depth and sharing */

static struct bin_doc deep(unsigned depth, int leaf, int dicts) {
  struct bin_encoder e;
  struct bin_doc d;
  unsigned i;
  bin_encoder_init(&e, heap_alloc, &heap, BIN_COMPATIBLE);
  for (i = 0; i < depth; i++) MUST(bin_begin(&e, dicts && i % 2) && (!(dicts && i % 2) || bin_put_key(&e, "k", 1)));
  MUST(bin_put_integer(&e, leaf));
  for (i = 0; i < depth; i++) MUST(bin_end(&e));
  MUST(bin_finish(&e));
  d = doc_of(&e, NULL, NULL);
  bin_encoder_free(&e);
  return d;
}

static void test_deep(void **unused) {
  const unsigned levels = SPARSE > 1 ? 30000 : 300000;
  struct bin_doc a = deep(levels, 1, 1), b = deep(levels, 2, 1), delta, r;
  (void)unused;
  assert_int_equal(equal(&heap, &a, &b, 1), 0);
  MUST(binary_delta(&heap, &a, &b, &delta));
  MUST(patched(&heap, &a, &delta, 0, NULL, &r) == 0);
  assert_int_equal(equal(&heap, &r, &b, 1), 1);
  doc_free(&a), doc_free(&b), doc_free(&delta), doc_free(&r);
}

/* A long string, shared n times. */
static struct bin_doc shared(size_t length, unsigned n, char last) {
  struct bin_encoder e;
  struct bin_doc d;
  char *s = memset(malloc(length), 'x', length);
  s[length - 1] = last;
  bin_encoder_init(&e, heap_alloc, &heap, BIN_COMPACT);
  MUST(bin_begin(&e, 0));
  while (n--) MUST(bin_put_string(&e, s, length));
  MUST(bin_end(&e) && bin_finish(&e));
  d = doc_of(&e, NULL, NULL);
  bin_encoder_free(&e);
  free(s);
  return d;
}

/* What a string costs does not depend on how often it is in the file: 200 kB mean 3 * 10^8 bytes here, which are
** compared unless the limit, lowered for the test, stops it. */
static void test_shared(void **unused) {
  struct bin_doc a = shared(100000, 3000, 'y'), b = shared(100000, 3000, 'y');
  struct bin_work w;
  (void)unused;
  assert_int_equal(equal(&heap, &a, &b, 1), 1);
  bin_work_init(&w, heap_alloc, &heap, 0);
  w.left = 3000 * (100000 / BIN_WORK_BYTES);
  assert_int_equal(bin_equal(&w, &a, a.root, &b, b.root, 1), -1);
  assert_int_equal(w.error, BIN_ERROR_EXPANSION);
  doc_free(&a), doc_free(&b);
}

/* ------------------------------------------------------------------------------------- dates */

static void test_dates(void **unused) {
  /* clang-format off */
  static const struct { const char *text; int offset; int64_t ms; } cases[] = {
    {"1970-01-01T00:00:00Z", 0, 0}, {"1970-01-01", 0, 0}, {"1970-01-01", 90, -5400000}, {"1970-01-01T00:00Z", 90, 0},
    {"2018-01-02T03:04:05.678Z", 0, INT64_C(1514862245678)}, {"2018-01-02 03:04:05-0800", 0, INT64_C(1514891045000)},
    {"2018-01-02T03:04:05.9996Z", 0, INT64_C(1514862246000)},
    {"2018-01-02T03:04:05 +01:30  ", 0, INT64_C(1514856845000)},
    {"-0001-01-01T00:00:00Z", 0, INT64_C(-62198755200000)}, {"2000-02-29T24:00:00z", 0, INT64_C(951868800000)},
    {"1900-02-29", 0, BIN_NO_DATE}, {"2018-00-01", 0, BIN_NO_DATE}, {"2018-01-00", 0, BIN_NO_DATE},
    {"", 0, BIN_NO_DATE},
    {"2018-01-02T", 0, INT64_C(1514851200000)}, {"2018-01-02T03", 0, BIN_NO_DATE},
    {"2018-01-02T03:04:05.Z", 0, BIN_NO_DATE},
    {"2018-01-02T03:04:05+15:00", 0, BIN_NO_DATE}, {"2018-01-02T03:04:05Zx", 0, BIN_NO_DATE},
    {"2018-01-02T03:60", 0, BIN_NO_DATE},
    {"2018-1-2", 0, BIN_NO_DATE}, {"2018-01-02T03:04:05+1", 0, BIN_NO_DATE}, {"2018-01-02x", 0, BIN_NO_DATE},
    {"-", 0, BIN_NO_DATE},
  };
  /* clang-format on */
  char text[BIN_DATE_ROOM + 1], *copy;
  int64_t days, day = 0;
  size_t i;
  int year, month;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const size_t n = strlen(cases[i].text);
    copy = memcpy(malloc(n + 1), cases[i].text, n);
    if (bin_parse_date(copy, n, cases[i].offset) != cases[i].ms) fail_msg("%s", cases[i].text);
    free(copy);
  }
  for (year = 1970; year < 2500; year++) /* one month after the other */
    for (month = 1; month <= 12; day += bin_days_in(year, month++)) assert_int_equal(bin_days_of(year, month, 1), day);
  for (days = -1000000; days < 4000000; days += 17) {
    int64_t y;
    int m, d;
    bin_date_of(days, &y, &m, &d);
    MUST(bin_days_of(y, m, d) == days && m >= 1 && m <= 12 && d >= 1 && d <= bin_days_in(y, m));
  }
#define FORMAT(ms, offset, expected) (*bin_format_date(text, ms, offset) = 0, assert_string_equal(text, expected))
  FORMAT(0, 0, "1970-01-01T00:00:00Z"), FORMAT(-1, 0, "1969-12-31T23:59:59.999Z"),
      FORMAT(INT64_C(951868800000), 0, "2000-03-01T00:00:00Z");
  FORMAT(0, -90, "1969-12-31T22:30:00-0130"), FORMAT(1001, 540, "1970-01-01T09:00:01.001+0900"),
      FORMAT(BIN_NO_DATE, 0, "");
  FORMAT(INT64_C(-62198755200000), 0, "-0001-01-01T00:00:00Z"), FORMAT(INT64_MAX, 0, "292278994-08-17T07:12:55.807Z");
  FORMAT(INT64_MIN + 1, 0, "-292275055-05-16T16:47:04.193Z"),
      FORMAT(INT64_MAX, 1439, "292278994-08-18T07:11:55.807+2359");
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_make),          cmocka_unit_test(test_apply),
                                     cmocka_unit_test(test_equal_numbers), cmocka_unit_test(test_random),
                                     cmocka_unit_test(test_text),          cmocka_unit_test(test_text_work),
                                     cmocka_unit_test(test_memory),        cmocka_unit_test(test_deep),
                                     cmocka_unit_test(test_shared),        cmocka_unit_test(test_dates)};
  if (getenv("FLEECE_TEST_COUNT")) count = atol(getenv("FLEECE_TEST_COUNT")) / 400 + 20;
  if (argc > 1) count = atol(argv[1]);
  return cmocka_run_group_tests_name("delta", tests, NULL, NULL);
}
