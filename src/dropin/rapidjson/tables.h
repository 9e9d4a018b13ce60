/* SPDX-License-Identifier: MIT
** tables.h -- rapidjson's rules in the public-API walk: what a table is.
** Must hold: the same decisions as dropin/rapidjson/raw_tables.h, for the same tables. */
#pragma once

#include "../shared/tables.h"

/* Writes the table on top, or opens it as a level. */
FL_PRIVATE_NOINLINE char *rapidjson_write_table(struct api_walk *a, char *w, int *opened);

static const struct api_ops rapidjson_ops = {.write_table = rapidjson_write_table};
