/* SPDX-License-Identifier: MIT
** test_compare.c -- numbers compared by their texts, against the exact decimals that the C library prints for doubles.
** FLEECE_TEST_COUNT: how many random doubles.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/number/test_compare.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "number/compare.h"
#include "number/parse.h"

static long count = 20000;
static uint64_t state = 88172645463325252u;

static uint64_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 2685821657736338717u;
}

static int sign_of(int order) { return (order > 0) - (order < 0); }

static int compare(const char *a, const char *b) {
  const int order = sign_of(num_compare_texts(a, strlen(a), b, strlen(b)));
  assert_int_equal(order, -sign_of(num_compare_texts(b, strlen(b), a, strlen(a))));
  return order;
}

static int compare_double(const char *a, double d) { return sign_of(num_compare_double(a, strlen(a), d)); }

/* A double equals its exact decimal; one more digit at its end makes the magnitude larger. */
static void check_double(double d) {
  char exact[1500];
  int n = snprintf(exact, sizeof exact - 2, "%.1074f", d);
  assert_true(n > 0 && (size_t)n < sizeof exact - 2);
  assert_int_equal(compare_double(exact, d), 0);
  strcpy(exact + n, "1");
  assert_int_equal(compare_double(exact, d), exact[0] == '-' ? -1 : 1);
}

static void test_doubles(void **unused) {
  static const double cases[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.1,
                                 5e-324,
                                 -5e-324,
                                 2.2250738585072014e-308,
                                 2.225073858507201e-308,
                                 1.7976931348623157e308,
                                 -1.7976931348623157e308,
                                 9007199254740993.0,
                                 1e23,
                                 4.35};
  long i;
  (void)unused;
  for (i = 0; i < (long)(sizeof cases / sizeof *cases); i++) check_double(cases[i]);
  for (i = 0; i < count; i++) {
    const uint64_t bits = rnd();
    double d;
    memcpy(&d, &bits, sizeof d);
    if (d - d == 0) check_double(d); /* finite */
  }
  assert_int_equal(compare_double("1e999999999999999999999", 1.0 / 0.0), -1);
  assert_int_equal(compare_double("-1e999999999999999999999", -1.0 / 0.0), 1);
}

static void test_texts(void **unused) {
  (void)unused;
  assert_int_equal(compare("0", "-0.000e99999999999999999999"), 0);
  assert_int_equal(compare("1e99999999999999999999", "10e99999999999999999998"), 0);
  assert_int_equal(compare("1e99999999999999999999", "1e99999999999999999998"), 1);
  assert_int_equal(compare("1e-99999999999999999999", "1e-99999999999999999998"), -1);
  assert_int_equal(compare("1e-99999999999999999999", "0"), 1);
  assert_int_equal(compare("-1e99999999999999999999", "1e-99999999999999999999"), -1);
  assert_int_equal(compare("1e100000000000000000000", "0.1e100000000000000000001"), 0);
  assert_int_equal(compare("123.4500", "0.00012345e6"), 0);
  assert_int_equal(compare("123.45001", "0.00012345e6"), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubles), cmocka_unit_test(test_texts)};
  const char *n = getenv("FLEECE_TEST_COUNT");
  if (n) count = atol(n);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
