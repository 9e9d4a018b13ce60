/* SPDX-License-Identifier: MIT
** index.c -- a unit of the part formats: values that are found in a text by vectors.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../json/write/wide.c"    /* writing for AVX2 */
#include "../json/index/steps.c"   /* JSON pointers as steps */
#include "../json/index/quoted.c"  /* strings of a text in place */
#include "../json/index/members.c" /* the members of a short text */
#include "../json/index/reader.c"  /* what is done with tokens on the way to values */
#include "../json/index/locate.c"  /* values of a text, by vectors; is it valid? */
#include "../json/index/seek.c"    /* one of a text that comes in pieces */
#include "../json/index/goals.c"   /* paths to several, as a tree */
#include "../json/index/pick.c"    /* several values of a text of any grammar */
