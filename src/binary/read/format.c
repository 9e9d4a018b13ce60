/* SPDX-License-Identifier: MIT */
#include "format.h"

FL_PRIVATE int bin_varint(bin_value *p, bin_value end, uint32_t *out) {
  uint64_t x = 0;
  unsigned i;
  for (i = 0; i < BIN_VARINT_MOST && *p < end; i++) {
    const uint8_t b = *(*p)++;
    if (7 * i < 64) x |= (uint64_t)(b & 0x7f) << 7 * i;
    if (7 * i >= 35 && (b & 0x7f)) return 0;
    if (b < 0x80) {
      *out = (uint32_t)x;
      return x <= UINT32_MAX;
    }
  }
  return 0;
}
