/* SPDX-License-Identifier: MIT */
#include "raw_unmixed_instances.h"

#define PASTE "../dropin/shared/raw_unmixed.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *dropin_unmixed_shape_of(const struct lay_facts *facts, int n_is_length) {
#define X(layout, kilobytes) \
  if (facts == &layout##_facts) return &layout##_unmixed_shapes[n_is_length];
  LAYOUTS(X)
#undef X
  (void)facts;
  (void)n_is_length;
  return NULL;
}
