/* SPDX-License-Identifier: MIT
** text.c -- a unit of the part formats: numbers, characters and regular expressions: tools of the formats.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../base/buffer.c"
#include "../number/decimal.c"
#include "../number/parse.c"
#include "../number/integer.c"
#include "../number/digits.c"
#include "../number/shortest.c"
#include "../number/forms.c"
FL_SMALL_BEGIN
#include "../number/compare.c"
FL_SMALL_END

#include "../text/cpu.c"
#include "../text/utf8.c"
#include "../text/utf16.c"
#include "../text/sse.c"
#include "../text/quote.c"
#include "../text/general.c"
#include "../text/unescape.c"

FL_SMALL_BEGIN
#include "../regex/characters.c"
#include "../regex/properties.c"
#include "../regex/compile.c"
#include "../regex/table.c"
FL_SMALL_END
#include "../regex/regex.c"
