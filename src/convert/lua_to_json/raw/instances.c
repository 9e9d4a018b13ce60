/* SPDX-License-Identifier: MIT */
#include "instances.h"
#include "paste.h"

FL_PRIVATE encode_raw encode_of_layout(const struct lay_facts *facts) {
#define ENCODE_OF(layout, kilobytes) \
  if (facts == &layout##_facts) return layout##_encode;
  LAYOUTS(ENCODE_OF)
#undef ENCODE_OF
  (void)facts;
  return NULL;
}
