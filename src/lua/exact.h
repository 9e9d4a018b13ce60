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

/* Returns whether encode writes a double of this size without an exponent: from 2^-9 to 2^49. */
FL_INLINE int exact_is_fixed(double d) { return (unsigned)(num_bits(d) >> 52 & 0x7ff) - (1023 - 9) < 9 + 49; }

/* Returns whether a decimal without an exponent, from p to q with these digits, is the shortest text of the double
** that it reads as, if that is quick to say; else 0. The double is c / 2^s, the text digits / 10^n, and `off` their
** distance in units of 1 / (2^s * 10^n), of which the last digit counts 2^s each, and the double's last place 10^n. It
** is at most 10^n / 2, because the text reads as this double; so 64 bits hold it, and the products may wrap. The text
** is the shortest if no other one of n decimals is nearer to the double, and if those of n - 1 decimals on both sides
** are farther from it than half its last place. */
FL_INLINE int exact_is_shortest(const char *p, const char *q, uint64_t digits, double d) {
  const uint64_t bits = num_bits(d), c = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  const unsigned s = 1075 - (unsigned)(bits >> 52 & 0x7ff);
  /* From 2^-7 to 2^49: n is at most 19, and 10 * 2^s fits. */
  if (FL_UNLIKELY(s - 4 > 59 - 4) || FL_UNLIKELY(q - p < 9) || FL_UNLIKELY(digits - 1 > 99999999999999998u)) return 0;
  p += *p == '-';
  const uint64_t mark = num_block_at(p).mark;
  if (FL_UNLIKELY(!mark)) return 0;
  const ptrdiff_t n = q - p - 1 - (ptrdiff_t)num_first_mark(mark);
  FL_ASSERT(n > 0 && n <= 19);
  const uint64_t unit = (uint64_t)1 << s, last = (uint64_t)(q[-1] - '0') << s, half = num_ten_to[n] / 2;
  const uint64_t off = (digits << s) - c * num_ten_to[n], below = last - off, above = 10 * unit - below;
  /* The top bit of one of these is set if it is below 0. */
  return ((unit / 2 - 1 - off) | (unit / 2 - 1 + off) | (below - half - 1) | (above - half - 1)) >> 63 == 0;
}

/* Reads the number at p like num_parse. Sets NUM_BIG if Lua's numbers cannot hold it, or encode would not write the
** same text. A decimal of up to 15 digits is the shortest text of its double, unless it ends with 0: all of them are
** different doubles. */
FL_INLINE const char *exact_parse(const char *p, const char *end, struct num_value *v, int exact) {
  const char *q = num_parse(p, end, v);
  if (!exact) return q;
  if (v->kind == NUM_DOUBLE) {
    if (FL_LIKELY((uint64_t)v->i - 1 < 999999999999999u) && FL_LIKELY(exact_is_fixed(v->d)))
      v->kind = q[-1] == '0' ? NUM_BIG : NUM_DOUBLE;
    else if (FL_UNLIKELY(!exact_is_shortest(p, q, (uint64_t)v->i, v->d))) exact_test_text_(p, q, v);
  } else if (LUA_VERSION_NUM < 503 && v->kind == NUM_INTEGER && q - p > 15) {
    exact_test_text_(p, q, v);
  }
  return q;
}

/* Returns whether this whole text is a number of RFC 8259. */
FL_PRIVATE int exact_is_number(const char *text, size_t n);
