/* SPDX-License-Identifier: MIT
** count.h -- how many items does the rest of an array have? For tables that are made in their final size.
** Must hold: the number is right if the text is right in the scan's grammar; for other texts it may be any number.
** Linear, no recursion, stops at `end`. */
#pragma once

#include "../../text/quote.h"
#include "../tokens/lenient.h"

/* The number of items from the one at p to the end of its array; 0: the array does not end before `end`. *stop is the
** first byte that was not looked at. */
FL_PRIVATE size_t json_count_items(const struct json_scan *j, const char *p, const char *end, const char **stop);
