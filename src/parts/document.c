/* SPDX-License-Identifier: MIT
** document.c -- a part: the binary format in Lua: pack, from_json, open, views, files of documents. */

#include "lua_version.h"

#include "../document/from_json/names.c"          /* names that a reader has met */
#include "../document/from_json/json_to_binary.c" /* text to a document */
#include "../document/to_json/binary_to_json.c"   /* a document to text */
#include "../document/to_json/delta.c"            /* a difference of documents to text */
#include "../document/from_lua/fast.c"            /* what the fast mode remembers of records */
#include "../document/from_lua/instances.c"       /* the raw walks to a document, one for each layout */
#include "../document/from_lua/api/walk.c"        /* the public-API walk to a document */
#include "../document/to_lua/api.c"               /* the same from documents */
#include "../document/to_lua/instances.c"         /* the same below the API */
#include "../document/view/way.c"                 /* paths */
#include "../document/view.c"                     /* a value of a document, in Lua */
#include "../document/view/read.c"                /* reading from one */
#include "../document/view/text.c"                /* views of a text */
#include "../document/view/walk.c"                /* all that one holds */
#include "../document/view/step.c"                /* the same in steps */
#include "../document/view/json.c"                /* text of one */
#include "../document/view/put.c"                 /* Lua values into documents */
#include "../document/view/mutable.c"             /* documents that change */
#include "../document/view/splice.c"              /* texts of those that were texts */

#include "../document/face/views.c" /* their methods */

#include "../document/state.c"          /* what documents keep */
#include "../document/writing.c"        /* the encoder and what it wrote */
#include "../document/options.c"        /* options of the binary functions */
#include "../document/face/binary.c"    /* from_json, to_json, check and open */
#include "../document/face/open_file.c" /* documents of files */
#include "../document/face/pack.c"      /* Lua to documents */
#include "../document/face/unpack.c"    /* documents to Lua */
#include "../document/face/delta.c"     /* differences */
#include "../document/face/builder.c"   /* documents, value by value */
#include "../document/face/dump.c"      /* what a document holds, in words */
#include "../document/face/save.c"      /* files that are replaced */
#include "../document/face/append.c"    /* files that get amendments */
#include "../document/face/lazy.c"      /* texts that are read where it is asked for */
