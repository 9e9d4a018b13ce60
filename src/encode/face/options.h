/* SPDX-License-Identifier: MIT
** options.h -- reads the options of encode.
** Must hold: errors are raised before memory for encoding is allocated. */
#pragma once

#include "../../lua/options/options.h"
#include "../api/open.h"

FL_PRIVATE void mod_default_options(struct mod_options *o, int escape);

/* Computes what depends on several options. Call it after each change. */
FL_PRIVATE void mod_settle_options(struct mod_options *o);

/* Reads one option of encode into r->to, and its Lua values into the stack slots `order` and `on_error`. False: it is
** not an option of encode. */
FL_PRIVATE int mod_read_option(const struct mod_reader *r, int order, int on_error);

/* Reads the table at `arg` into `to`; other options keep their values. Pushes two slots, for Lua values. `names`: see
** mod_reader. */
FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, const char *names);
