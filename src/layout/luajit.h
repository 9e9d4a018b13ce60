/* SPDX-License-Identifier: MIT
** luajit.h -- template: readers of the tables and values of LuaJIT 2.1 with 64-bit collector (GC64), single or dual
** numbers.
** Must hold: no lua_* call between reading a pointer here and its last use.
**
** Parameters, defined by the including file and undefined at the end:
**   LAYOUT          name of the instance: luajit or luajit_early
**   LUAJIT_LENGTH   offset of a string's length
**
**   Value   one word. it = word >> 47 (arithmetic): below -14 unsigned a double, -14 an integer (dual
**           numbers), -1 nil, -2 false, -3 true, -4 light userdata, -5 string, -11 cdata, -12 table;
**           a pointer is the low 47 bits
**   Table   0 next  8 marked  9 type  16 array  32 metatable  40 node  48 asize  52 hmask   64 bytes
**           the array part starts with key 0; a missing hash part is one nil node with hmask 0
**   Node    0 value  8 key  16 next (pointer)                                            24 bytes
**   String  9 type  12 what determines its chain  LUAJIT_LENGTH length (32 bits)         24 bytes
**   Int64   a cdata: 10 type number (16 bits), 16 payload */
#include "value.h"

#if defined(FLEECE_SIMD_SSE2)
#include <emmintrin.h>
#endif

#define LAY(name) FL_PASTE(LAYOUT, name)

FL_ONE_OBJECT const struct lay_facts LAY(facts) = {"luajit", 40, 8, 64, 48, 16, 40, 52, 32, 24, 24};

/* Integers of a dual-number build are another encoding of doubles, not a type. */
enum { LAY(node_bytes) = 24, LAY(has_integers) = 0, LAY(has_tags) = 0 };

FL_INLINE struct lay_value LAY(slot)(const char *p) {
  struct lay_value v;
  v.bits = fl_load64(p);
  v.tag = (uint32_t)((int64_t)v.bits >> 47);
  return v;
}

FL_INLINE struct lay_value LAY(nil)(void) {
  struct lay_value v = {~(uint64_t)0, (uint32_t)-1};
  return v;
}
FL_INLINE int LAY(is_nil)(struct lay_value v) { return v.tag == (uint32_t)-1; }
FL_INLINE int LAY(is_false)(struct lay_value v) { return v.tag == (uint32_t)-2; }
FL_INLINE int LAY(is_true)(struct lay_value v) { return v.tag == (uint32_t)-3; }
FL_INLINE int LAY(is_light)(struct lay_value v) { return v.tag == (uint32_t)-4; }
FL_INLINE int LAY(is_string)(struct lay_value v) { return v.tag == (uint32_t)-5; }
/* A function or a thread, which no metatable can make encodable. */
FL_INLINE int LAY(is_plain_other)(struct lay_value v) { return v.tag == (uint32_t)-9 || v.tag == (uint32_t)-7; }
FL_INLINE int LAY(is_table)(struct lay_value v) { return v.tag == (uint32_t)-12; }
FL_INLINE int LAY(is_float)(struct lay_value v) { return v.tag < (uint32_t)-14; }
FL_INLINE int LAY(is_integer)(struct lay_value v) { return v.tag == (uint32_t)-14; }
FL_INLINE int64_t LAY(integer)(struct lay_value v) { return (int32_t)v.bits; }
/* Returns the value of a float or an integer. */
FL_INLINE double LAY(number)(struct lay_value v) {
  return LAY(is_integer)(v) ? (double)LAY(integer)(v) : lay_bits_double(v.bits);
}
FL_INLINE const char *LAY(pointer)(struct lay_value v) { return lay_bits_pointer(v.bits & (((uint64_t)1 << 47) - 1)); }

/* Returns whether this is a boxed int64_t (1) or uint64_t (2) of the FFI; sets *n to its bits. 11 and 12 are the
** numbers of the core's own types. Other names of these types have other numbers, which the public API handles. */
FL_INLINE int LAY(is_box)(struct lay_value v) { return v.tag == (uint32_t)-11; }
FL_INLINE int LAY(boxed_integer)(struct lay_value v, uint64_t *n) {
  const char *p = LAY(pointer)(v);
  if (!LAY(is_box)(v)) return 0;
  const uint16_t type = fl_load16(p + 10);
  if (type != 11 && type != 12) return 0;
  *n = fl_load64(p + 16);
  return type - 10;
}

/* Returns whether it is a `void *` that is NULL. */
FL_INLINE int LAY(boxed_null)(struct lay_value v) {
  const char *p = LAY(pointer)(v);
  return fl_load16(p + 10) == 17 && fl_load64(p + 16) == 0;
}

FL_INLINE const char *LAY(string)(struct lay_value v, size_t *length) {
  const char *s = LAY(pointer)(v);
  *length = fl_load32(s + LUAJIT_LENGTH);
  return s + 24;
}

FL_INLINE const char *LAY(metatable)(const char *t) { return fl_load_ptr(t + 32); }

/* `asize` counts slot 0, too, which holds key 0; the positive keys begin at slot 1. */
FL_INLINE size_t LAY(array_size)(const char *t) {
  uint32_t n = fl_load32(t + 48);
  return n ? n - 1 : 0;
}
FL_INLINE const char *LAY(array)(const char *t) { return lay_bits_pointer(fl_load64(t + 16) + 8); }
FL_INLINE struct lay_value LAY(array_item)(const char *array, size_t i) { return LAY(slot)(array + 8 * i); }
FL_INLINE int LAY(array_is_nil)(const char *array, size_t i) { return fl_load64(array + 8 * i) == ~(uint64_t)0; }
FL_INLINE int LAY(array_is_nil8)(const char *array, size_t i) {
  const char *p = array + 8 * i;
#if defined(FLEECE_SIMD_SSE2)
  const __m128i *v = (const __m128i *)(const void *)p;
  const __m128i all = _mm_and_si128(_mm_and_si128(_mm_loadu_si128(v), _mm_loadu_si128(v + 1)),
                                    _mm_and_si128(_mm_loadu_si128(v + 2), _mm_loadu_si128(v + 3)));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(-1))) == 0xffff;
#else
  return (fl_load64(p) & fl_load64(p + 8) & fl_load64(p + 16) & fl_load64(p + 24) & fl_load64(p + 32) &
          fl_load64(p + 40) & fl_load64(p + 48) & fl_load64(p + 56)) == ~(uint64_t)0;
#endif
}
FL_INLINE struct lay_value LAY(key0)(const char *t) {
  return fl_load32(t + 48) ? LAY(slot)(fl_load_ptr(t + 16)) : LAY(nil)();
}
FL_INLINE int LAY(has_key0)(const char *t) { return !LAY(is_nil)(LAY(key0)(t)); }

FL_INLINE const char *LAY(nodes)(const char *t) { return fl_load_ptr(t + 40); }
FL_INLINE size_t LAY(node_count)(const char *t) { return (size_t)fl_load32(t + 52) + 1; }
FL_INLINE struct lay_value LAY(node_value)(const char *node) { return LAY(slot)(node); }
FL_INLINE int LAY(node_is_nil)(const char *node) { return fl_load64(node) == ~(uint64_t)0; }
FL_INLINE struct lay_value LAY(node_key)(const char *node) { return LAY(slot)(node + 8); }

FL_INLINE struct lay_value LAY(index_key)(size_t i) {
  struct lay_value v;
  double d = (double)(i + 1);
  memcpy(&v.bits, &d, sizeof d);
  v.tag = (uint32_t)((int64_t)v.bits >> 47);
  return v;
}

#include "luajit_write.h"

#undef LAY
#undef LAYOUT
#undef LUAJIT_LENGTH
