/* SPDX-License-Identifier: MIT
** tables.h -- the rules of LuaJSON in the public-API walk: what a table is, which values are words.
** Must hold: the same decisions as the raw walk, for the tables that it does not leave to this one. */
#pragma once

#include "table_hooks.h"

/* Writes the table on top, or opens it as a level. */
FL_PRIVATE_NOINLINE char *luajson_write_table(struct api_walk *a, char *w, int *opened);

/* Userdata, light userdata, cdata, functions; on top, stays. */
FL_PRIVATE char *luajson_write_other(struct api_walk *a, char *w);

/* The same for the key at `key`, which stays. */
FL_PRIVATE_NOINLINE char *luajson_write_key(struct api_walk *a, char *w, int key);

/* The value on top: what a program's function puts in its place is written. */
FL_PRIVATE char *luajson_write_value(struct api_walk *a, char *w, int *opened);

static const struct api_ops luajson_ops = {.write_table = luajson_write_table, .write_other = luajson_write_other};

/* With functions or words of a program. */
static const struct api_ops luajson_special_ops = {
    .write_table = luajson_write_table,
    .write_other = luajson_write_other,
    .write_value = luajson_write_value,
    .write_key = luajson_write_key,
};
