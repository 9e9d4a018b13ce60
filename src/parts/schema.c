/* SPDX-License-Identifier: MIT
** schema.c -- a part: JSON Schema over texts, tables and documents. schema_engine.c is its other unit. */
#include "lua_version.h"

#include "../lua/parts.h"

#include "../schema/face/any.c"   /* over values of any form */
#include "../schema/face/texts.c" /* over texts */
#include "../schema/face/raw.c"   /* over tables below the API */
#include "../schema/face/fused.c" /* texts, while they are decoded */
FL_SMALL_BEGIN
#include "../schema/face/options.c"  /* options */
#include "../schema/face/failures.c" /* failures as tables */
#include "../schema/face/compile.c"  /* making a schema */
#include "../schema/face/schema.c"   /* using it */
#include "../schema/face/fill.c"     /* values with defaults */
FL_SMALL_END
