/* SPDX-License-Identifier: MIT
** tables.h -- the walk to text: values that are no plain data, and how the text of a table begins.
** Must hold: as walk.h. */
#pragma once

#include "values.h"

/* Userdata, light userdata, cdata; on top, stays. */
FL_PRIVATE_NOINLINE char *api_write_other(struct api_walk *a, char *w);

/* Writes the beginning of the table at `table`, which is opened as a level unless it is empty. */
FL_PRIVATE char *api_begin_level(struct api_walk *a, char *w, const struct api_opened *f, int table, int *opened);

/* Writes the table on top, or opens it as a level; *opened tells. The error leaves it where it was, with
** anything above. */
FL_PRIVATE_NOINLINE char *api_write_table(struct api_walk *a, char *w, int *opened);
