/* SPDX-License-Identifier: MIT
** decode.c -- a unit of the part core: text to Lua values. */

#include "lua_version.h"

#include "../decode/shapes.c"
#include "../decode/parts.c"
#include "../decode/api.c"
FL_SMALL_BEGIN
#include "../decode/live.c"
FL_SMALL_END
#include "../decode/lossless.c"
#include "../decode/instances.c"
#include "../decode/face/decode.c"
FL_SMALL_BEGIN
#include "../decode/face/partial.c"
FL_SMALL_END
