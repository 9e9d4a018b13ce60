/* SPDX-License-Identifier: MIT
** paste_open.h -- the functions that open tables: open.h, once for each layout of this build.
** Must hold: only for .c files and templates that continue with these functions. Compiled separately, each has its
** own copies. */
#pragma once

#include "../../layout/layouts.h"
#include "../state.h"

#define PASTE "../encode/raw/open.h"
#include "../../layout/each.h"
