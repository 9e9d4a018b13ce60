/* SPDX-License-Identifier: MIT
** paste.h -- the functions of the raw encoder, LAYOUT_encode_..., once for each layout of this build.
** Must hold: for .c files alone, of this folder and of those whose templates continue with these functions. Compiled
** apart, each of them has its own copies. */
#pragma once

#include "../../json/write/wide.h"
#include "../../layout/layouts.h"
#include "../state.h"

#define PASTE "../encode/raw/walk.h"
#include "../../layout/each.h"
