/* SPDX-License-Identifier: MIT
** compare.h -- compares numbers of all forms by value: integers, doubles, and texts of any length and exponent.
** Must hold: linear time and no memory but the C stack, whatever the exponents are. */
#pragma once

#include "../base/def.h"
#include "parse.h"

/* Compares the values of two numbers of RFC 8259, section 6. Returns below 0, 0 or above 0. */
FL_PRIVATE int num_compare_texts(const char *a, size_t an, const char *b, size_t bn);

/* Writes bytes for a number of RFC 8259, section 6, whose order by memcmp is that of the values; equal values have
** equal bytes, and none begin with all of another's. At most NUM_SORT_ROOM + n / 2. Exponents beyond 10^17 count as
** that. */
enum { NUM_SORT_ROOM = 16 };
FL_PRIVATE unsigned char *num_write_sort_key(unsigned char *w, const char *s, size_t n);

/* Compares the value of a number's text with a double, not NaN. */
FL_PRIVATE int num_compare_double(const char *s, size_t n, double d);

enum num_form {
  NUM_IS_DOUBLE,
  NUM_IS_INTEGER,
  NUM_IS_UNSIGNED, /* beyond int64_t */
  NUM_IS_TEXT      /* of RFC 8259, section 6; is.d is the nearest double */
};

/* A number, as exactly as it is known. */
struct num_any {
  enum num_form form;
  union {
    double d;
    int64_t i;
    uint64_t u;
  } is;
  const char *text;
  size_t n;
};

/* Returns the number s[0..n), which num_parse has read as *v. */
FL_PRIVATE struct num_any num_any_of(const char *s, size_t n, const struct num_value *v);

enum { NUM_UNORDERED = 2 };

/* Compares two numbers by value: -1, 0, 1, or NUM_UNORDERED if one is NaN. Exact, except for a text and a finite
** double: the double stands for all texts that read as it, as 0.1 does for the text 0.1. */
FL_PRIVATE int num_compare(const struct num_any *a, const struct num_any *b);

/* Returns whether the number can be a divisor: above 0, with at most 19 digits apart from zeros at its ends. */
FL_PRIVATE int num_is_divisor(const struct num_any *of);

/* Returns whether a number is an integer times a divisor. Exact in decimals: 4.35 is a multiple of 0.01. A double
** counts as the shortest text that reads as it. NaN and infinities are no multiples. */
FL_PRIVATE int num_is_multiple(const struct num_any *a, const struct num_any *of);

/* Returns whether the number is an integer, as 1.0 and 1e2 are; for a text, whether its value is. */
FL_PRIVATE int num_is_whole(const struct num_any *a);
