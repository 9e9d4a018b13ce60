/* SPDX-License-Identifier: MIT
** compare.h -- JSON numbers compared by their texts: exact, at any length and with any exponent.
** May call: base.
** Must hold: linear time and no memory but the C stack, whatever the exponents are. */
#ifndef FLEECE_NUMBER_COMPARE_H
#define FLEECE_NUMBER_COMPARE_H

#include "../base/def.h"

/* Compares the values of two numbers of RFC 8259, section 6: below 0, 0 or above 0. */
FL_PRIVATE int num_compare_texts(const char *a, size_t an, const char *b, size_t bn);

/* Compares the value of a number's text with a double, which is no NaN. */
FL_PRIVATE int num_compare_double(const char *s, size_t n, double d);

#endif
