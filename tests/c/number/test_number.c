/* SPDX-License-Identifier: MIT
** test_number.c -- the number writers against the C library: shortest, fixed precision, integers.
** Usage: test_number [count], or FLEECE_TEST_COUNT in the environment: random values per test, 10^7 unless
** told otherwise. FLEECE_TEST_FLOAT32=n also takes every n-th float (1: all of them, two minutes).
** Build: cc -std=gnu99 -O2 -Isrc tests/c/number/test_number.c -lcmocka -lm */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "number/integer.h"
#include "number/forms.h"
#include "number/shortest.h"
#include "../support/random.h"
#include "../support/sparse.h"

static long count = 10000000;

static double of_bits(uint64_t b) {
  double v;
  memcpy(&v, &b, sizeof v);
  return v;
}

static int finite_bits(uint64_t b) { return (b << 1) < (uint64_t)0x7ff << 53; }

/* A writer's buffer: the text has at most 24 bytes, with decimals 38; everything behind the promised room stays as it was. */
static char room[NUM_ROOM + 16];

static void room_end(char *end) {
  assert_true(end - room <= 38);
  assert_memory_equal(room + NUM_ROOM, "UUUUUUUUUUUUUUUU", 16);
  *end = 0;
}

static const char *shortest(double v, int float_integers) {
  room_end(num_write_double(room, v, float_integers));
  return room;
}

static const char *precision(double v, int digits, uint64_t whole, int float_integers) {
  room_end(num_write_precision(room, v, digits, whole, float_integers));
  return room;
}

static const char *integer(int64_t v) {
  room_end(num_write_i64(room, v));
  return room;
}

/* Is v an integer of 64 bits, signed or not? 2^63 and 2^64 are doubles; from 2^53 on all doubles are integers. */
static int fits_64_bits(double v) { return v >= -0x1p63 && v < 0x1p64 && floor(v) == v; }

/* ---- the oracle for shortest ---- */

/* "%.*e" taken apart: digits as text, the exponent as result. */
static int scientific(double v, int n, char *digits) {
  char b[64];
  const char *s = b;
  snprintf(b, sizeof b, "%.*e", n - 1, v);
  s += *s == '-';
  for (; *s != 'e'; s++)
    if (*s != '.') *digits++ = *s;
  *digits = 0;
  return atoi(s + 1);
}

/* Whether a decimal of n digits reads as v. The nearest one decides, but for a power of two, where the one
** above may be inside the interval although the nearest, below, is not. */
static int readable(double v, int n) {
  char d[32], b[64];
  int x = scientific(v, n, d), i;
  long long m = atoll(d);
  for (i = (num_bits(v) << 12) ? 0 : -1; i <= ((num_bits(v) << 12) ? 0 : 1); i++) {
    snprintf(b, sizeof b, "%s%llde%d", v < 0 ? "-" : "", m + i, x - n + 1);
    if (strtod(b, NULL) == v) return 1;
  }
  return 0;
}

/* The layout rules, spelled out: digits d, exponent x of the first. */
static void lay_out(char *o, int negative, const char *d, int x) {
  int n = (int)strlen(d), i;
  if (negative) *o++ = '-';
  if (x < -5 || x >= 17) {
    o += sprintf(o, n > 1 ? "%c.%s" : "%c", d[0], d + 1);
    sprintf(o, "e%c%02d", x < 0 ? '-' : '+', abs(x));
  } else if (x < 0) {
    o += sprintf(o, "0.");
    for (i = -1; i > x; i--) *o++ = '0';
    strcpy(o, d);
  } else {
    for (i = 0; i <= x; i++) *o++ = i < n ? d[i] : '0';
    sprintf(o, ".%s", n > x + 1 ? d + x + 1 : "0");
  }
}

static void check_shortest(double v) {
  char text[64], d[32], want[64];
  const char *s;
  int n = 0, zeros = 0, x;
  strcpy(text, shortest(v, 0));
  if (fits_64_bits(v)) {
    snprintf(want, sizeof want, "%.0f", v);
    assert_string_equal(text, want);
    assert_string_equal(shortest(v, 1), strcat(want, ".0"));
    return;
  }
  if (strtod(text, NULL) != v) fail_msg("%s does not read back as %.17g", text, v);
  for (s = text; *s && *s != 'e'; s++)
    if (*s >= '0' && *s <= '9' && (n || *s != '0')) n++, zeros = *s == '0' ? zeros + 1 : 0;
  n -= zeros;
  if (n > 1 && readable(v, n - 1)) fail_msg("%s is not the shortest for %.17g", text, v);
  x = scientific(v, n, d);
  lay_out(want, v < 0, d, x);
  if (strcmp(text, want) != 0 && ((num_bits(v) << 12) || strtod(want, NULL) == v))
    fail_msg("%s but nearest is %s, for %.17g", text, want, v);
}

static int same_decimal(uint64_t bits) {
  struct num_decimal a = num_shortest(bits), b = num_shortest_plain_(bits);
  return a.sig == b.sig && a.extra == b.extra && a.x == b.x;
}

static void check_precision(double v, int digits) {
  char want[64];
  int fractions_only;
  for (fractions_only = 0; fractions_only <= 1; fractions_only++) {
    const uint64_t whole = fractions_only ? (uint64_t)NUM_CONSECUTIVE + 1 : num_ten_to[digits];
    const int keeps = fractions_only && fabs(v) <= 0x1p53 && floor(v) == v;
    snprintf(want, sizeof want, keeps ? "%.*f" : "%.*g", keeps ? 0 : digits, v);
    if (strcmp(precision(v, digits, whole, 0), want) != 0) fail_msg("%s instead of %s, %d", room, want, digits);
    if (!strpbrk(want, ".e")) strcat(want, ".0");
    if (strcmp(precision(v, digits, whole, 1), want) != 0) fail_msg("%s instead of %s, %d", room, want, digits);
  }
}

/* The reference is printf, where the sign of what rounds to zero is left out. */
static void check_fixed(double v, int decimals) {
  char want[64], *text = want;
  snprintf(want, sizeof want, "%.*f", decimals, v);
  if (*text == '-' && strspn(text, "-0.") == strlen(text)) text++;
  room_end(num_write_decimals(room, v, decimals));
  if (strcmp(room, text) != 0) fail_msg("%s instead of %s for %.17g, %d decimals", room, text, v, decimals);
}

/* The reference is the fewest digits of printf that strtof reads back. */
static void check_float32(float f) {
  char want[64], want_digits[32];
  int n = 1, x;
  while (snprintf(want, sizeof want, "%.*e", n - 1, (double)f), strtof(want, NULL) != f) n++;
  room_end(num_write_float32(room, (double)f, 0));
  if (strtof(room, NULL) != f || signbit(strtof(room, NULL)) != signbit(f))
    fail_msg("%s does not read back as %.9g", room, (double)f);
  if (floorf(f) == f && fabsf(f) < 0x1p63f) return;
  x = scientific(strtod(want, NULL), n, want_digits);
  lay_out(want, f < 0, want_digits, x);
  if (strlen(room) != strlen(want) && (num_bits(f) << 12 || strlen(room) > strlen(want)))
    fail_msg("%s is not as long as %s", room, want);
}

/* ---- tests ---- */

static void test_rules(void **unused) {
  /* clang-format off */
  static const struct { double v; const char *text, *with_point; } t[] = {
    {0.0, "0", "0.0"}, {-0.0, "-0", "-0.0"}, {1, "1", "1.0"}, {-1, "-1", "-1.0"},
    {1e15, "1000000000000000", NULL}, {9007199254740992.0, "9007199254740992", "9007199254740992.0"},
    {-9007199254740992.0, "-9007199254740992", NULL},
    {9007199254740994.0, "9007199254740994", "9007199254740994.0"}, {1e16, "10000000000000000", NULL},
    {72057594037927936.0, "72057594037927936", "72057594037927936.0"},
    {-1e17, "-100000000000000000", "-100000000000000000.0"}, {12345678901234568.0, "12345678901234568", NULL},
    {123456789012345680.0, "123456789012345680", NULL},
    {9223372036854774784.0, "9223372036854774784", NULL}, {0x1p63, "9223372036854775808", "9223372036854775808.0"},
    {-0x1p63, "-9223372036854775808", "-9223372036854775808.0"},
    {-9223372036854777856.0, "-9.223372036854778e+18", "-9.223372036854778e+18"},
    {18446744073709549568.0, "18446744073709549568", "18446744073709549568.0"},
    {0x1p64, "1.8446744073709552e+19", "1.8446744073709552e+19"}, {-0x1p64, "-1.8446744073709552e+19", NULL},
    {1000000000000000.5, "1000000000000000.5", NULL}, {0.1, "0.1", "0.1"}, {1e-5, "0.00001", NULL},
    {-1.2345678901234568e-5, "-0.000012345678901234568", NULL}, {9.999e-6, "9.999e-06", NULL},
    {1e-6, "1e-06", NULL}, {5e-324, "5e-324", NULL}, {-5e-324, "-5e-324", NULL},
    {2.2250738585072014e-308, "2.2250738585072014e-308", NULL},
    {1.7976931348623157e308, "1.7976931348623157e+308", NULL},
    {9.5367431640625e-7, "9.5367431640625e-07", NULL}, {1e22, "1e+22", NULL}, {1e23, "1e+23", NULL},
    {9007199254740993e3, "9007199254740993024", NULL}, {12.34, "12.34", "12.34"},
    {0.001, "0.001", NULL}, {0.5, "0.5", NULL}, {549755813887.999, "549755813887.999", NULL},
    {1.005, "1.005", NULL}, {100.25, "100.25", NULL}, {-273.15, "-273.15", NULL}, {0.0625, "0.0625", NULL}
  };
  /* clang-format on */
  size_t i;
  for (i = 0; i < sizeof t / sizeof *t; i++) {
    assert_string_equal(shortest(t[i].v, 0), t[i].text);
    if (t[i].with_point) assert_string_equal(shortest(t[i].v, 1), t[i].with_point);
    check_shortest(t[i].v);
  }
  (void)unused;
}

static void test_integers(void **unused) {
  char want[32];
  int64_t v, p;
  long i;
  int d;
  for (v = -1100000; v <= 1100000; v += SPARSE) {
    snprintf(want, sizeof want, "%lld", (long long)v);
    assert_string_equal(integer(v), want);
  }
  for (p = 1, d = 0; d < 19; d++, p = d < 19 ? p * 10 : p)
    for (i = -2; i <= 2; i++) {
      snprintf(want, sizeof want, "%lld", (long long)(p + i));
      assert_string_equal(integer(p + i), want);
      snprintf(want, sizeof want, "%lld", (long long)(-p - i));
      assert_string_equal(integer(-p - i), want);
    }
  assert_string_equal(integer(INT64_MIN), "-9223372036854775808");
  assert_string_equal(integer(INT64_MAX), "9223372036854775807");
  room_end(num_write_u64(room, UINT64_MAX));
  assert_string_equal(room, "18446744073709551615");
  for (i = 0; i < count; i++) {
    uint64_t bits = random_bits();
    v = (int64_t)bits >> (random_bits() & 63);
    snprintf(want, sizeof want, "%lld", (long long)v);
    assert_string_equal(integer(v), want);
  }
  (void)unused;
}

static void test_integral_doubles(void **unused) {
  long i;
  for (i = 0; i < count / 4; i++) {
    double v = (double)(random_bits() >> (10 + random_bits() % 54));
    check_shortest(v);
    check_shortest(-v);
  }
  (void)unused;
}

static void test_random_bits(void **unused) {
  long i;
  for (i = 0; i < count; i++) {
    uint64_t b = random_bits();
    if (finite_bits(b)) check_shortest(of_bits(b));
  }
  (void)unused;
}

/* Decimals of up to seven places and their neighbours, which no longer are; ordinary magnitudes. */
static void test_decimals(void **unused) {
  static const double ten[] = {1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7};
  long i;
  for (i = 0; i < count / 8; i++) {
    double v = (double)(int64_t)(random_bits() >> (14 + random_bits() % 49)) / ten[random_bits() & 7];
    uint64_t b = num_bits(v);
    check_shortest(v);
    check_shortest(of_bits(b + 1));
    check_shortest(of_bits(b ? b - 1 : b));
    check_shortest(((double)(int64_t)random_bits()) * 1e-16);
  }
  (void)unused;
}

static void test_powers_of_two(void **unused) {
  int be, i;
  for (be = 0; be < 2047; be++)
    for (i = -64; i <= 64; i += SPARSE > 1 ? 16 : 1) {
      uint64_t b = ((uint64_t)be << 52) + (uint64_t)(int64_t)i;
      if (finite_bits(b)) check_shortest(of_bits(b));
    }
  (void)unused;
}

static void test_subnormals(void **unused) {
  long i;
  for (i = 0; i < count / 16; i++) check_shortest(of_bits(random_bits() >> (12 + random_bits() % 52)));
  (void)unused;
}

/* The one-product kernel against the plain one: first the doubles whose fraction comes nearest to a decision
** (tests/proof/kernel.py --list), which random values would not find in years. */
static void test_kernels(void **unused) {
  static const uint64_t close[] = {
      0x030a3d8d5e503e59u, 0x03719710dc581911u, 0x05c6ee73b7b47f43u, 0x0d17c0747bd76fa1u, 0x0e61009fd836acf5u,
      0x0fc22cea327fa99du, 0x10f1d467e94b856eu, 0x193e18d6d1c6d916u, 0x20e8823a57adbef8u, 0x20e8823a57adbef9u,
      0x293685f7683c20cdu, 0x2b659a2783ce70abu, 0x3086e22db4568793u, 0x34988f6a1b543ad8u, 0x34ceb344a229498eu,
      0x384b848a3ee9807eu, 0x4d73de005bd620dfu, 0x508ed11480eb4de0u, 0x50c342acd09310acu, 0x50f8135804b7d4d7u,
      0x57d4529a28d5c17eu, 0x5bc5f6de9d5d6b5bu, 0x5c6e735b3003e352u, 0x611491daad0ba280u, 0x612491daad0ba280u,
      0x613edac8039173c0u, 0x6149b651584e8b20u, 0x6159b651584e8b20u, 0x617348bd023ae858u, 0x618011f2d73116f4u,
      0x61867f872d44b9bcu, 0x618ced1b83585c84u, 0x619011f2d73116f4u, 0x61a81aec42c9a26eu, 0x61b4166f8cfd5cb1u,
      0x61bc1f68f895e82bu, 0x61c4166f8cfd5cb1u, 0x656a999ddec72acau, 0x6ddc8586f0912f1du, 0x6f179e0d5979f4f3u,
      0x6f53ae60753af6cau, 0x7c583010aba78a54u, 0x7c82240c80bda7bfu, 0x7c8e3c14d6916ce9u};
  long i;
  for (i = 0; i < (long)(sizeof close / sizeof *close); i++) {
    check_shortest(of_bits(close[i]));
    assert_true(same_decimal(close[i]));
  }
  for (i = 0; i < count * 2; i++) {
    uint64_t b = random_bits() & ~((uint64_t)1 << 63);
    if (i & 1) b = (b & (((uint64_t)1 << 52) - 1)) | (960 + random_bits() % 128) << 52;
    if (finite_bits(b) && (b << 12) && b >> 52 && !same_decimal(b)) fail_msg("kernels differ on %.17g", of_bits(b));
  }
  (void)unused;
}

static void test_precision(void **unused) {
  long i;
  int n, e;
  for (n = 1; n <= 17; n++) {
    check_precision(0.0, n);
    check_precision(-0.0, n);
    for (e = -340; e <= 308; e++) { /* powers of ten, one below, and what rounds up to them */
      char b[32];
      uint64_t p;
      snprintf(b, sizeof b, "1e%d", e);
      p = num_bits(strtod(b, NULL));
      check_precision(of_bits(p), n);
      check_precision(of_bits(p + 1), n);
      check_precision(of_bits(p ? p - 1 : p), n);
    }
  }
  for (i = 0; i < count / 4; i++) {
    uint64_t b = random_bits();
    if (finite_bits(b)) check_precision(of_bits(b), 1 + (int)(random_bits() % 17));
    /* Exact ties among them. */
    check_precision(((double)(random_bits() >> 11)) / (double)((uint64_t)1 << (random_bits() & 63)),
                    1 + (int)(random_bits() % 17));
    check_precision((double)(int64_t)(random_bits() >> (14 + random_bits() % 49)) / 1000,
                    1 + (int)(random_bits() % 17));
  }
  (void)unused;
}

static void test_fixed(void **unused) {
  const double ties[] = {0.125, 0.375, 0.5, 1.5, 2.5, 0x1p-17, 0x3p-17, 0.999, 9.995, 99.5, 0x1.fffffffffffffp52};
  const double tiny[] = {0x1p-57,   0x1.8p-57, 0x1p-58, 0x1p-59, 0x1p-110, 0x1p-111,
                         0x1p-1074, 1e-17,     5e-18,   0x1p-64, 0x1p-63};
  const double large[] = {0x1p52, 0x1p53, 0x1.fffffffffffffp62, 1e18, 123456789012345678.0};
  for (int n = 0; n <= 17; n++) {
    check_fixed(0.0, n), check_fixed(-0.0, n);
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) check_fixed(ties[i], n), check_fixed(-ties[i], n);
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) check_fixed(tiny[i], n), check_fixed(-tiny[i], n);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) check_fixed(large[i], n), check_fixed(-large[i], n);
    for (int e = -120; e < 62; e++) check_fixed(ldexp(1, e), n), check_fixed(ldexp(3, e), n);
  }
  for (long i = 0; i < count / 8; i++) {
    const int n = (int)(random_bits() % 18);
    check_fixed((double)(int64_t)random_bits() / (double)((uint64_t)2 << (random_bits() % 63)), n);
    check_fixed((double)(int64_t)(random_bits() >> (14 + random_bits() % 49)) / 1000, n);
    check_fixed(ldexp((double)(random_bits() >> 11), -(int)(random_bits() % 180)), n);
  }
  (void)unused;
}

/* Hosts may have changed the rounding mode; the text must not change with it. */
static void test_rounding_modes(void **unused) {
#if defined(FE_UPWARD) && defined(FE_DOWNWARD) && defined(FE_TOWARDZERO)
  static const int mode[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  char want[64];
  long i;
  for (i = 0; i < count / 64; i++) {
    double v = i & 1 ? (double)(random_bits() % 100000000) / 1000 : (double)(random_bits() % 100000000) * 1e-7;
    int k;
    strcpy(want, shortest(v, 0));
    for (k = 0; k < 3; k++) {
      fesetround(mode[k]);
      shortest(v, 0);
      fesetround(FE_TONEAREST);
      assert_string_equal(room, want);
    }
  }
#endif
  (void)unused;
}

/* A host may set the CPU to take subnormal numbers as zeros. */
static void test_subnormals_as_zeros(void **unused) {
#if defined(__SSE2__)
  const unsigned mode = __builtin_ia32_stmxcsr();
  char want[64];
  long i;
  for (i = 0; i < count / 1000; i++) {
    const double v = of_bits(i < 4 ? (uint64_t)i + 1 : random_bits() >> 12);
    strcpy(want, shortest(v, 0));
    __builtin_ia32_ldmxcsr(mode | 0x8040);
    shortest(v, 0);
    __builtin_ia32_ldmxcsr(mode);
    assert_string_equal(room, want);
  }
#endif
  (void)unused;
}

static void test_float32(void **unused) {
  const char *s = getenv("FLEECE_TEST_FLOAT32");
  uint64_t step = s ? (uint64_t)atoll(s) : 99991, i;
  for (i = 1; i < 0x7f800000u; i += step ? step : 1) {
    uint32_t b = (uint32_t)i;
    float f;
    double v;
    memcpy(&f, &b, sizeof f);
    v = f;
    if (strtod(shortest(v, 0), NULL) != v) fail_msg("%s does not read back as %.17g", room, v);
    if ((num_bits(v) << 12) && !same_decimal(num_bits(v))) fail_msg("kernels differ on %.17g", v);
    check_float32(f), check_float32(-f);
  }
  for (int e = -149; e < 128; e++) check_float32(ldexpf(1, e)); /* the interval of a power of two is uneven */
  for (i = 0; i < (uint64_t)count / 8; i++) { /* doubles that are no floats: to the nearest, ties to even */
    const double v = ldexp((double)(random_bits() >> 11) + (random_bits() & 1 ? 0x1p28 : 0),
                           -190 + (int)(random_bits() % 240));
    const float f = (float)v;
    char first[64];
    room_end(num_write_float32(room, v, 0));
    strcpy(first, room);
    room_end(num_write_float32(room, (double)f, 0));
    if (strcmp(first, room) != 0) fail_msg("%s instead of %s for %.17g", first, room, v);
  }
  (void)unused;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),
                                     cmocka_unit_test(test_integers),
                                     cmocka_unit_test(test_integral_doubles),
                                     cmocka_unit_test(test_random_bits),
                                     cmocka_unit_test(test_decimals),
                                     cmocka_unit_test(test_powers_of_two),
                                     cmocka_unit_test(test_subnormals),
                                     cmocka_unit_test(test_kernels),
                                     cmocka_unit_test(test_precision),
                                     cmocka_unit_test(test_fixed),
                                     cmocka_unit_test(test_rounding_modes),
                                     cmocka_unit_test(test_subnormals_as_zeros),
                                     cmocka_unit_test(test_float32)};
  const char *s = argc > 1 ? argv[1] : getenv("FLEECE_TEST_COUNT");
  memset(room, 'U', sizeof room);
  if (s && atol(s) > 0) count = atol(s);
  return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
