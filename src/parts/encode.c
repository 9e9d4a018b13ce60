/* SPDX-License-Identifier: MIT
** encode.c -- the other unit of the part core: Lua values to text. */

#include "lua_version.h"

#include "../encode/state.c"     /* what an encoder keeps */
#include "../encode/keys.c"      /* numbers as names */
#include "../encode/sort.c"      /* names in order */
#include "../encode/order.c"     /* the order of members beside their tables */
#include "../encode/api/state.c" /* the public-API encoder: the tables that it is in, */
FL_SMALL_BEGIN
#include "../encode/api/errors.c" /* errors with the path to the value, */
FL_SMALL_END
#include "../encode/api/open.c" /* metatables; array or object? */
#include "../encode/api/walk.c" /* and the loop */
#include "../encode/face/encode.h"
FL_SMALL_BEGIN
#include "../encode/face/marks.c"         /* marks, raw texts, orders, exact numbers */
#include "../encode/face/foreign_marks.c" /* those of other libraries that encode knows */
#include "../encode/face/options.c"       /* options of encode */
#include "../encode/face/state.c"         /* what encode keeps */
#include "../encode/face/sink.c"          /* where text goes */
#include "../encode/face/width.c"         /* lines that hold short containers */
FL_SMALL_END
#include "../encode/face/encode.c" /* encode, json, size, write */
#include "../encode/face/steps.c"  /* work in steps */
