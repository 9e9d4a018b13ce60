/* SPDX-License-Identifier: MIT */
#include "raw.h"
#include "../../encode/raw/paste_body.h"

#define PASTE "../dropin/rapidjson/raw_tables.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *rapidjson_shape_of(const struct lay_facts *facts) {
  return LAYOUT_PICK(facts, rapidjson_shape);
}
