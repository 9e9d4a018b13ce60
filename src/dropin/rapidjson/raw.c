/* SPDX-License-Identifier: MIT
** raw.c -- rapidjson's rules in the raw encoder. */
#include "rapidjson.h"
#include "../../encode/raw/paste_body.h"

#define PASTE "../dropin/rapidjson/raw_tables.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *rapidjson_shape_of(const struct lay_facts *facts) {
  return LAYOUT_PICK(facts, rapidjson_shape);
}
