/* SPDX-License-Identifier: MIT
** test_check.c -- the strict JSON checker: cases by hand with the place of each fault, limits, JSONTestSuite.
** FLEECE_DATA names a directory with jsontestsuite/ in it (github.com/nst/JSONTestSuite, test_parsing).
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_check.c -lcmocka */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json/grammar/check.h"
#include "../support/texts.h"

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
  if (!dir) {
    printf("# SKIPPED: no data: set FLEECE_DATA\n");
    skip();
  }
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
    if (entry->d_name[0] == 'y' && error)
      fail_msg("%s: %s at %d", entry->d_name, json_check_message(error), (int)where);
    if (entry->d_name[0] == 'n' && !error) fail_msg("%s accepted", entry->d_name);
    files++;
  }
  closedir(dir);
  assert_true(files > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good),     cmocka_unit_test(test_bad),
                                     cmocka_unit_test(test_cut),      cmocka_unit_test(test_depth),
                                     cmocka_unit_test(test_messages), cmocka_unit_test(test_suite)};
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
