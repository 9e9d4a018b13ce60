/* SPDX-License-Identifier: MIT
** index.c -- a unit of the part formats: values that are found in a text by vectors.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../json/write/wide.c"
#include "../json/index/steps.c"
#include "../json/index/quoted.c"
#include "../json/index/members.c"
#include "../json/index/reader.c"
#include "../json/index/locate.c"
#include "../json/index/seek.c"
#include "../json/index/goals.c"
#include "../json/index/pick.c"
