/* SPDX-License-Identifier: MIT
** equal.h -- which values of trees are equal, and which item of an array equals one before it.
** May call: base, json, tree.
** Must hold: time grows with the values, whatever they are (a table of hashes where order is no help). Numbers are
** equal by value, objects if they have the same members, each as often, in any order. Equal values have the same
** hash. Tables lie one behind the other in the buffer of `out`, which may move when another one is made. */
#ifndef FLEECE_SCHEMA_EQUAL_H
#define FLEECE_SCHEMA_EQUAL_H

#include "parts.h"
#include "../json/write/write.h"

/* What comparing needs, and what may end it early. */
struct schema_work {
  struct json_out *out;
  size_t used; /* bytes of its buffer that tables take */
  int too_deep, no_memory;
};

/* ------------------------------------------------------------------------------------- numbers */

FL_PRIVATE double schema_double(const struct tree_value *v);

FL_INLINE int schema_is_number(const struct tree_value *v) {
  return tree_type(v) >= TREE_INTEGER && tree_type(v) <= TREE_DOUBLE;
}

/* Which number is greater: below 0, 0, above 0. */
FL_PRIVATE int schema_compare(const struct tree_value *a, const struct tree_value *b);

/* ------------------------------------------------------------------------------------- hashes */

FL_INLINE uint64_t schema_mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/* The same value? */
FL_PRIVATE int schema_equal(struct schema_work *k, const struct tree_value *a, const struct tree_value *b, int depth);

/* The first item that equals one before it; tree_length(v): there is none. */
FL_PRIVATE size_t schema_repeated(struct schema_work *k, const struct tree_value *v, int depth);

#endif
