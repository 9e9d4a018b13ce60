/* SPDX-License-Identifier: MIT
** files.c -- a unit of the part core, without Lua: files, and texts that are written anew.
** Must hold: compiled without Lua's headers. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* mremap */
#endif

#include "../format/json_to_json.c"

FL_SMALL_BEGIN
#include "../files/map.c"
#include "../files/spill.c"
#include "../files/replace.c"
#include "../files/lock.c"
#include "../files/append.c"
FL_SMALL_END
