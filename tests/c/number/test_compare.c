/* SPDX-License-Identifier: MIT
** test_compare.c -- numbers compared by their texts, against the exact decimals that the C library prints for doubles.
** FLEECE_TEST_COUNT: how many random doubles.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/number/test_compare.c -lcmocka -lm */
#include <math.h>
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
#include "../support/random.h"

static long count = 20000;

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
    const uint64_t bits = random_bits();
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

static struct num_any of_text(const char *s) {
  struct num_value v = {0, 0, NUM_BAD};
  (void)num_parse(s, s + strlen(s), &v);
  return num_any_of(s, strlen(s), &v);
}

static struct num_any of_double(double d) {
  struct num_any x;
  memset(&x, 0, sizeof x);
  x.form = NUM_IS_DOUBLE;
  x.is.d = d;
  return x;
}

/* Numbers in ascending order as texts, and as doubles if they are some exactly. All forms are compared with all. */
static void test_forms(void **unused) {
  static const struct {
    const char *text;
    double d;
  } order[] = {{"-1e401", NAN},
               {"-1e400", NAN},
               {"-18446744073709551616", -0x1p64},
               {"-9223372036854775809", NAN},
               {"-9223372036854775808", -0x1p63},
               {"-9007199254740993", NAN},
               {"-9007199254740992", -0x1p53},
               {"-1.5", -1.5},
               {"-1", -1},
               {"0", 0},
               {"0.12345678901234567890", NAN},
               {"0.12345678901234567891", NAN},
               {"1.0", 1},
               {"1.5", 1.5},
               {"9007199254740991.5", NAN},
               {"9007199254740992", 0x1p53},
               {"9007199254740992.5", NAN},
               {"9007199254740993", NAN},
               {"9007199254740993.5", NAN},
               {"9223372036854775807", NAN},
               {"9223372036854775807.5", NAN},
               {"9223372036854775808", 0x1p63},
               {"9223372036854775809", NAN},
               {"18446744073709551615", NAN},
               {"18446744073709551616", 0x1p64},
               {"1e300", 1e300},
               {"1e400", NAN},
               {"1e401", NAN}};
  const size_t n = sizeof order / sizeof *order;
  const struct num_any nan = of_double(NAN), infinite = of_double(INFINITY);
  size_t i, j;
  assert_int_equal(of_text("18446744073709551615").form, NUM_IS_UNSIGNED);
  assert_int_equal(of_text("18446744073709551616").form, NUM_IS_TEXT);
  for (i = 0; i < n; i++) {
    const struct num_any x = of_text(order[i].text), d = of_double(order[i].d);
    assert_int_equal(num_compare(&x, &nan), NUM_UNORDERED);
    assert_int_equal(num_compare(&nan, &x), NUM_UNORDERED);
    assert_int_equal(num_compare(&x, &infinite), -1);
    assert_int_equal(num_compare(&infinite, &x), 1);
    for (j = 0; j < n; j++) {
      const struct num_any y = of_text(order[j].text), e = of_double(order[j].d);
      const int expected = (i > j) - (i < j);
      if (num_compare(&x, &y) != expected) fail_msg("%s and %s", order[i].text, order[j].text);
      if (e.is.d != e.is.d) continue;
      /* a text that is no integer of 64 bits equals the double that it reads as */
      if (x.form != NUM_IS_TEXT || x.is.d != e.is.d) assert_int_equal(num_compare(&x, &e), expected);
      else assert_int_equal(num_compare(&x, &e), 0);
      assert_int_equal(num_compare(&e, &x), -num_compare(&x, &e));
      if (d.is.d == d.is.d) assert_int_equal(num_compare(&d, &e), expected);
    }
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubles), cmocka_unit_test(test_texts),
                                     cmocka_unit_test(test_forms)};
  const char *n = getenv("FLEECE_TEST_COUNT");
  if (n) count = atol(n);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
