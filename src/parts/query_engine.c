/* SPDX-License-Identifier: MIT
** query_engine.c -- a unit of the part query, without Lua: what compiles queries, and compares and changes texts as
** trees.
** Must hold: compiled without Lua's headers. */
#include "../base/def.h"

#include "../patch/value.c"
#include "../patch/ids.c"
FL_SMALL_BEGIN
#include "../patch/diff.c"
#include "../patch/write.c"
#include "../patch/apply.c"
#include "../patch/merge.c"
FL_SMALL_END

#include "../values/value.c"
#include "../values/outline.c"
#include "../patch/parts.c"
#include "../values/texts.c"

FL_SMALL_BEGIN
#include "../query/compile_filter.c"
#include "../query/compile.c"
FL_SMALL_END
#include "../query/run.c"
