/* SPDX-License-Identifier: MIT
** program.h -- fleece.program: C functions for the program bin/fleece only.
** Must hold: modules of the library do not include this: signals and standard streams belong to the program. */
#pragma once

#include "../text/cpu.h"
#include "../module/library.h"
#include "count.h"
#include "output_file.h"
#include "text.h"

FL_PRIVATE int program_open(lua_State *L);
