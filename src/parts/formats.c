/* SPDX-License-Identifier: MIT
** formats.c -- a part: numbers, text, JSON and the binary format: all that knows no Lua.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../base/buffer.c" /* growing output */

#include "../number/decimal.c"   /* decimals to doubles, exact: the slow cases */
#include "../number/parse.c"     /* text to numbers */
#include "../number/integer.c"   /* integers to digits */
#include "../number/digits.c"    /* digits to text */
#include "../number/shortest.c"  /* doubles to the fewest digits */
#include "../number/precision.c" /* doubles to N digits */
#include "../number/canonical.c" /* doubles as ECMAScript writes them */
#include "../number/index.c"     /* which array index is a number? */
#include "../number/compare.c"   /* numbers by their texts */

#include "../text/cpu.c"      /* what vectors this CPU has */
#include "../text/utf8.c"     /* validation */
#include "../text/utf16.c"    /* UTF-16 to UTF-8 */
#include "../text/sse.c"      /* server-sent events */
#include "../text/quote.c"    /* escaping by a set of characters */
#include "../text/general.c"  /* escaping by every option */
#include "../text/unescape.c" /* escapes to text */

#include "../json/write/write.c"         /* text, piece by piece */
#include "../json/write/fold.c"          /* lines */
#include "../json/tokens/characters.c"   /* bytes, white space, literals */
#include "../json/tokens/check_string.c" /* escapes; what can be wrong */
#include "../json/tokens/state.c"        /* a text that is read */
#include "../json/tokens/unescape.c"     /* escapes to text */
#include "../json/grammar/scan.c"        /* strings, numbers and space, as the grammar's template reads them */
#include "../json/tokens/json5.c"        /* what JSON5 adds */
#include "../json/tokens/lenient.c"      /* what a reader may allow beyond JSON */
#include "../json/grammar/parts.c"       /* a text that comes in pieces */
#include "../json/write/build.c"         /* text, value by value */
#include "../json/events.c"              /* tokens, a portion at a time */
#include "../json/grammar/split.c"       /* where documents end */
#include "../json/grammar/count.c"       /* items of an array, ahead of time */
#include "../json/grammar/where.c"       /* line and column of a fault */
#include "../json/grammar/check.c"       /* is a text JSON? */
#include "../json/pointer.c"             /* JSON Pointers */
#include "../json/index/steps.c"         /* JSON pointers as steps */
#include "../json/index/quoted.c"        /* strings of a text in place */
#include "../json/index/members.c"       /* the members of a short text */
#include "../json/index/reader.c"        /* what is done with tokens on the way to values */
#include "../json/index/locate.c"        /* values of a text, by vectors; is it valid? */
#include "../json/index/seek.c"          /* one of a text that comes in pieces */
#include "../json/index/goals.c"         /* paths to several, as a tree */
#include "../json/index/pick.c"          /* several values of a text of any grammar */
#include "../json/edit/tree.c"           /* sequences whose items are inserted anywhere */
#include "../json/edit/state.c"          /* what an edit knows of a text */
#include "../json/edit/items.c"          /* the items of a container, one by one */
#include "../json/edit/names.c"          /* members by name */
#include "../json/edit/places.c"         /* values that were found beforehand, as pieces */
#include "../json/edit/lists.c"          /* containers that changes go through */
#include "../json/edit/space.c"          /* white space and comments around items */
#include "../json/edit/edit.c"           /* changes */
#include "../json/edit/result.c"         /* the text after them */

#include "../binary/read/read.c"      /* values where they lie */
#include "../binary/read/work.c"      /* a bound on what a document may cost */
#include "../binary/read/format.c"    /* headers and pointers */
#include "../binary/read/path.c"      /* ways to values */
#include "../binary/read/equal.c"     /* equal values */
#include "../binary/read/dates.c"     /* times and their text */
#include "../binary/check/state.c"    /* what is known of a document while it is looked at */
#include "../binary/check/keys.c"     /* its keys */
#include "../binary/check/values.c"   /* its values */
#include "../binary/check/check.c"    /* may it be read? */
#include "../binary/frame/checksum.c" /* CRC-32C */
#include "../binary/frame/frame.c"    /* lengths and checksums of a file's parts */
#include "../binary/encode/pool.c"    /* values that were written already */
#include "../binary/read/keys.c"      /* shared keys */
#include "../binary/read/members.c"   /* pairs in order */
#include "../binary/encode/encode.c"  /* values, bottom-up */
#include "../binary/encode/end.c"     /* collections */
#include "../binary/encode/copy.c"    /* values of other documents */
#include "../binary/delta/errors.c"   /* messages */
#include "../binary/delta/text.c"     /* differences of strings */
#include "../binary/delta/delta.c"    /* differences of documents */
#include "../binary/delta/apply.c"    /* a document and its difference */
#include "../binary/delta/mutable.c"  /* documents that change */
#include "../binary/delta/amend.c"    /* their changes appended */

#include "../regex/characters.c" /* classes of characters */
#include "../regex/categories.c" /* those of Unicode */
#include "../regex/compile.c"    /* expressions to instructions */
#include "../regex/iregexp.c"    /* the same for another syntax */
#include "../regex/regex.c"      /* the search */
