/* SPDX-License-Identifier: MIT
** equal.h -- compares the content of two values of two documents.
** Must hold: the encoding does not matter: signed or unsigned, number of bytes, narrow or wide, shared keys,
** parents. Dicts are equal if they have equal values under the same names (binary/read/members.h). Strict, for JSON
** deltas: an integer does not equal a floating point number, and -0.0 does not equal 0.0. Otherwise numbers are
** compared by their exact value. NaN equals NaN, because it is the same content. */
#pragma once

#include "members.h"

FL_PRIVATE int bin_equal_numbers(bin_value a, bin_value b, int strict);

/* Compares two values, at least one of which is not a collection. */
FL_INLINE int bin_equal_scalars(bin_value a, bin_value b, int strict) {
  const enum bin_type type = bin_type_of(a);
  size_t an, bn;
  const char *as, *bs;
  if (type != bin_type_of(b)) return 0;
  switch (type) {
  case BIN_TYPE_BOOLEAN: return bin_is_true(a) == bin_is_true(b);
  case BIN_TYPE_NUMBER: return bin_equal_numbers(a, b, strict);
  case BIN_TYPE_STRING:
  case BIN_TYPE_DATA: as = bin_bytes(a, &an), bs = bin_bytes(b, &bn); return an == bn && memcmp(as, bs, an) == 0;
  default: return 1;
  }
}

/* Two collections with the same number of items or members. Members of dicts are in `members` from a_first and b_first
** on. */
struct bin_equal_frame {
  struct bin_list a, b;
  size_t next, count, a_first, b_first;
  int is_dict;
};

struct bin_equal {
  struct bin_work *work;
  const struct bin_doc *a, *b;
  int strict;
  struct bin_members members;
  struct bin_equal_frame *frames;
  size_t depth, room;
};

/* Returns whether `va` of document `a` equals `vb` of document `b`, or -1 with w->error set. */
FL_PRIVATE int bin_equal(struct bin_work *w, const struct bin_doc *a, bin_value va, const struct bin_doc *b,
                         bin_value vb, int strict);
