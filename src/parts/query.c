/* SPDX-License-Identifier: MIT
** query.c -- a part: JSONPath, JSON Patch and JSON Merge Patch over texts, tables and documents. */

#include "lua_version.h"

#include "../lua/parts.h"

#include "../values/tables/api.c"
#include "../values/texts.h"

#include "../query/face/texts.c"
FL_SMALL_BEGIN
#include "../query/face/tables.c"
FL_SMALL_END
#include "../query/face/raw.c"
#if PART_HAS_document
#include "../query/face/documents.c"
#endif
FL_SMALL_BEGIN
#include "../query/face/query.c"
#include "../patch/face/arguments.c"
#include "../patch/face/copy.c"
#include "../patch/face/patch.c"
#include "../patch/face/items.c"
#include "../patch/face/tables.c"
#include "../patch/face/merge.c"
#include "../patch/face/prune.c"
FL_SMALL_END
