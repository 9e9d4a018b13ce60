/* SPDX-License-Identifier: MIT
** fleece.c -- the whole library as one file, which one command compiles. make compiles the parts side by side. */

#include "parts/lua_version.h"

#include "lua/parts.h"

#include "parts/text.c"
#include "parts/json.c"
#include "parts/index.c"
#include "parts/binary.c"

#include "parts/files.c"
#include "parts/raw.c"
#include "parts/encode.c"
#include "parts/decode.c"
#include "parts/core.c"
#if PART_HAS_document
#include "parts/convert.c"
#include "parts/pack.c"
#include "parts/document.c"
#endif
#if PART_HAS_query
#include "parts/query_engine.c"
#include "parts/query.c"
#endif
#if PART_HAS_schema
#include "parts/schema_engine.c"
#include "parts/schema.c"
#endif
#include "parts/dropin.c"
#if PART_HAS_program
#include "parts/program.c"
#endif
