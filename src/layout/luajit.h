/* SPDX-License-Identifier: MIT
** luajit.h -- the tables and values of LuaJIT 2.1 with 64-bit collector (GC64), single or dual numbers.
** Must hold: no lua_* call between reading a pointer here and its last use.
**
**   Value   one word. it = word >> 47 (arithmetic): below -14 unsigned a double, -14 an integer (dual
**           numbers), -1 nil, -2 false, -3 true, -4 light userdata, -5 string, -11 cdata, -12 table;
**           a pointer is the low 47 bits
**   Table   0 next  8 marked  9 type  16 array  32 metatable  40 node  48 asize  52 hmask   64 bytes
**           the array part starts with key 0; a missing hash part is one nil node with hmask 0
**   Node    0 value  8 key  16 next (pointer)                                            24 bytes
**   String  9 type  20 length (32 bits)  24 bytes
**   Int64   a cdata: 10 type number (16 bits), 16 payload */
#pragma once

#include "value.h"

#define luajit_version 0

FL_ONE_OBJECT const struct lay_facts luajit_facts = {"luajit", 40, 8, 64, 48, 16, 40, 52, 32, 24, 24};

/* Integers of a dual-number build are another encoding of doubles, not a type. */
enum { luajit_node_bytes = 24, luajit_has_integers = 0 };

FL_INLINE struct lay_value luajit_slot(const char *p) {
  struct lay_value v;
  v.bits = fl_load64(p);
  v.tag = (uint32_t)((int64_t)v.bits >> 47);
  return v;
}

FL_INLINE struct lay_value luajit_nil(void) {
  struct lay_value v = {~(uint64_t)0, (uint32_t)-1};
  return v;
}
FL_INLINE int luajit_is_nil(struct lay_value v) { return v.tag == (uint32_t)-1; }
FL_INLINE int luajit_is_false(struct lay_value v) { return v.tag == (uint32_t)-2; }
FL_INLINE int luajit_is_true(struct lay_value v) { return v.tag == (uint32_t)-3; }
FL_INLINE int luajit_is_light(struct lay_value v) { return v.tag == (uint32_t)-4; }
FL_INLINE int luajit_is_string(struct lay_value v) { return v.tag == (uint32_t)-5; }
/* A function or a thread, which no metatable can make encodable. */
FL_INLINE int luajit_is_plain_other(struct lay_value v) { return v.tag == (uint32_t)-9 || v.tag == (uint32_t)-7; }
FL_INLINE int luajit_is_table(struct lay_value v) { return v.tag == (uint32_t)-12; }
FL_INLINE int luajit_is_float(struct lay_value v) { return v.tag < (uint32_t)-14; }
FL_INLINE int luajit_is_integer(struct lay_value v) { return v.tag == (uint32_t)-14; }
FL_INLINE int64_t luajit_integer(struct lay_value v) { return (int32_t)v.bits; }
/* Returns the value of a float or an integer. */
FL_INLINE double luajit_number(struct lay_value v) {
  return luajit_is_integer(v) ? (double)luajit_integer(v) : lay_bits_double(v.bits);
}
FL_INLINE const char *luajit_pointer(struct lay_value v) {
  return lay_bits_pointer(v.bits & (((uint64_t)1 << 47) - 1));
}

/* Returns whether this is a boxed int64_t (1) or uint64_t (2) of the FFI; sets *n to its bits. 11 and 12 are the
** numbers of the core's own types. Other names of these types have other numbers, which the public API handles. */
FL_INLINE int luajit_is_box(struct lay_value v) { return v.tag == (uint32_t)-11; }
FL_INLINE int luajit_boxed_integer(struct lay_value v, uint64_t *n) {
  const char *p = luajit_pointer(v);
  if (!luajit_is_box(v)) return 0;
  const uint16_t type = fl_load16(p + 10);
  if (type != 11 && type != 12) return 0;
  *n = fl_load64(p + 16);
  return type - 10;
}

/* Returns whether it is a `void *` that is NULL. */
FL_INLINE int luajit_boxed_null(struct lay_value v) {
  const char *p = luajit_pointer(v);
  return fl_load16(p + 10) == 17 && fl_load64(p + 16) == 0;
}

FL_INLINE const char *luajit_string(struct lay_value v, size_t *length) {
  const char *s = luajit_pointer(v);
  *length = fl_load32(s + 20);
  return s + 24;
}

FL_INLINE const char *luajit_metatable(const char *t) { return fl_load_ptr(t + 32); }

/* `asize` counts slot 0, too, which holds key 0; the positive keys begin at slot 1. */
FL_INLINE size_t luajit_array_size(const char *t) {
  uint32_t n = fl_load32(t + 48);
  return n ? n - 1 : 0;
}
FL_INLINE const char *luajit_array(const char *t) { return lay_bits_pointer(fl_load64(t + 16) + 8); }
FL_INLINE struct lay_value luajit_array_item(const char *array, size_t i) { return luajit_slot(array + 8 * i); }
FL_INLINE int luajit_array_is_nil(const char *array, size_t i) { return fl_load64(array + 8 * i) == ~(uint64_t)0; }
FL_INLINE struct lay_value luajit_key0(const char *t) {
  return fl_load32(t + 48) ? luajit_slot(fl_load_ptr(t + 16)) : luajit_nil();
}
FL_INLINE int luajit_has_key0(const char *t) { return !luajit_is_nil(luajit_key0(t)); }

FL_INLINE const char *luajit_nodes(const char *t) { return fl_load_ptr(t + 40); }
FL_INLINE size_t luajit_node_count(const char *t) { return (size_t)fl_load32(t + 52) + 1; }
FL_INLINE struct lay_value luajit_node_value(const char *node) { return luajit_slot(node); }
FL_INLINE int luajit_node_is_nil(const char *node) { return fl_load64(node) == ~(uint64_t)0; }
FL_INLINE struct lay_value luajit_node_key(const char *node) { return luajit_slot(node + 8); }

FL_INLINE struct lay_value luajit_index_key(size_t i) {
  struct lay_value v;
  double d = (double)(i + 1);
  memcpy(&v.bits, &d, sizeof d);
  v.tag = (uint32_t)((int64_t)v.bits >> 47);
  return v;
}

#include "luajit_write.h"
