/* SPDX-License-Identifier: MIT */
#include "raw.h"

#define PASTE "../dropin/dkjson/raw_tables.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *dkjson_shape_of(const struct lay_facts *facts) {
  return LAYOUT_PICK(facts, dkjson_shape);
}
