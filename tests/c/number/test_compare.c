/* SPDX-License-Identifier: MIT
** test_compare.c -- numbers compared by their texts, against the exact decimals that the C library prints for doubles.
** FLEECE_TEST_COUNT: how many random doubles.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/number/test_compare.c -lcmocka -lm */
#include <inttypes.h>
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

static int is_multiple(const char *a, const char *of) {
  const struct num_any x = of_text(a), y = of_text(of);
  assert_true(num_is_divisor(&y));
  return num_is_multiple(&x, &y);
}

/* By arithmetic in decimals: JSON Schema 2020-12 Validation, section 6.2.1. */
static void test_multiples(void **unused) {
  static const struct {
    const char *a, *of;
    int is;
  } cases[] = {{"4.35", "0.01", 1},
               {"4.355", "0.01", 0},
               {"4.02", "0.01", 1},
               {"1000000000000.55", "0.1", 0},
               {"1000000000000.5", "0.1", 1},
               {"9007199254740993", "9007199254740992", 0},
               {"9007199254740993", "1", 1},
               {"0.0075", "0.0001", 1},
               {"0.00751", "0.0001", 0},
               {"0", "3", 1},
               {"-0.0", "0.7", 1},
               {"-9", "3", 1},
               {"-9", "2", 0},
               {"1e308", "0.123456789", 0},
               {"1e400", "7", 0},
               {"1e400", "8", 1},
               {"7e400", "7", 1},
               {"4E31322574", "4", 1},
               {"4E-31322574", "4", 0},
               {"4E31322574", "3", 0},
               {"1e99999999999999999999999", "1e-99999999999999999999999", 1},
               {"12391239123", "1e-8", 1},
               {"25", "1e1", 0},
               {"250", "1e1", 1},
               {"9223372036854775807", "9223372036854775807", 1},
               {"18446744073709551616", "9999999999999999999", 0},
               {"99999999999999999990", "9999999999999999999", 1},
               {"0.3", "0.1", 1},
               {"1.1", "1.10", 1},
               {"10", "0.25", 1},
               {"1", "0.3", 0}};
  const struct num_any third = of_double(0.3), tenth = of_double(0.1), nan = of_double(NAN), none = of_double(0),
                       endless = of_double(INFINITY), long_one = of_text("1.2345678901234567891"),
                       negative = of_text("-1");
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    if (is_multiple(cases[i].a, cases[i].of) != cases[i].is) fail_msg("%s of %s", cases[i].a, cases[i].of);
  assert_true(num_is_multiple(&third, &tenth));
  assert_false(num_is_multiple(&nan, &tenth));
  assert_false(num_is_multiple(&endless, &tenth));
  assert_false(num_is_divisor(&none));
  assert_false(num_is_divisor(&nan));
  assert_false(num_is_divisor(&endless));
  assert_false(num_is_divisor(&long_one));
  assert_false(num_is_divisor(&negative));
  for (i = 0; i < (size_t)count; i++) { /* against arithmetic with integers */
    const uint64_t a = random_bits() % 1000000, b = 1 + random_bits() % 1000;
    const unsigned p = (unsigned)(random_bits() % 6), q = (unsigned)(random_bits() % 6);
    uint64_t x = a, y = b;
    unsigned k;
    char at[40], bt[40];
    snprintf(at, sizeof at, "%" PRIu64 "e-%u", a, p);
    snprintf(bt, sizeof bt, "%" PRIu64 "e-%u", b, q);
    for (k = p; k < q; k++) x *= 10;
    for (k = q; k < p; k++) y *= 10;
    if (is_multiple(at, bt) != (x % y == 0)) fail_msg("%s of %s", at, bt);
  }
  (void)unused;
}

static void test_whole(void **unused) {
  static const char *const whole[] = {
      "0", "-0.0", "0e-400", "1", "-3.0", "1e2", "10e-1", "1.50e1", "1e400", "1230000e-4", "12345678901234567890123"};
  static const char *const others[] = {
      "0.1", "1e-1", "15e-1", "1.05", "1e-400", "1230000e-5", "12345678901234567890123.5"};
  const struct num_any half = of_double(0.5), large = of_double(1e300), nan = of_double(NAN),
                       endless = of_double(-INFINITY);
  struct num_any x;
  size_t i;
  for (i = 0; i < sizeof whole / sizeof *whole; i++)
    if (x = of_text(whole[i]), !num_is_whole(&x)) fail_msg("%s", whole[i]);
  for (i = 0; i < sizeof others / sizeof *others; i++)
    if (x = of_text(others[i]), num_is_whole(&x)) fail_msg("%s", others[i]);
  assert_false(num_is_whole(&half));
  assert_true(num_is_whole(&large));
  assert_false(num_is_whole(&nan));
  assert_false(num_is_whole(&endless));
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubles), cmocka_unit_test(test_texts),
                                     cmocka_unit_test(test_forms), cmocka_unit_test(test_multiples),
                                     cmocka_unit_test(test_whole)};
  const char *n = getenv("FLEECE_TEST_COUNT");
  if (n) count = atol(n);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
