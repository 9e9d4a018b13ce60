/* SPDX-License-Identifier: MIT
** prove.h -- template: proves the readers of one layout against the public API.
** Must hold: runs in a private state whose whole memory is one arena (prove_values alone: in any state whose stack top
** is proven). The collector is stopped, so that nothing changes between two reads.
** Parameter: LAYOUT, the name of the instance, as in the layout's header. LAY(name) pastes it before the name. Each
** step returns NULL, or what did not fit, in words. A reader is called only for addresses that the arena knows, and
** what is there is known from the size that the core asked for. */

#define LAY(name) FL_PASTE(LAYOUT, name)
#define PROVE_VERSION LAY(version) /* 501 .. 505, or 0 for LuaJIT */

/* The blocks that a core asks for, according to its sources: string (lstring.c, lj_str.c), array part (ltable.c), hash
** part. FRONT is the number of bytes before the address in the table: the values of a 5.5 array, slot 0 of LuaJIT, the
** free pointer of a 5.5 hash part of 8 or more nodes. ONE_NODE is the number of nodes of a table for one pair. */
#if PROVE_VERSION == 0
#define PROVE_STRING_FITS(size, n) ((size) == 24 + (n) + 1 || (size) == 24 + (((n) + 4) & ~(size_t)3))
#define PROVE_ARRAY_FRONT(n) 8
#define PROVE_ARRAY_BLOCK(n) (8 * ((n) + 1))
#define PROVE_NODES_FRONT(n) 0
#define PROVE_ONE_NODE 2
#elif PROVE_VERSION == 505
#define PROVE_STRING_FITS(size, n) ((size) == 24 + (n) + 1 || (size) == 32 + (n) + 1)
#define PROVE_ARRAY_FRONT(n) (8 * (n))
#define PROVE_ARRAY_BLOCK(n) (9 * (n) + 4)
#define PROVE_NODES_FRONT(n) ((n) >= 8 ? 8 : 0)
#define PROVE_ONE_NODE 1
#else
#define PROVE_STRING_FITS(size, n) ((size) == 24 + (n) + 1)
#define PROVE_ARRAY_FRONT(n) 0
#define PROVE_ARRAY_BLOCK(n) (16 * (n))
#define PROVE_NODES_FRONT(n) 0
#define PROVE_ONE_NODE 1
#endif

/* Returns the value `back` slots below the top of the stack; 1: the last one pushed. */
FL_FUNC struct lay_value LAY(pushed)(lua_State *L, int back) {
  const char *top = fl_load_ptr((const char *)L + LAY(facts).stack_top);
  return LAY(slot)(top - (size_t)back * LAY(facts).slot);
}

/* Returns the results of all predicates. Exactly one is true, and none for full userdata and cdata. */
FL_FUNC unsigned LAY(kinds)(struct lay_value v) {
  return (LAY(is_nil)(v) ? PROVE_NIL : 0) | (LAY(is_false)(v) ? PROVE_FALSE : 0) | (LAY(is_true)(v) ? PROVE_TRUE : 0) |
         (LAY(is_light)(v) ? PROVE_LIGHT : 0) | (LAY(is_string)(v) ? PROVE_STRING : 0) |
         (LAY(is_table)(v) ? PROVE_TABLE : 0) | (LAY(is_float)(v) ? PROVE_FLOAT : 0) |
         (LAY(is_integer)(v) ? PROVE_INTEGER : 0) | (LAY(is_plain_other)(v) ? PROVE_PLAIN_OTHER : 0);
}

/* Returns whether they are the same Lua value. The payload of nil and booleans does not count; other values must be
** equal in every bit. */
FL_FUNC int LAY(same)(struct lay_value a, struct lay_value b) {
  unsigned kinds = LAY(kinds)(a);
  if (kinds != LAY(kinds)(b)) return 0;
  return (kinds & (PROVE_NIL | PROVE_FALSE | PROVE_TRUE)) != 0 || (a.tag == b.tag && a.bits == b.bits);
}

/* Returns whether the last pushed value has this kind and these bits. Pops it. */
FL_FUNC int LAY(pushed_is)(lua_State *L, unsigned kind, uint64_t bits) {
  struct lay_value v = LAY(pushed)(L, 1);
  int fits = LAY(kinds)(v) == kind;
  if (kind == PROVE_FLOAT) fits = fits && v.bits == bits && prove_bits(LAY(number)(v)) == bits;
  if (kind == PROVE_INTEGER) fits = fits && LAY(integer)(v) == (int64_t)bits;
  if (kind == PROVE_TABLE || kind == PROVE_PLAIN_OTHER) fits = fits && LAY(pointer)(v) == lay_bits_pointer(bits);
  lua_pop(L, 1);
  return fits;
}

FL_FUNC int LAY(number_is)(lua_State *L, double d) {
  lua_pushnumber(L, d);
  return LAY(pushed_is)(L, PROVE_FLOAT, prove_bits(d));
}

/* lua_pushinteger pushes a float if there are no integers (5.1, 5.2, most LuaJIT), or if the number needs more than the
** 32 bits of LuaJIT's dual numbers. */
FL_FUNC int LAY(integer_is)(lua_State *L, int64_t i) {
  lua_pushinteger(L, (lua_Integer)i);
#if PROVE_VERSION >= 503
  return LAY(pushed_is)(L, PROVE_INTEGER, (uint64_t)i);
#else
  if (PROVE_VERSION == 0 && LAY(is_integer)(LAY(pushed)(L, 1))) return LAY(pushed_is)(L, PROVE_INTEGER, (uint64_t)i);
  return LAY(pushed_is)(L, PROVE_FLOAT, prove_bits((double)i));
#endif
}

/* Proves values in stack slots. Allocates nothing, so it runs in the host's state as well. One free slot is enough.
** Copies the word of light userdata NULL, because it differs between the states of LuaJIT (lj_obj.h, 2020). */
FL_FUNC const char *LAY(prove_values)(lua_State *L, uint64_t *null_word) {
  static const double doubles[] = {0.0, -0.0, 1.5, -0.1, 1e300, 5e-324};
  lua_pushnil(L);
  if (!LAY(pushed_is)(L, PROVE_NIL, 0)) return "nil";
  lua_pushboolean(L, 0);
  if (!LAY(pushed_is)(L, PROVE_FALSE, 0)) return "false";
  lua_pushboolean(L, 1);
  if (!LAY(pushed_is)(L, PROVE_TRUE, 0)) return "true";
  for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
    if (!LAY(number_is)(L, doubles[i])) return "number";
  lua_pushnumber(L, lay_bits_double((uint64_t)0x7ff << 52));
  if (!LAY(pushed_is)(L, PROVE_FLOAT, (uint64_t)0x7ff << 52)) return "infinity";
  lua_pushnumber(L, lay_bits_double((uint64_t)0xfff8 << 48));
  struct lay_value v = LAY(pushed)(L, 1);
  lua_pop(L, 1);
  if (LAY(kinds)(v) != PROVE_FLOAT || LAY(number)(v) == LAY(number)(v)) return "NaN";
  if (!LAY(integer_is)(L, 7) || !LAY(integer_is)(L, -7) || !LAY(integer_is)(L, (int64_t)1 << 50) ||
      !LAY(integer_is)(L, -2147483647 - 1))
    return "integer";
  lua_pushlightuserdata(L, NULL);
  v = LAY(pushed)(L, 1);
  lua_pop(L, 1);
  if (LAY(kinds)(v) != PROVE_LIGHT || (PROVE_VERSION != 0 && v.bits != 0)) return "light userdata";
  *null_word = v.bits;
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  if (!LAY(pushed_is)(L, PROVE_TABLE, (uint64_t)(uintptr_t)lua_topointer(L, -1))) return "table";
  lua_pushthread(L);
  if (!LAY(pushed_is)(L, PROVE_PLAIN_OTHER, (uint64_t)(uintptr_t)L)) return "thread";
  return NULL;
}

/* Tests the string on top, n bytes long; pops it. It must be in a separate block, or be LuaJIT's empty string, which is
** in the global state. `foreign`: its bytes if they do not belong to the core. */
FL_FUNC int LAY(string_fits)(lua_State *L, const struct lay_arena *a, size_t n, const char *foreign) {
  struct lay_value v = LAY(pushed)(L, 1);
  const char *object = LAY(pointer)(v), *bytes = foreign != NULL ? foreign : lua_tolstring(L, -1, NULL);
  size_t block = lay_arena_block(a, object), length;
  lua_pop(L, 1);
  if (LAY(kinds)(v) != PROVE_STRING) return 0;
  if (PROVE_VERSION == 0 && n == 0) block = lay_arena_has(a, object, 24 + 1) ? 24 + 1 : 0;
  if (foreign != NULL ? block < 32 : !PROVE_STRING_FITS(block, n)) return 0;
  return LAY(string)(v, &length) == bytes && length == n;
}

/* Proves values that are objects, of the kinds that are not tested in the host's state. */
FL_FUNC const char *LAY(prove_objects)(lua_State *L) {
  lua_pushcfunction(L, prove_nothing);
  if (LAY(kinds)(LAY(pushed)(L, 1)) != PROVE_PLAIN_OTHER) return "function";
  lua_pushboolean(L, 1);
  lua_pushcclosure(L, prove_nothing, 1);
  if (LAY(kinds)(LAY(pushed)(L, 1)) != PROVE_PLAIN_OTHER) return "closure";
  (void)lua_newuserdata(L, 8);
  if (LAY(kinds)(LAY(pushed)(L, 1)) != 0) return "full userdata";
  lua_settop(L, 0);
  return NULL;
}

FL_FUNC const char *LAY(prove_strings)(lua_State *L, const struct lay_arena *a) {
  static const uint16_t lengths[] = {0, 1, 7, 8, 39, 40, 41, 255, 256, 300};
  char bytes[300];
  size_t i;
  memset(bytes, 'x', sizeof bytes);
  for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    lua_pushlstring(L, bytes, lengths[i]);
    if (!LAY(string_fits)(L, a, lengths[i], NULL)) return "string";
  }
#if PROVE_VERSION == 505
  for (i = 0; i < 2; i++) {
    static const char shorter[] = "not the core's";
    static const char longer[] = "not the core's, and longer than any short string may be";
    const char *s = i == 0 ? shorter : longer;
    lua_pushexternalstring(L, s, strlen(s), NULL, NULL);
    if (!LAY(string_fits)(L, a, strlen(s), s)) return "external string";
    lua_pushexternalstring(L, s, strlen(s), prove_keep, NULL);
    if (!LAY(string_fits)(L, a, strlen(s), s)) return "external string";
  }
#endif
  return NULL;
}

#include "prove_tables.h"

FL_PRIVATE const char *LAY(prove_all)(lua_State *L, const struct lay_arena *a) {
  const char *failed, *dummy = NULL;
  uint64_t null_word;
  failed = LAY(prove_values)(L, &null_word);
  if (!failed) failed = LAY(prove_objects)(L);
  if (!failed) failed = LAY(prove_strings)(L, a);
  if (!failed) failed = LAY(prove_nodes)(L, a);
  if (!failed) failed = LAY(prove_empty)(L, a, &dummy);
  if (!failed) failed = LAY(prove_arrays)(L, a, dummy);
  if (!failed) failed = LAY(prove_mixed)(L, a, dummy);
  return failed;
}

#include "prove_write.h"

#undef LAY
#undef PROVE_VERSION
#undef PROVE_STRING_FITS
#undef PROVE_ARRAY_FRONT
#undef PROVE_ARRAY_BLOCK
#undef PROVE_NODES_FRONT
#undef PROVE_ONE_NODE
