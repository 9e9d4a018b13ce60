/* SPDX-License-Identifier: MIT
** write.h -- a tree to JSON text. Doubles always have a point or an exponent.
** May call: base, json.
** Must hold: no recursion; memory for deep trees is from the output's allocator, and given back. */
#ifndef FLEECE_TREE_WRITE_H
#define FLEECE_TREE_WRITE_H

#include "tree.h"
#include "../json/write/write.h"

/* Writes the value; the end, or NULL with the reason in out->error. */
FL_PRIVATE char *tree_write(struct json_out *out, char *w, const struct tree_value *v);

#endif
