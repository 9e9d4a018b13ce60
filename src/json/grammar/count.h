/* SPDX-License-Identifier: MIT
** count.h -- counts the remaining items of an array, to create its table in the final size.
** Must hold: the number is right if the text is valid in the scan's grammar, else arbitrary. Linear, no recursion,
** stops at `end`. */
#pragma once

#include "../../text/quote.h"
#include "../tokens/lenient.h"

/* Returns the number of items from p to the end of the array, or 0 if the array does not end before `end`. Sets *stop
** to the first byte it did not read. */
FL_PRIVATE size_t json_count_items(const struct json_scan *j, const char *p, const char *end, const char **stop);
