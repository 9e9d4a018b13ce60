/* SPDX-License-Identifier: MIT
** bits.h -- sets of small numbers as bits, for example the kinds of open containers.
** Must hold: bits[i / 8] exists. */
#pragma once

#include "def.h"

FL_INLINE int fl_bit(const unsigned char *bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }

FL_INLINE void fl_set_bit(unsigned char *bits, size_t i, int on) {
  const unsigned char bit = (unsigned char)(1u << i % 8);
  bits[i / 8] = (unsigned char)(on ? bits[i / 8] | bit : bits[i / 8] & ~bit);
}
