/* SPDX-License-Identifier: MIT
** write.h -- a tree to JSON text. Doubles always have a point or an exponent, so that they are read as doubles again.
** Must hold: no recursion. Memory for deep trees comes from the output's allocator and is released at the end. */
#pragma once

#include "tree.h"
#include "../../../json/write/write.h"

/* Writes the value at w; returns the end, or NULL with the reason in out->error. */
FL_PRIVATE char *tree_write(struct json_out *out, char *w, const struct tree_value *v);
