/* SPDX-License-Identifier: MIT
** json.c -- a unit of the part formats: JSON as text, read, written and changed.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../json/write/write.c"
#include "../json/write/fold.c"
#include "../json/tokens/tokens.c"
#include "../json/grammar/scan.c"
FL_SMALL_BEGIN
#include "../json/tokens/lenient.c"
FL_SMALL_END
#include "../json/write/build.c"
#include "../json/events.c"
#include "../json/grammar/split.c"
#include "../json/grammar/count.c"
#include "../json/grammar/check.c"
#include "../json/edit/tree.c"
#include "../json/edit/items.c"
FL_SMALL_BEGIN
#include "../json/grammar/where.c"
#include "../json/pointer.c"
#include "../json/edit/state.c"
#include "../json/edit/names.c"
#include "../json/edit/places.c"
#include "../json/edit/lists.c"
#include "../json/edit/space.c"
#include "../json/edit/edit.c"
#include "../json/edit/each.c"
#include "../json/edit/result.c"
FL_SMALL_END
