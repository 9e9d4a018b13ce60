/* SPDX-License-Identifier: MIT
** test_parse.c -- the number reader against the C library, whose strtod is exact.
** FLEECE_TEST_COUNT: how many random texts per test. FLEECE_NUMBER_DATA: a folder of parse-number-fxx-test-data files
** (lines of half, single, double in hexadecimal, and the text); without it that test is skipped.
** tests/data/parse_number.txt, hard decimals from exact integers (tools/parse_cases.py), has no strtod in it.
** Build, and run at the root of the sources: cc -std=gnu99 -O2 -Isrc tests/c/number/test_parse.c -lcmocka -lm */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "number/parse.h"
#include "number/shortest.h"
#include "../support/guarded.h"
#include "../support/random.h"

static long count = 1000000;

static double of_bits(uint64_t b) {
  double v;
  memcpy(&v, &b, sizeof v);
  return v;
}

/* Texts end at an unmapped page: their 0 is the last byte that can be read. */
static char *page_end;

static int open_page(void **unused) {
  (void)unused;
  page_end = guarded(4096);
  return 0;
}

static struct num_value read_number(const char *text, size_t *used) {
  struct num_value v = {0, 0, NUM_BAD};
  size_t n = strlen(text);
  char *at = n < 4000 ? page_end - n - 1 : malloc(n + 1);
  memcpy(at, text, n + 1);
  *used = (size_t)(num_parse(at, at + n, &v) - at);
  if (n >= 4000) free(at);
  return v;
}

/* Where more text follows, longer steps can be taken: they lead to the same. */
static void check_before_more(const char *text, struct num_value want) {
  char more[600];
  size_t used, n = strlen(text);
  struct num_value v;
  if (n + 64 > sizeof more) return;
  snprintf(more, sizeof more, "%s,%s", text,
           n & 1 ? "9876543210987654321098765" : "\x8a\xff\x80,,,,,,,,,,,,,,,,,,,,,,");
  v = read_number(more, &used);
  if (used != n || v.kind != want.kind || v.i != want.i || memcmp(&v.d, &want.d, sizeof v.d) != 0)
    fail_msg("%.100s before more: kind %d, %.17g, %d bytes", text, (int)v.kind, v.d, (int)used);
}

/* The text is one number, and what strtod says it is. */
static void check(const char *text) {
  size_t used;
  struct num_value v = read_number(text, &used);
  double want = strtod(text, NULL), got = v.kind == NUM_INTEGER ? (double)v.i : v.d;
  if (used != strlen(text) || v.kind == NUM_BAD || memcmp(&got, &want, sizeof got) != 0)
    fail_msg("%.100s: kind %d, %.17g for %.17g, %d bytes", text, (int)v.kind, got, want, (int)used);
  if ((v.kind == NUM_HUGE) != (want - want != 0)) fail_msg("%.100s: kind %d", text, (int)v.kind);
  check_before_more(text, v);
}

static void is_integer(const char *text, int64_t want) {
  size_t used;
  struct num_value v = read_number(text, &used);
  assert_int_equal(v.kind, NUM_INTEGER);
  assert_int_equal(used, strlen(text));
  assert_true(v.i == want);
}

static void is_kind(const char *text, enum num_kind kind) {
  size_t used;
  struct num_value v = read_number(text, &used);
  if (v.kind != kind) fail_msg("%s: kind %d for %d", text, (int)v.kind, (int)kind);
  check(text);
}

static void is_bad(const char *text, size_t where) {
  size_t used;
  struct num_value v = read_number(text, &used);
  if (v.kind != NUM_BAD || used != where) fail_msg("%s: kind %d at %d", text, (int)v.kind, (int)used);
}

static void test_integers(void **unused) {
  char text[64];
  long i;
  (void)unused;
  is_integer("0", 0);
  is_integer("9223372036854775807", INT64_MAX);
  is_integer("-9223372036854775808", INT64_MIN);
  is_integer("1000000000000000000", INT64_C(1000000000000000000));
  is_kind("9223372036854775808", NUM_BIG);
  is_kind("-9223372036854775809", NUM_BIG);
  is_kind("18446744073709551616", NUM_BIG); /* 2^64: the digits' value is 0 in 64 bits */
  is_kind("36893488147419103232", NUM_BIG);
  is_kind("10000000000000000000", NUM_BIG);
  is_kind("-0", NUM_DOUBLE);
  is_kind("-0.0", NUM_DOUBLE);
  is_kind("1e0", NUM_DOUBLE);
  is_kind("1.0", NUM_DOUBLE);
  for (i = 0; i < count; i++) {
    int64_t n = (int64_t)(random_bits() >> (random_bits() % 64));
    if (i & 1) n = -n - 1;
    snprintf(text, sizeof text, "%lld", (long long)n);
    is_integer(text, n);
  }
}

static void test_bad(void **unused) {
  (void)unused;
  is_bad("-", 1), is_bad("-a", 1), is_bad("--1", 1), is_bad("-.5", 1);
  is_bad("00", 1), is_bad("01", 1), is_bad("-00", 2), is_bad("-012345678901", 2), is_bad("00000000000000000000000", 1);
  is_bad("1.", 2), is_bad("1.e1", 2), is_bad("0.", 2), is_bad("12345678.", 9), is_bad("-1.x", 3);
  is_bad("1e", 2), is_bad("1E", 2), is_bad("1e+", 3), is_bad("1e-", 3), is_bad("1e-x", 3), is_bad("1.5e", 4),
      is_bad("1e+-1", 3);
}

/* Where a number ends is not its business: the byte behind it is given back. */
static void test_ends(void **unused) {
  static const char *const behind[] = {",", "]", "}", " ", "x", "-", ".", ":", "/", ";"};
  static const char *const numbers[] = {
      "0", "-7", "12345678", "123456789", "1.5", "12345678.12345678", "1e5", "1.25E-10", "1234567890123456789"};
  size_t i, j, used;
  char text[64];
  (void)unused;
  for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (j = 0; j < sizeof behind / sizeof *behind; j++) {
      struct num_value v;
      if (*behind[j] == '.' && !strpbrk(numbers[i], ".eE")) continue;
      snprintf(text, sizeof text, "%s%s1234567890", numbers[i], behind[j]);
      v = read_number(text, &used);
      if (v.kind == NUM_BAD || used != strlen(numbers[i])) fail_msg("%s: %d", text, (int)used);
    }
}

static void test_edges(void **unused) {
  /* clang-format off */
  static const char *const texts[] = {
      "0.1", "0.3", "1e22", "1e23", "1e-22", "1e-23", "9007199254740993e0", "9007199254740992.5", "123456789012345678e-5",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308",
      "2.2250738585072012e-308", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623158e308",
      "1.7976931348623159e308", "179769313486231580793728971405301e276", "1e308", "1e309", "1e-323", "1e-324", "1e-400", "1e400",
      "0e400", "0.0e-400", "0e99999999999999999999", "1e99999999999999999999", "1e-99999999999999999999", "-1e999",
      "1e4294967297", "1e-4294967295", "1e18446744073709551617", "1e-18446744073709551615", /* 1 beyond 2^32, 2^64 */
      "1000000000000000000000000000000000000000e-39", "0.00000000000000000000000000000000000000001e41",
      "1.00000000000000011102230246251565404236316680908203125", /* the middle of 1 and what follows */
      "1.00000000000000011102230246251565404236316680908203124", "1.00000000000000011102230246251565404236316680908203126",
      "0.00000000", "-0.00000000000000", "0.000000000000000000", "0.000000000000000001", "9.9999999999999999e0",
      "0.9999999999999999999", "9999999999.999999999", "9007199254740992.99999999", "9223372036854775807.5", "99999999999999999999.999999999999999999999e-50", "8.5e-324", "3.5844466002796428e+298"};
  /* clang-format on */
  char *text;
  size_t i, zeros = 1000000;
  (void)unused;
  for (i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i]);
  /* a million digits and an exponent that takes them back */
  text = malloc(zeros + 64);
  memset(text, '0', zeros + 2);
  text[1] = '.';
  strcpy(text + zeros + 2, "1e1000001");
  check(text);
  memset(text, '0', zeros + 1);
  text[0] = '1';
  strcpy(text + zeros + 1, "e-1000000");
  check(text);
  memset(text, '9', zeros);
  strcpy(text + zeros, "e-999999");
  check(text);
  free(text);
}

/* Random doubles and decimals of every length. */
static void test_random(void **unused) {
  char text[256], *w;
  long i;
  (void)unused;
  for (i = 0; i < count; i++) {
    double v = of_bits(random_bits());
    int digits = 1 + (int)(random_bits() % 45), point = (int)(random_bits() % 46), k;
    if (v - v == 0) {
      snprintf(text, sizeof text, "%.*e", (int)(random_bits() % 40), v);
      check(text);
      *num_write_double(text, v, 0) = 0;
      check(text);
    }
    w = text;
    if (i & 1) *w++ = '-';
    if (point == 0) *w++ = '0';
    for (k = 0; k < digits; k++) {
      if (k == point) *w++ = '.';
      *w++ = (char)(k == 0 && point != 1 && point != 0 ? '1' + random_bits() % 9 : '0' + random_bits() % 10);
    }
    if (random_bits() & 1) w += sprintf(w, "e%d", (int)(random_bits() % 700) - 350);
    *w = 0;
    check(text);
  }
}

/* The exact middle of two neighbours has up to 767 digits: long double holds it, printf writes it out. */
static void test_middles(void **unused) {
  char text[2000], *last;
  long i;
  (void)unused;
  if (sizeof(long double) <= sizeof(double)) {
    printf("# SKIPPED: this system: long double is no longer than double\n");
    skip();
  }
  for (i = 0; i < count / 20; i++) {
    uint64_t bits = random_bits() & INT64_MAX;
    double low, high;
    if (i % 3 == 0) bits %= UINT64_C(3) << 52; /* subnormals and the smallest */
    low = of_bits(bits), high = of_bits(bits + 1);
    if (high - high != 0) continue;
    snprintf(text, sizeof text, "%.780Le", ((long double)low + (long double)high) / 2);
    check(text);
    last = strchr(text, 'e') - 1;
    *last = '1';
    check(text);
    last[0] = '0', last[-1] = '1';
    check(text);
    snprintf(text, sizeof text, "%.*Le", (int)(random_bits() % 60) + 17, ((long double)low + (long double)high) / 2);
    check(text);
  }
}

/* Middles and what is beside them, with zeros before, between and after the digits, and a point at every place. */
static void test_long(void **unused) {
  static const char *const head[] = {"9007199254740993", "9007199254740992999", "18014398509481990", "1", "0"};
  static const char *const tail[] = {"", "1", "314159265358979323846"};
  char digits[128], text[160];
  (void)unused;
  for (size_t h = 0; h < sizeof head / sizeof *head; h++)
    for (size_t t = 0; t < sizeof tail / sizeof *tail; t++)
      for (int before = 0; before <= 19; before += 19)
        for (int zeros = 0; zeros <= 40; zeros += 1 + zeros / 3) {
          const int n = sprintf(digits, "%0*d%s%0*d%s", before + 1, 0, head[h], zeros + 1, 0, tail[t]);
          for (int point = 1; point < n; point++) {
            const char *whole = digits; /* no more than one 0 before the point */
            while (whole < digits + point - 1 && *whole == '0') whole++;
            sprintf(text, "%.*s.%s", (int)(digits + point - whole), whole, digits + point);
            check(text);
          }
          const char *whole = digits;
          while (*whole == '0' && whole[1]) whole++;
          check(whole);
        }
}

static uint64_t bits_of(struct num_value v) {
  double d = v.kind == NUM_INTEGER ? (double)v.i : v.d;
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

/* Closest to a middle for every exponent, middles and what is beside them, ends of the range. */
static void test_hard(void **unused) {
  char line[1024];
  long lines = 0;
  FILE *file = fopen("tests/data/parse_number.txt", "r");
  (void)unused;
  if (!file) fail_msg("tests/data/parse_number.txt is not there");
  while (fgets(line, sizeof line, file)) {
    uint64_t want = strtoull(line, NULL, 16), got;
    char *text = line + 17;
    size_t used;
    struct num_value v;
    if (*line == '#') continue;
    assert_non_null(strchr(line, '\n'));
    line[strcspn(line, "\n")] = 0;
    v = read_number(text, &used);
    got = bits_of(v);
    if (v.kind == NUM_BAD || used != strlen(text) || got != want)
      fail_msg("%.100s: kind %d, %016llx for %016llx", text, (int)v.kind, (unsigned long long)got,
               (unsigned long long)want);
    assert_int_equal(v.kind == NUM_HUGE, (want << 1) == (uint64_t)0x7ff << 53);
    lines++;
  }
  fclose(file);
  assert_true(lines > 4000);
}

/* Every byte behind one to nine digits, the point at every place: where blocks of eight find the end of a run. */
static void test_any_byte(void **unused) {
  static const char digits[] = "123456789123456789";
  char text[64];
  int whole, fraction, c;
  (void)unused;
  for (whole = 1; whole <= 17; whole++)
    for (fraction = 0; fraction <= 17; fraction++)
      for (c = 1; c < 256; c++) {
        size_t used, end = (size_t)sprintf(text, fraction ? "%.*s.%.*s" : "%.*s", whole, digits, fraction, digits);
        struct num_value v;
        if ((c >= '0' && c <= '9') || c == 'e' || c == 'E' || (c == '.' && !fraction)) continue;
        text[end] = (char)c;
        strcpy(text + end + 1, (c & 1) ? "7.5,12345678" : "\xff\x80\x8a,,,,,,,");
        v = read_number(text, &used);
        text[end] = 0;
        if (used != end || v.kind != (fraction ? NUM_DOUBLE : NUM_INTEGER) ||
            (v.kind == NUM_INTEGER ? (double)v.i : v.d) != strtod(text, NULL))
          fail_msg("%s before byte %d: kind %d, %d bytes", text, c, (int)v.kind, (int)used);
      }
}

/* RFC 8259, section 6, byte by byte: the end of the number, or -1 and in *where the byte that should not be there. */
static int grammar(const char *text, int *where) {
  int i = text[0] == '-', from = i;
  while (text[i] >= '0' && text[i] <= '9') i++;
  if (i == from || (text[from] == '0' && i > from + 1)) return *where = i == from ? i : from + 1, -1;
  if (text[i] == '.') {
    from = ++i;
    while (text[i] >= '0' && text[i] <= '9') i++;
    if (i == from) return *where = i, -1;
  }
  if (text[i] == 'e' || text[i] == 'E') {
    i++;
    if (text[i] == '+' || text[i] == '-') i++;
    from = i;
    while (text[i] >= '0' && text[i] <= '9') i++;
    if (i == from) return *where = i, -1;
  }
  return i;
}

/* Texts that nearly are numbers end, or are bad, where the grammar says. */
static void test_grammar(void **unused) {
  static const char some[] = "0123456789....--++eeEE,]x ";
  long i, bad = 0;
  (void)unused;
  for (i = 0; i < count; i++) {
    char text[24];
    size_t n = 1 + random_bits() % 22, k, used;
    struct num_value v;
    int want, where = 0;
    for (k = 0; k < n; k++) text[k] = some[random_bits() % (sizeof some - 1)];
    if (i & 1)
      for (k = 1; k < n; k++)
        if (random_bits() % 4) text[k] = (char)('0' + random_bits() % 10);
    text[n] = 0;
    if (*text != '-' && !(*text >= '0' && *text <= '9')) *text = random_bits() & 1 ? '-' : '0';
    want = grammar(text, &where);
    v = read_number(text, &used);
    bad += want < 0;
    if ((v.kind == NUM_BAD) != (want < 0) || (int)used != (want < 0 ? where : want))
      fail_msg("%s: kind %d at %d for %d, %d", text, (int)v.kind, (int)used, want, where);
  }
  assert_true(bad > count / 10 && bad < count - count / 10);
}

static void test_published(void **unused) {
  const char *folder = getenv("FLEECE_NUMBER_DATA");
  char path[1024], line[4096];
  struct dirent *entry;
  long lines = 0;
  DIR *dir = folder ? opendir(folder) : NULL;
  (void)unused;
  if (!dir) {
    printf("# SKIPPED: no data: FLEECE_NUMBER_DATA names no folder\n");
    skip();
  }
  while ((entry = readdir(dir)) != NULL) {
    FILE *file;
    if (!strstr(entry->d_name, ".txt")) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (!(file = fopen(path, "r"))) fail_msg("cannot read %s", path);
    while (fgets(line, sizeof line, file)) {
      char *text = line + 31;
      uint64_t want = strtoull(line + 14, NULL, 16), got;
      size_t used;
      struct num_value v;
      line[strcspn(line, "\r\n")] = 0;
      if (strlen(line) < 32 || !(*text == '-' || (*text >= '0' && *text <= '9'))) continue;
      v = read_number(text, &used);
      if (v.kind == NUM_BAD || used != strlen(text)) continue; /* not of JSON */
      got = bits_of(v);
      if (got != want) fail_msg("%s: %016llx for %016llx", text, (unsigned long long)got, (unsigned long long)want);
      lines++;
    }
    fclose(file);
  }
  closedir(dir);
  print_message("%ld lines\n", lines);
  assert_true(lines > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers), cmocka_unit_test(test_bad),      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_edges),    cmocka_unit_test(test_random),   cmocka_unit_test(test_middles),
      cmocka_unit_test(test_long),     cmocka_unit_test(test_hard),     cmocka_unit_test(test_any_byte),
      cmocka_unit_test(test_grammar),  cmocka_unit_test(test_published)};
  if (getenv("FLEECE_TEST_COUNT")) count = atol(getenv("FLEECE_TEST_COUNT"));
  return cmocka_run_group_tests_name("parse", tests, open_page, NULL);
}
