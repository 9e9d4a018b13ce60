/* SPDX-License-Identifier: MIT
** test_library.c -- libfleece through its public header: values, texts, documents, encoders, deltas, edits; hostile
** bytes; every allocation failing once. FLEECE_TEST_COUNT in the environment: how many hostile documents.
** Build: make build/tests/plain/simd/test_library */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../support/heap.h"
#include "../../../include/fleece.h"
#include "../support/library.h"

/* ------------------------------------------------------------------------------------- JSON */

static void test_version(void **unused) {
  (void)unused;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", fleece_version_number() / 10000, fleece_version_number() / 100 % 100,
           fleece_version_number() % 100);
  assert_string_equal(text, fleece_version());
  assert_string_equal(text, FLEECE_VERSION);
}

/* docs/format.md: the dict's header, "a" in its slot, 1 in its slot, six bytes back to the header. */
static void test_bytes(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  (void)unused;
  assert_int_equal(fleece_from_json("{\"a\":1}", 7, NULL, &out, NULL), FLEECE_OK);
  assert_int_equal(out.size, 8);
  assert_memory_equal(out.data, "\x70\x01\x41\x61\x00\x01\x80\x03", 8);
  o.flags = FLEECE_COMPATIBLE;
  assert_int_equal(fleece_from_json("{\"a\":1}", 7, &o, &out, NULL), FLEECE_OK);
  assert_memory_equal(out.data, "\x70\x01\x41\x61\x00\x01\x80\x03", 8);
  o.flags = FLEECE_FAST; /* strings are written each time, which compact does not, nor compatible if they are short */
  assert_int_equal(fleece_from_json("[\"ab\",\"ab\"]", 11, &o, &out, NULL), FLEECE_OK);
  assert_int_equal(out.size, 16);
  assert_memory_equal(out.data,
                      "\x42"
                      "ab\0\x42"
                      "ab\0\x60\x02\x80\x05\x80\x04\x80\x03",
                      16);
  fleece_bytes_free(&out);
  assert_null(out.data);
  fleece_bytes_free(&out);
}

static void test_texts(void **unused) {
  /* clang-format off */
  static const char *const same[] = {
      "null", "true", "false", "0", "-1", "18446744073709551615", "-9223372036854775808", "0.1", "1e+300", "1.0", "\"\"",
      "\"\xe4\xb8\xad\\n\\u0000x\"", "[]", "{}", "[[],{},[1,[2,[3]]]]", "{\"a\":{\"b\":[null,true,\"c\"]},\"d\":\"c\"}"};
  /* clang-format on */
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof same / sizeof *same; i++) {
    fleece_doc *d = doc_of_json(same[i], 0);
    assert_json(fleece_root(d), 0, same[i]);
    close_doc(d);
    d = doc_of_json(same[i], FLEECE_COMPATIBLE);
    assert_json(fleece_root(d), 0, same[i]);
    close_doc(d);
    d = doc_of_json(same[i], FLEECE_FAST);
    assert_json(fleece_root(d), 0, same[i]);
    close_doc(d);
  }
}

static void test_lenient(void **unused) {
  fleece_doc *d;
  (void)unused;
  d = doc_of_json("/* c */[1,/**/2]//", FLEECE_COMMENTS);
  assert_json(fleece_root(d), 0, "[1,2]");
  close_doc(d);
  d = doc_of_json("[1,2,]", FLEECE_TRAILING_COMMAS);
  assert_json(fleece_root(d), 0, "[1,2]");
  close_doc(d);
  d = doc_of_json("\xef\xbb\xbf {a:'b',c:+.5,d:Infinity}", FLEECE_JSON5);
  assert_json(fleece_root(d), FLEECE_NULL_NUMBERS, "{\"a\":\"b\",\"c\":0.5,\"d\":null}");
  assert_json(fleece_get(fleece_root(d), "a"), FLEECE_JSON5_NAMES, "\"b\"");
  close_doc(d);
  d = doc_of_json("\xef\xbb\xbf[]", FLEECE_BOM);
  close_doc(d);
  d = doc_of_json("[\"a\xff\"]", FLEECE_REPLACE_UTF8);
  assert_json(fleece_root(d), 0, "[\"a\xef\xbf\xbd\"]");
  close_doc(d);
}

static void test_styles(void **unused) {
  fleece_doc *d = doc_of_json("{\"b\":[1,\"</\xc3\xa9\"],\"a\":{}}", 0);
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT;
  char indent[70];
  (void)unused;
  assert_json(fleece_root(d), FLEECE_ASCII | FLEECE_CANONICAL, "{\"a\":{},\"b\":[1,\"</\\u00e9\"]}");
  assert_json(fleece_root(d), FLEECE_ESCAPE_SLASH, "{\"a\":{},\"b\":[1,\"<\\/\xc3\xa9\"]}");
  assert_json(fleece_root(d), FLEECE_HTML, "{\"a\":{},\"b\":[1,\"\\u003c/\xc3\xa9\"]}");
  assert_json(fleece_root(d), FLEECE_JSON5_NAMES, "{a:{},b:[1,\"</\xc3\xa9\"]}");
  o.indent = "\t";
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &out, NULL), FLEECE_OK);
  assert_string_equal(out.data, "{\n\t\"a\": {},\n\t\"b\": [\n\t\t1,\n\t\t\"</\xc3\xa9\"\n\t]\n}");
  assert_int_equal(out.size, strlen(out.data));
  o.indent = "x";
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &out, NULL), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(out.size, 0);
  memset(indent, ' ', 64), indent[64] = 0;
  o.indent = indent;
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &out, NULL), FLEECE_ERROR_ARGUMENT);
  indent[63] = 0;
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &out, NULL), FLEECE_OK);
  fleece_bytes_free(&out);
  close_doc(d);
}

static void test_bad_texts(void **unused) {
  static const struct {
    const char *text;
    int n, flags, status, offset, line, column;
  } bad[] = {
      {"", 0, 0, FLEECE_ERROR_JSON, 0, 1, 1},         {" ", 1, 0, FLEECE_ERROR_JSON, 1, 1, 2},
      {"[1,\n2", 5, 0, FLEECE_ERROR_JSON, 5, 2, 2},   {"[1,\n\"\xc3\xa9\" x]", 10, 0, FLEECE_ERROR_JSON, 9, 2, 5},
      {"1 2", 3, 0, FLEECE_ERROR_JSON, 2, 1, 3},      {"[1]\0", 4, 0, FLEECE_ERROR_JSON, 3, 1, 4},
      {"\"\xff\"", 3, 0, FLEECE_ERROR_JSON, 1, 1, 2}, {"\xef\xbb\xbf[]", 5, 0, FLEECE_ERROR_JSON, 0, 1, 1},
      {"1e999", 5, 0, FLEECE_ERROR_JSON, 0, 1, 1},    {"[\n NaN]", 7, FLEECE_JSON5, FLEECE_ERROR_VALUE, 3, 2, 2},
  };
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    o.flags = (uint32_t)bad[i].flags;
    assert_int_equal(fleece_from_json(bad[i].text, (size_t)bad[i].n, &o, &out, &e), bad[i].status);
    assert_int_equal(e.status, bad[i].status);
    assert_int_equal(e.offset, (size_t)bad[i].offset);
    assert_int_equal(e.line, (size_t)bad[i].line);
    assert_int_equal(e.column, (size_t)bad[i].column);
    assert_true(strlen(e.message) > 0);
    assert_int_equal(out.size, 0);
  }
  o.max_depth = 1, o.flags = FLEECE_COMPATIBLE | FLEECE_REPLACE_UTF8;
  assert_int_equal(fleece_from_json("[[\"\xff\\ud800\"]]", 13, &o, &out, &e), FLEECE_OK);
  assert_memory_equal(out.data, "\x44\xff\xef\xbf\xbd\0", 6);
  o.flags = 0, o.max_depth = 2;
  assert_int_equal(fleece_from_json("[[1]]", 5, &o, &out, &e), FLEECE_OK);
  assert_string_equal(e.message, "");
  assert_int_equal(fleece_from_json("[[[]]]", 6, &o, &out, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(fleece_from_json("[[[]]]", 6, &o, &out, NULL), FLEECE_ERROR_LIMIT);
  fleece_bytes_free(&out);
}

static void test_bad_options(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  (void)unused;
  o.flags = 0x80;
  assert_int_equal(fleece_from_json("1", 1, &o, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_null(fleece_encoder_new(&o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  o.flags = FLEECE_TERMINATED;
  assert_int_equal(fleece_from_json("1x", 1, &o, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_from_json("1", 1, &o, &out, &e), FLEECE_OK);
  o.max_depth = 10000001;
  assert_int_equal(fleece_from_json("1", 1, &o, &out, &e), FLEECE_ERROR_ARGUMENT);
  o.max_depth = 0, o.reserved[0] = &o;
  assert_int_equal(fleece_from_json("1", 1, &o, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_from_json(NULL, 1, NULL, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_from_json(NULL, 0, NULL, &out, &e), FLEECE_ERROR_JSON);
  assert_int_equal(fleece_to_json(none(), NULL, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_check(NULL, 0, NULL, &e), FLEECE_ERROR_BINARY);
  assert_null(fleece_open(NULL, 2, NULL, &e));
  assert_null(fleece_open_file(NULL, NULL, &e));
  assert_null(fleece_edit_new(none(), NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  fleece_bytes_free(&out);
}

struct pieces {
  fleece_bytes all;
  int left;
  char text[100000];
  size_t n;
};

static int take_piece(void *ud, const char *bytes, size_t n) {
  struct pieces *p = ud;
  assert_true(n > 0);
  if (p->left-- == 0) return 0;
  memcpy(p->text + p->n, bytes, n);
  p->n += n;
  return 1;
}

static void test_writer(void **unused) {
  static struct pieces p;
  char text[50000];
  size_t n = 0;
  fleece_doc *d;
  fleece_error e;
  (void)unused;
  while (n < 40000) n += (size_t)sprintf(text + n, "%s%d", n ? "," : "[", (int)n);
  n += (size_t)sprintf(text + n, "]");
  d = doc_of_json(text, 0);
  p.left = 100;
  assert_int_equal(fleece_write_json(fleece_root(d), NULL, take_piece, &p, &e), FLEECE_OK);
  assert_int_equal(p.n, n);
  assert_memory_equal(p.text, text, n);
  p.left = 0, p.n = 0;
  assert_int_equal(fleece_write_json(fleece_root(d), NULL, take_piece, &p, &e), FLEECE_ERROR_WRITER);
  p.left = 1, p.n = 0;
  assert_int_equal(fleece_write_json(fleece_root(d), NULL, take_piece, &p, &e), FLEECE_ERROR_WRITER);
  assert_true(p.n > 0 && p.n < n && memcmp(p.text, text, p.n) == 0);
  assert_int_equal(fleece_write_json(fleece_root(d), NULL, NULL, &p, &e), FLEECE_ERROR_ARGUMENT);
  close_doc(d);
}

/* ------------------------------------------------------------------------------------- values */

static void test_values(void **unused) {
  fleece_doc *d = doc_of_json(
      "[null,true,false,-5,9223372036854775808,2.0,0.5,1e300,\"abc\",[1],{\"x\":1},-9223372036854775808]", 0);
  static const int types[] = {FLEECE_TYPE_NULL,    FLEECE_TYPE_BOOLEAN, FLEECE_TYPE_BOOLEAN, FLEECE_TYPE_INTEGER,
                              FLEECE_TYPE_INTEGER, FLEECE_TYPE_DOUBLE,  FLEECE_TYPE_DOUBLE,  FLEECE_TYPE_DOUBLE,
                              FLEECE_TYPE_STRING,  FLEECE_TYPE_ARRAY,   FLEECE_TYPE_DICT,    FLEECE_TYPE_INTEGER};
  static const int64_t as_int64[] = {7, 7, 7, -5, 7, 2, 7, 7, 7, 7, 7, INT64_MIN};
  static const uint64_t as_uint64[] = {7, 7, 7, 7, UINT64_C(9223372036854775808), 2, 7, 7, 7, 7, 7, 7};
  static const double as_double[] = {7,     7, 7, -5, 9223372036854775808.0, 2, 0.5,
                                     1e300, 7, 7, 7,  -9223372036854775808.0};
  const fleece_value v = fleece_root(d);
  size_t i, n;
  (void)unused;
  assert_int_equal(fleece_count(v), 12);
  for (i = 0; i < 12; i++) {
    const fleece_value x = fleece_at(v, i);
    assert_int_equal(fleece_type_of(x), types[i]);
    assert_true(fleece_int64(x, 7) == as_int64[i]);
    assert_true(fleece_uint64(x, 7) == as_uint64[i]);
    assert_true(fleece_double(x, 7) == as_double[i]);
    assert_int_equal(fleece_boolean(x, 7), i == 1 ? 1 : i == 2 ? 0 : 7);
    n = 99;
    assert_true((fleece_string(x, &n) != NULL) == (i == 8) && n == (i == 8 ? 3 : 0));
    n = 99;
    assert_null(fleece_data(x, &n));
    assert_int_equal(n, 0);
    assert_int_equal(fleece_count(x), i == 9 || i == 10);
  }
  assert_memory_equal(fleece_string(fleece_at(v, 8), &n), "abc", 3);
  assert_null(fleece_at(v, 12).at);
  assert_null(fleece_at(v, (size_t)-1).at);
  close_doc(d);
}

/* Chains through what is not there, and questions of the wrong kind. */
static void test_none(void **unused) {
  fleece_doc *d = doc_of_json("{\"a\":[1]}", 0);
  fleece_value v = fleece_root(d);
  fleece_iterator i;
  fleece_error e;
  char path[200];
  size_t n;
  (void)unused;
  v = fleece_get(fleece_at(fleece_get(fleece_get(v, "b"), "c"), 3), "d");
  assert_int_equal(fleece_type_of(v), FLEECE_TYPE_NONE);
  assert_int_equal(fleece_count(v), 0);
  assert_int_equal(fleece_int64(v, 3), 3);
  assert_int_equal(fleece_boolean(v, 3), 3);
  assert_null(fleece_string(v, &n));
  assert_null(fleece_path(v, "a", 1, &e).at);
  assert_int_equal(e.status, FLEECE_OK);
  assert_null(fleece_pointer(v, "/a", 2, &e).at);
  for (n = 2; n <= 200; n++) { /* a wrong path is one from nowhere too, however long */
    memset(path, 'a', n);
    assert_null(fleece_path(v, path, n, &e).at);
    assert_int_equal(e.status, FLEECE_OK);
    path[n - 1] = '[';
    assert_null(fleece_path(v, path, n, &e).at);
    assert_int_equal(e.status, FLEECE_ERROR_PATH);
  }
  fleece_iterate(&i, v);
  assert_false(fleece_next(&i));
  assert_null(fleece_at(fleece_root(d), 0).at);
  assert_null(fleece_get(fleece_get(fleece_root(d), "a"), "a").at);
  assert_null(fleece_get_n(fleece_root(d), NULL, 0).at);
  assert_null(fleece_root(NULL).at);
  assert_int_equal(fleece_equal(v, none(), NULL), 1);
  assert_int_equal(fleece_equal(v, fleece_root(d), NULL), 0);
  close_doc(d);
}

static void test_ways(void **unused) {
  char longer[400] = "/", *w = longer + 1;
  fleece_doc *d = doc_of_json(
      "{\"people\":[{\"name\":\"x\"},{\"name\":\"y\"}],\"a.b\":{\"/\":1,\"~\":2,\"\":3},\"$ref\":0}", 0);
  const fleece_value v = fleece_root(d);
  fleece_error e;
  (void)unused;
  assert_json(fleece_path(v, "people[1].name", 14, &e), 0, "\"y\"");
  assert_json(fleece_path(v, "$.people[-1].name", 17, NULL), 0, "\"y\"");
  assert_json(fleece_path(v, "$ref", 4, NULL), 0, "0");
  assert_json(fleece_path(v, "a\\.b./", 6, &e), 0, "1");
  assert_null(fleece_path(v, "people[2].name", 14, &e).at);
  assert_int_equal(e.status, FLEECE_OK);
  assert_null(fleece_path(v, "people[x]", 9, &e).at);
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  assert_int_equal(e.offset, 6);
  assert_null(fleece_path(v, "", 0, &e).at);
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  assert_json(fleece_pointer(v, "", 0, &e), 0,
              "{\"$ref\":0,\"a.b\":{\"\":3,\"/\":1,\"~\":2},\"people\":[{\"name\":\"x\"},{\"name\":\"y\"}]}");
  assert_json(fleece_pointer(v, "/a.b/~1", 7, &e), 0, "1");
  assert_json(fleece_pointer(v, "/a.b/~0", 7, &e), 0, "2");
  assert_json(fleece_pointer(v, "/a.b/", 5, &e), 0, "3");
  assert_json(fleece_pointer(v, "/people/0/name", 14, &e), 0, "\"x\"");
  assert_null(fleece_pointer(v, "people", 6, &e).at);
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  assert_null(fleece_pointer(v, "/~2", 3, &e).at);
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  while (w < longer + 380) *w++ = 'x';
  assert_null(fleece_pointer(v, longer, 380, &e).at);
  assert_int_equal(e.status, FLEECE_OK);
  memset(longer, '.', 350); /* names that are empty */
  assert_null(fleece_path(v, longer, 350, &e).at);
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  close_doc(d);
}

static void test_iteration(void **unused) {
  fleece_doc *d = doc_of_json("{\"c\":3,\"a\":1,\"b\":[4,5]}", 0);
  fleece_iterator i;
  (void)unused;
  fleece_iterate(&i, fleece_root(d));
  assert_true(fleece_next(&i) && i.index == 0 && i.name_size == 1 && *i.name == 'a' && fleece_int64(i.value, 0) == 1);
  assert_true(fleece_next(&i) && i.index == 1 && *i.name == 'b' && fleece_count(i.value) == 2);
  assert_true(fleece_next(&i) && i.index == 2 && *i.name == 'c' && fleece_int64(i.value, 0) == 3);
  assert_false(fleece_next(&i));
  assert_false(fleece_next(&i));
  fleece_iterate(&i, fleece_get(fleece_root(d), "b"));
  assert_true(fleece_next(&i) && i.index == 0 && !i.name && fleece_int64(i.value, 0) == 4);
  assert_true(fleece_next(&i) && i.index == 1 && fleece_int64(i.value, 0) == 5);
  assert_false(fleece_next(&i));
  assert_false(fleece_next(&i));
  fleece_iterate(&i, fleece_get(fleece_root(d), "a"));
  assert_false(fleece_next(&i));
  close_doc(d);
}

static void test_equal(void **unused) {
  fleece_doc *a = doc_of_json("{\"x\":[1,2.0,\"s\"],\"y\":null}", 0);
  fleece_doc *b = doc_of_json("{\"y\":null,\"x\":[1,2,\"s\"]}", FLEECE_COMPATIBLE);
  fleece_error e;
  (void)unused;
  assert_int_equal(fleece_equal(fleece_root(a), fleece_root(b), &e), 1);
  assert_int_equal(fleece_equal(fleece_root(a), fleece_get(fleece_root(b), "x"), &e), 0);
  close_doc(a), close_doc(b);
}

/* ------------------------------------------------------------------------------------- documents */

static void test_open(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_doc *d;
  char *odd;
  size_t n;
  (void)unused;
  assert_int_equal(fleece_from_json("[\"abcdef\",123456]", 17, NULL, &out, NULL), FLEECE_OK);
  assert_int_equal(fleece_check(out.data, out.size, NULL, &e), FLEECE_OK);
  for (n = 0; n < out.size; n++) { /* some end with what leads to a value; what is odd never does */
    d = fleece_open(out.data, n, NULL, &e);
    assert_true(d ? n % 2 == 0 : e.status == FLEECE_ERROR_BINARY);
    fleece_close(d);
  }
  odd = malloc(out.size + 1);
  memcpy(odd + 1, out.data, out.size);
  assert_int_equal(fleece_check(odd + 1, out.size, NULL, &e), FLEECE_ERROR_BINARY);
  d = fleece_open(odd + 1, out.size, NULL, &e);
  memset(odd, 0xff, out.size + 1);
  assert_json(fleece_root(d), 0, "[\"abcdef\",123456]");
  fleece_close(d);
  o.flags = FLEECE_COPY;
  d = fleece_open(out.data, out.size, &o, &e);
  o.flags = FLEECE_TRUSTED;
  memcpy(odd, out.data, out.size);
  memset(out.data, 0xff, out.size);
  assert_json(fleece_root(d), 0, "[\"abcdef\",123456]");
  fleece_close(d);
  d = fleece_open(odd, out.size, &o, &e);
  assert_json(fleece_root(d), 0, "[\"abcdef\",123456]");
  fleece_close(d);
  assert_null(fleece_open(odd, 0, &o, &e));
  assert_null(fleece_open(odd, 3, &o, &e));
  fleece_close(NULL);
  free(odd);
  fleece_bytes_free(&out);
}

static void test_utf8(void **unused) {
  uint8_t bytes[] = {0x42, 'a', 0xff, 0, 0x80, 2}; /* the string "a\xff" */
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_error e;
  fleece_doc *d;
  (void)unused;
  o.flags = FLEECE_COPY;
  d = fleece_open(bytes, sizeof bytes, &o, &e);
  assert_non_null(d);
  assert_int_equal(fleece_to_json(fleece_root(d), NULL, &out, &e), FLEECE_ERROR_VALUE);
  assert_json(fleece_root(d), FLEECE_REPLACE_UTF8, "\"a\xef\xbf\xbd\"");
  fleece_close(d);
  o.flags = FLEECE_COPY | FLEECE_CHECK_UTF8;
  assert_null(fleece_open(bytes, sizeof bytes, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_BINARY);
  fleece_bytes_free(&out);
}

static void test_files(void **unused) {
  char path[] = "/tmp/fleece-test-XXXXXX";
  const int file = mkstemp(path);
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_doc *d;
  int mapped;
  (void)unused;
  assert_true(file >= 0);
  for (mapped = 0; mapped < 2; mapped++) {
    o.flags = mapped ? 0 : FLEECE_READ;
    assert_int_equal(ftruncate(file, 0), 0);
    assert_null(fleece_open_file(path, &o, &e));
    assert_int_equal(e.status, FLEECE_ERROR_BINARY);
    assert_int_equal(fleece_from_json("{\"k\":[1,2,3]}", 13, NULL, &out, NULL), FLEECE_OK);
    assert_int_equal(pwrite(file, out.data, out.size, 0), out.size);
    d = fleece_open_file(path, &o, &e);
    assert_non_null(d);
    assert_json(fleece_root(d), 0, "{\"k\":[1,2,3]}");
    fleece_close(d);
    assert_null(fleece_open_file("/nowhere/at all", &o, &e));
    assert_int_equal(e.status, FLEECE_ERROR_FILE);
    assert_int_equal(e.system, ENOENT);
    assert_null(fleece_open_file("/tmp", &o, &e));
    assert_int_equal(e.status, FLEECE_ERROR_FILE);
    assert_int_equal(e.system, EISDIR);
  }
  o.flags = FLEECE_COPY; /* the file may do what it likes then */
  d = fleece_open_file(path, &o, &e);
  assert_int_equal(ftruncate(file, 0), 0);
  assert_json(fleece_root(d), 0, "{\"k\":[1,2,3]}");
  fleece_close(d);
  close(file), unlink(path);
  fleece_bytes_free(&out);
}

/* Bytes read in pieces of 64 KB, to memory of the caller, which gets it back whatever fails. */
static void test_read(void **unused) {
  static char text[200000];
  static const size_t sizes[] = {2, 65000, 65530, 65532, 65534, 65536, 65538, 131071, sizeof text};
  char path[] = "/tmp/fleece-test-XXXXXX";
  const int file = mkstemp(path);
  struct heap heap = {.for_good = 1};
  const fleece_allocator memory = {heap_alloc, &heap};
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  size_t i, n;
  (void)unused;
  assert_true(file >= 0);
  o.allocator = &memory, o.flags = FLEECE_READ;
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fleece_doc *d = NULL;
    for (n = 0; n < sizes[i]; n++) text[n] = (char)('a' + n % 23);
    text[0] = text[sizes[i] - 1] = '"';
    assert_int_equal(fleece_from_json(text, sizes[i], NULL, &out, NULL), FLEECE_OK);
    assert_int_equal(pwrite(file, out.data, out.size, 0), out.size);
    assert_int_equal(ftruncate(file, (off_t)out.size), 0);
    for (heap.fail_at = 1; !d; heap.fail_at++) {
      heap.requests = 0;
      d = fleece_open_file(path, &o, &e);
      if (!d) assert_int_equal(e.status, FLEECE_ERROR_MEMORY), assert_int_equal(heap.blocks, 0);
    }
    assert_true(heap.fail_at > 3); /* the document, and a block */
    assert_memory_equal(fleece_string(fleece_root(d), &n), text + 1, sizes[i] - 2);
    assert_int_equal(n, sizes[i] - 2);
    fleece_close(d);
    assert_int_equal(heap.blocks, 0);
  }
  close(file), unlink(path);
  fleece_bytes_free(&out);
}

/* What tells no size is read. */
static void test_pipe(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_error e;
  fleece_doc *d;
  char path[32];
  int ends[2];
  (void)unused;
  assert_int_equal(fleece_from_json("{\"k\":[1,2,3]}", 13, NULL, &out, NULL), FLEECE_OK);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], out.data, out.size), out.size);
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  d = fleece_open_file(path, NULL, &e);
  assert_string_equal(e.message, "");
  assert_json(fleece_root(d), 0, "{\"k\":[1,2,3]}");
  fleece_close(d);
  close(ends[0]);
  fleece_bytes_free(&out);
}

/* Everything that can be asked of a document. */
static void ask(fleece_value v, unsigned *budget) {
  fleece_iterator i;
  size_t n, data_n;
  volatile unsigned sum = 0;
  const char *s = fleece_string(v, &n);
  const unsigned char *data = fleece_data(v, &data_n);
  if (!*budget) return;
  --*budget;
  if (s && n) sum += (unsigned char)s[n - 1];
  if (data && data_n) sum += data[data_n - 1];
  (void)fleece_int64(v, 0), (void)fleece_uint64(v, 0), (void)fleece_double(v, 0), (void)fleece_boolean(v, 0);
  (void)fleece_count(v);
  fleece_iterate(&i, v);
  while (*budget && fleece_next(&i)) {
    if (i.name && fleece_get_n(v, i.name, i.name_size).at) sum++;
    ask(i.value, budget);
  }
}

/* Documents with bytes changed: opened or not, nothing is read outside, which the sanitizers see. */
static void test_hostile(void **unused) {
  static const char text[] = "{\"a\":[1,2,300,-70000,1.5,0.1,true,null],\"name\":\"a longer string than the others\","
                             "\"b\":{\"a\":[1,2,300],\"c\":{\"d\":[[],{},[[1]]]}},\"name2\":\"x\"}";
  const long count = (getenv("FLEECE_TEST_COUNT") ? atol(getenv("FLEECE_TEST_COUNT")) : 20000) / 4;
  fleece_bytes out = FLEECE_BYTES_INIT, json = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  long round, opened = 0, refused = 0;
  uint32_t state = 12345;
  (void)unused;
  o.max_depth = 100;
  assert_int_equal(fleece_from_json(text, sizeof text - 1, NULL, &out, NULL), FLEECE_OK);
  for (round = 0; round < count; round++) {
    uint8_t *bytes = malloc(out.size); /* its edges are the document's */
    fleece_error e;
    fleece_doc *d;
    int changes;
    memcpy(bytes, out.data, out.size);
    for (changes = 1 + (int)(round % 3); changes > 0; changes--) {
      state = state * 1664525u + 1013904223u;
      bytes[(state >> 16) % out.size] = (uint8_t)(state >> 8);
    }
    d = fleece_open(bytes, out.size, &o, &e);
    if (d) {
      unsigned budget = 1000;
      opened++;
      ask(fleece_root(d), &budget);
      (void)fleece_to_json(fleece_root(d), NULL, &json, NULL);
      fleece_close(d);
    } else {
      refused++;
      assert_true(e.status == FLEECE_ERROR_BINARY || e.status == FLEECE_ERROR_LIMIT || e.status == FLEECE_ERROR_KEYS);
      assert_true(e.offset <= out.size);
    }
    free(bytes);
  }
  assert_true(opened > count / 20 && refused > count / 20);
  fleece_bytes_free(&out);
  fleece_bytes_free(&json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_version),     cmocka_unit_test(test_bytes),  cmocka_unit_test(test_texts),
      cmocka_unit_test(test_lenient),     cmocka_unit_test(test_styles), cmocka_unit_test(test_bad_texts),
      cmocka_unit_test(test_bad_options), cmocka_unit_test(test_writer), cmocka_unit_test(test_values),
      cmocka_unit_test(test_none),        cmocka_unit_test(test_ways),   cmocka_unit_test(test_iteration),
      cmocka_unit_test(test_equal),       cmocka_unit_test(test_open),   cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_files),       cmocka_unit_test(test_read),   cmocka_unit_test(test_pipe),
      cmocka_unit_test(test_hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
