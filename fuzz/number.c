/* SPDX-License-Identifier: MIT
** number.c -- libFuzzer target: eight bytes are a double (and an integer), the ninth a precision.
** Writing: the shortest text must read back, no shorter text may read back, and no text of the same length may be
** nearer. With a precision the text must be that of snprintf. Reading: an input that begins like a number is read as
** text; its end and value must be those of the C library, whose conversions are exact.
** Build: make build/tests/fuzz/number */
#include <stdio.h>
#include <stdlib.h>

#include "number/parse.h"
#include "number/forms.h"
#include "number/shortest.h"

static void require(int ok, const char *what, const char *text, double v) {
  if (ok) return;
  fprintf(stderr, "%s: %s for %.17g\n", what, text, v);
  abort();
}

/* Writes the digits of the decimal of n digits nearest to v > 0; returns the exponent of the last one. */
static int nearest(double v, int n, char *digits) {
  char b[64];
  const char *s = b;
  snprintf(b, sizeof b, "%.*e", n - 1, v);
  for (; *s != 'e'; s++)
    if (*s != '.') *digits++ = *s;
  *digits = 0;
  return atoi(s + 1) - n + 1;
}

static int reads_as(double v, int n, int step) {
  char b[64], d[32];
  int x = nearest(v, n, d);
  snprintf(b, sizeof b, "%llde%d", atoll(d) + step, x);
  return strtod(b, NULL) == v;
}

static void check_shortest(double v) {
  char text[NUM_ROOM + 1], mine[NUM_ROOM], near[NUM_ROOM];
  int n = 0, power = (num_bits(v) << 12) == 0; /* the decimal above may read back if the nearest does not */
  const char *s;
  *num_write_double(text, v, 0) = 0;
  require(strtod(text, NULL) == v, "does not read back", text, v);
  if (v < 0x1p64 && v == (double)(unsigned long long)v) {
    snprintf(near, sizeof near, "%.0f", v);
    require(strcmp(text, near) == 0, "not the plain integer", text, v);
    return;
  }
  for (s = text; *s && *s != 'e'; s++)
    if (*s >= '0' && *s <= '9' && (n || *s != '0')) mine[n++] = *s;
  while (mine[n - 1] == '0') n--;
  mine[n] = 0;
  require(n == 1 || !reads_as(v, n - 1, 0), "not the shortest", text, v);
  require(n == 1 || !power || !reads_as(v, n - 1, 1), "not the shortest", text, v);
  nearest(v, n, near);
  require(strcmp(mine, near) == 0 || !reads_as(v, n, 0), "not the nearest", text, v);
}

/* The length of the longest prefix that is a number by RFC 8259, section 6; 0 if there is none or it is incomplete. */
static size_t number_length(const char *text) {
  size_t n = text[0] == '-', digits = strspn(text + n, "0123456789");
  if (digits == 0 || (digits > 1 && text[n] == '0')) return 0;
  n += digits;
  if (text[n] == '.') {
    digits = strspn(text + n + 1, "0123456789");
    if (digits == 0) return 0;
    n += 1 + digits;
  }
  if (text[n] == 'e' || text[n] == 'E') {
    n += 1 + (text[n + 1] == '+' || text[n + 1] == '-');
    digits = strspn(text + n, "0123456789");
    if (digits == 0) return 0;
    n += digits;
  }
  return n;
}

static void check_parse(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  struct num_value v = {0};
  size_t n, used;
  double want, got;
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  n = number_length(text);
  used = (size_t)(num_parse(text, text + size, &v) - text);
  require((v.kind == NUM_BAD) == (n == 0) && used <= size, "is a number, or is not", text, 0);
  if (n) {
    require(used == n, "ends elsewhere", text, (double)used);
    text[n] = 0; /* so that strtod does not read hexadecimal and ends here */
    want = strtod(text, NULL);
    got = v.kind == NUM_INTEGER ? (double)v.i : v.d;
    require(num_bits(got) == num_bits(want), "read wrongly", text, got);
    require((v.kind == NUM_HUGE) == (want - want != 0), "wrong kind", text, got);
    if (v.kind == NUM_INTEGER || v.kind == NUM_BIG) require(strcspn(text, ".eE") == n, "no integer", text, got);
    if (v.kind == NUM_INTEGER) {
      char again[32];
      snprintf(again, sizeof again, "%lld", (long long)v.i);
      require(strcmp(again, text) == 0, "wrong integer", text, got);
    }
  }
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[NUM_ROOM + 1], want[64];
  int64_t i;
  double v;
  int digits;
  if (size && (data[0] == '-' || (data[0] >= '0' && data[0] <= '9'))) check_parse(data, size);
  if (size < 9) return 0;
  memcpy(&i, data, 8);
  memcpy(&v, data, 8);
  *num_write_i64(text, i) = 0;
  snprintf(want, sizeof want, "%lld", (long long)i);
  require(strcmp(text, want) == 0, "wrong integer", text, (double)i);
  if (!(v - v == 0)) return 0;
  check_shortest(v < 0 ? -v : v);
  digits = 1 + data[8] % 17;
  *num_write_precision(text, v, digits, num_ten_to[digits], 0) = 0;
  snprintf(want, sizeof want, "%.*g", digits, v);
  require(strcmp(text, want) == 0, "wrong precision", text, v);
  return 0;
}
