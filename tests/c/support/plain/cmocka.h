/* SPDX-License-Identifier: MIT
** cmocka.h -- as much of cmocka as the tests of the cores need, for platforms that have no library of it
** here (tests/platform/run.sh). A claim that does not hold ends the program. */
#ifndef FLEECE_TESTS_PLAIN_CMOCKA_H
#define FLEECE_TESTS_PLAIN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*run)(void **);
  int (*setup)(void **);
};

static int plain_skipped;

static void plain_claim(int holds, const char *claim, const char *file, int line) {
  if (holds) return;
  printf("not ok - %s:%d: %s\n", file, line, claim);
  exit(1);
}

#define assert_true(c) plain_claim((c) ? 1 : 0, #c, __FILE__, __LINE__)
#define assert_false(c) assert_true(!(c))
#define assert_null(c) assert_true((c) == NULL)
#define assert_non_null(c) assert_true((c) != NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define fail_msg(...) (printf("not ok - "), printf(__VA_ARGS__), printf("\n"), exit(1))
#define print_message printf
#define skip() return (void)(plain_skipped = 1)
#define cmocka_unit_test(f) \
  { #f, f, NULL }
#define cmocka_unit_test_setup(f, setup) \
  { #f, f, setup }
#define cmocka_run_group_tests(tests, setup, teardown) run_plainly(tests, sizeof(tests) / sizeof((tests)[0]), setup)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

static int run_plainly(const struct CMUnitTest *tests, size_t n, int (*setup)(void **)) {
  void *state = NULL;
  size_t i;
  if (setup && setup(&state)) return 1;
  for (i = 0; i < n; i++) {
    plain_skipped = 0;
    if (tests[i].setup) tests[i].setup(&state);
    tests[i].run(&state);
    printf("ok - %s%s\n", tests[i].name, plain_skipped ? " # SKIP" : "");
  }
  return 0;
}

#endif
