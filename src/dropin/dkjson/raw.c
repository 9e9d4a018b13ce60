/* SPDX-License-Identifier: MIT
** raw.c -- dkjson's rules in the raw encoder. */
#include "dkjson.h"
#include "../../encode/raw/paste_body.h"

#define PASTE "../dropin/dkjson/raw_tables.h"
#include "../../layout/each.h"

FL_PRIVATE const struct encode_shape *dkjson_shape_of(const struct lay_facts *facts) {
  return LAYOUT_PICK(facts, dkjson_shape);
}
