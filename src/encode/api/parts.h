/* SPDX-License-Identifier: MIT
** parts.h -- a public-API walk that is done in parts: its levels between two of them.
** Must hold: between two parts nothing of a walk is on a Lua stack: each open table is in the spill table with the
** key it is at, and what happens to it meanwhile is what happens to a table between two calls of `next`. A part
** costs what it writes and its open levels, API_LEVELS at most: the others are in the spill table anyway. */
#pragma once

#include "walk.h"

/* Takes the levels, which end the stack, off it. */
FL_PRIVATE void api_park(struct api_walk *a);

/* Brings the levels to the stack of a->L. */
FL_PRIVATE void api_unpark(struct api_walk *a);
