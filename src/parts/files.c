/* SPDX-License-Identifier: MIT
** files.c -- a unit of the part core, without Lua: files, and texts that are written anew.
** Must hold: compiled without Lua's headers. */

#include "../format/json_to_json.c"

FL_SMALL_BEGIN
#include "../files/map.c"
#include "../files/replace.c"
#include "../files/lock.c"
#include "../files/append.c"
FL_SMALL_END
