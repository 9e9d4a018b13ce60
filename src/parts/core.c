/* SPDX-License-Identifier: MIT
** core.c -- a part: format, picking and editing, streams and files, and what all parts use of Lua. Its other units:
** decode.c, encode.c, raw.c.
** Must hold: knows document and query by parts.h alone. */

#include "lua_version.h"

#include "../format/json_to_json.c" /* text in another form */

FL_SMALL_BEGIN
#include "../layout/lua_compat/api.c" /* the public API under one set of names */
#include "../layout/arena.c"          /* the memory that a layout is proven in */
#include "../layout/probe.c"          /* which layout the Lua at hand has */
#include "../layout/copy.c"           /* whole tables */
FL_SMALL_END

#include "../lua/exact.c" /* numbers with the digits of their text */

#include "../lua/state.c" /* what a Lua state keeps of the module */

#include "../module/library.c" /* the state, tables of functions */

FL_SMALL_BEGIN
#include "../lua/options/options.c"   /* tables of options */
#include "../lua/options/arguments.c" /* errors of arguments */
#include "../lua/guard.c"             /* limits of the host, for fleece.safe */
#include "../lua/options/hints.c"     /* what errors suggest */

#include "../files/map.c"     /* files in memory */
#include "../files/file.c"    /* files of the caller, and those that Lua replaces */
#include "../files/replace.c" /* files that are written whole or not at all */
#include "../files/lock.c"    /* one writer at a time */
#include "../files/append.c"  /* amendments at the end of a file */

#include "../format/face/format.c" /* text to text */
FL_SMALL_END

#include "../stream/documents.c" /* texts with many documents */
#include "../stream/feed.c"      /* their pieces, for scans in parts */
#include "../stream/items.c"     /* the items of an array, one by one */
#include "../stream/tokens.c"    /* their tokens, one by one */
FL_SMALL_BEGIN
#include "../stream/parser.c" /* text that comes in pieces */
#include "../stream/build.c"  /* text that is written value by value */
#include "../stream/peek.c"   /* what such a text holds so far */
#include "../stream/events.c" /* server-sent events */
FL_SMALL_END
#include "../stream/writer.c" /* text that goes in pieces */

#include "../places/pick.c"  /* paths compiled for texts, and their values */
#include "../places/paths.c" /* paths of arguments */
FL_SMALL_BEGIN
#include "../places/edit.c" /* a text with some values changed */

#include "../module/module.c" /* the module's tables */
FL_SMALL_END
