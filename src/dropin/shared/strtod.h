/* SPDX-License-Identifier: MIT
** strtod.h -- numbers as C's strtod reads them, beyond RFC 8259: "007", "1.", "0x1.8p3", "inf", "nan".
** Must hold: a text ends with a readable 0. The result does not depend on the locale. The sign of a NaN is dropped, for
** it is the tag of other values in LuaJIT. */
#pragma once

#include "../../json/tokens/lenient.h"

/* In a scan's grammar: the rules read the numbers of this file; else only decimals that do not begin with 00 or 01. */
enum { DROPIN_STRTOD_NUMBERS = JSON_RULES_BIT };

/* Does the text at p begin with `word`, in any case? `word` is in lower case. */
FL_PRIVATE int dropin_begins(const char *p, const char *word);

FL_INLINE int dropin_is_inf_or_nan(const char *p) { return dropin_begins(p, "inf") || dropin_begins(p, "nan"); }

enum dropin_strtod_kind { DROPIN_STRTOD_DECIMAL, DROPIN_STRTOD_OTHER };

/* The byte after the number at p, which begins with a digit, a sign, a point or a letter; NULL: it is not a number. *d
** is the value if it is not a decimal. `grammar` has DROPIN_STRTOD_NUMBERS if "0x1f", "007", "inf" and "nan" are
** numbers too. */
FL_PRIVATE const char *dropin_strtod_number(const char *p, unsigned grammar, enum dropin_strtod_kind *kind, double *d);
