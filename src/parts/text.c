/* SPDX-License-Identifier: MIT
** text.c -- a unit of the part formats: numbers, characters and regular expressions: tools of the formats.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../base/buffer.c" /* growing output */

#include "../number/decimal.c"  /* decimals to doubles, exact: the slow cases */
#include "../number/parse.c"    /* text to numbers */
#include "../number/integer.c"  /* integers to digits */
#include "../number/digits.c"   /* digits to text */
#include "../number/shortest.c" /* doubles to the fewest digits */
#include "../number/forms.c"    /* doubles in other forms */
FL_SMALL_BEGIN
#include "../number/compare.c" /* numbers by their texts */
FL_SMALL_END

#include "../text/cpu.c"      /* what vectors this CPU has */
#include "../text/utf8.c"     /* validation */
#include "../text/utf16.c"    /* UTF-16 to UTF-8 */
#include "../text/sse.c"      /* server-sent events */
#include "../text/quote.c"    /* escaping by a set of characters */
#include "../text/general.c"  /* escaping by every option */
#include "../text/unescape.c" /* escapes to text */

FL_SMALL_BEGIN
#include "../regex/characters.c" /* classes of characters */
#include "../regex/properties.c" /* categories of characters */
#include "../regex/compile.c"    /* expressions to instructions */
FL_SMALL_END
#include "../regex/regex.c" /* the search */
