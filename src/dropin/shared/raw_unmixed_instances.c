/* SPDX-License-Identifier: MIT */
#include "raw_unmixed_instances.h"
#include "../../encode/raw/paste_open.h"

#define PASTE "../dropin/shared/raw_unmixed.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *dropin_unmixed_shape_of(const struct lay_facts *facts, int n_is_length) {
  const struct encode_shape(*shapes)[2] = LAYOUT_PICK(facts, unmixed_shapes);
  return shapes ? &(*shapes)[n_is_length] : NULL;
}
