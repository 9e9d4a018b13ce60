/* SPDX-License-Identifier: MIT
** raw_unmixed_instances.c -- the table shapes of LuaJSON and JSON4Lua for each layout of this build.
** May call: base, layout, convert.
** Must hold: as raw_unmixed_instances.h. */
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
