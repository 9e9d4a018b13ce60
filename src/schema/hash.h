/* SPDX-License-Identifier: MIT
** hash.h -- hashes of names, strings and scalars, in programs and in the values that they check.
** Must hold: hashes may depend on the byte order, because programs stay in their process. Equal numbers have equal
** hashes, whatever their form. Values may be written to collide: tables of such values use a seed, and collisions cost
** steps. */
#pragma once

#include <string.h>
#include "../values/value.h"

FL_INLINE uint64_t schema_stir(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 32;
}

/* Mixes all bits of h into the low ones, which index tables. */
FL_INLINE uint32_t schema_fold(uint64_t h) { return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32); }

FL_INLINE uint32_t schema_hash_bytes(const char *s, size_t n) {
  uint64_t h = (uint64_t)n << 24, x, y; /* apart from the bytes of short names: "=" is not ">=" */
  if (n >= 8) {                         /* the last eight bytes may overlap those before */
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

/* Returns the nearest double. */
FL_INLINE double schema_double_of(const struct num_any *x) {
  return x->form == NUM_IS_INTEGER ? (double)x->is.i : x->form == NUM_IS_UNSIGNED ? (double)x->is.u : x->is.d;
}

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
