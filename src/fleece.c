/* SPDX-License-Identifier: MIT
** fleece.c -- the whole library as one file, which one command compiles. make compiles the parts side by side. */

#include "parts/lua_version.h"

#include "parts/formats.c"

#include "parts/core.c"
#include "parts/document.c"
#include "parts/dropin.c"
#include "parts/query.c"
#ifndef FLEECE_BUILD /* the C library leaves signals to its host */
#include "parts/program.c"
#endif
