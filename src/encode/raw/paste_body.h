/* SPDX-License-Identifier: MIT
** paste_body.h -- the functions of the raw encoder's loop: body.h, once for each layout of this build.
** Must hold: only for .c files and templates that continue with these functions. Compiled separately, each has its
** own copies. */
#pragma once

#include "../../json/write/write.h"
#include "paste_open.h"

#define PASTE "../encode/raw/body.h"
#include "../../layout/each.h"
