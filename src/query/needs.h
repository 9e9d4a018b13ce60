/* SPDX-License-Identifier: MIT
** needs.h -- what of a value a query can look at.
** Must hold: results are places; their contents are not needed. */
#pragma once

#include "../values/texts.h"
#include "program.h"

/* Sets what the query needs, by level. Returns 0 if it may need all: it looks at all descendants, compares values of
** two places, may find a value twice, or is deeper than VALUE_LEVELS. */
FL_PRIVATE int query_find_needs(const struct query_program *p, struct value_needs *to);
