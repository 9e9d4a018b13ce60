/* SPDX-License-Identifier: MIT
** sort.h -- sorts collected pairs: bottom-up merge sort, stable, no allocation, no recursion.
** Must hold: `scratch` has room for `n` entries. */
#pragma once

#include "names.h"
#include "state.h"

/* `compare` is called only if the prefixes are equal. */
typedef int (*encode_compare)(const struct encode_entry *a, const struct encode_entry *b);

/* For entries that have the address of a text in key.bits, its length in value.bits, and in key.tag whether it is a
** string: compares by bytes; a number comes before a string of the same text. */
FL_PRIVATE int encode_compare_entries(const struct encode_entry *a, const struct encode_entry *b);

FL_PRIVATE_NOINLINE void encode_sort(struct encode_entry *entries, size_t n, struct encode_entry *scratch,
                                     encode_compare compare);
