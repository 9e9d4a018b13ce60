/* SPDX-License-Identifier: MIT
** json.c -- a unit of the part formats: JSON as text, read, written and changed.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../json/write/write.c"   /* text, piece by piece */
#include "../json/write/fold.c"    /* lines */
#include "../json/tokens/tokens.c" /* words, strings, escapes; what can be wrong */
#include "../json/grammar/scan.c"  /* strings, numbers and space, as the template reads them; texts in pieces */
FL_SMALL_BEGIN
#include "../json/tokens/lenient.c" /* what a reader may allow beyond JSON */
FL_SMALL_END
#include "../json/write/build.c"   /* text, value by value */
#include "../json/events.c"        /* tokens, a portion at a time */
#include "../json/grammar/split.c" /* where documents end */
#include "../json/grammar/count.c" /* items of an array, ahead of time */
#include "../json/grammar/check.c" /* is a text JSON? */
#include "../json/edit/tree.c"     /* sequences whose items are inserted anywhere */
#include "../json/edit/items.c"    /* the items of a container, one by one */
FL_SMALL_BEGIN
#include "../json/grammar/where.c" /* line and column of a fault */
#include "../json/pointer.c"       /* JSON Pointers */
#include "../json/edit/state.c"    /* what an edit knows of a text */
#include "../json/edit/names.c"    /* members by name */
#include "../json/edit/places.c"   /* values that were found beforehand, as pieces */
#include "../json/edit/lists.c"    /* containers that changes go through */
#include "../json/edit/space.c"    /* white space and comments around items */
#include "../json/edit/edit.c"     /* changes */
#include "../json/edit/result.c"   /* the text after them */
FL_SMALL_END
