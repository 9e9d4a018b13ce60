/* SPDX-License-Identifier: MIT
** hash.h -- hashes of names, strings and scalars: those in a program, and those of the values that it checks.
** Must hold: a program stays in the process that compiled it, so the order of bytes in memory may count. Equal numbers
** have equal hashes, whatever their forms are. Who writes a value can find collisions: a table that values are put in
** has a seed, and what a collision costs is paid for with steps. */
#pragma once

#include <string.h>
#include "../values/value.h"

FL_INLINE uint64_t schema_stir(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 32;
}

/* All bits of h count in the lowest ones, by which tables are looked up. */
FL_INLINE uint32_t schema_fold(uint64_t h) { return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32); }

/* Of n bytes. */
FL_INLINE uint32_t schema_hash_bytes(const char *s, size_t n) {
  uint64_t h = n, x, y;
  if (n >= 8) { /* the last eight bytes overlap those before them */
    const char *const last = s + n - 8;
    for (; s < last; s += 8) {
      memcpy(&x, s, 8);
      h = schema_stir(h, x);
    }
    memcpy(&x, last, 8);
    return schema_fold(schema_stir(h, x));
  }
  if (n >= 4) {
    uint32_t a, b;
    memcpy(&a, s, 4);
    memcpy(&b, s + n - 4, 4);
    x = a, y = b;
  } else {
    x = n ? (unsigned char)s[0] : 0;
    y = n ? (uint64_t)(unsigned char)s[n / 2] << 8 | (unsigned char)s[n - 1] : 0;
  }
  return schema_fold(schema_stir(h, x | y << 32));
}

/* The nearest double. */
FL_INLINE double schema_double_of(const struct num_any *x) {
  return x->form == NUM_IS_INTEGER ? (double)x->is.i : x->form == NUM_IS_UNSIGNED ? (double)x->is.u : x->is.d;
}

/* Of a scalar. */
FL_INLINE uint32_t schema_hash_value(const struct value *v) {
  if (v->type == VALUE_STRING) return schema_hash_bytes(v->s, v->n);
  if (v->type == VALUE_NUMBER) {
    const double d = schema_double_of(&v->number) + 0.0; /* -0 is 0 */
    uint64_t x;
    memcpy(&x, &d, sizeof x);
    return schema_fold(schema_stir(VALUE_NUMBER, x));
  }
  return schema_fold(schema_stir(VALUE_ARRAY, (uint64_t)v->type));
}
