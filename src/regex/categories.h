/* SPDX-License-Identifier: MIT
** categories.h -- the general categories of Unicode (its section 4.5) as classes of a regular expression.
** Must hold: the table is made by tools/unicode_categories.py. */
#pragma once

#include "characters.h"

/* Reads {L} or {Lu} after \p, and returns the categories that it means, a bit each; 0, and p has not moved: it is none.
** Cs is not among them: surrogates are no characters. */
FL_PRIVATE uint32_t regex_take_categories(struct regex_compiler *c);

/* Puts the ranges of the characters of these categories, or of the others. */
FL_PRIVATE int regex_put_categories(struct regex_compiler *c, uint32_t categories, int others);
