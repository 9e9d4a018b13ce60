/* SPDX-License-Identifier: MIT
** paste.h -- the functions of the raw encoder, LAYOUT_encode_..., once for each layout of this build.
** May call: layout.
** Must hold: for .c files alone, of this folder and of those whose templates continue with these functions. Compiled
** apart, each of them has its own copies. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_RAW_PASTE_H
#define FLEECE_CONVERT_LUA_TO_JSON_RAW_PASTE_H

#include "../../layout/layouts.h"
#include "../state.h"

#define PASTE "../encode/raw/walk.h"
#include "../../layout/each.h"

#endif
