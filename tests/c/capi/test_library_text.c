/* SPDX-License-Identifier: MIT
** test_library_text.c -- libfleece through its public header: texts that are checked and searched in place, and what
** their parts mean; against documents of the same texts; texts that end where memory does.
** Build: make build/tests/plain/simd/test_library_text */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../../include/fleece.h"
#include "../support/library.h"

#include "../support/edge.h"

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
  static const char *const wild[] = {"a[*].b", "a.*", "a[\"*\"]"};
  for (int i = 0; i < 3; i++) {
    p = fleece_text_picker_new(wild + i, NULL, 1, NULL, &e);
    assert_int_equal(p != NULL, i == 2); /* the member of that name */
    assert_int_equal(e.status, i == 2 ? FLEECE_OK : FLEECE_ERROR_PATH);
    fleece_text_picker_free(p);
  }
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
      { /* stored, because x87 returns doubles with more digits than they have */
        volatile const double read = fleece_text_double(found[k], 7.5), wanted = fleece_double(v, 7.5);
        assert_true(read == wanted);
      }
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

/* Kinds tell apart what a status does not; their names are those of the failures of fleece.safe. */
static void test_kinds(void **unused) {
  static const struct {
    const char *text, *name;
    int kind, status;
  } cases[] = {{"[1", "syntax", FLEECE_KIND_SYNTAX, FLEECE_ERROR_JSON},
               {"[\"\xff\"]", "utf8", FLEECE_KIND_UTF8, FLEECE_ERROR_JSON},
               {"[1e999]", "number", FLEECE_KIND_NUMBER, FLEECE_ERROR_JSON},
               {"[[[[1]]]]", "depth", FLEECE_KIND_DEPTH, FLEECE_ERROR_LIMIT},
               {"[1]", "", FLEECE_KIND_NONE, FLEECE_OK}};
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error error;
  (void)unused;
  o.max_depth = 3;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(fleece_from_json(cases[i].text, strlen(cases[i].text), &o, &out, &error), cases[i].status);
    assert_int_equal(error.kind, cases[i].kind);
    assert_string_equal(fleece_kind_name(error.kind), cases[i].name);
  }
  assert_int_equal(fleece_check("abcd", 4, NULL, &error), FLEECE_ERROR_BINARY);
  assert_int_equal(error.kind, FLEECE_KIND_SYNTAX);
  o.flags = ~UINT32_C(0);
  assert_int_equal(fleece_check("abcd", 4, &o, &error), FLEECE_ERROR_ARGUMENT);
  assert_string_equal(fleece_kind_name(error.kind), "argument");
  o.flags = 0;
  assert_null(fleece_open_file("/no/such", &o, &error));
  assert_string_equal(fleece_kind_name(error.kind), "io");
  assert_string_equal(fleece_kind_name(-1), "");
  assert_string_equal(fleece_kind_name(1000), "");
  fleece_bytes_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_check_as_from_json),
      cmocka_unit_test(test_pick),
      cmocka_unit_test(test_pick_modes),
      cmocka_unit_test(test_bad_paths),
      cmocka_unit_test(test_pick_as_documents),
      cmocka_unit_test(test_pick_partial),
      cmocka_unit_test(test_pick_many),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_long_numbers),
      cmocka_unit_test(test_strings),
  };
  return cmocka_run_group_tests(tests, make_edge, free_edge);
}
