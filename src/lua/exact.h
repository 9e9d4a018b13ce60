/* SPDX-License-Identifier: MIT
** exact.h -- numbers that keep the digits of their text: userdata that numbers = "exact" creates for some numbers.
** Must hold: the text is a number of RFC 8259, section 6, followed by a 0. It never changes. */
#pragma once

#include "../layout/lua_compat/api.h"
#include "../number/parse.h"

FL_IDENTITY exact_magic = 0;

struct exact_number {
  const char *magic;
  size_t n;
  char text[1];
};

/* Returns the exact number at the index, or NULL. */
FL_INLINE const struct exact_number *exact_test(lua_State *L, int index) {
  const struct exact_number *x = (const struct exact_number *)lua_touserdata(L, index);
  return x && lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) > sizeof *x && x->magic == &exact_magic
             ? x
             : NULL;
}

/* Pushes an exact number with this text; its metatable is at the index. */
FL_PRIVATE void exact_push(lua_State *L, int metatable, const char *text, size_t n);

/* Returns whether a number of this Lua can hold the integer, and encode writes it as this text. */
FL_PRIVATE int exact_is_plain_integer(int64_t i, const char *text, size_t n);

/* Tests *v, which num_parse has read from p to q: sets its kind to NUM_BIG if encode would not write the same text. */
FL_PRIVATE_NOINLINE void exact_test_text_(const char *p, const char *q, struct num_value *v);

/* Returns whether the text of a double, which ends before `end`, has at most 15 digits, a point, no exponent, and ends
** with a digit that is not 0. Then no shorter text means the same double (all decimals of up to 15 digits are different
** doubles), and from 10^-3 on encode writes no exponent. */
FL_INLINE int exact_is_short_decimal(const char *p, const char *q, const char *end, double d) {
  const size_t n = (size_t)(q - p);
  const uint64_t letter = UINT64_C(0x4040404040404040); /* set in e and E, but in no other byte of a number */
  uint64_t words;
  if (n > 16 || q[-1] == '0' || !((d >= 1e-3 && d < 1e15) || (d <= -1e-3 && d > -1e15))) return 0;
  if (n >= 8) words = fl_load64(p) | fl_load64(q - 8);
  else if (end - p >= 8) words = num_load8(p) << (8 * (8 - n));
  else return 0;
  return !(words & letter);
}

/* Reads the number at p like num_parse. Sets NUM_BIG if Lua's numbers cannot hold it, or encode would not write the
** same text. */
FL_INLINE const char *exact_parse(const char *p, const char *end, struct num_value *v, int exact) {
  const char *q = num_parse(p, end, v);
  if (!exact) return q;
  if (v->kind == NUM_DOUBLE ? !exact_is_short_decimal(p, q, end, v->d)
                            : LUA_VERSION_NUM < 503 && v->kind == NUM_INTEGER && q - p > 15)
    exact_test_text_(p, q, v);
  return q;
}

/* Returns whether this whole text is a number of RFC 8259. */
FL_PRIVATE int exact_is_number(const char *text, size_t n);
