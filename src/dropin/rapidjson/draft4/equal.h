/* SPDX-License-Identifier: MIT
** equal.h -- are two values of trees equal, and which item of an array equals an earlier one?
** Must hold: the time is proportional to the size of the values (hash tables, unless members have the same order).
** Numbers are compared by value. Objects are equal if they have the same members, each equally often, in any order.
** Equal values have equal hashes. The tables lie one after another in the buffer of `out`, which may move when another
** one is added.
**
** In this room k is the state of a check, v the value that is checked, m the memory of results. */
#pragma once

#include "parts.h"
#include "../../../json/write/write.h"

/* The state of comparisons. */
struct schema_work {
  struct json_out *out;
  size_t used;             /* bytes of its buffer that tables take */
  int too_deep, no_memory; /* why comparisons ended early */
};

/* ------------------------------------------------------------------------------------- numbers */

FL_PRIVATE double schema_double(const struct tree_value *v);

FL_INLINE int schema_is_number(const struct tree_value *v) {
  return tree_type(v) >= TREE_INTEGER && tree_type(v) <= TREE_DOUBLE;
}

/* Compares two numbers: below 0, 0 or above 0. */
FL_PRIVATE int schema_compare(const struct tree_value *a, const struct tree_value *b);

/* ------------------------------------------------------------------------------------- hashes */

FL_INLINE uint64_t schema_mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/* Are the values equal? `depth` counts the containers around them. */
FL_PRIVATE int schema_equal(struct schema_work *k, const struct tree_value *a, const struct tree_value *b, int depth);

/* The index of the first item of the array v that equals an earlier one; tree_length(v): there is none. */
FL_PRIVATE size_t schema_repeated(struct schema_work *k, const struct tree_value *v, int depth);
