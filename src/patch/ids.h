/* SPDX-License-Identifier: MIT
** ids.h -- numbers for values: two values with the same number are equal.
** Must hold: each value is compared with a fixed number of others at most. So equal values may get two numbers, if
** somebody has chosen values whose hashes are equal, or a number is written with very many digits: then results are
** longer, not slower. Nobody may conclude from two numbers that two values differ. */
#pragma once

#include "value.h"

struct patch_ids {
  struct patch_value **slots;
  size_t mask;
  uint64_t seed;
  uint32_t count; /* the highest number */
};

/* Makes room for the values of two trees. False: an error. */
FL_PRIVATE int patch_begin_ids(struct patch_ids *t, struct json_edit *e, const struct patch_value *a,
                               const struct patch_value *b);

/* Gives a number to the value and to all that are in it. */
FL_PRIVATE void patch_number(struct patch_ids *t, struct patch_value *v);
