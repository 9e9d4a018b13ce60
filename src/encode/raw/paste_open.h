/* SPDX-License-Identifier: MIT
** paste_open.h -- the functions that open tables: open.h, once for each layout of this build.
** Must hold: for .c files alone, and templates that continue with these functions. Compiled apart, each has its own
** copies. */
#pragma once

#include "../../layout/layouts.h"
#include "../state.h"

#define PASTE "../encode/raw/open.h"
#include "../../layout/each.h"
