/* SPDX-License-Identifier: MIT
** program.c -- a part: what bin/fleece has besides the module. */

#include "lua_version.h"

FL_SMALL_BEGIN
#include "../program/count.c"
#include "../program/order.c"
#include "../program/sorter.c"
#include "../program/text.c"
#include "../program/transcribe.c"
#include "../program/program.c"
FL_SMALL_END
