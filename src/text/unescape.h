/* SPDX-License-Identifier: MIT
** unescape.h -- strings with escapes: where one ends, whether its escapes are right, and what they mean. RFC 8259,
** section 7.
** Must hold: strings lie in [p, end), *end is readable, and nothing after it is read but within its page. What is
** written is no longer than what was read; TEXT_UNESCAPE_MARGIN bytes after it may be overwritten. */
#pragma once

#include "portable/unescape.h"
#include "utf8.h"
#if defined(FLEECE_SIMD_SSE2)
#include "x86/unescape.h"
#endif

enum { TEXT_UNESCAPE_MARGIN = 64 };

/* Reads three \uXXXX at p, or a surrogate pair and what is after it. Returns the bytes of that, 18 or 12. 0: they are
** something else, or it cannot tell; then text_read_unit reads the first. */
FL_INLINE int text_read_run(const char *p, const char *close, uint32_t *c) {
#if defined(FLEECE_SIMD_SSE2)
  uint64_t units;
  unsigned good;
  int from_d000;
  if (FL_UNLIKELY(close - p < 18)) return 0;
  good = text_read_three(p + 2, &units, &from_d000);
  c[0] = text_big_unit(units);
  c[1] = text_big_unit(units >> 24);
  c[2] = text_big_unit(units >> 48);
  if (FL_LIKELY(good == 0xffff && !from_d000)) return 18;
  if ((good & 0x3ff) != 0x3ff || (c[0] & 0xfc00) != 0xd800 || (c[1] & 0xfc00) != 0xdc00) return 0;
  c[0] = 0x10000 + ((c[0] & 0x3ff) << 10) + (c[1] & 0x3ff);
  return 12;
#else
  (void)p, (void)close, (void)c;
  return 0;
#endif
}

/* The first byte from p on that is a quote or a control character, and not the second one of an escape; `end` if there
** is none. Escapes are not tested. *high becomes non-zero if a byte before it is 0x80 or above. */
FL_PRIVATE const char *text_string_end(const char *p, const char *end, uint64_t *high);

/* The same, but every escape is tested: it ends at the backslash of the first that is wrong, or that is a surrogate
** without its other half. What it finds after that has no effect, except that *high may be non-zero by it. */
FL_PRIVATE_NOINLINE const char *text_check_escapes(const char *p, const char *end, uint64_t *high);

/* Writes what [*at, close) means at w; `close` is where text_string_end has found a quote. Returns the end of what it
** wrote, with *at at `close`, or at an escape that text_check_escapes would refuse. */
FL_PRIVATE char *text_unescape(char *w, const char **at, const char *close, const char *end);
