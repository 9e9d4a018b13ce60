/* SPDX-License-Identifier: MIT
** options.h -- reads the options of encode.
** Must hold: errors are raised before memory for encoding is allocated. */
#pragma once

#include "../../lua/options/options.h"
#include "../api/walk.h"

FL_PRIVATE void mod_default_options(struct mod_options *o, int escape);

/* Computes what depends on several options. Call it after each change. */
FL_PRIVATE void mod_settle_options(struct mod_options *o);

/* Reads the table at `arg` into `to`; other options keep their values. Leaves Lua values on the stack. */
FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, enum mod_taker of);

/* The options of encode, for readers that have others too. */
FL_PRIVATE const struct mod_option *mod_encode_options(void);
