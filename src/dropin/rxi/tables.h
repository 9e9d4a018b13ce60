/* SPDX-License-Identifier: MIT
** tables.h -- the rules of rxi's json.lua in the public-API walk: what a table is, and which ones are errors.
** Must hold: the same decisions as the raw walk, for the tables that it does not leave to this one. */
#pragma once

#include "../shared/tables.h"

/* Writes the table on top, or opens it as a level. */
FL_PRIVATE_NOINLINE char *rxi_write_table(struct api_walk *a, char *w, int *opened);

static const struct api_ops rxi_ops = {.write_table = rxi_write_table, .write_other = dropin_write_other};
