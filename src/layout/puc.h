/* SPDX-License-Identifier: MIT
** puc.h -- template: readers of the tables, strings and values of one PUC Lua.
** Must hold: no lua_* call between reading a pointer here and its last use.
**
** Parameters, defined by the including lua5x.h and undefined at the end:
**   LAYOUT                 name of the instance: lua51 .. lua55
**   PUC_VERSION            501 .. 505
**   PUC_ARRAY_SIZE, PUC_ARRAY, PUC_NODES, PUC_METATABLE, PUC_TABLE_BYTES   offsets in Table
**   PUC_NODE_BYTES, PUC_KEY, PUC_KEY_TAG                                   offsets in Node
**   PUC_TAG_BYTES          4 or 1
**   PUC_FLOAT, PUC_INTEGER tags of the numbers (PUC_INTEGER is -1 where there is none)
** Equal in all: Table.lsizenode at 11; TValue { value at 0, tag at 8 }; TString bytes at 24.
**
** LAY(name) pastes the instance's name: LAY(array) is lua54_array in lua54.h. Search for the part after lua54_. */
#include "value.h"

#define LAY(name) FL_PASTE(LAYOUT, name)

#if PUC_TAG_BYTES == 4
#define PUC_LOAD_TAG(p) fl_load32(p)
#else
#define PUC_LOAD_TAG(p) ((uint32_t) * (const uint8_t *)(p))
#endif

#if PUC_VERSION == 501
#define PUC_COLLECTABLE 0u
#define PUC_LONG_STRING 4u
#else
#define PUC_COLLECTABLE 0x40u
#define PUC_LONG_STRING 0x54u
#endif

FL_ONE_OBJECT const struct lay_facts LAY(facts) = {
    PUC_NAME, 16, 16, PUC_TABLE_BYTES, PUC_ARRAY_SIZE, PUC_ARRAY, PUC_NODES, 11, PUC_METATABLE, PUC_NODE_BYTES, 24};

enum { LAY(node_bytes) = PUC_NODE_BYTES, LAY(has_integers) = PUC_VERSION >= 503, LAY(has_tags) = PUC_VERSION <= 504 };

FL_INLINE struct lay_value LAY(slot)(const char *p) {
  struct lay_value v;
  v.bits = fl_load64(p);
  v.tag = PUC_LOAD_TAG(p + 8);
  return v;
}

FL_INLINE struct lay_value LAY(nil)(void) {
  struct lay_value v = {0, 0};
  return v;
}
FL_INLINE int LAY(is_nil)(struct lay_value v) { return (v.tag & 0x0f) == 0; }
/* From Lua 5.2 on a long string has one more bit. */
FL_INLINE int LAY(is_string)(struct lay_value v) {
  return (PUC_VERSION == 501 ? v.tag : v.tag & ~0x10u) == (4u | PUC_COLLECTABLE);
}
FL_INLINE int LAY(is_table)(struct lay_value v) { return v.tag == (5u | PUC_COLLECTABLE); }
FL_INLINE int LAY(is_float)(struct lay_value v) { return v.tag == PUC_FLOAT; }
/* A function or a thread, which no metatable can make encodable. */
FL_INLINE int LAY(is_plain_other)(struct lay_value v) { return (v.tag & 0x0f) == 6 || (v.tag & 0x0f) == 8; }
FL_INLINE int LAY(is_light)(struct lay_value v) { return v.tag == 2; }
/* Returns the value of a float. */
FL_INLINE double LAY(number)(struct lay_value v) { return lay_bits_double(v.bits); }
FL_INLINE const char *LAY(pointer)(struct lay_value v) { return lay_bits_pointer(v.bits); }

#if PUC_VERSION >= 503
FL_INLINE int LAY(is_integer)(struct lay_value v) { return v.tag == PUC_INTEGER; }
FL_INLINE int64_t LAY(integer)(struct lay_value v) { return (int64_t)v.bits; }
#else
FL_INLINE int LAY(is_integer)(struct lay_value v) {
  (void)v;
  return 0;
}
FL_INLINE int64_t LAY(integer)(struct lay_value v) {
  (void)v;
  return 0;
}
#endif

#if PUC_VERSION >= 504
FL_INLINE int LAY(is_false)(struct lay_value v) { return v.tag == 0x01; }
FL_INLINE int LAY(is_true)(struct lay_value v) { return v.tag == 0x11; }
#else
FL_INLINE int LAY(is_false)(struct lay_value v) { return v.tag == 1 && (uint32_t)v.bits == 0; }
FL_INLINE int LAY(is_true)(struct lay_value v) { return v.tag == 1 && (uint32_t)v.bits != 0; }
#endif

/* There are no boxed integers or pointers, only Lua's own integers. */
FL_INLINE int LAY(is_box)(struct lay_value v) { return (void)v, 0; }
FL_INLINE int LAY(boxed_null)(struct lay_value v) { return (void)v, 0; }
FL_INLINE int LAY(boxed_integer)(struct lay_value v, uint64_t *n) {
  (void)v, (void)n;
  return 0;
}

/* The value's tag says whether the string is short or long. Byte 11 does not: long strings leave it unset. */
FL_INLINE const char *LAY(string)(struct lay_value v, size_t *length) {
  const char *s = LAY(pointer)(v);
#if PUC_VERSION >= 503
  *length = v.tag == PUC_LONG_STRING ? (size_t)fl_load64(s + 16) : (size_t) * (const uint8_t *)(s + 11);
#else
  *length = (size_t)fl_load64(s + 16);
#endif
#if PUC_VERSION >= 505
  return v.tag == PUC_LONG_STRING ? fl_load_ptr(s + 24) : s + 24;
#else
  return s + 24;
#endif
}

FL_INLINE const char *LAY(metatable)(const char *t) { return fl_load_ptr(t + PUC_METATABLE); }

/* Returns the number of slots of the array part. Slot i has key i + 1. */
FL_INLINE size_t LAY(array_size)(const char *t) {
  uint32_t n = fl_load32(t + PUC_ARRAY_SIZE);
#if PUC_VERSION == 504
  /* Bit 7 of flags: `alimit` is a hint, the real size is the next power of two (lua-5.4.1, ltable.c). */
  if (FL_UNLIKELY(t[10] & 0x80) && (n & (n - 1)) != 0) {
    n |= n >> 1, n |= n >> 2, n |= n >> 4, n |= n >> 8, n |= n >> 16;
    n++;
  }
#endif
  return n;
}

FL_INLINE const char *LAY(array)(const char *t) { return fl_load_ptr(t + PUC_ARRAY); }

#if PUC_VERSION >= 505
/* The values are before the pointer in reverse order, 8 bytes each. After it are a 32-bit length hint and the tags, one
** byte each:  ... v3 v2 v1 | hint | t1 t2 t3 ... */
FL_INLINE struct lay_value LAY(array_item)(const char *array, size_t i) {
  struct lay_value v;
  v.bits = fl_load64(array - 8 * (i + 1));
  v.tag = *(const uint8_t *)(array + 4 + i);
  return v;
}
FL_INLINE int LAY(array_is_nil)(const char *array, size_t i) { return (array[4 + i] & 0x0f) == 0; }
FL_INLINE int LAY(array_is_nil8)(const char *array, size_t i) {
  return (fl_load64(array + 4 + i) & UINT64_C(0x0f0f0f0f0f0f0f0f)) == 0;
}
#else
FL_INLINE struct lay_value LAY(array_item)(const char *array, size_t i) { return LAY(slot)(array + 16 * i); }
FL_INLINE int LAY(array_is_nil)(const char *array, size_t i) { return (array[16 * i + 8] & 0x0f) == 0; }
/* Returns whether the slots from i to i + 7 are nil. */
FL_INLINE int LAY(array_is_nil8)(const char *array, size_t i) {
  const char *tag = array + 16 * i + 8;
  return ((tag[0] | tag[16] | tag[32] | tag[48] | tag[64] | tag[80] | tag[96] | tag[112]) & 0x0f) == 0;
}
#endif

/* Key 0 is never in the array part of PUC Lua. */
FL_INLINE int LAY(has_key0)(const char *t) {
  (void)t;
  return 0;
}
FL_INLINE struct lay_value LAY(key0)(const char *t) {
  (void)t;
  return LAY(nil)();
}

/* Return the hash part: nodes in the order of `next`. */
FL_INLINE const char *LAY(nodes)(const char *t) { return fl_load_ptr(t + PUC_NODES); }
FL_INLINE size_t LAY(node_count)(const char *t) { return (size_t)1 << *(const uint8_t *)(t + 11); }
FL_INLINE struct lay_value LAY(node_value)(const char *node) { return LAY(slot)(node); }
FL_INLINE int LAY(node_is_nil)(const char *node) { return (node[8] & 0x0f) == 0; }
FL_INLINE struct lay_value LAY(node_key)(const char *node) {
  struct lay_value v;
  v.bits = fl_load64(node + PUC_KEY);
  v.tag = PUC_LOAD_TAG(node + PUC_KEY_TAG);
  return v;
}

/* Returns the key of the array part's slot i: i + 1. */
FL_INLINE struct lay_value LAY(index_key)(size_t i) {
  struct lay_value v;
#if PUC_VERSION >= 503
  v.bits = (uint64_t)i + 1;
  v.tag = PUC_INTEGER;
#else
  double d = (double)(i + 1);
  memcpy(&v.bits, &d, sizeof d);
  v.tag = PUC_FLOAT;
#endif
  return v;
}

#include "puc_write.h"

#undef LAY
#undef LAYOUT
#undef PUC_NAME
#undef PUC_VERSION
#undef PUC_COLLECTABLE
#undef PUC_LONG_STRING
#undef PUC_LOAD_TAG
#undef PUC_TAG_BYTES
#undef PUC_FLOAT
#undef PUC_INTEGER
#undef PUC_TABLE_BYTES
#undef PUC_ARRAY_SIZE
#undef PUC_ARRAY
#undef PUC_NODES
#undef PUC_METATABLE
#undef PUC_NODE_BYTES
#undef PUC_KEY
#undef PUC_KEY_TAG
