/* SPDX-License-Identifier: MIT
** decode.c -- a unit of the part core: text to Lua values. */

#include "lua_version.h"

#include "../decode/shapes.c" /* objects with the names of one before */
#include "../decode/parts.c"  /* values that come in pieces */
#include "../decode/api.c"    /* values over the public API */
FL_SMALL_BEGIN
#include "../decode/live.c" /* tables that can be seen while they are filled */
FL_SMALL_END
#include "../decode/lossless.c"  /* the same with their order and digits */
#include "../decode/instances.c" /* the decoders, one for each layout */

#include "../decode/face/decode.c" /* decode and its relatives */
FL_SMALL_BEGIN
#include "../decode/face/partial.c" /* texts of which only the beginning is there */
FL_SMALL_END
