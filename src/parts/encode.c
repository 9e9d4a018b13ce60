/* SPDX-License-Identifier: MIT
** encode.c -- the other unit of the part core: Lua values to text. */

#include "lua_version.h"

#include "../encode/state.c"
#include "../encode/keys.c"
#include "../encode/sort.c"
#include "../encode/order.c"
#include "../encode/api/state.c"
FL_SMALL_BEGIN
#include "../encode/api/errors.c"
FL_SMALL_END
#include "../encode/api/open.c"
#include "../encode/api/pairs.c"
#include "../encode/api/walk.c"
#include "../encode/face/encode.h"
FL_SMALL_BEGIN
#include "../encode/face/marks.c"
#include "../encode/face/foreign_marks.c"
#include "../encode/face/options.c"
#include "../encode/face/state.c"
#include "../encode/face/sink.c"
#include "../encode/face/width.c"
#include "../encode/face/mixed.c"
FL_SMALL_END
#include "../encode/face/encode.c"
#include "../encode/face/steps.c"
