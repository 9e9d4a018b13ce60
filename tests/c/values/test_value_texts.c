/* SPDX-License-Identifier: MIT
** test_value_texts.c -- members of a text that are looked for by name: the right ones, and in few steps if they are many.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/values/test_value_texts.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json/grammar/scan.h"
#include "text/utf8.h"

/* Counts the names that a search compares. */
static size_t compared;
static int compare(const void *a, const void *b, size_t n) { return compared++, memcmp(a, b, n); }
#define memcmp compare
#include "values/texts.h"
#undef memcmp

enum { MOST = 5000, BLOCKS = 8 };

static struct value_texts k;
static void *blocks[BLOCKS];
static char text[MOST * 16];

static void *get(void *owner, unsigned block, size_t n, size_t used) {
  (void)owner;
  assert_true(block < BLOCKS);
  (void)used; /* realloc keeps more */
  blocks[block] = realloc(blocks[block], n);
  assert_non_null(blocks[block]);
  return blocks[block];
}

/* Reads an object with n members, "n0000":0 and so on, the last of them with the name of member `last`. */
static void read_object(int n, int last) {
  struct json_scan j;
  char *w = text;
  for (int i = 0; i < n; i++) w += sprintf(w, "%c\"n%04d\":%d", i ? ',' : '{', i < n - 1 ? i : last, i);
  strcpy(w, "}");
  memset(&k, 0, sizeof k);
  k.walk.memory = get;
  k.walk.left = UINT64_MAX;
  memset(&j, 0, sizeof j);
  j.begin = text, j.end = w + 1;
  j.utf8 = text_utf8_valid;
  j.max_depth = 10;
  assert_non_null(value_texts_scan(&k, &j, text, 0));
  compared = 0;
}

/* Looks for a name: the number that is its value, or -1. */
static int look(int i) {
  char name[16];
  uint32_t child;
  sprintf(name, "n%04d", i);
  return value_texts_find_member(&k, 0, name, 5, &child) ? atoi(text + k.places[child].begin) : -1;
}

static void done(void) {
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]), blocks[i] = NULL;
}

static void test_many_names(void **state) {
  static const int sizes[] = {1, 2, VALUE_TEXTS_FEW, VALUE_TEXTS_FEW + 1, 100, MOST};
  (void)state;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int n = sizes[s];
    read_object(n, n - 1);
    for (int i = 0; i < n; i++) assert_int_equal(look(i), i);
    assert_int_equal(look(n), -1);
    /* binary searches, and those before the members are sorted */
    if (n > VALUE_TEXTS_FEW) assert_true(compared <= (VALUE_TEXTS_LOOKS + 14) * (n + 1));
    done();
  }
}

/* Few searches need no list. */
static void test_few_names(void **state) {
  (void)state;
  read_object(MOST, MOST - 1);
  for (int i = 0; i < VALUE_TEXTS_LOOKS; i++) assert_int_equal(look(i), i);
  assert_int_equal(k.children_count, 0);
  assert_int_equal(look(0), 0);
  assert_int_equal(k.children_count, MOST);
  done();
}

/* Of a name twice the last counts; where the members have to be sorted, the text is read in another way. */
static void test_repeated_names(void **state) {
  (void)state;
  for (int looks = 0; looks <= VALUE_TEXTS_LOOKS; looks++) {
    read_object(100, 7);
    for (int i = 0; i < looks; i++) assert_int_equal(look(7), 99);
    assert_false(value_texts_is_clear(&k, 0));
    assert_int_equal(k.walk.error, VALUE_ERROR_REDO);
    done();
  }
  read_object(100, 7);
  for (int i = 0; i < VALUE_TEXTS_LOOKS; i++) assert_int_equal(look(7), 99);
  assert_int_equal(look(7), -1);
  assert_int_equal(k.walk.error, VALUE_ERROR_REDO);
  done();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_names), cmocka_unit_test(test_few_names),
                                     cmocka_unit_test(test_repeated_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
