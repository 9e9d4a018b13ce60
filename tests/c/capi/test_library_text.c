/* SPDX-License-Identifier: MIT
** test_library_text.c -- libfleece through its public header: texts that are checked, searched and changed in place;
** against documents of the same texts; texts that end where memory does; every allocation failing once.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/capi/test_library_text.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "../support/heap.h"
#include "library.c"
#include "../support/library.h"

/* ------------------------------------------------------------------------------------- texts that end with memory */

enum { EDGE = 1 << 16 };

static char *edge; /* the first byte that must not be read */

static int make_edge(void **unused) {
  char *block = mmap(NULL, 2 * EDGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)unused;
  if (block == MAP_FAILED || mprotect(block + EDGE, EDGE, PROT_NONE)) return -1;
  edge = block + EDGE;
  return 0;
}

static int free_edge(void **unused) {
  (void)unused;
  return munmap(edge - EDGE, 2 * EDGE);
}

/* The bytes, and nothing after them that could be read. */
static const char *at_edge(const char *s, size_t n) {
  assert_true(n < EDGE);
  return n ? (const char *)memcpy(edge - n, s, n) : edge;
}

static uint32_t seed = 20260;

static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static fleece_text part(const char *s) {
  fleece_text t;
  t.at = at_edge(s, strlen(s));
  t.size = strlen(s);
  return t;
}

static void assert_text(fleece_text t, const char *wanted) {
  if (!wanted) {
    assert_null(t.at);
    assert_int_equal(t.size, 0);
    return;
  }
  if (t.size != strlen(wanted) || memcmp(t.at, wanted, t.size) != 0)
    fail_msg("'%.*s' instead of '%s'", (int)t.size, t.at ? t.at : "", wanted);
}

/* ------------------------------------------------------------------------------------- checking */

static void test_check(void **unused) {
  static const struct {
    const char *text;
    int n, flags, status, offset, line, column;
  } cases[] = {
      {"{}", 2, 0, FLEECE_OK, -1, 0, 0},
      {" [1, {\"a\": null}]\n", 18, 0, FLEECE_OK, -1, 0, 0},
      {"12", 2, 0, FLEECE_OK, -1, 0, 0},
      {"\"\\u00e9\"", 8, 0, FLEECE_OK, -1, 0, 0},
      {"", 0, 0, FLEECE_ERROR_JSON, 0, 1, 1},
      {"[1,\n2", 5, 0, FLEECE_ERROR_JSON, 5, 2, 2},
      {"[1]\0", 4, 0, FLEECE_ERROR_JSON, 3, 1, 4},
      {"[1,]", 4, 0, FLEECE_ERROR_JSON, 3, 1, 4},
      {"[1,]", 4, FLEECE_TRAILING_COMMAS, FLEECE_OK, -1, 0, 0},
      {"[1/**/]", 7, FLEECE_COMMENTS, FLEECE_OK, -1, 0, 0},
      {"{a:+.5,b:NaN}", 13, FLEECE_JSON5, FLEECE_OK, -1, 0, 0},
      {"\xef\xbb\xbf[]", 5, 0, FLEECE_ERROR_JSON, 0, 1, 1},
      {"\xef\xbb\xbf[]", 5, FLEECE_BOM, FLEECE_OK, -1, 0, 0},
      {"[\"\xff\"]", 5, 0, FLEECE_ERROR_JSON, 2, 1, 3},
      {"[\"\xff\"]", 5, FLEECE_REPLACE_UTF8, FLEECE_OK, -1, 0, 0},
      {"[1e999]", 7, 0, FLEECE_ERROR_JSON, 1, 1, 2},
  };
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    o.flags = (uint32_t)cases[i].flags;
    assert_int_equal(fleece_text_check(at_edge(cases[i].text, (size_t)cases[i].n), (size_t)cases[i].n, &o, NULL, &e),
                     cases[i].status);
    assert_int_equal(e.status, cases[i].status);
    assert_int_equal(e.offset, (size_t)cases[i].offset);
    assert_int_equal(e.line, (size_t)cases[i].line);
    assert_int_equal(e.column, (size_t)cases[i].column);
    assert_int_equal(e.index, FLEECE_NOWHERE);
    o.flags |= FLEECE_TERMINATED;
    assert_int_equal(fleece_text_check(cases[i].text, (size_t)cases[i].n, &o, NULL, NULL), cases[i].status);
  }
  o.flags = 0, o.max_depth = 2;
  assert_int_equal(fleece_text_check("[[1]]", 5, &o, NULL, &e), FLEECE_OK);
  assert_int_equal(fleece_text_check("[[[1]]]", 7, &o, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(e.offset, 2);
  o.flags = FLEECE_TERMINATED;
  assert_int_equal(fleece_text_check("[]x", 2, &o, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_check(NULL, 1, NULL, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_check(NULL, 0, NULL, NULL, &e), FLEECE_ERROR_JSON);
  o.flags = 0x40;
  assert_int_equal(fleece_text_check("1", 1, &o, NULL, &e), FLEECE_ERROR_ARGUMENT);
}

static const char *const seeds[] = {
    "{\"a\":[1,-2.5e3,\"x\\n\\u20ac\",{\"b\":true,\"c\":[]}],\"d\":{\"e\":{\"f\":null}},\"a\":[{\"b\":false},[[7]]]}",
    " [ {\"name\":\"\xe4\xb8\xad\",\"n\":18446744073709551615}, [0.1,[2,[3,[4]]]], \"\\ud83d\\ude00\", {} , 1e2 ] ",
    "{\"id\":12345678901234567,\"tags\":[\"a\",\"bb\",\"ccc\",\"dddd\",\"eeeee\",\"ffffff\",\"ggggggg\"],"
    "\"n\\u0061me\":\"y\"}",
    "\"only a string\"",
    "-0.25",
};

/* A text of `seeds` with up to two bytes changed or cut off. */
static size_t mutated(char *w) {
  const char *s = seeds[below(sizeof seeds / sizeof *seeds)];
  size_t n = strlen(s), k = below(3);
  memcpy(w, s, n);
  while (k--) {
    const size_t at = below((uint32_t)n);
    switch (below(4)) {
    case 0: w[at] = "{}[]\",:\\0e- \xff"[below(13)]; break;
    case 1: w[at] = w[below((uint32_t)n)]; break;
    case 2: n = at + 1; break;
    default: memmove(w + at, w + at + 1, n - at - 1), n -= n > 1;
    }
  }
  return n;
}

/* The reader of binary documents finds the same errors. */
static void test_check_as_from_json(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  fleece_error a, b;
  char text[256];
  int i, bad = 0;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    const size_t n = mutated(text);
    const int status = fleece_from_json(text, n, NULL, &out, &a);
    assert_int_equal(fleece_text_check(at_edge(text, n), n, NULL, &scratch, &b), status);
    assert_int_equal(a.offset, b.offset);
    assert_int_equal(a.column, b.column);
    assert_string_equal(a.message, b.message);
    bad += status != FLEECE_OK;
  }
  assert_true(bad > 5000 && bad < 19000);
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- picking */

static fleece_picker *picker(const char *const *paths, size_t count, uint32_t flags) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_picker *p;
  o.flags = flags;
  p = fleece_text_picker_new(paths, NULL, count, &o, &e);
  if (!p) fail_msg("%s: %s", paths[0], e.message);
  assert_int_equal(e.status, FLEECE_OK);
  return p;
}

static void test_pick(void **unused) {
  static const char text[] =
      " {\"model\": \"gpt\\n4\", \"n\":[ 1, 2 , {\"x\":[]} ],\"a/b\":{\"0\":true},\"s\":-1.5e1} ";
  static const char *const paths[] = {"model", "/n/1", "n[-1].x", "/a~1b/0", "s", "no.such", "", "/n", "n[3]", "/n/-"};
  static const char *const wanted[] = {"\"gpt\\n4\"",           "2",  "[]", "true", "-1.5e1", NULL, NULL,
                                       "[ 1, 2 , {\"x\":[]} ]", NULL, NULL};
  const uint32_t modes[] = {0, FLEECE_PARTIAL, FLEECE_FIRST, FLEECE_COMMENTS, FLEECE_JSON5 | FLEECE_PARTIAL};
  enum { PATHS = sizeof paths / sizeof *paths };
  fleece_text found[PATHS];
  fleece_error e;
  size_t m, i;
  (void)unused;
  for (m = 0; m < sizeof modes / sizeof *modes; m++) {
    const size_t n = strlen(text);
    const char *s = at_edge(text, n);
    fleece_picker *p = picker(paths, PATHS, modes[m]);
    assert_int_equal(fleece_text_pick(p, s, n, found, NULL, &e), FLEECE_OK);
    for (i = 0; i < PATHS; i++) {
      if (i == 6) assert_true(found[i].at == s + 1 && found[i].size == n - 2);
      else assert_text(found[i], wanted[i]);
      if (found[i].at) assert_true(found[i].at > s && found[i].at < s + n);
    }
    fleece_text_picker_free(p);
  }
  fleece_text_picker_free(NULL);
}

static void test_pick_modes(void **unused) {
  static const char *const path[] = {"a", "b.c"};
  static const char twice[] = "{\"a\":1,\"b\":{\"c\":2},\"a\":3,\"b\":4}", broken[] = "{\"a\":1,\"b\":{\"c\":2},x}";
  static const char comment[] = "//\n{'a':1/**/,b:{c:0x10}} //";
  fleece_picker *last = picker(path, 2, 0), *first = picker(path, 2, FLEECE_FIRST);
  fleece_picker *partial = picker(path, 2, FLEECE_PARTIAL), *json5 = picker(path, 2, FLEECE_JSON5);
  fleece_text found[2];
  fleece_error e;
  (void)unused;
  assert_int_equal(fleece_text_pick(last, at_edge(twice, sizeof twice - 1), sizeof twice - 1, found, NULL, &e), 0);
  assert_text(found[0], "3");
  assert_text(found[1], NULL);
  assert_int_equal(fleece_text_pick(first, at_edge(twice, sizeof twice - 1), sizeof twice - 1, found, NULL, &e), 0);
  assert_text(found[0], "1");
  assert_text(found[1], "2");
  assert_int_equal(fleece_text_pick(first, at_edge(broken, sizeof broken - 1), sizeof broken - 1, found, NULL, &e),
                   FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 19);
  assert_text(found[0], NULL);
  assert_text(found[1], NULL);
  assert_int_equal(fleece_text_pick(partial, at_edge(broken, sizeof broken - 1), sizeof broken - 1, found, NULL, &e),
                   0);
  assert_text(found[0], "1");
  assert_text(found[1], "2");
  assert_int_equal(fleece_text_pick(partial, at_edge("{\"a\":1x,\"b\":{\"c\":2}}", 20), 20, found, NULL, &e),
                   FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 6);
  assert_int_equal(fleece_text_pick(partial, at_edge("{\"a\":\"\xff\",\"b\":{\"c\":2}}", 21), 21, found, NULL, &e),
                   FLEECE_ERROR_JSON);
  assert_int_equal(fleece_text_pick(partial, at_edge("{\"a\":1e999,\"b\":{\"c\":2}}", 23), 23, found, NULL, &e),
                   FLEECE_ERROR_JSON);
  assert_int_equal(fleece_text_pick(partial, at_edge("{\"a\":[1,},\"b\":{\"c\":2}}", 22), 22, found, NULL, &e),
                   FLEECE_ERROR_JSON);
  assert_int_equal(fleece_text_pick(json5, at_edge(comment, sizeof comment - 1), sizeof comment - 1, found, NULL, &e),
                   0);
  assert_text(found[0], "1");
  assert_text(found[1], "0x10");
  assert_int_equal(fleece_text_int64(found[1], 0), 16);
  assert_int_equal(fleece_text_pick(last, NULL, 3, found, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_text_picker_free(last), fleece_text_picker_free(first);
  fleece_text_picker_free(partial), fleece_text_picker_free(json5);
}

static void test_bad_paths(void **unused) {
  static const char *const paths[] = {"a.b", "a[x]"}, *const pointers[] = {"/a", "b", "/~2"}, *const none[] = {NULL};
  static const size_t lengths[] = {3, 1};
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_text found[2];
  fleece_picker *p;
  fleece_error e;
  (void)unused;
  assert_null(fleece_text_picker_new(paths, NULL, 2, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  assert_int_equal(e.index, 1);
  assert_int_equal(e.offset, 1);
  assert_null(fleece_text_picker_new(pointers, NULL, 3, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  assert_int_equal(e.index, 2);
  assert_null(fleece_text_picker_new(none, NULL, 1, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  assert_null(fleece_text_picker_new(paths, NULL, 0, NULL, &e));
  assert_null(fleece_text_picker_new(NULL, NULL, 1, NULL, &e));
  o.flags = 0x80;
  assert_null(fleece_text_picker_new(paths, NULL, 1, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  p = fleece_text_picker_new(paths, lengths, 2, NULL, &e); /* "a.b" and "a" */
  assert_non_null(p);
  assert_int_equal(fleece_text_pick(p, "{\"a\":{\"b\":5}}", 13, found, NULL, &e), FLEECE_OK);
  assert_text(found[0], "5");
  assert_text(found[1], "{\"b\":5}");
  fleece_text_picker_free(p);
}

/* Parts of a text mean what the values of its document are. */
static void test_pick_as_documents(void **unused) {
  static const char *const paths[] = {"a",        "a[0].b",   "/a/1",   "a[-1]",        "d.e.f", "/d",
                                      "[0].name", "[0].n",    "/1/1/1", "[1][1][1][0]", "[-1]",  "[-2]",
                                      "tags[3]",  "tags[-1]", "name",   "/tags/0",      "id",    ""};
  enum { PATHS = sizeof paths / sizeof *paths };
  fleece_picker *p = picker(paths, PATHS, 0);
  fleece_bytes bytes = FLEECE_BYTES_INIT, value = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  fleece_text found[PATHS];
  char text[256];
  int i, k, compared = 0;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    const size_t n = mutated(text);
    const char *s = at_edge(text, n);
    const int status = fleece_from_json(text, n, NULL, &bytes, NULL);
    fleece_doc *d, *one;
    assert_int_equal(fleece_text_pick(p, s, n, found, &scratch, NULL), status);
    if (status) continue;
    assert_non_null(d = fleece_open(bytes.data, bytes.size, NULL, NULL));
    for (k = 0; k < PATHS; k++) {
      const size_t length = strlen(paths[k]);
      const fleece_value v = length == 0 || *paths[k] == '/' ? fleece_pointer(fleece_root(d), paths[k], length, NULL)
                                                             : fleece_path(fleece_root(d), paths[k], length, NULL);
      assert_int_equal(found[k].at != NULL, v.at != NULL);
      assert_int_equal(fleece_text_type(found[k]), fleece_type_of(v));
      if (!v.at) continue;
      assert_int_equal(fleece_from_json(found[k].at, found[k].size, NULL, &value, NULL), FLEECE_OK);
      assert_non_null(one = fleece_open(value.data, value.size, NULL, NULL));
      assert_int_equal(fleece_equal(v, fleece_root(one), NULL), 1);
      fleece_close(one);
      assert_int_equal(fleece_text_int64(found[k], 77), fleece_int64(v, 77));
      assert_true(fleece_text_uint64(found[k], 77) == fleece_uint64(v, 77));
      assert_true(fleece_text_double(found[k], 7.5) == fleece_double(v, 7.5));
      assert_int_equal(fleece_text_boolean(found[k], 2), fleece_boolean(v, 2));
      compared++;
    }
    fleece_close(d);
  }
  assert_true(compared > 10000);
  fleece_bytes_free(&bytes), fleece_bytes_free(&value), fleece_bytes_free(&scratch);
  fleece_text_picker_free(p);
}

/* With PARTIAL the results are those of a text that is tested, if that is valid. */
static void test_pick_partial(void **unused) {
  static const char *const paths[] = {"a", "d.e", "/a/1", "[0].name", "[1][0]", "tags[2]", "id"};
  enum { PATHS = sizeof paths / sizeof *paths };
  fleece_picker *all = picker(paths, PATHS, FLEECE_FIRST), *partial = picker(paths, PATHS, FLEECE_PARTIAL);
  fleece_text a[PATHS], b[PATHS];
  char text[256];
  int i, k;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    const size_t n = mutated(text);
    const char *s = at_edge(text, n);
    const int fine = fleece_text_pick(all, s, n, a, NULL, NULL) == FLEECE_OK;
    const int status = fleece_text_pick(partial, s, n, b, NULL, NULL);
    if (fine) assert_int_equal(status, FLEECE_OK);
    for (k = 0; k < PATHS; k++) {
      if (fine) assert_true(a[k].at == b[k].at && a[k].size == b[k].size);
      if (b[k].at) assert_int_equal(fleece_text_check(b[k].at, b[k].size, NULL, NULL, NULL), FLEECE_OK);
    }
  }
  fleece_text_picker_free(all), fleece_text_picker_free(partial);
}

/* More paths and levels than there is memory for on the stack. */
static void test_pick_many(void **unused) {
  enum { MANY = 300, DEEP = 3000 };
  static char names[MANY][8], text[MANY * 16 + 2 * DEEP + 100];
  const char *paths[MANY];
  fleece_text found[MANY];
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_picker *p;
  size_t n = 0, i;
  (void)unused;
  text[n++] = '{';
  for (i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "k%d", (int)i);
    paths[i] = names[i];
    n += (size_t)sprintf(text + n, "\"k%d\":%d,", (int)i, (int)i);
  }
  n += (size_t)sprintf(text + n, "\"deep\":");
  memset(text + n, '[', DEEP);
  memset(text + n + DEEP, ']', DEEP);
  n += 2 * DEEP;
  text[n++] = '}';
  o.max_depth = DEEP + 1;
  assert_non_null(p = fleece_text_picker_new(paths, NULL, MANY, &o, NULL));
  assert_int_equal(fleece_text_pick(p, at_edge(text, n), n, found, NULL, NULL), FLEECE_OK);
  for (i = 0; i < MANY; i++) assert_int_equal(fleece_text_int64(found[i], -1), i);
  fleece_text_picker_free(p);
  o.max_depth = DEEP;
  assert_non_null(p = fleece_text_picker_new(paths, NULL, MANY, &o, NULL));
  assert_int_equal(fleece_text_pick(p, at_edge(text, n), n, found, NULL, NULL), FLEECE_ERROR_LIMIT);
  fleece_text_picker_free(p);
}

/* ------------------------------------------------------------------------------------- what parts mean */

static void test_numbers(void **unused) {
  static const struct {
    const char *text;
    int type;
    int64_t i;
    uint64_t u;
    double d;
  } cases[] = {
      {"0", FLEECE_TYPE_INTEGER, 0, 0, 0},
      {"-12", FLEECE_TYPE_INTEGER, -12, 9, -12},
      {"2.0", FLEECE_TYPE_DOUBLE, 2, 2, 2},
      {"1e3", FLEECE_TYPE_DOUBLE, 1000, 1000, 1000},
      {"0.5", FLEECE_TYPE_DOUBLE, 9, 9, 0.5},
      {"9223372036854775807", FLEECE_TYPE_INTEGER, INT64_MAX, INT64_MAX, 9223372036854775808.0},
      {"9223372036854775808", FLEECE_TYPE_INTEGER, 9, (uint64_t)1 << 63, 9223372036854775808.0},
      {"18446744073709551615", FLEECE_TYPE_INTEGER, 9, UINT64_MAX, 18446744073709551616.0},
      {"18446744073709551616", FLEECE_TYPE_DOUBLE, 9, 9, 18446744073709551616.0},
      {"-9223372036854775808", FLEECE_TYPE_INTEGER, INT64_MIN, 9, -9223372036854775808.0},
      {"-9223372036854775809", FLEECE_TYPE_DOUBLE, 9, 9, -9223372036854775808.0},
      {"+1", FLEECE_TYPE_INTEGER, 1, 1, 1},
      {".5", FLEECE_TYPE_DOUBLE, 9, 9, 0.5},
      {"5.", FLEECE_TYPE_DOUBLE, 5, 5, 5},
      {"0xff", FLEECE_TYPE_INTEGER, 255, 255, 255},
      {"0xffffffffffffffff", FLEECE_TYPE_INTEGER, 9, UINT64_MAX, 18446744073709551616.0},
      {"-0x10", FLEECE_TYPE_INTEGER, -16, 9, -16},
      {"1x", FLEECE_TYPE_NONE, 9, 9, 9},
      {"-", FLEECE_TYPE_NONE, 9, 9, 9},
      {"01", FLEECE_TYPE_NONE, 9, 9, 9},
      {"0x", FLEECE_TYPE_NONE, 9, 9, 9},
      {"1 ", FLEECE_TYPE_NONE, 9, 9, 9},
      {"true", FLEECE_TYPE_BOOLEAN, 9, 9, 9},
      {"tru", FLEECE_TYPE_NONE, 9, 9, 9},
      {"null", FLEECE_TYPE_NULL, 9, 9, 9},
      {"\"1\"", FLEECE_TYPE_STRING, 9, 9, 9},
      {"[1]", FLEECE_TYPE_ARRAY, 9, 9, 9},
      {"{}", FLEECE_TYPE_DICT, 9, 9, 9},
  };
  const fleece_text missing = {NULL, 0}, empty = {"", 0};
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    const fleece_text t = part(cases[i].text);
    assert_int_equal(fleece_text_type(t), cases[i].type);
    if (fleece_text_int64(t, 9) != cases[i].i || fleece_text_uint64(t, 9) != cases[i].u ||
        fleece_text_double(t, 9) != cases[i].d)
      fail_msg("%s is another number", cases[i].text);
  }
  assert_true(fleece_text_double(part("-Infinity"), 0) < -1e308);
  assert_true(fleece_text_double(part("NaN"), 0) != fleece_text_double(part("NaN"), 0));
  assert_int_equal(fleece_text_int64(part("NaN"), 9), 9);
  assert_int_equal(fleece_text_boolean(part("true"), 7), 1);
  assert_int_equal(fleece_text_boolean(part("false"), 7), 0);
  assert_int_equal(fleece_text_boolean(part("truer"), 7), 7);
  assert_int_equal(fleece_text_boolean(missing, 7), 7);
  assert_int_equal(fleece_text_type(missing), FLEECE_TYPE_NONE);
  assert_int_equal(fleece_text_type(empty), FLEECE_TYPE_NONE);
  assert_int_equal(fleece_text_int64(missing, 7), 7);
  assert_int_equal(fleece_text_int64(empty, 7), 7);
}

/* Digits by the thousand: the C library rounds correctly. */
static void test_long_numbers(void **unused) {
  static char text[8000];
  int i, k;
  (void)unused;
  for (i = 0; i < 400; i++) {
    size_t n = 0, digits = 1000 + below(2000), point = below((uint32_t)digits);
    if (below(2)) text[n++] = '-';
    /* 2^53 + 1, halfway between two doubles, with a 1 somewhere after many zeros, or without; or any digits */
    if (i % 2) n += (size_t)sprintf(text + n, "9007199254740993."), point = digits;
    else text[n++] = (char)('1' + below(9));
    for (k = 0; k < (int)digits; k++) {
      if (i % 2 == 0 && k == (int)point) text[n++] = '.';
      text[n++] = (char)(i % 2 ? '0' : '0' + below(10));
    }
    if (i % 4 == 1) text[n - 1 - below(900)] = '1';
    if (i % 2 == 0) n += (size_t)sprintf(text + n, "0e%d", (int)below(400) - 200 - (int)point);
    text[n] = 0;
    if (fleece_text_double(part(text), 0) != strtod(text, NULL)) fail_msg("%s is another number", text);
  }
  memset(text, '0', 3000);
  strcpy(text + 3000, "7");
  memcpy(text, "0.", 2);
  assert_true(fleece_text_double(part(text), 1) == 0);
  strcpy(text + 3001, "e2999"); /* 2998 zeros, then the 7 */
  assert_true(fleece_text_double(part(text), 1) == 7);
  strcpy(text + 3001, "e2999x");
  assert_true(fleece_text_double(part(text), 1) == 1);
  memset(text, '0', 3000);
  memcpy(text, "-0x", 3);
  strcpy(text + 3000, "10");
  assert_int_equal(fleece_text_int64(part(text), 1), -16);
  memset(text, '9', 3000);
  text[3000] = 0;
  assert_true(fleece_text_double(part(text), 1) > 1e308);
  assert_int_equal(fleece_text_type(part(text)), FLEECE_TYPE_DOUBLE);
}

static void test_strings(void **unused) {
  static const struct {
    const char *text, *wanted;
  } cases[] = {
      {"\"\"", ""},
      {"\"plain \xc3\xa9\"", "plain \xc3\xa9"},
      {"\"a\\n\\\"\\\\\\/\\u00e9\\ud83d\\ude00\"", "a\n\"\\/\xc3\xa9\xf0\x9f\x98\x80"},
      {"\"\\ud800\"", "\xef\xbf\xbd"},
      {"\"a\xff\"", "a\xef\xbf\xbd"},
      {"'it\"s \\x41\\\n.'", "it\"s A."},
      {"1", NULL},
      {"\"", NULL},
      {"\"a", NULL},
      {"\"a\\\"", NULL},
      {"\"a\"b\"", NULL},
      {"\"\\q\n\"", NULL},
      {"\"\\u12\"", NULL},
      {"'a\"", NULL},
  };
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  const fleece_text missing = {NULL, 0};
  fleece_text t;
  fleece_error e;
  const char *s;
  size_t i, n;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    t = part(cases[i].text);
    s = fleece_text_string(t, &n, &scratch, &e);
    assert_int_equal(e.status, cases[i].wanted ? FLEECE_OK : FLEECE_ERROR_VALUE);
    assert_int_equal(n, cases[i].wanted ? strlen(cases[i].wanted) : 0);
    if (!cases[i].wanted) assert_null(s);
    else assert_memory_equal(s, cases[i].wanted, n);
  }
  assert_null(fleece_text_string(missing, &n, &scratch, &e));
  assert_int_equal(e.status, FLEECE_ERROR_VALUE);
  t = part("\"plain\"");
  assert_ptr_equal(fleece_text_string(t, &n, NULL, &e), t.at + 1);
  assert_int_equal(n, 5);
  assert_null(fleece_text_string(part("\"\\n\""), &n, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- changes */

static fleece_change change(int operation, const char *path, const char *value) {
  fleece_change c;
  memset(&c, 0, sizeof c);
  c.operation = operation;
  c.path = path, c.path_size = strlen(path);
  c.value = value, c.value_size = value ? strlen(value) : 0;
  return c;
}

static void assert_edit(const char *text, uint32_t flags, const fleece_change *changes, size_t count,
                        const char *wanted) {
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  const size_t n = strlen(text);
  int k;
  for (k = 0; k < 4; k++) { /* as it is and with a 0 after it, all tested and not */
    o.flags = flags | (k & 1 ? FLEECE_TERMINATED : 0) | (k & 2 ? FLEECE_PARTIAL : 0);
    if (fleece_text_edit(k & 1 ? text : at_edge(text, n), n, changes, count, &o, &out, k ? &scratch : NULL, &e))
      fail_msg("%s: %s", text, e.message);
    assert_string_equal(out.data, wanted);
    assert_int_equal(out.size, strlen(wanted));
    assert_int_equal(e.status, FLEECE_OK);
  }
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

static void test_edit(void **unused) {
  fleece_change c[4];
  (void)unused;
  c[0] = change(FLEECE_SET, "model", "\"small\"");
  assert_edit("{\"model\" : \"gpt-4\",  \"stream\":true }", 0, c, 1, "{\"model\" : \"small\",  \"stream\":true }");
  c[1] = change(FLEECE_REMOVE, "/stream", NULL);
  c[2] = change(FLEECE_INSERT, "n\\.a\"\xc3\xa9", " [1, 2] ");
  assert_edit("{\n  \"model\": 1,\n  \"stream\": 1.50\n}\n", 0, c, 3,
              "{\n  \"model\": \"small\",\n  \"n.a\\\"\xc3\xa9\": [1, 2]\n}\n");
  c[0] = change(FLEECE_INSERT, "/n\xc3\xa9/", "1");
  assert_edit("{\"n\\u00e9\":{}}", FLEECE_ASCII, c, 1, "{\"n\\u00e9\":{\"\":1}}");
  c[0] = change(FLEECE_SET, "/\xc3\xa9", "1");
  assert_edit("{}", FLEECE_ASCII, c, 1, "{\"\\u00e9\":1}");
  c[0] = change(FLEECE_APPEND, "a", "{\"x\":[]}");
  c[1] = change(FLEECE_APPEND, "a[-1].x", "null");
  c[2] = change(FLEECE_INSERT, "/a/0", "\"first\"");
  c[3] = change(FLEECE_SET, "/a/-", "1e999");
  assert_edit("{\"a\":[1.0,2]}", 0, c, 4, "{\"a\":[\"first\",1.0,2,{\"x\":[null]},1e999]}");
  c[0] = change(FLEECE_SET, "", "7");
  assert_edit(" [1] ", 0, c, 1, " 7 ");
  assert_edit("\"scalar\"", 0, c, 1, "7");
  assert_edit("{\"dup\":1,\"dup\":2}", 0, NULL, 0, "{\"dup\":1,\"dup\":2}");
  c[0] = change(FLEECE_REMOVE, "b", NULL);
  assert_edit("{a:1, /* x */ b:'2', c:+3,} // end", FLEECE_JSON5, c, 1, "{a:1, /* x */ c:+3,} // end");
  c[0] = change(FLEECE_SET, "[0]", "2");
  assert_edit("\xef\xbb\xbf[1]", FLEECE_BOM, c, 1, "\xef\xbb\xbf[2]");
}

static void test_edit_errors(void **unused) {
  static const struct {
    const char *text;
    int operation;
    const char *path, *value;
    int status;
    size_t offset;
  } cases[] = {
      {"{\"a\":[1]}", FLEECE_SET, "a.b", "1", FLEECE_ERROR_CHANGE, 5},
      {"{\"a\":[1]}", FLEECE_SET, "b.c", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_REMOVE, "b", NULL, FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_INSERT, "a", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_APPEND, "", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":1,\"a\":2}", FLEECE_SET, "a", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_SET, "a[", "1", FLEECE_ERROR_PATH, 1},
      {"{\"a\":[1]}", FLEECE_SET, "/~", "1", FLEECE_ERROR_PATH, FLEECE_NOWHERE},
      {"{\"a\":[1]}", FLEECE_SET, "a", "[1", FLEECE_ERROR_VALUE, 2},
      {"{\"a\":[1]}", FLEECE_SET, "a", "", FLEECE_ERROR_VALUE, 0},
      {"{\"a\":[1]}", FLEECE_SET, "a", "1,", FLEECE_ERROR_VALUE, 1},
      {"{\"a\":[1]}", FLEECE_SET, "a", NULL, FLEECE_ERROR_ARGUMENT, FLEECE_NOWHERE},
      {"{\"a\":[1]}", FLEECE_SET, "\xff", "1", FLEECE_ERROR_VALUE, FLEECE_NOWHERE},
      {"{\"a\":[1]}", 4, "a", "1", FLEECE_ERROR_ARGUMENT, FLEECE_NOWHERE},
      {"{\"a\":[1]}", -1, "a", "1", FLEECE_ERROR_ARGUMENT, FLEECE_NOWHERE},
  };
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_change c[2];
  fleece_error e;
  size_t i;
  (void)unused;
  c[0] = change(FLEECE_SET, "", NULL);
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    c[0] = change(FLEECE_SET, "", cases[i].text);
    c[1] = change(cases[i].operation, cases[i].path, cases[i].value);
    assert_int_equal(fleece_text_edit(cases[i].text, strlen(cases[i].text), c + 1, 1, NULL, &out, NULL, &e),
                     cases[i].status);
    assert_int_equal(e.status, cases[i].status);
    assert_int_equal(e.index, 0);
    if (e.offset != cases[i].offset) fail_msg("case %d: offset %d", (int)i, (int)e.offset);
    assert_int_equal(out.size, 0);
    assert_true(strlen(e.message) > 0);
    /* after a change that succeeds; places in its value are not in the text */
    assert_int_equal(fleece_text_edit("[]", 2, c, 2, NULL, &out, NULL, &e), cases[i].status);
    assert_int_equal(e.index, 1);
    if (e.status == FLEECE_ERROR_CHANGE) assert_int_equal(e.offset, FLEECE_NOWHERE);
  }
  assert_int_equal(fleece_text_edit("[1,", 3, c, 0, NULL, &out, NULL, &e), FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 3);
  assert_int_equal(e.index, FLEECE_NOWHERE);
  o.flags = FLEECE_PARTIAL;
  c[0] = change(FLEECE_SET, "[1]", "1");
  assert_int_equal(fleece_text_edit(at_edge("[1;2]", 5), 5, c, 1, &o, &out, NULL, &e), FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 2);
  assert_int_equal(e.index, 0);
  o.flags = 0, o.max_depth = 1;
  c[0] = change(FLEECE_SET, "[0]", "[[]]");
  assert_int_equal(fleece_text_edit("[1]", 3, c, 1, &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(fleece_text_edit("[[1]]", 5, c, 0, &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(fleece_text_edit("[1]", 3, NULL, 1, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_edit("[1]", 3, c, 1, NULL, &out, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_edit(NULL, 3, c, 1, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_bytes_free(&out);
}

/* A value that was found is replaced where it was found; all else stays. */
static void test_edit_random(void **unused) {
  static const char *const paths[] = {"a",    "d.e.f",   "/d",       "[0].name", "/1/1/1",
                                      "[-1]", "tags[3]", "tags[-1]", "id",       ""};
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  char text[256], wanted[300];
  int i, edited = 0;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    const char *path = paths[below(sizeof paths / sizeof *paths)], *s;
    const fleece_change c = change(FLEECE_SET, path, "{\"new\":[1]}");
    const size_t n = mutated(text);
    fleece_picker *p = picker(&path, 1, 0);
    fleece_text found;
    fleece_error e;
    const int status = fleece_text_pick(p, s = at_edge(text, n), n, &found, NULL, NULL);
    fleece_text_picker_free(p);
    if (fleece_text_edit(s, n, &c, 1, NULL, &out, &scratch, &e) != FLEECE_OK) {
      if (status) assert_true(e.status == status || strstr(text, "9999") != NULL || e.status == FLEECE_ERROR_CHANGE);
      else if (found.at) assert_string_equal(e.message, "there are several members of this name");
      continue;
    }
    if (status || !found.at) continue;
    edited++;
    n + 20 < sizeof wanted ? (void)0 : fail();
    assert_int_equal(out.size, sprintf(wanted, "%.*s%s%.*s", (int)(found.at - s), s, c.value,
                                       (int)(s + n - found.at - found.size), found.at + found.size));
    assert_string_equal(out.data, wanted);
  }
  assert_true(edited > 1000);
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- memory */

struct run {
  struct heap heap;
  fleece_allocator memory;
  fleece_bytes out, scratch, string;
};

/* Everything that takes memory. Answers the first status that is not FLEECE_OK. */
static int everything(struct run *r, const char *text, size_t n) {
  static const char *const paths[] = {"/a/0", "/a/1", "b.c[-1].d", "text"};
  fleece_change changes[] = {change(FLEECE_SET, "/a/1", text + 5), change(FLEECE_INSERT, "b.new", "[]"),
                             change(FLEECE_REMOVE, "/a/0", NULL)};
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_text found[4];
  fleece_error e;
  fleece_picker *p;
  size_t length;
  int status;
  changes[0].value_size = strcspn(text, "]") + 1 - 5; /* the array */
  o.allocator = &r->memory;
  o.flags = FLEECE_COMMENTS;
  p = fleece_text_picker_new(paths, NULL, 4, &o, &e);
  if (!p) return e.status;
  status = fleece_text_check(text, n, &o, NULL, &e);
  if (!status) status = fleece_text_check(text, n, &o, &r->scratch, &e);
  if (!status) status = fleece_text_pick(p, text, n, found, NULL, &e);
  if (!status) status = fleece_text_pick(p, text, n, found, &r->scratch, &e);
  if (!status && !fleece_text_string(found[3], &length, &r->string, &e)) status = e.status;
  if (!status) status = fleece_text_edit(text, n, changes, 3, &o, &r->out, NULL, &e);
  if (!status) status = fleece_text_edit(text, n, changes, 3, &o, &r->out, &r->scratch, &e);
  fleece_text_picker_free(p);
  return status;
}

static void test_memory(void **unused) {
  static char text[70000];
  struct run r;
  size_t n = 0;
  long fail_at, refused = 0;
  int i, status;
  (void)unused;
  n += (size_t)sprintf(text, "{\"a\":[0");
  for (i = 1; i < 9000; i++) n += (size_t)sprintf(text + n, ",%d", i);
  n += (size_t)sprintf(text + n, "],/* */\"b\":{\"c\":[{\"d\":1}]},\"text\":\"\\n\"}");
  for (fail_at = 1;; fail_at++) {
    long requests;
    memset(&r, 0, sizeof r);
    r.heap.fail_at = fail_at;
    r.memory.alloc = heap_alloc, r.memory.ud = &r.heap;
    r.out.allocator = r.scratch.allocator = r.string.allocator = r.memory;
    status = everything(&r, text, n);
    if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY), refused++;
    requests = r.heap.requests;
    if (requests < fail_at) break;
    fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch), fleece_bytes_free(&r.string);
    assert_int_equal(r.heap.blocks, 0);
  }
  assert_int_equal(status, FLEECE_OK);
  assert_true(refused > 8);
  fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch), fleece_bytes_free(&r.string);
  assert_int_equal(r.heap.blocks, 0);
}

/* With memory that is kept the second call allocates nothing; on small strict texts neither does the first. */
static void test_kept_memory(void **unused) {
  static const char *const paths[] = {"model", "/stream"};
  static const char small[] = "{\"model\":\"x\",\"stream\":true}", other[] = "{/**/\"model\":1,\"stream\":[]}";
  const fleece_change changes[] = {change(FLEECE_SET, "model", "\"y\""), change(FLEECE_APPEND, "stream", "{}")};
  struct run r;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_text found[2];
  fleece_picker *p;
  long before;
  int i;
  (void)unused;
  memset(&r, 0, sizeof r);
  r.memory.alloc = heap_alloc, r.memory.ud = &r.heap;
  r.out.allocator = r.scratch.allocator = r.memory;
  o.allocator = &r.memory;
  o.flags = FLEECE_COMMENTS;
  assert_non_null(p = fleece_text_picker_new(paths, NULL, 2, &o, NULL));
  assert_int_equal(r.heap.requests, 1);
  assert_int_equal(fleece_text_pick(p, small, sizeof small - 1, found, NULL, NULL), FLEECE_OK);
  assert_int_equal(fleece_text_check(small, sizeof small - 1, &o, NULL, NULL), FLEECE_OK);
  assert_int_equal(r.heap.requests, 1);
  assert_int_equal(fleece_text_edit(small, sizeof small - 1, changes, 1, &o, &r.out, NULL, NULL), FLEECE_OK);
  assert_int_equal(r.heap.blocks, 2); /* the picker and the output */
  for (i = 0; i < 2; i++) {
    char large[20000];
    size_t n = (size_t)sprintf(large, "%s", other);
    memset(large + n, ' ', sizeof large - n);
    before = r.heap.requests;
    assert_int_equal(fleece_text_pick(p, large, sizeof large, found, &r.scratch, NULL), FLEECE_OK);
    assert_int_equal(fleece_text_edit(large, sizeof large, changes, 2, &o, &r.out, &r.scratch, NULL), FLEECE_OK);
  }
  assert_int_equal(r.heap.requests, before);
  fleece_text_picker_free(p);
  fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch);
  assert_int_equal(r.heap.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check),        cmocka_unit_test(test_check_as_from_json),
      cmocka_unit_test(test_pick),         cmocka_unit_test(test_pick_modes),
      cmocka_unit_test(test_bad_paths),    cmocka_unit_test(test_pick_as_documents),
      cmocka_unit_test(test_pick_partial), cmocka_unit_test(test_pick_many),
      cmocka_unit_test(test_numbers),      cmocka_unit_test(test_long_numbers),
      cmocka_unit_test(test_strings),      cmocka_unit_test(test_edit),
      cmocka_unit_test(test_edit_errors),  cmocka_unit_test(test_edit_random),
      cmocka_unit_test(test_memory),       cmocka_unit_test(test_kept_memory),
  };
  return cmocka_run_group_tests(tests, make_edge, free_edge);
}
