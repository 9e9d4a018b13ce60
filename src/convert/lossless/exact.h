/* SPDX-License-Identifier: MIT
** exact.h -- numbers that keep the digits of their text: userdata that numbers = "exact" makes of some numbers.
** May call: base, number, json/grammar/scan.h, layout, lua_*.
** Must hold: the text is a number of RFC 8259, section 6, with a 0 after it. It never changes. */
#ifndef FLEECE_CONVERT_LOSSLESS_EXACT_H
#define FLEECE_CONVERT_LOSSLESS_EXACT_H

#include "../../layout/lua_compat/api.h"
#include "../../number/parse.h"

FL_IDENTITY exact_magic = 0;

struct exact_number {
  const char *magic;
  size_t n;
  char text[1];
};

/* The number at the index, or NULL. */
FL_INLINE const struct exact_number *exact_test(lua_State *L, int index) {
  const struct exact_number *x = (const struct exact_number *)lua_touserdata(L, index);
  return x && lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) > sizeof *x && x->magic == &exact_magic
             ? x
             : NULL;
}

/* Pushes the number with this text; its metatable is at the index. */
FL_PRIVATE void exact_push(lua_State *L, int metatable, const char *text, size_t n);

/* Does a number of this Lua hold the integer, and does encode write it as this text? */
FL_PRIVATE int exact_is_plain_integer(int64_t i, const char *text, size_t n);

/* Reads the number at p as num_parse does. One that Lua's numbers do not hold, or whose text encode would not write
** again, is of the kind NUM_BIG. */
FL_PRIVATE const char *exact_parse(const char *p, const char *end, struct num_value *v);

/* Is this whole text a number of RFC 8259? */
FL_PRIVATE int exact_is_number(const char *text, size_t n);

#endif
