/* SPDX-License-Identifier: MIT
** binary.c -- a unit of the part formats: the binary format.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../binary/read/read.c" /* values where they lie */
FL_SMALL_BEGIN
#include "../binary/read/work.c" /* a bound on what a document may cost */
#include "../binary/read/path.c" /* ways to values */
FL_SMALL_END
#include "../binary/read/equal.c" /* equal values */
FL_SMALL_BEGIN
#include "../binary/read/dates.c" /* times and their text */
FL_SMALL_END
#include "../binary/check/state.c"    /* what is known of a document while it is looked at */
#include "../binary/check/keys.c"     /* its keys */
#include "../binary/check/values.c"   /* its values */
#include "../binary/check/check.c"    /* may it be read? */
#include "../binary/frame/checksum.c" /* CRC-32C */
#include "../binary/frame/frame.c"    /* lengths and checksums of a file's parts */
#include "../binary/read/members.c"   /* pairs in order */
#include "../binary/encode/encode.c"  /* values, bottom-up */
FL_SMALL_BEGIN
#include "../binary/encode/copy.c"   /* values of other documents */
#include "../binary/delta/errors.c"  /* messages */
#include "../binary/delta/text.c"    /* differences of strings */
#include "../binary/delta/delta.c"   /* differences of documents */
#include "../binary/delta/apply.c"   /* a document and its difference */
#include "../binary/delta/mutable.c" /* documents that change */
#include "../binary/delta/amend.c"   /* their changes appended */
FL_SMALL_END
