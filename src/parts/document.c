/* SPDX-License-Identifier: MIT
** document.c -- a part: documents in Lua: views, files, differences; pack.c has its other unit. */

#include "lua_version.h"

#include "../document/view/way.c"
#include "../document/view.c"
#include "../document/view/read.c"
#include "../document/view/loops.c"
#include "../document/view/text.c"
#include "../document/view/walk.c"
#include "../document/view/json.c"
FL_SMALL_BEGIN
#include "../document/view/put.c"
#include "../document/face/mutable.c"
#include "../document/view/splice.c"
FL_SMALL_END

#include "../document/face/views.c"

FL_SMALL_BEGIN
#include "../document/state.c"
#include "../document/options.c"
#include "../document/face/binary.c"
#include "../document/face/open_file.c"
FL_SMALL_END
#include "../document/face/pack.c"
FL_SMALL_BEGIN
#include "../document/face/unpack.c"
#include "../document/face/delta.c"
#include "../document/face/builder.c"
#include "../document/face/dump.c"
#include "../document/face/save.c"
FL_SMALL_END
