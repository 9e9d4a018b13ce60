/* SPDX-License-Identifier: MIT
** core.c -- a part: format, picking and editing, streams and files, and what all parts use of Lua. Its other units:
** files.c, decode.c, encode.c, raw.c.
** Must hold: knows document and query only through parts.h. */

#include "lua_version.h"

#include "../format/json_to_json.h"

FL_SMALL_BEGIN
#include "../layout/lua_compat/api.c"
#include "../layout/arena.c"
#include "../layout/probe.c"
#include "../layout/copy.c"
FL_SMALL_END

#include "../lua/exact.c"
#include "../lua/state.c"

FL_SMALL_BEGIN
#include "../module/library.c"
#include "../lua/options/options.c"
#include "../lua/options/arguments.c"
#include "../lua/guard.c"
#include "../lua/options/hints.c"
#include "../files/file.c"
#include "../format/face/format.c"
FL_SMALL_END

#include "../stream/documents.c"
#include "../stream/feed.c"
#include "../stream/items.c"
#include "../stream/tokens.c"
FL_SMALL_BEGIN
#include "../stream/parser.c"
#include "../stream/build.c"
#include "../stream/peek.c"
#include "../stream/events.c"
FL_SMALL_END
#include "../stream/writer.c"
#include "../places/pick.c"
#include "../places/paths.c"
#include "../places/wildcards.c"
#include "../places/edit.c"
FL_SMALL_BEGIN
#include "../module/module.c"
FL_SMALL_END
