/* SPDX-License-Identifier: MIT
** schema.c -- a part: JSON Schema over texts, tables and documents. What the stand-in for lua-rapidjson has of it is in
** the part dropin. */

#include "lua_version.h"

#include "../lua/parts.h"

FL_SMALL_BEGIN
#include "../schema/keywords.c" /* the keywords of all drafts */
FL_SMALL_END
#include "../schema/run/run.c" /* what all runs share */
FL_SMALL_BEGIN
#include "../schema/run/report.c" /* failures and their messages */

#include "../schema/face/tables.c" /* a schema over tables by the API */
#if PART_HAS_document
#include "../schema/face/documents.c" /* over documents */
#endif
FL_SMALL_END
#include "../schema/face/texts.c" /* over texts */
#include "../schema/face/raw.c"   /* over tables below the API */
FL_SMALL_BEGIN
#include "../schema/face/options.c"  /* options */
#include "../schema/face/failures.c" /* failures as tables */
#include "../schema/face/compile.c"  /* making a schema */
#include "../schema/face/schema.c"   /* using it */
FL_SMALL_END
