/* SPDX-License-Identifier: MIT */
#include "instances.h"
#include "../../json/write/wide.h"
#include "paste_body.h"

#define PASTE "../encode/raw/walk.h"
#include "../../layout/each.h"

FL_PRIVATE encode_raw encode_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, encode_any); }

FL_PRIVATE encode_sequence encode_sequence_of_layout(const struct lay_facts *facts) {
  return LAYOUT_PICK(facts, encode_is_sequence);
}
