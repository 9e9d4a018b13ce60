/* SPDX-License-Identifier: MIT
** keys.h -- checks that the keys of an untrusted dict are strings or codes, in order.
** Must hold: linear time: each key costs a constant number of steps, or bin_check_spend pays for its length. */
#pragma once

#include "values.h"

/* Checks any key: it must be a string or code, in order after the key before it. */
FL_PRIVATE_NOINLINE int bin_check_key_(struct bin_check *c, struct bin_check_frame *f, bin_value item);

/* Mask for the prefix of a string of 0 to 14 bytes. */
#define BIN_PREFIX(n) UINT64_MAX << (64 - 8 * (n))

static const uint64_t bin_prefix_bits[BIN_LONG_LENGTH] = {
    0,          BIN_PREFIX(1), BIN_PREFIX(2), BIN_PREFIX(3), BIN_PREFIX(4), BIN_PREFIX(5), BIN_PREFIX(6), BIN_PREFIX(7),
    UINT64_MAX, UINT64_MAX,    UINT64_MAX,    UINT64_MAX,    UINT64_MAX,    UINT64_MAX,    UINT64_MAX};

/* Accepts the usual key on the fast path: a short string in the same document, greater in its first bytes. Otherwise
** bin_check_key_ decides. Bytes before `end` can be read. */
FL_INLINE int bin_check_key(bin_value p, bin_value end, unsigned width, size_t reach, bin_value *key,
                            uint64_t *prefix) {
  size_t room;
  bin_value v = p;
  if (bin_check_is_pointer(p, width, &room)) {
    if (FL_UNLIKELY(room > reach)) return 0;
    v = p - room;
  } else {
    room = width;
  }
  const unsigned n = v[0] - (BIN_TAG_STRING << 4);
  if (FL_UNLIKELY(n >= BIN_LONG_LENGTH) || FL_UNLIKELY(n >= room) || FL_UNLIKELY(end - v < 9)) return 0;
  const uint64_t x = bin_big64(v + 1) & bin_prefix_bits[n];
  if (FL_UNLIKELY(x <= *prefix)) return 0;
  *key = v;
  *prefix = x;
  return 1;
}

/* Many dicts of a document have the same keys, and encoders usually share the keys' strings. If a dict has the same key
** pointers as a checked one, no names need comparing; else keys are checked one by one. This is twice as fast on
** records of 10 numbers. */

/* Returns the slot of a dict in the table of shapes, by its header and its first key or that key's target. */
FL_INLINE bin_value *bin_check_shape_slot(struct bin_check *c, bin_value v) {
  const bin_value first = v + 2;
  const uint32_t word = v[0] & BIN_WIDE ? bin_big32(first) : bin_big16(first);
  const uint32_t place = bin_is_pointer(first) ? (uint32_t)((uintptr_t)first / 2) - word : word;
  return &c->shapes[(place + bin_big16(v)) * UINT32_C(0x9e3779b1) >> 25];
}

/* Returns whether the dict v, with n bytes of pairs from `first` on, has the keys of a checked dict. That one is before
** v, so its strings end before v, too. */
FL_PRIVATE_NOINLINE int bin_check_has_known_keys(struct bin_check *c, const struct bin_doc *doc, bin_value v,
                                                 bin_value first, size_t n);
