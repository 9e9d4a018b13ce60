/* SPDX-License-Identifier: MIT
** test_check.c -- the strict JSON checker: cases by hand with the place of each fault, limits, JSONTestSuite.
** FLEECE_DATA names a directory with jsontestsuite/ in it (github.com/nst/JSONTestSuite, test_parsing).
** Build: cc -std=gnu99 -O2 -Isrc tests/c/test_check.c -lcmocka */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json/check.h"

/* In a block of its own size, so that address sanitizers see its edges; a 0 is behind it, as behind Lua's strings. */
static int check(const char *s, size_t n, unsigned depth, size_t *where) {
  char *copy = malloc(n + 1);
  int error;
  if (!copy) abort();
  memcpy(copy, s, n);
  copy[n] = 0;
  error = json_check(copy, n, depth, where);
  free(copy);
  return error;
}

static const char *const good[] = {
  "null", "true", "false", " \t\r\nnull \t\r\n", "0", "-0", "-1", "10", "1234567890", "0.0", "-0.5", "1.25e3",
  "1E400", "1e+5", "1e-5", "0e0", "1.0E+00", "123456789012345678901234567890.123456789012345678901234567890",
  "\"\"", "\"abc\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\\uabCD\\uFFFF\"", "\"\\ud83d\\ude00\"", "\"\\uD800\\uDC00\"",
  "\"\\uDBFF\\uDFFF x\"", "\"\\ud7ff\\ue000\"", "\"\x7f\"", "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\"",
  "\"\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"", "\"\xef\xbb\xbf\"", "\"1234567\xd0\xb0 89012345678\"",
  "[]", "[ ]", "{}", "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[[]],{}]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }",
  "{\"a\":{\"b\":[{\"c\":null}]},\"\":0}", "{\"a\":1,\"a\":2}", "[null,true,false,\"x\",-1.5,{}]", "[\"]\",\"}\",\"[{\"]",
  "[1\n]", "{\"\\u0061\":\"\\u0062\"}"
};

/* Bad texts with the error and the offset where they go wrong. */
static const struct { const char *text; int error, where; } bad[] = {
#define E(name) JSON_CHECK_##name
  { "", E(END), 0 }, { "  ", E(END), 2 }, { "[", E(END), 1 }, { "{", E(END), 1 }, { "[1", E(END), 2 },
  { "[1,", E(END), 3 }, { "[1, ", E(END), 4 }, { "{\"a\"", E(END), 4 }, { "{\"a\":", E(END), 5 },
  { "{\"a\":1", E(END), 6 }, { "{\"a\":1,", E(END), 7 }, { "\"", E(END), 1 }, { "\"abc", E(END), 4 },
  { "[\"a", E(END), 3 }, { "[{}", E(END), 3 }, { "\"abcdefghijklmnop", E(END), 17 },
  { "nul", E(VALUE), 0 }, { "nulL", E(VALUE), 0 }, { "True", E(VALUE), 0 }, { "truth", E(VALUE), 0 }, { "fals", E(VALUE), 0 },
  { "undefined", E(VALUE), 0 }, { "NaN", E(VALUE), 0 }, { "Infinity", E(VALUE), 0 }, { "'a'", E(VALUE), 0 },
  { "]", E(VALUE), 0 }, { "}", E(VALUE), 0 }, { ",", E(VALUE), 0 }, { ":", E(VALUE), 0 }, { "[,1]", E(VALUE), 1 },
  { "[1,]", E(VALUE), 3 }, { "[1,,2]", E(VALUE), 3 }, { "{\"a\":}", E(VALUE), 5 }, { "{\"a\":,}", E(VALUE), 5 },
  { "[}", E(VALUE), 1 }, { "// x\n1", E(VALUE), 0 }, { "/**/1", E(VALUE), 0 }, { "\f1", E(VALUE), 0 }, { "\xc2\xa0" "1", E(VALUE), 0 },
  { "[\xff]", E(VALUE), 1 }, { "\x01", E(VALUE), 0 }, { "(1)", E(VALUE), 0 }, { "\\u0031", E(VALUE), 0 },
  { "-", E(NUMBER), 1 }, { "-a", E(NUMBER), 1 }, { "01", E(NUMBER), 1 }, { "-01", E(NUMBER), 2 }, { "00", E(NUMBER), 1 },
  { "1.", E(NUMBER), 2 }, { "1.e5", E(NUMBER), 2 }, { "1e", E(NUMBER), 2 }, { "1e+", E(NUMBER), 3 }, { "1E-x", E(NUMBER), 3 },
  { "-Infinity", E(NUMBER), 1 }, { "--1", E(NUMBER), 1 }, { "[1.]", E(NUMBER), 3 }, { "0.e1", E(NUMBER), 2 },
  { "+1", E(VALUE), 0 }, { ".5", E(VALUE), 0 },
  { "1.5.2", E(AFTER), 3 }, { "1e5.2", E(AFTER), 3 }, { "0x10", E(AFTER), 1 }, { "1 2", E(AFTER), 2 }, { "1_000", E(AFTER), 1 },
  { "1,", E(AFTER), 1 }, { "[]]", E(AFTER), 2 }, { "{}}", E(AFTER), 2 }, { "nullx", E(AFTER), 4 }, { "truetrue", E(AFTER), 4 },
  { "\"a\"b", E(AFTER), 3 }, { "{} //", E(AFTER), 3 }, { "[][]", E(AFTER), 2 }, { "1\xff", E(AFTER), 1 },
  { "{1:2}", E(NAME), 1 }, { "{a:1}", E(NAME), 1 }, { "{,}", E(NAME), 1 }, { "{\"a\":1,}", E(NAME), 7 }, { "{null:1}", E(NAME), 1 },
  { "{'a':1}", E(NAME), 1 }, { "{[]:1}", E(NAME), 1 }, { "{]", E(NAME), 1 }, { "{\"a\":1,,\"b\":2}", E(NAME), 7 },
  { "{\"a\"}", E(COLON), 4 }, { "{\"a\",1}", E(COLON), 4 }, { "{\"a\" 1}", E(COLON), 5 }, { "{\"a\"=1}", E(COLON), 4 },
  { "{\"a\"::1}", E(VALUE), 5 },
  { "{\"a\":1]", E(OBJECT), 6 }, { "{\"a\":1 \"b\":2}", E(OBJECT), 7 }, { "{\"a\":1;}", E(OBJECT), 6 }, { "{\"a\":1:2}", E(OBJECT), 6 },
  { "[1}", E(ARRAY), 2 }, { "[1 2]", E(ARRAY), 3 }, { "[1;2]", E(ARRAY), 2 }, { "[1:2]", E(ARRAY), 2 }, { "[\"a\":1]", E(ARRAY), 4 },
  { "[0x1]", E(ARRAY), 2 }, { "[[]}", E(ARRAY), 3 }, { "{\"a\":[}", E(VALUE), 6 },
  { "\"\n\"", E(CONTROL), 1 }, { "\"\t\"", E(CONTROL), 1 }, { "\"abcdefgh\x1f\"", E(CONTROL), 9 }, { "\"\x01\"", E(CONTROL), 1 },
  { "{\"\r\":1}", E(CONTROL), 2 },
  { "\"\\", E(ESCAPE), 1 }, { "\"\\a\"", E(ESCAPE), 1 }, { "\"\\'\"", E(ESCAPE), 1 }, { "\"\\x41\"", E(ESCAPE), 1 },
  { "\"\\U0041\"", E(ESCAPE), 1 }, { "\"\\u\"", E(ESCAPE), 1 }, { "\"\\u12\"", E(ESCAPE), 1 }, { "\"\\u123g\"", E(ESCAPE), 1 },
  { "\"\\u 123\"", E(ESCAPE), 1 }, { "\"\\u-123\"", E(ESCAPE), 1 }, { "\"\\u12", E(ESCAPE), 1 }, { "\"ab\\\n\"", E(ESCAPE), 3 },
  { "\"\\\xe2\x82\xac\"", E(ESCAPE), 1 }, { "\"\\u00\xc3\xa9\"", E(ESCAPE), 1 }, { "\"\\u00@0\"", E(ESCAPE), 1 }, { "\"\\u00G0\"", E(ESCAPE), 1 },
  { "\"\\u00/0\"", E(ESCAPE), 1 }, { "\"\\u00:0\"", E(ESCAPE), 1 }, { "\"\\u00`0\"", E(ESCAPE), 1 }, { "\"\\u00\x10" "0\"", E(ESCAPE), 1 },
  { "\"\\ud800\"", E(SURROGATE), 1 }, { "\"\\udc00\"", E(SURROGATE), 1 }, { "\"x\\ud800x\"", E(SURROGATE), 2 },
  { "\"\\ud800\\ud800\"", E(SURROGATE), 1 }, { "\"\\ud800\\u0041\"", E(SURROGATE), 1 }, { "\"\\ud800\\n\"", E(SURROGATE), 1 },
  { "\"\\udfff\\ud800\"", E(SURROGATE), 1 }, { "\"\\ud800\\udc0\"", E(SURROGATE), 1 }, { "\"\\ud83d\\ude00\\ude00\"", E(SURROGATE), 13 },
  { "\"\\ud800\\ue000\"", E(SURROGATE), 1 }, { "\"\\ud800", E(SURROGATE), 1 },
  { "\"\x80\"", E(UTF8), 1 }, { "\"\xc0\x80\"", E(UTF8), 1 }, { "\"\xc1\xbf\"", E(UTF8), 1 }, { "\"\xe0\x9f\xbf\"", E(UTF8), 1 },
  { "\"\xed\xa0\x80\"", E(UTF8), 1 }, { "\"\xed\xbf\xbf\"", E(UTF8), 1 }, { "\"\xf0\x8f\xbf\xbf\"", E(UTF8), 1 },
  { "\"\xf4\x90\x80\x80\"", E(UTF8), 1 }, { "\"\xf5\x80\x80\x80\"", E(UTF8), 1 }, { "\"\xff\"", E(UTF8), 1 },
  { "\"abc\xe2\x82\"", E(UTF8), 4 }, { "\"\xe2\x82", E(UTF8), 1 }, { "\"abcdefghijk\xd0\"", E(UTF8), 12 }, { "{\"\xff\":1}", E(UTF8), 2 },
  { "\xef\xbb\xbf{}", E(BOM), 0 }, { "\xef\xbb\xbf", E(BOM), 0 }, { "\xef\xbb", E(VALUE), 0 }, { "\xff\xfe[\0", E(VALUE), 0 }
#undef E
};

static void test_good(void **unused) {
  size_t i, where = 77;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) {
    int error = check(good[i], strlen(good[i]), 1000, &where);
    if (error) fail_msg("%s: %s at %d", good[i], json_check_message(error), (int)where);
  }
  assert_int_equal(where, 77);
  assert_int_equal(json_check("1", 1, 0, NULL), 0);
  assert_int_not_equal(json_check("x", 1, 0, NULL), 0);
  (void)unused;
}

static void test_bad(void **unused) {
  size_t i, where;
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    int error = check(bad[i].text, strlen(bad[i].text), 1000, &where);
    if (error != bad[i].error || (int)where != bad[i].where)
      fail_msg("%s: %s at %d", bad[i].text, error ? json_check_message(error) : "accepted", (int)where);
  }
  /* NUL is a control character like any other, and no end. */
  assert_int_equal(check("\"\0\"", 3, 9, &where), JSON_CHECK_CONTROL);
  assert_int_equal(check("1\0", 2, 9, &where), JSON_CHECK_AFTER);
  assert_int_equal(check("\0", 1, 9, &where), JSON_CHECK_VALUE);
  (void)unused;
}

/* A container cut anywhere, or with any byte behind it, is no value. */
static void test_cut(void **unused) {
  size_t i, n, k, where;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) {
    const char *s = good[i];
    char more[128];
    n = strlen(s);
    if (*s != '[' && *s != '{' && *s != '"') continue;
    for (k = 0; k < n; k++) {
      assert_int_not_equal(check(s, k, 1000, &where), 0);
      assert_true(where <= k);
    }
    memcpy(more, s, n);
    for (k = 0; k < 256; k++) {
      more[n] = (char)k;
      int error = check(more, n + 1, 1000, &where);
      assert_int_equal(error, k == ' ' || k == '\t' || k == '\n' || k == '\r' ? 0 : JSON_CHECK_AFTER);
    }
  }
  (void)unused;
}

static void test_depth(void **unused) {
  static char text[70000];
  unsigned depth, object;
  size_t where, n, i;
  for (object = 0; object < 2; object++)
    for (depth = 1; depth <= 1100; depth += depth < 70 ? 1 : 31) {
      for (n = i = 0; i < depth; i++) {
        if (object && i % 2) memcpy(text + n, "{\"a\":", 5), n += 5;
        else text[n++] = '[';
      }
      text[n++] = '1';
      while (i-- > 0) text[n++] = object && i % 2 ? '}' : ']';
      assert_int_equal(check(text, n, depth, &where), depth <= 1000 ? 0 : JSON_CHECK_DEPTH);
      assert_int_equal(check(text, n, depth - 1, &where), JSON_CHECK_DEPTH);
      text[n - 1] ^= ']' ^ '}';
      if (depth <= 1000) assert_int_equal(check(text, n, depth, &where), JSON_CHECK_ARRAY);
      assert_int_equal(check(text, n, 5000, &where), depth <= 1000 ? JSON_CHECK_ARRAY : JSON_CHECK_DEPTH);
    }
  assert_int_equal(check("[]", 2, 0, &where), JSON_CHECK_DEPTH);
  memset(text, '[', sizeof text);
  assert_int_equal(check(text, sizeof text, 1u << 31, &where), JSON_CHECK_DEPTH);
  assert_int_equal(where, 1000);
  (void)unused;
}

static void test_messages(void **unused) {
  int i;
  for (i = 1; i < JSON_CHECK_COUNT; i++) assert_non_null(json_check_message(i));
  assert_null(json_check_message(0));
  assert_null(json_check_message(JSON_CHECK_COUNT));
  (void)unused;
}

/* y_ must be accepted, n_ refused; i_ is ours to say, and must only not crash. */
static void test_suite(void **unused) {
  static char text[1 << 20], path[4096];
  const char *data = getenv("FLEECE_DATA");
  struct dirent *entry;
  int files = 0;
  DIR *dir;
  (void)unused;
  snprintf(path, sizeof path, "%s/jsontestsuite", data ? data : "");
  dir = data ? opendir(path) : NULL;
  if (!dir) skip();
  while ((entry = readdir(dir)) != NULL) {
    size_t n, where;
    FILE *f;
    int error;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/jsontestsuite/%s", data, entry->d_name);
    if (!(f = fopen(path, "rb"))) fail_msg("cannot read %s", path);
    n = fread(text, 1, sizeof text, f);
    fclose(f);
    error = check(text, n, 1000, &where);
    if (entry->d_name[0] == 'y' && error) fail_msg("%s: %s at %d", entry->d_name, json_check_message(error), (int)where);
    if (entry->d_name[0] == 'n' && !error) fail_msg("%s accepted", entry->d_name);
    files++;
  }
  closedir(dir);
  assert_true(files > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_good), cmocka_unit_test(test_bad), cmocka_unit_test(test_cut), cmocka_unit_test(test_depth),
    cmocka_unit_test(test_messages), cmocka_unit_test(test_suite)
  };
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
