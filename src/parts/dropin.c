/* SPDX-License-Identifier: MIT
** dropin.c -- a part: the stand-ins for other libraries that dropin/list.h chooses.
** Must hold: nothing else of the library knows a stand-in. */

#include "lua_version.h"

#include "../dropin/list.h"

#if !DROPIN_HAS_none
FL_SMALL_BEGIN
#include "../dropin/shared/strtod.c"
#include "../dropin/shared/fault.c"
#include "../dropin/shared/lua.c"
FL_SMALL_END
#endif

#if DROPIN_HAS_cjson
#include "../dropin/cjson/text.c"
#include "../dropin/cjson/module.c"
#endif

#if DROPIN_HAS_dkjson
#include "../dropin/dkjson/to_lua.c"
#include "../dropin/dkjson/raw.c"
#include "../dropin/dkjson/tables.c"
#include "../dropin/dkjson/module.c"
#endif

#if DROPIN_HAS_rxi
#include "../dropin/rxi/module.c"
#endif

#if DROPIN_HAS_rapidjson
#include "../dropin/rapidjson/raw.c"
#include "../dropin/rapidjson/text.c"
#include "../dropin/rapidjson/document.c"
#include "../dropin/rapidjson/schema.c"
#include "../dropin/rapidjson/module.c"
#endif

#include "../dropin/open.c"
