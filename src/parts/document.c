/* SPDX-License-Identifier: MIT
** document.c -- a part: documents in Lua: views, files, differences; pack.c has its other unit. */

#include "lua_version.h"

#include "../document/view/way.c"  /* paths */
#include "../document/view.c"      /* a value of a document, in Lua */
#include "../document/view/read.c" /* reading from one */
#include "../document/view/text.c" /* views of a text */
#include "../document/view/walk.c" /* all that one holds, and the way to each */
#include "../document/view/json.c" /* text of one */
FL_SMALL_BEGIN
#include "../document/view/put.c"     /* Lua values into documents */
#include "../document/face/mutable.c" /* documents that change */
#include "../document/view/splice.c"  /* texts of those that were texts */
FL_SMALL_END

#include "../document/face/views.c" /* their methods */

FL_SMALL_BEGIN
#include "../document/state.c"          /* what documents keep */
#include "../document/options.c"        /* options of the binary functions */
#include "../document/face/binary.c"    /* from_json, to_json, check, open, lazy */
#include "../document/face/open_file.c" /* documents of files */
FL_SMALL_END
#include "../document/face/pack.c" /* Lua to documents */
FL_SMALL_BEGIN
#include "../document/face/unpack.c"  /* documents to Lua */
#include "../document/face/delta.c"   /* differences */
#include "../document/face/builder.c" /* documents, value by value */
#include "../document/face/dump.c"    /* what a document holds, in words */
#include "../document/face/save.c"    /* files that are replaced or get amendments */
FL_SMALL_END
