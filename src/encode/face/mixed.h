/* SPDX-License-Identifier: MIT
** mixed.h -- a public-API walk whose tables are written by the raw encoder, but for the values that need a call: hooks,
** values that are no data, errors.
** The open tables are always levels of the public-API walk, on the Lua stack. The raw encoder writes a table, or what
** is left of the innermost level. At a value that needs the public API it pauses; the tables it is in become levels,
** and the public API writes that one value. Then the raw encoder goes on in the innermost level; when that is closed,
** in the one around it. So each table becomes a level once, and the cost is linear. What the raw encoder cannot write
** otherwise, its text since the last pause is dropped, and the public API goes on from the levels.
** To a function, and to a file once a hook has run, the raw encoder writes into a buffer of limited size, and pauses
** when that is full.
** Must hold: no raw walk is under way while Lua may run. Of what it knew only the levels are believed after that; a
** level says where its array or nodes were, and the raw encoder looks whether they are still there. */
#pragma once

#include "encode.h"

/* Lets the public-API walk of a holder, just begun, write tables with the raw encoder. Returns 0 if out of memory. */
FL_PRIVATE int mixed_begin(struct mod_holder *h, const struct mod_call *call);

/* Begins that for a walk that has the memory of `c`, a raw walk that has paused in front of a value: makes levels of
** its open tables, and pushes the value. Returns the end of the text, or NULL if the text must be written again from
** its beginning. */
FL_PRIVATE char *mixed_continue(struct mod_holder *h, const struct mod_call *call, const struct encode_state *c);

/* Ends that, whether the walk was successful or not. */
FL_PRIVATE void mixed_end(struct mod_holder *h);
