/* SPDX-License-Identifier: MIT
** dropin.c -- a part: the stand-ins for other libraries that dropin/list.h chooses.
** Must hold: nothing else of the library knows a stand-in. */

#include "lua_version.h"

#include "../dropin/list.h"

#if DROPIN_USES_TREE
#include "../schema/tree/tree.c"
#include "../schema/tree/read.c"
#include "../schema/tree/write.c"
#include "../schema/tree/path.c"
#endif

#if DROPIN_USES_SCHEMA
FL_SMALL_BEGIN
#include "../schema/memory.c"
#include "../schema/equal.c"
#include "../schema/parts.c"
#include "../schema/patterns.c"
#include "../schema/schema.c"
FL_SMALL_END
#endif

#if !DROPIN_HAS_none
FL_SMALL_BEGIN
#include "../dropin/shared/place.c"
#include "../dropin/shared/loose.c"
#include "../dropin/shared/strtod.c"
#include "../dropin/shared/fault.c"
#include "../dropin/shared/find_fault.c"
#include "../dropin/shared/tables.c"
FL_SMALL_END
#endif

#if DROPIN_HAS_cjson
#include "../dropin/cjson/fault.c"
#include "../dropin/cjson/lenient.c"
#include "../dropin/cjson/module.c"
#endif

#if DROPIN_HAS_dkjson
#include "../dropin/dkjson/tokens.c"
#include "../dropin/dkjson/to_lua.c"
#include "../dropin/dkjson/raw.c"
#include "../dropin/dkjson/tables.c"
#include "../dropin/dkjson/module.c"
#endif

#if DROPIN_HAS_rxi
#include "../dropin/rxi/fault.c"
#include "../dropin/rxi/lenient.c"
#include "../dropin/rxi/tables.c"
#include "../dropin/rxi/module.c"
#endif

#if DROPIN_HAS_rapidjson
#include "../dropin/rapidjson/fault.c"
#include "../dropin/rapidjson/raw.c"
#include "../dropin/rapidjson/tables.c"
#include "../dropin/rapidjson/document.c"
#include "../dropin/rapidjson/schema.c"
#include "../dropin/rapidjson/module.c"
#include "../dropin/rapidjson/open.c"
#endif

#include "../dropin/open.c"
