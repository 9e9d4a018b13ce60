/* SPDX-License-Identifier: MIT
** unescape.h -- strings with escapes: where one ends, whether its escapes are valid, and its contents. RFC 8259,
** section 7.
** Must hold: strings are in [p, end), *end is readable, and after it only its page is read. What is written is not
** longer than what was read; TEXT_UNESCAPE_MARGIN bytes after it may be overwritten. */
#pragma once

#include "portable/unescape.h"
#include "utf8.h"

enum { TEXT_UNESCAPE_MARGIN = 64 };

/* Returns the first quote or control character from p on that is not the second byte of an escape, or `end`. Does not
** test escapes. Sets *high to non-zero if a byte before it is 0x80 or above. */
FL_PRIVATE const char *text_string_end(const char *p, const char *end, uint64_t *high);

/* Like text_string_end, but tests every escape: stops at the backslash of the first invalid one, or of a surrogate
** without its other half. What follows that has no effect, except that *high may be non-zero because of it. */
FL_PRIVATE_NOINLINE const char *text_check_escapes(const char *p, const char *end, uint64_t *high);

/* Writes the contents of [*at, close) at w; `close` is the quote that text_string_end has found. Returns the end of
** what it wrote, with *at at `close`, or at an escape that text_check_escapes would refuse. `cpu`: TEXT_CPU_WIDE, if
** the CPU has it. */
FL_PRIVATE char *text_unescape(char *w, const char **at, const char *close, const char *end, unsigned cpu);
