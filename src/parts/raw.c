/* SPDX-License-Identifier: MIT
** raw.c -- a unit of the part core: Lua tables to text below the API. */

#include "lua_version.h"

FL_HOT_BEGIN
#include "../encode/raw/instances.c"
FL_HOT_END
