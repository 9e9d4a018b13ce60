/* SPDX-License-Identifier: MIT
** schema.c -- a part: JSON Schema over texts, tables and documents. schema_engine.c is its other unit. */
#include "lua_version.h"

#include "../lua/parts.h"

#include "../schema/face/texts.c"
#include "../schema/face/raw.c"
#include "../schema/face/fused.c"
FL_SMALL_BEGIN
#include "../schema/face/fuses.c"
#include "../schema/face/any.c"
#include "../schema/face/options.c"
#include "../schema/face/failures.c"
#include "../schema/face/compile.c"
#include "../schema/face/schema.c"
#include "../schema/face/fill.c"
FL_SMALL_END
