/* SPDX-License-Identifier: MIT
** cmocka.h -- as much of cmocka as test_binary.c needs, for CPUs that have no library of it here. A claim that does not
** hold ends the program. */
#ifndef FLEECE_TESTS_PLAIN_CMOCKA_H
#define FLEECE_TESTS_PLAIN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest { const char *name; void (*run)(void **); int (*setup)(void **); };

#define assert_true(c) \
  do { if (!(c)) { printf("not ok - %s:%d: %s\n", __FILE__, __LINE__, #c); exit(1); } } while (0)
#define assert_false(c) assert_true(!(c))
#define assert_null(c) assert_true((c) == NULL)
#define assert_non_null(c) assert_true((c) != NULL)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define fail_msg(...) do { printf("not ok - "); printf(__VA_ARGS__); printf("\n"); exit(1); } while (0)
#define skip() return
#define cmocka_unit_test_setup(f, setup) { #f, f, setup }
#define cmocka_run_group_tests(tests, setup, teardown) \
  run_plainly(tests, sizeof(tests) / sizeof((tests)[0]))

static int run_plainly(const struct CMUnitTest *tests, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    tests[i].setup(NULL);
    tests[i].run(NULL);
    printf("ok - %s\n", tests[i].name);
  }
  return 0;
}

#endif
