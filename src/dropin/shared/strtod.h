/* SPDX-License-Identifier: MIT
** strtod.h -- numbers as C's strtod reads them, beyond RFC 8259: "007", "1.", "0x1.8p3", "inf", "nan".
** Must hold: a text ends with a readable 0. The result does not depend on the locale. The sign of a NaN is dropped,
** because it would be a type tag in LuaJIT. */
#pragma once

#include "../../json/tokens/lenient.h"

/* In a scan's grammar: the rules read all numbers of this file; else only decimals that do not begin with 00 or 01. */
enum { DROPIN_STRTOD_NUMBERS = JSON_RULES_BIT };

/* Returns whether the text at p begins with `word`, ignoring case. `word` must be in lower case. */
FL_PRIVATE int dropin_begins(const char *p, const char *word);

FL_INLINE int dropin_is_inf_or_nan(const char *p) { return dropin_begins(p, "inf") || dropin_begins(p, "nan"); }

enum dropin_strtod_kind { DROPIN_STRTOD_DECIMAL, DROPIN_STRTOD_OTHER };

/* Returns the byte after the number at p, which begins with a digit, a sign, a point or a letter, or NULL if it is not
** a number. Sets *d unless it is a decimal. With DROPIN_STRTOD_NUMBERS in `grammar`, "0x1f", "007", "inf" and "nan" are
** numbers, too. */
FL_PRIVATE const char *dropin_strtod_number(const char *p, unsigned grammar, enum dropin_strtod_kind *kind, double *d);
