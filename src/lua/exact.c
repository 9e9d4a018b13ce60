/* SPDX-License-Identifier: MIT */
#include "exact.h"
#include "../json/grammar/scan.h"
#include "../number/integer.h"
#include "../number/shortest.h"

FL_PRIVATE void exact_push(lua_State *L, int metatable, const char *text, size_t n) {
  struct exact_number *x = (struct exact_number *)lua_newuserdata(L, sizeof *x + n);
  x->magic = &exact_magic;
  x->n = n;
  memcpy(x->text, text, n);
  x->text[n] = 0;
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
}

/* Returns whether encode writes this double as the text. */
static int exact_is_written_so(double d, const char *text, size_t n) {
  char again[NUM_ROOM];
  return n < NUM_ROOM && (size_t)(num_write_double(again, d, 0) - again) == n && memcmp(again, text, n) == 0;
}

FL_PRIVATE int exact_is_plain_integer(int64_t i, const char *text, size_t n) {
#if LUA_VERSION_NUM >= 503
  return (void)i, (void)text, (void)n, 1;
#else
  const double d = (double)i;
  return d < 0x1p63 && (int64_t)d == i && exact_is_written_so(d, text, n);
#endif
}

FL_PRIVATE_NOINLINE void exact_test_text_(const char *p, const char *q, struct num_value *v) {
  const size_t n = (size_t)(q - p);
  if (v->kind == NUM_INTEGER) {
    if (exact_is_plain_integer(v->i, p, n)) return;
    v->d = (double)v->i;
    v->kind = NUM_BIG;
  } else if (v->kind == NUM_DOUBLE && !exact_is_written_so(v->d, p, n)) {
    v->kind = NUM_BIG;
  }
}

FL_PRIVATE int exact_is_number(const char *text, size_t n) {
  const char *p = text, *end = text + n, *digits;
  if (p < end && *p == '-') p++;
  digits = p;
  while (p < end && json_is_digit(*p)) p++;
  if (p == digits || (*digits == '0' && p > digits + 1)) return 0;
  if (p < end && *p == '.') {
    digits = ++p;
    while (p < end && json_is_digit(*p)) p++;
    if (p == digits) return 0;
  }
  if (p < end && (*p | 0x20) == 'e') {
    if (++p < end && (*p == '-' || *p == '+')) p++;
    digits = p;
    while (p < end && json_is_digit(*p)) p++;
    if (p == digits) return 0;
  }
  return p == end;
}
