/* SPDX-License-Identifier: MIT
** tables.h -- the rules of JSON4Lua in the public-API walk: what a table is, what is left out.
** Must hold: the same decisions as the raw walk, for the tables that it does not leave to this one. */
#pragma once

#include "../shared/tables.h"

/* Writes the table on top, or opens it as a level. */
FL_PRIVATE_NOINLINE char *json4lua_write_table(struct api_walk *a, char *w, int *opened);

/* Userdata, light userdata, cdata, functions; on top, stays. */
FL_PRIVATE char *json4lua_write_other(struct api_walk *a, char *w);

/* Of an object only the pairs count whose key and value have a text. */
FL_PRIVATE int json4lua_skips(struct api_walk *a, const struct encode_frame *frame, int slot);

static const struct api_ops json4lua_ops = {
    .write_table = json4lua_write_table,
    .write_other = json4lua_write_other,
    .skips = json4lua_skips,
};
