/* SPDX-License-Identifier: MIT
** query.c -- a part: JSONPath, JSON Patch and JSON Merge Patch over texts, tables and documents. */

#include "lua_version.h"

#include "../lua/parts.h"

FL_SMALL_BEGIN
#include "../patch/value.c" /* values of a text, equal or not */
#include "../patch/diff.c"  /* what makes one value of another */
#include "../patch/write.c" /* that as JSON Patch */
#include "../patch/apply.c" /* its operations */
#include "../patch/merge.c" /* the same by JSON Merge Patch */
FL_SMALL_END

#include "../values/value.c"      /* what all forms of a value share */
#include "../values/tables/api.c" /* values of tables by the API */
#include "../values/texts.c"      /* values of texts */

FL_SMALL_BEGIN
#include "../query/compile_filter.c" /* its filters */
#include "../query/compile.c"        /* its text to a program */
FL_SMALL_END
#include "../query/run.c" /* what all evaluations share */
FL_SMALL_BEGIN
#include "../query/face/texts.c"  /* a query over texts */
#include "../query/face/tables.c" /* over tables */
FL_SMALL_END
#include "../query/face/raw.c" /* below the API */
#if PART_HAS_document
#include "../query/face/documents.c" /* over documents */
#endif
FL_SMALL_BEGIN
#include "../query/face/query.c" /* queries as values of Lua */

#include "../patch/face/arguments.c" /* texts and values as arguments */
#include "../patch/face/copy.c"      /* arrays and objects, copied */
#include "../patch/face/patch.c"     /* JSON Patch and JSON Merge Patch */
#include "../patch/face/items.c"     /* items of an array, added and removed */
#include "../patch/face/tables.c"    /* the first, of tables */
#include "../patch/face/merge.c"     /* the second */
FL_SMALL_END
