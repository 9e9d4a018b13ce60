/* SPDX-License-Identifier: MIT
** errors.h -- the error that stops a public-API walk: its path, its message, and what a handler puts in the value's
** place.
** Must hold: as levels.h; a handler may do anything. */
#pragma once

#include "../keys.h"
#include "levels.h"

/* Turns the key on top into one step of a path: .name, ["other"] or [7]. */
FL_PRIVATE void api_key_to_step(lua_State *L);

/* Pushes the message of the error that stopped the walk; `path` is the stack index of its path, or 0. */
FL_PRIVATE_NOINLINE void api_push_message(struct api_walk *a, int path);

/* After a failure of the value at `at`: puts what on_error(value, path, message) returns in its place. False,
** with the message on top: no handler, or it returned nothing, or `tries` says that it was asked before.
** `levels` open tables lead to the value. */
FL_PRIVATE_NOINLINE int api_replace(struct api_walk *a, int at, size_t levels, int tries);

/* api_advance or api_next failed: the error is the item's, or the table's whose key is gone. True: a handler may
** replace the item that __index did not give; nil stands for it, below the message. */
FL_PRIVATE_NOINLINE int api_may_substitute(struct api_walk *a, int slot);
